//===- Interpret.cpp - Runs a module file on the reference interpreter ----------------------===//

#include "compiler/interpret/Interpret.h"

#include "analysis/interpreter/Interpreter.h"
#include "analysis/interpreter/OneDevice.h"
#include "analysis/interpreter/ScheduleInterpreter.h"
#include "compiler/Registration.h"
#include "compiler/interpret/Inputs.h"
#include "dialects/vs/StructureOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace mlir;

namespace vescale {
namespace {

using analysis::Tensor;
using layout::Status;
using layout::StatusOr;

/// The first error that MLIR reports, with its place: what a person reads as one line.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (message.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            llvm::raw_string_ostream stream(message);
            if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
              stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
                     << place.getColumn() << ": ";
            stream << diagnostic.str();
          }
          return success();
        }) {}
  Status status(const std::string &otherwise) const {
    return Status::error(message.empty() ? otherwise : message);
  }

private:
  std::string message;
  ScopedDiagnosticHandler handler;
};

/// The function or schedule that is run.
StatusOr<Operation *> chooseProgram(ModuleOp module, const InterpretOptions &options,
                                    const std::string &file) {
  std::vector<std::pair<std::string, Operation *>> programs;
  std::string names;
  for (Operation &op : *module.getBody())
    if (isa<func::FuncOp, sched::ScheduleOp>(op)) {
      programs.emplace_back(cast<SymbolOpInterface>(op).getName().str(), &op);
      names += (names.empty() ? "@" : ", @") + programs.back().first;
    }
  if (programs.empty())
    return Status::error(fmt::format("'{}' has no function and no schedule", file));
  std::vector<std::string> wanted{options.function};
  if (options.function.empty())
    wanted = {"loss", "step"};
  for (const std::string &name : wanted)
    for (const auto &[known, op] : programs)
      if (known == name)
        return op;
  if (options.function.empty() && programs.size() == 1)
    return programs[0].second;
  return Status::error(
      options.function.empty()
          ? fmt::format("'{}' has the functions {}; choose one by --function", file, names)
          : fmt::format("--function '{}': '{}' has {}", options.function, file, names));
}

/// A parsed module, the values of its results, and those of its arguments and tags by name.
struct Run {
  OwningOpRef<ModuleOp> module;
  std::string program;
  std::vector<std::string> resultNames;
  std::vector<Tensor> results;
  std::vector<std::pair<std::string, Tensor>> named;

  void addResult(std::string name, Tensor value) {
    named.emplace_back(name, value);
    resultNames.push_back(std::move(name));
    results.push_back(std::move(value));
  }
};

Status runFunction(func::FuncOp function, Run &run, FirstError &errors, const std::string &file,
                   bool oneDevice, const InterpretOptions &options) {
  if (oneDevice)
    analysis::removeLayouts(function);
  StatusOr<std::vector<Tensor>> arguments = readArguments(function, options);
  if (!arguments.ok())
    return errors.status(arguments.message());
  for (auto [number, argument] : llvm::enumerate(*arguments))
    run.named.emplace_back(argumentName(function, number), argument);

  std::string inconsistent;
  analysis::Interpreter interpreter(
      {options.declaredTypes}, [&](Operation *op, ArrayRef<analysis::Sharded> results) {
        auto tag = dyn_cast<vs::TagOp>(op);
        if (!tag || options.print.empty())
          return;
        ArrayRef<int64_t> shape = cast<RankedTensorType>(tag.getType()).getShape();
        StatusOr<Tensor> tensor =
            analysis::rebuild(results[0], analysis::Shape(shape.begin(), shape.end()));
        if (tensor.ok())
          run.named.emplace_back(tag.getName().str(), *tensor);
        else if (inconsistent.empty())
          inconsistent = tag.getName().str() + ": " + tensor.message();
      });
  FailureOr<SmallVector<Tensor>> results = interpreter.run(function, *arguments);
  if (failed(results))
    return errors.status(fmt::format("'{}' cannot be interpreted", file));
  if (!inconsistent.empty())
    return Status::error(inconsistent);
  for (auto [number, result] : llvm::enumerate(*results))
    run.addResult(resultName(function, number), result);
  return Status();
}

Status runSchedule(sched::ScheduleOp schedule, Run &run, FirstError &errors,
                   const std::string &file, const InterpretOptions &options) {
  // Kernels stand beside the schedule until they become machine code.
  SmallVector<ModuleOp> kernels(run.module->getOps<ModuleOp>());
  if (kernels.size() != 1)
    return Status::error(fmt::format("'{}' has a schedule but no kernels that can be interpreted: "
                                     "interpret it as it is before code generation",
                                     file));
  SmallVector<sched::TensorOp> inputs = analysis::ScheduleInterpreter::inputs(schedule);
  StatusOr<std::vector<Tensor>> values = readScheduleInputs(schedule, inputs, options);
  if (!values.ok())
    return errors.status(values.message());
  auto interpreter = analysis::ScheduleInterpreter::get(schedule, kernels[0]);
  if (failed(interpreter))
    return errors.status(fmt::format("'{}' cannot be interpreted", file));
  for (auto [tensor, value] : llvm::zip_equal(inputs, *values)) {
    run.named.emplace_back(tensor.getTensorName().str(), value);
    if (failed((*interpreter)->set(tensor, value)))
      return errors.status(fmt::format("'{}' cannot be interpreted", file));
  }
  analysis::ScheduleStep step;
  step.number = options.step;
  step.seed = options.seed;
  if (failed((*interpreter)->run(step)))
    return errors.status(fmt::format("'{}' cannot be interpreted", file));
  for (sched::TensorOp tensor : analysis::ScheduleInterpreter::outputs(schedule)) {
    FailureOr<Tensor> value = (*interpreter)->value(tensor);
    if (failed(value))
      return errors.status(fmt::format("'{}' cannot be interpreted", file));
    run.addResult(tensor.getTensorName().str(), *value);
  }
  return Status();
}

