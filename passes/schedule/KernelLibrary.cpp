//===- KernelLibrary.cpp - the distinct kernels of a schedule -------------===//

#include "passes/schedule/KernelLibrary.h"

#include "passes/codegen/KernelEmitter.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LocalFunction.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/VsInterfaces.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace vescale {
namespace {

/// Turns what differs between devices, layers and steps into index arguments of a local form, so that all of
/// them share one kernel.
class ParameterHoister {
public:
  /// `generators` has the numbers of each generator among the arguments, in order.
  ParameterHoister(func::FuncOp local, ArrayRef<DrawNumbers> generators)
      : local(local), generators(generators) {}

  SmallVector<KernelParameter> run() {
    hoistAxisIndices();
    hoistGenerators();
    return std::move(parameters);
  }

private:
  Value add(KernelParameter parameter) {
    unsigned position = local.getNumArguments();
    local.insertArgument(position, IndexType::get(local.getContext()), {}, local.getLoc());
    parameters.push_back(parameter);
    return local.getArgument(position);
  }

  void hoistAxisIndices() {
    llvm::SmallDenseMap<int, Value> arguments;
    for (Operation &op : llvm::make_early_inc_range(local.front())) {
      auto index = dyn_cast<dist::AxisIndexOp>(op);
      if (!index)
        continue;
      int axis = *index.getMesh().getMesh().axisIndex(index.getAxis());
      Value &argument = arguments[axis];
      if (!argument)
        argument = add({sched::ScalarKind::axis_index, 0, axis});
      index.getResult().replaceAllUsesWith(argument);
      index.erase();
    }
  }

  /// A generator becomes a cast of the step, the halves of the seed and its smallest draw; ids count
  /// from that.
  void hoistGenerators() {
    ArrayRef<DrawNumbers> numbers = generators;
    for (unsigned number = 0; number < local.getNumArguments();) {
      BlockArgument argument = local.getArgument(number);
      if (!isa<vs::RngType>(argument.getType())) {
        ++number;
        continue;
      }
      DrawNumbers draws = numbers.front();
      numbers = numbers.drop_front();
      KernelParameter first = {sched::ScalarKind::constant, firstDrawOf(argument) * draws.count};
      for (Operation *user : argument.getUsers())
        if (auto random = dyn_cast<vs::RandomOpInterface>(user); random && random.drawId())
          random.assignDrawId(*random.drawId() * draws.count - first.constant);
      if (draws.loop) {
        first.kind = sched::ScalarKind::loop_index;
        first.axis = *draws.loop;
      }
      SmallVector<Value> parts = {add({sched::ScalarKind::step}), add({sched::ScalarKind::seed_low}),
                                  add({sched::ScalarKind::seed_high}), add(first)};
      OpBuilder builder = OpBuilder::atBlockBegin(&local.front());
      auto cast = builder.create<UnrealizedConversionCastOp>(local.getLoc(), argument.getType(), parts);
      argument.replaceAllUsesWith(cast.getResult(0));
      local.eraseArgument(number);
    }
  }

  func::FuncOp local;
  ArrayRef<DrawNumbers> generators;
  SmallVector<KernelParameter> parameters;
};

/// Removes what only names a value: layers would differ by it.
void removeNames(func::FuncOp local) {
  for (Operation &op : llvm::make_early_inc_range(local.front()))
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      if (view.getViewSource().getType() == op.getResult(0).getType()) {
        op.getResult(0).replaceAllUsesWith(view.getViewSource());
        op.erase();
      }
}

} // namespace

KernelLibrary::KernelLibrary(ModuleOp kernels)
    : kernels(kernels), scratch(ModuleOp::create(kernels.getLoc())) {}

KernelLibrary::~KernelLibrary() = default;

/// Whether a parameter is where a generator's draws begin.
static bool isFirstDraw(const KernelParameter &parameter) {
  return parameter.kind == sched::ScalarKind::constant || parameter.kind == sched::ScalarKind::loop_index;
}

FailureOr<LocalKernel> KernelLibrary::get(Operation *group, const layout::Coordinate &coordinate,
                                          ArrayRef<int> aliases) {
  SmallVector<DrawNumbers> generators;
  for (Value operand : group->getOperands())
    if (isa<vs::RngType>(operand.getType())) {
      FailureOr<DrawNumbers> numbers = drawNumbers(operand);
      if (failed(numbers))
        return failure();
      generators.push_back(*numbers);
    }
  GroupPattern pattern = patternOfGroup(group);
  pattern.words.insert(pattern.words.end(), coordinate.begin(), coordinate.end());
  pattern.words.insert(pattern.words.end(), aliases.begin(), aliases.end());
  for (const DrawNumbers &numbers : generators)
    pattern.words.insert(pattern.words.end(),
                         {static_cast<uintptr_t>(numbers.count), static_cast<uintptr_t>(numbers.loop.value_or(-1))});
  auto known = byPattern.find(pattern.words);
  if (known == byPattern.end()) {
    FailureOr<LocalKernel> kernel = build(group, coordinate, aliases, generators);
    if (failed(kernel))
      return failure();
    known = byPattern.emplace(std::move(pattern.words), std::move(*kernel)).first;
  }
  LocalKernel kernel = known->second;
  size_t generator = 0;
  for (KernelParameter &parameter : kernel.parameters)
    if (isFirstDraw(parameter)) {
      parameter.constant = pattern.firstDraws[generator] * generators[generator].count;
      ++generator;
    }
  return kernel;
}

FailureOr<LocalKernel> KernelLibrary::build(Operation *group, const layout::Coordinate &coordinate,
                                            ArrayRef<int> aliases, ArrayRef<DrawNumbers> generators) {
  FailureOr<func::FuncOp> local =
      dist::buildLocalFunction(*scratch, "local", group->getRegion(0).front(), coordinate);
  if (failed(local))
    return failure();
  removeNames(*local);
  SmallVector<KernelParameter> parameters = ParameterHoister(*local, generators).run();
  Builder builder(group->getContext());
  for (auto [result, argument] : llvm::enumerate(aliases)) {
    if (argument < 0)
      continue;
    // Generators are no arguments any more.
    auto isGenerator = [](Value operand) { return isa<vs::RngType>(operand.getType()); };
    int64_t number = argument - llvm::count_if(group->getOperands().take_front(argument), isGenerator);
    local->setResultAttr(result, vs::aliasesAttributeName, builder.getI64IntegerAttr(number));
  }

  std::string text;
  llvm::raw_string_ostream stream(text);
  local->print(stream, OpPrintingFlags().enableDebugInfo(false).useLocalScope());
  auto [entry, isNew] = byText.try_emplace(text);
  LocalKernel &kernel = entry->second;
  if (isNew) {
    kernel.symbol = "kernel_" + std::to_string(byText.size() - 1);
    FailureOr<KernelShape> shape = emitKernel(*local, kernel.symbol, kernels);
    if (failed(shape)) {
      byText.erase(text);
      local->erase();
      return failure();
    }
    kernel.extent = shape->extent;
  }
  local->erase();
  LocalKernel result = kernel;
  result.parameters = std::move(parameters);
  return result;
}

} // namespace vescale
