//===- StageCheck.cpp - Each stage's result against one device ------------------------------===//

#include "tests/differential/StageCheck.h"

#include "analysis/interpreter/InitialValues.h"
#include "analysis/interpreter/Interpreter.h"
#include "analysis/interpreter/OneDevice.h"
#include "analysis/interpreter/ScheduleInterpreter.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"
#include "tests/differential/NativeProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <cmath>
#include <fmt/format.h>

using namespace mlir;

namespace vescale::analysis {
namespace {

/// Collects errors instead of printing them.
class Errors {
public:
  explicit Errors(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text += diagnostic.str() + "\n";
          return success();
        }) {}

  std::string text;

private:
  ScopedDiagnosticHandler handler;
};

/// What a function computes on one device.
struct Reference {
  std::string function;
  std::vector<Tensor> arguments, results;
  /// By argument: whether a schedule has a tensor for it, and not only a number of the step.
  std::vector<bool> isTensor;
  /// By result: the argument that it replaces, or -1.
  std::vector<int64_t> replaced;
  /// Whether an inexact value is rounded so close to the middle between two multiples that single
  /// precision may round it to the other.
  bool mayFlip = false;
  /// By result; 0 where it must be equal.
  std::vector<double> tolerance;
};

bool isInexact(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isa<dist::ConstrainOp, dist::RedistributeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && op->hasAttr("inexact");
}

bool hasSingles(func::FuncOp function) {
  auto single = [](Type type) { return getElementTypeOrSelf(type).isF32(); };
  bool found = llvm::any_of(function.getArgumentTypes(), single);
  function.walk([&](Operation *op) { found |= llvm::any_of(op->getResultTypes(), single); });
  return found;
}

/// Whether single precision may round an element to another integer than double precision.
bool isNearMiddle(const Tensor &tensor) {
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    double x = tensor.real(i);
    if (std::abs(std::abs(x - std::nearbyint(x)) - 0.5) < 1e-4 * std::max(1.0, std::abs(x)))
      return true;
  }
  return false;
}

} // namespace

class StageChecker::State {
public:
  explicit State(const StageCheckOptions &options) : options(options) {}

  std::optional<StageFailure> setProgram(ModuleOp program) {
    Errors collected(program.getContext());
    errors = &collected;
    references.clear();
    OwningOpRef<ModuleOp> single = program.clone();
    for (auto function : single->getOps<func::FuncOp>()) {
      removeLayouts(function);
      if (!evaluateReference(function))
        return StageFailure{"one device", "", collected.text};
    }
    return std::nullopt;
  }

  std::optional<StageFailure> check(ModuleOp base, const std::vector<Stage> &stages, bool eachStage) {
    Errors collected(base.getContext());
    errors = &collected;
    pipeline.clear();
    bool hasLayouts = false;
    for (auto function : base.getOps<func::FuncOp>())
      for (Type type : function.getArgumentTypes())
        hasLayouts |= dist::getLayout(type) != nullptr;
    if (hasLayouts && eachStage)
      if (std::optional<StageFailure> failure = compare(base))
        return named(*failure, "layouts");
    OwningOpRef<ModuleOp> module = base.clone();
    for (const Stage &stage : stages) {
      pipeline += (pipeline.empty() ? "" : ",") + stage.pipeline;
      collected.text.clear();
      if (std::optional<std::string> failed = runPipeline(*module, stage.pipeline, eachStage))
        return named({"", "", *failed}, stage.name);
      if (!eachStage && &stage != &stages.back())
        continue;
      if (std::optional<StageFailure> failure = compare(*module)) {
        std::optional<StageFailure> first;
        if (!eachStage)
          first = check(base, stages, /*eachStage=*/true);
        return first ? first : named(*failure, stage.name);
      }
    }
    return std::nullopt;
  }

  StageCheckOptions options;
  int64_t executions = 0;

private:
  StageFailure named(StageFailure failure, const std::string &stage) {
    failure.stage = stage;
    failure.pipeline = pipeline;
    return failure;
  }