StatusOr<Run> run(MLIRContext &context, const std::string &file, bool oneDevice,
                  const InterpretOptions &options) {
  FirstError errors(&context);
  Run run;
  run.module = parseSourceFile<ModuleOp>(file, &context);
  if (!run.module)
    return errors.status(fmt::format("'{}' cannot be read", file));
  StatusOr<Operation *> program = chooseProgram(*run.module, options, file);
  if (!program.ok())
    return program.status();
  run.program = cast<SymbolOpInterface>(*program).getName().str();
  Status status;
  if (auto function = dyn_cast<func::FuncOp>(*program))
    status = runFunction(function, run, errors, file, oneDevice, options);
  else if (oneDevice)
    return Status::error(fmt::format("'{}' is a schedule, which has no meaning on one device; give "
                                     "a module of an earlier stage to --compare",
                                     file));
  else
    status = runSchedule(cast<sched::ScheduleOp>(*program), run, errors, file, options);
  if (!status.ok())
    return status;
  return StatusOr<Run>(std::move(run));
}

/// A line for each tensor; of large ones the first elements and what they are about.
void print(const std::string &name, const Tensor &tensor) {
  constexpr int64_t shown = 16;
  fmt::print("{}: {}", name, analysis::str(tensor.type()));
  if (tensor.rank() > 0)
    fmt::print(" [{}]", fmt::join(tensor.shape(), ", "));
  fmt::print(" =");
  double low = 0, high = 0, sum = 0;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    if (i < shown)
      fmt::print(" {}", tensor.text(i));
    double element = tensor.real(i);
    low = i == 0 ? element : std::min(low, element);
    high = i == 0 ? element : std::max(high, element);
    sum += element;
  }
  if (tensor.elements() > shown)
    fmt::print(" ... ({} elements, least {}, largest {}, mean {})", tensor.elements(), low, high,
               sum / static_cast<double>(tensor.elements()));
  fmt::print("\n");
}

Status printValues(const Run &run, const InterpretOptions &options) {
  if (options.print.empty()) {
    for (auto [name, result] : llvm::zip_equal(run.resultNames, run.results))
      print(name, result);
    return Status();
  }
  for (const std::string &name : options.print) {
    bool found = false;
    for (const auto &[known, tensor] : run.named)
      if (known == name) {
        print(name, tensor);
        found = true;
      }
    if (!found)
      return Status::error(fmt::format("--print '{}': no result, argument or tag of @{} has this "
                                       "name",
                                       name, run.program));
  }
  return Status();
}

StatusOr<int> compare(const Run &run, const Run &other, const InterpretOptions &options) {
  if (run.results.size() != other.results.size())
    return Status::error(fmt::format("the functions have {} and {} results", run.results.size(),
                                     other.results.size()));
  analysis::Difference largest;
  size_t place = 0;
  for (size_t i = 0; i < run.results.size(); ++i) {
    if (run.results[i].shape() != other.results[i].shape())
      return Status::error(fmt::format("result {} has the shapes [{}] and [{}]", i,
                                       fmt::join(run.results[i].shape(), ", "),
                                       fmt::join(other.results[i].shape(), ", ")));
    analysis::Difference difference = analysis::largestDifference(run.results[i], other.results[i]);
    if (difference.size > largest.size) {
      largest = difference;
      place = i;
    }
  }
  if (largest.size == 0) {
    fmt::print("{} results are equal\n", run.results.size());
    return 0;
  }
  const Tensor &a = run.results[place], &b = other.results[place];
  fmt::print("largest relative difference {:.3g}: result '{}', element {}: {} and {}\n",
             largest.size, run.resultNames[place],
             analysis::indexText(a.shape(), largest.element), a.text(largest.element),
             b.text(largest.element));
  return largest.size > options.tolerance ? 1 : 0;
}

} // namespace

StatusOr<int> interpretFile(const InterpretOptions &options) {
  DialectRegistry registry;
  registerVescaleDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  StatusOr<Run> first = run(context, options.file, options.oneDevice, options);
  if (!first.ok())
    return first.status();
  bool compares = options.compareOneDevice || !options.compare.empty();
  if (!compares || !options.print.empty())
    if (Status status = printValues(*first, options); !status.ok())
      return status;
  if (!compares)
    return 0;
  StatusOr<Run> second = run(context, options.compareOneDevice ? options.file : options.compare,
                             options.compareOneDevice, options);
  if (!second.ok())
    return second.status();
  return compare(*first, *second, options);
}

} // namespace vescale
