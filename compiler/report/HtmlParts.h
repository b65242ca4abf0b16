//===- HtmlParts.h - What the page of a report is made of ---------------------------------------===//

#ifndef VESCALE_COMPILER_REPORT_HTMLPARTS_H
#define VESCALE_COMPILER_REPORT_HTMLPARTS_H

#include <cstddef>
#include <string>
#include <vector>

namespace vescale::html {

/// The styles know so many colours: classes c0, c1, ... as backgrounds, f0, f1, ... in pictures.
inline constexpr size_t colours = 8;

/// Text with `&`, `<`, `>` and quotes written as entities.
std::string escape(const std::string &text);

/// A whole document with the styles, light and dark as the reader prefers.
std::string document(const std::string &title, const std::string &body);

/// The names of the axes that cut each dim of a layout in its text form.
std::vector<std::vector<std::string>> axesOfDims(const std::string &layout);

} // namespace vescale::html

#endif // VESCALE_COMPILER_REPORT_HTMLPARTS_H
