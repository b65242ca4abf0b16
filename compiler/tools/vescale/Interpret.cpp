/// `vescale interpret`: runs a module on the reference interpreter.
#include "compiler/tools/vescale/Interpret.h"

#include "compiler/interpret/Interpret.h"
#include "compiler/tools/vescale/Command.h"

#include <memory>

namespace vescale::tools {

void addInterpret(CLI::App &app) {
  struct Choices {
    InterpretOptions options;
    std::string ranks = "all", types = "double";
  };
  auto choices = std::make_shared<Choices>();
  InterpretOptions &options = choices->options;
  CLI::App *command =
      app.add_subcommand("interpret", "Run a module on the reference interpreter, and compare");
  command->add_option("module", options.file, "The module")->required()->type_name("FILE");
  command->add_option("--function", options.function, "The function; @loss or @step if not given");
  command
      ->add_option("--input", options.inputs,
                   "An argument's value: random, iota, zeros, ones, a number, or a file of numbers")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--seed", options.seed, "Seed of parameters, inputs and dropout");
  command->add_option("--step", options.step, "Number of the training step, from 0");
  command->add_option("--integers-below", options.integersBelow,
                      "Bound of integers in inputs that are not given");
  command->add_option("--ranks", choices->ranks, "all: as laid out; one: without layouts")
      ->check(CLI::IsMember({"all", "one"}));
  command->add_option("--types", choices->types, "double, or declared: round each result")
      ->check(CLI::IsMember({"double", "declared"}));
  command->add_option("--print", options.print, "A result, argument or tag, instead of all results")
      ->type_name("NAME")
      ->allow_extra_args(false);
  auto *other = command->add_option("--compare", options.compare, "A module of equal results")
                    ->type_name("FILE");
  command
      ->add_flag("--compare-one-device", options.compareOneDevice,
                 "Compare with the same module without layouts")
      ->excludes(other);
  command->add_option("--tolerance", options.tolerance,
                      "Largest relative difference; 0 if not given");
  command->footer(
      "Exits with 1 where results differ by more than the tolerance.\n"
      "Example:\n"
      "  vescale interpret placed.mlir --seed 1 --compare model.mlir --tolerance 1e-12");
  setExitingAction(*command, [choices] {
    choices->options.oneDevice = choices->ranks == "one";
    choices->options.declaredTypes = choices->types == "declared";
    return interpretFile(choices->options);
  });
}

} // namespace vescale::tools
