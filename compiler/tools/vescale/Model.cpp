//===- Model.cpp - vescale model ------------------------------------------===//

#include "compiler/tools/vescale/Model.h"

#include "compiler/models/Gpt.h"
#include "compiler/tools/vescale/Command.h"
#include "runtime/checkpoint/AtomicFile.h"

#include <cstdio>
#include <memory>

namespace vescale::tools {
namespace {

/// Writes to a file that appears complete or not at all, or to standard output.
layout::Status writeText(const std::string &path, const std::string &text) {
  if (path.empty() || path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return layout::Status();
  }
  return runtime::writeFileAtomically(path, text);
}

void addGpt(CLI::App &group) {
  struct Options {
    GptOptions model;
    std::string output;
  };
  auto options = std::make_shared<Options>();
  GptOptions &model = options->model;
  CLI::App *command = group.add_subcommand("gpt", "Decoder-only transformer as GPT-2");
  auto number = [&](const char *name, int64_t &value, const char *help) {
    command->add_option(name, value, help)->type_name("N")->capture_default_str();
  };
  number("--layers", model.layers, "Transformer blocks");
  number("--hidden", model.hidden, "Width of the residual stream");
  number("--heads", model.heads, "Attention heads");
  number("--key-heads", model.keyHeads, "Heads of keys and values; 0: as many as --heads");
  number("--sequence", model.sequence, "Tokens of a sample");
  number("--batch", model.batch, "Samples of a step, over all devices");
  number("--vocabulary", model.vocabulary, "Different tokens");
  number("--mlp", model.mlp, "Width of the MLP; 0: 4 * hidden");
  command->add_option("--dropout", model.dropout, "Probability of dropping an element")->capture_default_str();
  command->add_option("--type", model.type, "Element type of parameters and activations")
      ->type_name("f32|f64")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; standard output without it")
      ->type_name("FILE");
  command->footer("Example:\n  vescale model gpt --layers 4 --hidden 128 --heads 4 --sequence 128 -o gpt.mlir");
  setAction(*command, [options] {
    if (std::string fault = options->model.fault(); !fault.empty())
      return layout::Status::error(fault);
    return writeText(options->output, buildGpt(options->model));
  });
}

} // namespace

void addModelCommands(CLI::App &app) {
  CLI::App *group = app.add_subcommand("model", "Write a model as IR, for one logical device");
  group->require_subcommand(1);
  addGpt(*group);
}

} // namespace vescale::tools
