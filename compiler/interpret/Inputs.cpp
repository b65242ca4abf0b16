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

namespace {

/// An argument, or a tensor of a schedule, by the names under which --input gives it.
struct InputSubject {
  std::string name, otherName;
  analysis::InitialValueSubject initial;
};

StatusOr<std::vector<Tensor>> readInputs(Operation *place, StringRef symbol,
                                         const std::vector<InputSubject> &subjects,
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
  std::vector<Tensor> values;
  std::string names;
  for (const InputSubject &subject : subjects) {
    names += (names.empty() ? "" : ", ") + subject.name;
    auto found = given.find(subject.name);
    if (found == given.end())
      found = given.find(subject.otherName);
    if (found == given.end()) {
      FailureOr<Tensor> value = analysis::initialValue(subject.initial, place, initial);
      if (failed(value))
        return Status::error(fmt::format("argument '{}' has no initial value", subject.name));
      values.push_back(std::move(*value));
      continue;
    }
    StatusOr<Tensor> value =
        readInput(found->second, subject.initial.type, subject.initial.argument, options);
    if (!value.ok())
      return Status::error(
          fmt::format("--input '{}={}': {}", found->first, found->second, value.message()));
    values.push_back(std::move(*value));
    given.erase(found);
  }
  if (!given.empty())
    return Status::error(fmt::format("--input '{}={}': @{} has no such argument; it has {}",
                                     given.begin()->first, given.begin()->second, symbol.str(),
                                     names));
  return values;
}

/// The role of a schedule's tensor as `vs.role` says it.
StringRef roleOf(sched::TensorOp tensor) {
  return tensor.getRole() == sched::Role::parameter ? vs::parameterRole
         : tensor.getRole() == sched::Role::state   ? vs::stateRole
                                                    : vs::batchRole;
}

} // namespace

StatusOr<std::vector<Tensor>> readArguments(func::FuncOp function,
                                            const InterpretOptions &options) {
  std::vector<InputSubject> subjects;
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    subjects.push_back({argumentName(function, number), std::to_string(number),
                        analysis::initialValueSubject(function, number)});
  return readInputs(function, function.getSymName(), subjects, options);
}

StatusOr<std::vector<Tensor>> readScheduleInputs(sched::ScheduleOp schedule,
                                                 ArrayRef<sched::TensorOp> tensors,
                                                 const InterpretOptions &options) {
  std::vector<InputSubject> subjects;
  for (sched::TensorOp tensor : tensors) {
    uint32_t number = static_cast<uint32_t>(tensor.getDraw());
    InputSubject subject;
    subject.name = tensor.getTensorName().str();
    subject.otherName = std::to_string(number);
    subject.initial.type = tensor.getType();
    subject.initial.role = roleOf(tensor);
    subject.initial.name = tensor.getTensorName();
    subject.initial.init = tensor.getInitializer().value_or(Attribute());
    subject.initial.parameter = subject.initial.argument = number;
    subjects.push_back(subject);
  }
  return readInputs(schedule, schedule.getSymName(), subjects, options);
}

} // namespace vescale
