/// Colours on terminals and nowhere else.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_TERMINAL_H
#define VESCALE_COMPILER_TOOLS_VESCALE_TERMINAL_H

#include <cstdio>
#include <string>
#include <string_view>

namespace vescale::tools {

enum class Colour { red, green, yellow, blue, magenta, cyan, grey };

/// True if `stream` is a terminal that shows colours and the environment does not set NO_COLOR.
bool showsColours(std::FILE *stream);

/// The text in the colour if the stream shows colours, else the text.
std::string paint(std::FILE *stream, Colour colour, std::string_view text);

/// The text on a background that tells `index` from its neighbours, as boxes of a picture need;
/// the text alone where the stream shows no colours.
std::string paintBox(std::FILE *stream, size_t index, std::string_view text);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_TERMINAL_H