  bool evaluateReference(func::FuncOp function) {
    Reference reference;
    reference.function = function.getSymName().str();
    InitialValueOptions initial;
    initial.seed = options.seed;
    initial.gridParameters = true;
    for (unsigned number = 0; number < function.getNumArguments(); ++number) {
      FailureOr<Tensor> value = initialValue(function, number, initial);
      if (failed(value))
        return false;
      reference.arguments.push_back(std::move(*value));
      auto role = function.getArgAttrOfType<StringAttr>(number, vs::VsDialect::roleAttributeName);
      reference.isTensor.push_back(isa<RankedTensorType>(function.getArgumentTypes()[number]) &&
                                   !(role && role.getValue() == vs::scalarRole));
    }
    llvm::DenseSet<Value> rounded;
    function.walk([&](vs::RoundOp op) {
      if (op->hasAttr("rounds_inexact"))
        rounded.insert(op->getOperand(0));
    });
    Interpreter interpreter({}, [&](Operation *op, ArrayRef<Sharded> results) {
      for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
        if (rounded.count(value))
          reference.mayFlip |= isNearMiddle(result.shards[0]);
    });
    FailureOr<SmallVector<Tensor>> results = interpreter.run(function, reference.arguments);
    if (failed(results))
      return false;
    reference.results.assign(results->begin(), results->end());
    for (unsigned number = 0; number < function.getNumResults(); ++number) {
      auto alias = function.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName);
      reference.replaced.push_back(alias ? alias.getInt() : -1);
    }
    reference.mayFlip &= hasSingles(function);
    double tolerance = hasSingles(function) ? options.singleTolerance : options.tolerance;
    for (Value result : function.getBody().front().getTerminator()->getOperands())
      reference.tolerance.push_back(function->hasAttr("inexact") || isInexact(result) ? tolerance : 0);
    references.push_back(std::move(reference));
    return true;
  }

  std::optional<StageFailure> compare(ModuleOp module) {
    for (const Reference &reference : references) {
      FailureOr<std::vector<Tensor>> results;
      if (auto function = module.lookupSymbol<func::FuncOp>(reference.function)) {
        FailureOr<SmallVector<Tensor>> whole = Interpreter({}).run(function, reference.arguments);
        if (succeeded(whole))
          results = std::vector<Tensor>(whole->begin(), whole->end());
      } else if (auto schedule = module.lookupSymbol<sched::ScheduleOp>(reference.function)) {
        if (reference.mayFlip)
          continue;
        auto kernels = module.lookupSymbol<ModuleOp>("kernels");
        results = kernels ? interpret(schedule, kernels, reference) : execute(schedule, reference);
      } else {
        continue;
      }
      if (failed(results))
        return StageFailure{"", "", errors->text};
      if (std::optional<StageFailure> failure = compare(reference, *results))
        return failure;
    }
    return std::nullopt;
  }

  /// Sets the inputs of a schedule, runs a step, and reads its results in the order of the
  /// function that it was.
  template <class Program, class Run>
  FailureOr<std::vector<Tensor>> runSchedule(sched::ScheduleOp schedule, Program &program,
                                             const Reference &reference, Run run) {
    SmallVector<sched::TensorOp> inputs = ScheduleInterpreter::inputs(schedule), computed;
    for (sched::TensorOp tensor : ScheduleInterpreter::outputs(schedule))
      if (!llvm::is_contained(inputs, tensor))
        computed.push_back(tensor);
    std::vector<sched::TensorOp> tensorOf(reference.arguments.size());
    size_t next = 0;
    for (size_t argument = 0; argument < reference.arguments.size(); ++argument)
      if (reference.isTensor[argument]) {
        tensorOf[argument] = inputs[next++];
        program.set(tensorOf[argument], reference.arguments[argument]);
      }
    if (failed(run()))
      return failure();
    std::vector<Tensor> results;
    next = 0;
    for (int64_t replaced : reference.replaced) {
      auto value = program.value(replaced >= 0 ? tensorOf[replaced] : computed[next++]);
      if (!isValue(value))
        return failure();
      results.push_back(*value);
    }
    return results;
  }

  static bool isValue(const FailureOr<Tensor> &value) { return succeeded(value); }
  bool isValue(const layout::StatusOr<Tensor> &value) {
    if (!value.ok())
      errors->text += value.message();
    return value.ok();
  }

  FailureOr<std::vector<Tensor>> interpret(sched::ScheduleOp schedule, ModuleOp kernels,
                                           const Reference &reference) {
    auto interpreter = ScheduleInterpreter::get(schedule, kernels);
    if (failed(interpreter))
      return failure();
    ScheduleStep step;
    step.seed = options.seed;
    return runSchedule(schedule, **interpreter, reference, [&] { return (*interpreter)->run(step); });
  }

  FailureOr<std::vector<Tensor>> execute(sched::ScheduleOp schedule, const Reference &reference) {
    auto program = NativeProgram::get(schedule->getParentOfType<ModuleOp>());
    if (!program.ok()) {
      errors->text += program.message();
      return failure();
    }
    ++executions;
    return runSchedule(schedule, **program, reference, [&]() -> LogicalResult {
      layout::Status status = (*program)->run({0, 0x1p-10, options.seed});
      if (!status.ok())
        errors->text += status.message();
      return success(status.ok());
    });
  }

  std::optional<StageFailure> compare(const Reference &reference, const std::vector<Tensor> &results) {
    if (results.size() != reference.results.size())
      return StageFailure{"", "", fmt::format("@{} has {} results, on one device {}",
                                              reference.function, results.size(),
                                              reference.results.size())};
    for (size_t number = 0; number < results.size(); ++number) {
      const Tensor &expected = reference.results[number], &actual = results[number];
      if (actual.shape() != expected.shape() || actual.type() != expected.type())
        return StageFailure{"", "", fmt::format("result {} of @{} has another type than on one device",
                                                number, reference.function)};
      Difference difference = largestDifference(actual, expected);
      if (difference.size > reference.tolerance[number] * scale(expected))
        return StageFailure{"", "",
                            fmt::format("@{}, result {}, element {}: {} on all ranks, {} on one device",
                                        reference.function, number,
                                        indexText(expected.shape(), difference.element),
                                        actual.text(difference.element),
                                        expected.text(difference.element)),
                            true, difference.size};
    }
    return std::nullopt;
  }

  /// The largest element; rounding errors of sums are relative to it.
  static double scale(const Tensor &tensor) {
    double largest = 1;
    for (int64_t i = 0; i < tensor.elements(); ++i)
      if (std::isfinite(tensor.real(i)))
        largest = std::max(largest, std::abs(tensor.real(i)));
    return largest;
  }

  /// Of the call under way.
  Errors *errors = nullptr;
  std::vector<Reference> references;
  std::string pipeline;
};

