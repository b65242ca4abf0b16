//===- ShortFormatter.h - --help on one screen ---------------------------------------===//

#ifndef VESCALE_RUNTIME_TRAIN_SHORTFORMATTER_H
#define VESCALE_RUNTIME_TRAIN_SHORTFORMATTER_H

#include <CLI/CLI.hpp>

#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace vescale::runtime {

/// One line per option, without CLI11's descriptions of types, so that --help fits a screen. Below them the
/// command's footer, where it has one.
class ShortFormatter : public CLI::Formatter {
public:
  std::string make_option(const CLI::Option *option, bool isPositional) const override {
    std::ostringstream line;
    std::string left = "  " + option->get_name(isPositional, /*all_options=*/true);
    // CLI11 appends the names of checks to the type.
    std::string type = option->get_type_name();
    if (!type.empty())
      left += " " + type.substr(0, type.find(':'));
    line << std::left << std::setw(28) << left << option->get_description();
    if (!option->get_default_str().empty())
      line << " [" << option->get_default_str() << "]";
    line << "\n";
    return line.str();
  }
  std::string make_group(std::string, bool isPositional,
                         std::vector<const CLI::Option *> options) const override {
    std::string text;
    for (const CLI::Option *option : options)
      text += make_option(option, isPositional);
    return text;
  }
  std::string make_help(const CLI::App *app, std::string, CLI::AppFormatMode) const override {
    std::string footer = app->get_footer();
    return app->get_description() + "\n" + make_positionals(app) +
           make_groups(app, CLI::AppFormatMode::Normal) + (footer.empty() ? "" : "\n" + footer + "\n");
  }
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRAIN_SHORTFORMATTER_H
