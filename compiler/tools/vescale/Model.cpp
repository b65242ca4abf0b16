//===- Model.cpp - vescale model ------------------------------------------===//

#include "compiler/tools/vescale/Model.h"

#include "compiler/models/Gpt.h"
#include "compiler/models/Llama.h"
#include "compiler/models/Vit.h"
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

/// Adds an option that takes a whole number.
void addNumber(CLI::App &command, const char *option, int64_t &value, const char *help) {
  command.add_option(option, value, help)->type_name("N")->capture_default_str();
}

/// Those of transformers of text.
void addText(CLI::App &command, TextTransformerOptions &model) {
  addNumber(command, "--key-heads", model.keyHeads, "Heads of keys and values; 0: as many as --heads");
  addNumber(command, "--sequence", model.sequence, "Tokens of a sample");
  addNumber(command, "--vocabulary", model.vocabulary, "Different tokens");
}

/// Adds a command that writes a model: Options describe it, `addOptions` says which the model has beside those that all
/// have.
template <class Options>
void addModel(CLI::App &group, const char *name, const char *help, std::string (*build)(const Options &),
              void (*addOptions)(CLI::App &, Options &)) {
  struct State {
    Options model;
    std::string output;
  };
  auto state = std::make_shared<State>();
  Options &model = state->model;
  CLI::App *command = group.add_subcommand(name, help);
  addNumber(*command, "--layers", model.layers, "Transformer blocks");
  addNumber(*command, "--hidden", model.hidden, "Width of the residual stream");
  addNumber(*command, "--heads", model.heads, "Attention heads");
  addNumber(*command, "--batch", model.batch, "Samples of a step, over all devices");
  addNumber(*command, "--mlp", model.mlp, "Width of the MLP; 0: 4 * hidden");
  addOptions(*command, model);
  command->add_option("--type", model.type, "Element type of parameters and activations")
      ->type_name("f32|f64")
      ->capture_default_str();
  command->add_option("-o,--output", state->output, "File to write; standard output without it")
      ->type_name("FILE");
  command->footer(std::string("Example:\n  vescale model ") + name +
                  " --layers 4 --hidden 128 --heads 4 -o " + name + ".mlir");
  setAction(*command, [state, build] {
    if (std::string fault = state->model.fault(); !fault.empty())
      return layout::Status::error(fault);
    return writeText(state->output, build(state->model));
  });
}

void addGpt(CLI::App &group) {
  addModel<GptOptions>(group, "gpt", "Decoder-only transformer as GPT-2", buildGpt,
                       [](CLI::App &command, GptOptions &model) {
                         addText(command, model);
                         command.add_option("--dropout", model.dropout, "Probability of dropping an element")
                             ->capture_default_str();
                       });
}

void addLlama(CLI::App &group) {
  addModel<LlamaOptions>(group, "llama", "Decoder-only transformer as Llama 3", buildLlama,
                         [](CLI::App &command, LlamaOptions &model) {
                           addText(command, model);
                           command.add_option("--rope-base", model.ropeBase, "Base of the rotary angles")
                               ->capture_default_str();
                         });
}

void addVit(CLI::App &group) {
  addModel<VitOptions>(group, "vit", "Vision transformer that classifies images", buildVit,
                       [](CLI::App &command, VitOptions &model) {
                         addNumber(command, "--image", model.image, "Height and width of an image");
                         addNumber(command, "--patch", model.patch, "Height and width of a patch");
                         addNumber(command, "--channels", model.channels, "Colours of an image");
                         addNumber(command, "--classes", model.classes, "Different labels");
                       });
}

} // namespace

void addModelCommands(CLI::App &app) {
  CLI::App *group = app.add_subcommand("model", "Write a model as IR, for one logical device");
  group->require_subcommand(1);
  addGpt(*group);
  addLlama(*group);
  addVit(*group);
}

} // namespace vescale::tools