StageChecker::StageChecker(const StageCheckOptions &options) : state(new State(options)) {}

StageChecker::~StageChecker() = default;

std::optional<StageFailure> StageChecker::setProgram(ModuleOp program) {
  return state->setProgram(program);
}

std::optional<StageFailure> StageChecker::check(ModuleOp base, const std::vector<Stage> &stages) {
  return state->check(base, stages, state->options.eachStage);
}

int64_t StageChecker::executions() const { return state->executions; }

std::optional<StageFailure> checkStages(ModuleOp base, const std::vector<Stage> &stages,
                                        const StageCheckOptions &options) {
  StageChecker checker(options);
  if (std::optional<StageFailure> failure = checker.setProgram(base))
    return failure;
  return checker.check(base, stages);
}

bool isSameKind(const StageFailure &a, const StageFailure &b) {
  if (a.stage != b.stage || a.isDifference != b.isDifference)
    return false;
  if (a.isDifference) {
    auto magnitude = [](double size) { return size < 1e-4 ? 0 : std::isfinite(size) ? 1 : 2; };
    return magnitude(a.size) == magnitude(b.size);
  }
  auto words = [](const std::string &text) {
    std::string letters;
    bool isName = false;
    for (char c : text) {
      isName ^= c == '\'';
      if (!isName && std::isalpha(static_cast<unsigned char>(c)) && letters.size() < 60)
        letters += c;
    }
    return letters;
  };
  return words(a.text) == words(b.text);
}

std::optional<std::string> runPipeline(ModuleOp module, const std::string &pipeline,
                                       bool verifiesEachPass) {
  Errors errors(module.getContext());
  PassManager manager = PassManager::on<ModuleOp>(module.getContext());
  std::string error;
  llvm::raw_string_ostream stream(error);
  if (failed(parsePassPipeline(pipeline, manager, stream)))
    return stream.str();
  manager.enableVerifier(verifiesEachPass);
  if (failed(manager.run(module)) || (!verifiesEachPass && failed(verify(module))))
    return errors.text.empty() ? "the pass fails without an error" : errors.text;
  return std::nullopt;
}

} // namespace vescale::analysis
