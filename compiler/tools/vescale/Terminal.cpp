#include "compiler/tools/vescale/Terminal.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <unistd.h>

namespace vescale::tools {

bool showsColours(std::FILE *stream) {
  // https://no-color.org: any value that is not empty turns colours off.
  const char *noColour = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  return isatty(fileno(stream)) && !(noColour && *noColour) && terminal &&
         std::string_view(terminal) != "dumb";
}

std::string paint(std::FILE *stream, Colour colour, std::string_view text) {
  static constexpr int codes[] = {31, 32, 33, 34, 35, 36, 90};
  if (!showsColours(stream))
    return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(colour)], text);
}

std::string paintBox(std::FILE *stream, size_t index, std::string_view text) {
  // Backgrounds of the 256-colour palette that stay readable under black text.
  static constexpr int backgrounds[] = {117, 156, 222, 218, 183, 159, 229, 252, 216, 114, 111, 180};
  if (!showsColours(stream))
    return std::string(text);
  return fmt::format("\x1b[30;48;5;{}m{}\x1b[0m", backgrounds[index % std::size(backgrounds)],
                     text);
}

} // namespace vescale::tools
