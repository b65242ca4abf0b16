//===- Inputs.cpp - Arguments of an interpreted function ------------------------------------===//

#include "compiler/interpret/Inputs.h"

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/InitialValues.h"
#include "dialects/vs/VsDialect.h"

#include <fmt/format.h>
#include <fstream>
#include <map>

using namespace mlir;

namespace vescale {

using analysis::Tensor;
using layout::Status;
using layout::StatusOr;

std::string argumentName(func::FuncOp function, unsigned number) {
  auto name = function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
  return name ? name.str() : std::to_string(number);
}

std::string resultName(func::FuncOp function, unsigned number) {
  auto name = function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
  return name ? name.str() : std::to_string(number);
}

/// Numbers separated by white space.
static StatusOr<Tensor> readNumbers(const std::string &path, Tensor tensor) {
  std::ifstream file(path);
  if (!file)
    return Status::error(
        fmt::format("'{}' cannot be read: give random, iota, zeros, ones, a number "
                    "or a file of numbers",
                    path));
  int64_t count = 0;
  std::string word;
  while (file >> word) {
    char *end = nullptr;
    double number = std::strtod(word.c_str(), &end);
    if (*end)
      return Status::error(fmt::format("'{}': '{}' is no number", path, word));
    if (count < tensor.elements())
      tensor.setNumber(count, number);
    ++count;
  }
  if (count != tensor.elements())
    return Status::error(fmt::format("'{}' has {} numbers, the argument has {} elements", path,
                                     count, tensor.elements()));
  return tensor;
}

static StatusOr<Tensor> readInput(const std::string &value, Type type, unsigned number,
                                  const InterpretOptions &options) {
  if (isa<vs::RngType>(type))
    return Status::error("a random generator is given by --seed and --step");
  Tensor tensor = analysis::zerosOf(type);
  if (value == "random")
    return analysis::gridTensor(tensor.type(), tensor.shape(), {options.seed, 0, 1u << 30 | number},
                                options.integersBelow);
  if (value == "iota")
    return analysis::countingTensor(tensor.type(), tensor.shape(), options.integersBelow);
  char *end = nullptr;
  double constant = std::strtod(value.c_str(), &end);
  if (value == "zeros" || value == "ones")
    constant = value == "ones";
  else if (value.empty() || *end)
    return readNumbers(value, tensor);
  tensor.fill(constant);
  return tensor;
}

StatusOr<std::vector<Tensor>> readArguments(func::FuncOp function,
                                            const InterpretOptions &options) {
  std::map<std::string, std::string> given;
  for (const std::string &input : options.inputs) {
    size_t equal = input.find('=');
    if (equal == std::string::npos)
      return Status::error(fmt::format("--input '{}': a name and a value are expected, as in "
                                       "x=random",
                                       input));
    given[input.substr(0, equal)] = input.substr(equal + 1);
  }
  analysis::InitialValueOptions initial;
  initial.seed = options.seed;
  initial.step = static_cast<uint32_t>(options.step);
  initial.integersBelow = options.integersBelow;
  std::vector<Tensor> arguments;
  std::string names;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    std::string name = argumentName(function, number);
    names += (names.empty() ? "" : ", ") + name;
    auto found = given.find(name);
    if (found == given.end())
      found = given.find(std::to_string(number));
    if (found == given.end()) {
      FailureOr<Tensor> value = analysis::initialValue(function, number, initial);
      if (failed(value))
        return Status::error(fmt::format("argument '{}' has no initial value", name));
      arguments.push_back(std::move(*value));
      continue;
    }
    StatusOr<Tensor> value =
        readInput(found->second, function.getArgumentTypes()[number], number, options);
    if (!value.ok())
      return Status::error(
          fmt::format("--input '{}={}': {}", found->first, found->second, value.message()));
    arguments.push_back(std::move(*value));
    given.erase(found);
  }
  if (!given.empty())
    return Status::error(fmt::format("--input '{}={}': @{} has no such argument; it has {}",
                                     given.begin()->first, given.begin()->second,
                                     function.getSymName().str(), names));
  return arguments;
}

} // namespace vescale
