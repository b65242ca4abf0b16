#include "runtime/train/Options.h"

#include "runtime/train/ShortFormatter.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

using namespace vescale::runtime;

namespace {

/// A number in [least, most]. CLI11's own checks let NaN pass and print bounds with all digits.
std::function<std::string(const std::string &)>
between(double least, double most = std::numeric_limits<double>::infinity()) {
  return [=](const std::string &text) -> std::string {
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == 0 && std::isfinite(value) && value >= least && value <= most)
      return "";
    std::string bounds = std::isfinite(most) ? fmt::format("from {:g} to {:g}", least, most)
                                             : fmt::format("of at least {:g}", least);
    return fmt::format("must be a number {}, not {}", bounds, text);
  };
}

/// CLI11 takes a text; a schedule of another name is its error.
std::string checkKind(const std::string &text) {
  auto kind = parseLearningRateKind(text);
  return kind.ok() ? "" : kind.message();
}

/// An unsigned number would wrap around silently.
std::string checkSeed(const std::string &text) {
  return text[0] == '-' ? "a seed is not negative: " + text : "";
}

std::string checkTokens(const std::string &text) {
  auto type = parseTokenType(text);
  return type.ok() ? "" : type.message();
}

} // namespace

ParsedOptions vescale::runtime::parseOptions(int argc, const char *const *argv,
                                             const std::string &description) {
  TrainOptions o;
  std::string kind = "constant";
  CLI::App app(description);
  app.formatter(std::make_shared<ShortFormatter>());
  app.get_option("--help")->description("Print this and exit");
  constexpr double most = 1e15;
  app.add_option("--data", o.data, "Token file, text file, or folder of files")
      ->required()
      ->type_name("PATH");
  app.add_option("--tokens", o.tokens, "bytes, uint16 or uint32 [.bin: uint16, else bytes]")
      ->type_name("TYPE")
      ->check(checkTokens);
  app.add_option("--steps", o.steps, "Training steps")
      ->type_name("N")
      ->check(between(0, most))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "Seed of weights, dropout and data")
      ->type_name("N")
      ->check(checkSeed)
      ->capture_default_str();
  app.add_option("--lr", o.learningRate.peak, "Learning rate, its highest value")
      ->type_name("X")
      ->check(between(0))
      ->capture_default_str();
  app.add_option("--lr-schedule", kind, "constant, cosine or linear")
      ->type_name("KIND")
      ->check(checkKind)
      ->capture_default_str();
  app.add_option("--lr-final", o.learningRate.finalFraction,
                 "Part of the rate that is left at the end")
      ->type_name("X")
      ->check(between(0, 1))
      ->capture_default_str();
  app.add_option("--warmup", o.learningRate.warmup, "Steps in which the rate rises")
      ->type_name("N")
      ->check(between(0, most))
      ->capture_default_str();
  app.add_option("--ranks", o.ranks, "Ranks; must be those it was compiled for")
      ->type_name("N")
      ->check(between(1, most));
  app.add_option("--threads-per-rank", o.threadsPerRank,
                 "Threads for one rank's work [cores / ranks]")
      ->type_name("N")
      ->check(between(1, 4096));
  app.add_option("--validate-every", o.validateEvery, "Steps between validations; 0: none")
      ->type_name("N")
      ->check(between(0, most))
      ->capture_default_str();
  app.add_option("--validation-batches", o.validationBatches, "Batches of one validation")
      ->type_name("N")
      ->check(between(1, most))
      ->capture_default_str();
  app.add_option("--validation-part", o.validationFraction, "Part of the data kept for validation")
      ->type_name("X")
      ->check(between(0, 0.9))
      ->capture_default_str();
  app.add_option("--metrics", o.metrics, "Write a JSON line per step")->type_name("FILE");
  app.add_option("--trace", o.trace, "Write a timeline of the last step for Perfetto")
      ->type_name("FILE");
  app.add_option("--load", o.load, "Start from these weights (safetensors)")->type_name("FILE");
  app.add_option("--save", o.save, "Write weights and optimizer state at the end")
      ->type_name("FILE");
  app.add_option("--dump-gradients", o.dumpGradients, "Write the gradients of the first step")
      ->type_name("FILE");
  app.add_option("--timeout", o.timeoutSeconds, "Seconds after which a stuck step ends the run")
      ->type_name("N")
      ->check(between(1, most))
      ->capture_default_str();
  ParsedOptions result;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &) {
    result.text = app.help();
    return result;
  } catch (const CLI::ParseError &error) {
    result.text = std::string("error: ") + error.what() + " (--help lists the options)\n";
    result.exitCode = 2;
    return result;
  }
  o.learningRate.kind = *parseLearningRateKind(kind);
  o.learningRate.steps = o.steps;
  result.options = std::move(o);
  return result;
}
