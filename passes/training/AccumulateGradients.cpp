//===- AccumulateGradients.cpp - a step over several micro-batches --------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/training/MetricNames.h"
#include "passes/training/Passes.h"
#include "passes/training/TrainedFunctions.h"

#include "analysis/plan/PlanFile.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/formulas/Formula.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_ACCUMULATEGRADIENTSPASS
#include "passes/training/Passes.h.inc"

namespace {

struct AccumulateGradientsPass : impl::AccumulateGradientsPassBase<AccumulateGradientsPass> {
  using AccumulateGradientsPassBase::AccumulateGradientsPassBase;

  void runOnOperation() override {
    FailureOr<TrainedFunctions> found = findTrainedFunctions(getOperation(), function);
    if (failed(found))
      return signalPassFailure();
    auto [model, gradients] = *found;
    FailureOr<int64_t> microBatches = findCount();
    if (failed(microBatches))
      return signalPassFailure();
    if (*microBatches > 1 && (failed(check(model, gradients)) || failed(accumulate(gradients, *microBatches))))
      signalPassFailure();
  }

private:
  /// What is asked for by the option, the plan, or both with one voice; 1 where neither speaks.
  FailureOr<int64_t> findCount() {
    if (count < 0)
      return getOperation().emitError() << "a step cannot have " << count.getValue() << " micro-batches";
    int64_t asked = std::max<int64_t>(count, 1);
    if (plan.empty())
      return asked;
    layout::StatusOr<analysis::PlanFile> read = analysis::PlanFile::read(plan);
    if (!read.ok())
      return emitError(getOperation().getLoc()) << read.message();
    if (count > 0 && read->accumulate && *read->accumulate != count)
      return emitError(getOperation().getLoc())
             << plan << ": \"accumulate\": the plan asks for " << *read->accumulate
             << " micro-batches of a step, the command for " << count.getValue() << ": give one number, or one of both";
    return count > 0 ? asked : read->accumulate.value_or(1);
  }

  /// Every result must have a mean.
  LogicalResult check(func::FuncOp model, func::FuncOp gradients) {
    for (auto [number, type] : llvm::enumerate(gradients.getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !isa<FloatType>(tensor.getElementType()))
        return gradients.emitError() << "result #" << number << " ("
                                     << (number < model.getNumResults() ? metricName(model, number) : "a gradient")
                                     << ") of type " << type << " has no mean over micro-batches";
    }
    return success();
  }

  LogicalResult accumulate(func::FuncOp target, int64_t microBatches) {
    MLIRContext *context = &getContext();
    func::FuncOp single = target.clone();
    Block &source = single.front();
    Operation *sourceReturn = source.getTerminator();

    Block &body = target.front();
    body.clear();
    auto isBatch = [&](BlockArgument argument) {
      auto role =
          target.getArgAttrOfType<StringAttr>(argument.getArgNumber(), vs::VsDialect::roleAttributeName);
      return role && role.getValue() == vs::batchRole;
    };
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    for (BlockArgument argument : body.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!isBatch(argument) || !type)
        continue;
      SmallVector<int64_t> shape(type.getShape());
      shape.insert(shape.begin(), microBatches);
      argument.setType(type.clone(shape));
      target.setArgAttr(argument.getArgNumber(), vs::microBatchesAttributeName,
                        builder.getI64IntegerAttr(microBatches));
    }

    // What is summed: the loss and metrics, and the gradients as they are before their tags.
    SmallVector<Value> terms;
    SmallVector<StringAttr> tags;
    for (Value value : sourceReturn->getOperands()) {
      auto tag = value.getDefiningOp<vs::TagOp>();
      bool isGradient = tag && tag.getName().ends_with(vs::gradientSuffix);
      terms.push_back(isGradient ? tag.getX() : value);
      tags.push_back(isGradient ? tag.getNameAttr() : StringAttr());
    }
    Location location = sourceReturn->getLoc();
    vs::Formula outside(builder, location);
    auto numberType = RankedTensorType::get({}, builder.getI64Type());
    SmallVector<Value> initial = {outside.constant(numberType, 0)};
    for (Value term : terms)
      initial.push_back(outside.constant(term.getType(), 0));
    SmallVector<Value> invariants(body.getArguments());
    auto repeat = builder.create<vs::RepeatOp>(location, ValueRange(initial).getTypes(), uint64_t(microBatches), initial,
                                               invariants);
    buildRun(repeat, source, terms, isBatch, body);
    numAccumulated += terms.size();

    builder.setInsertionPointAfter(repeat);
    SmallVector<Value> results;
    for (auto [sum, tag, term] : llvm::zip_equal(repeat.getOutputs().drop_front(), tags, terms)) {
      Value mean = vs::Formula(builder, term.getLoc()).mul(sum, 1.0 / static_cast<double>(microBatches));
      results.push_back(tag ? builder.create<vs::TagOp>(term.getLoc(), mean, tag.getValue()).getResult() : mean);
    }
    builder.create<func::ReturnOp>(sourceReturn->getLoc(), results);
    target.setFunctionType(FunctionType::get(context, body.getArgumentTypes(), target.getResultTypes()));
    single.erase();
    return success();
  }

  /// The body of the loop: one micro-batch.
  void buildRun(vs::RepeatOp repeat, Block &source, ArrayRef<Value> terms,
                llvm::function_ref<bool(BlockArgument)> isBatch, Block &outer) {
    Block &run = repeat.getBody().emplaceBlock();
    for (Value operand : repeat->getOperands())
      run.addArgument(operand.getType(), operand.getLoc());
    OpBuilder builder = OpBuilder::atBlockBegin(&run);
    vs::Formula formula(builder, repeat.getLoc());
    Value number = run.getArgument(0);
    Value zero = formula.constant(number.getType(), 0);
    IRMapping mapping;
    for (auto [inner, whole, passed] :
         llvm::zip_equal(source.getArguments(), outer.getArguments(), run.getArguments().take_back(source.getNumArguments()))) {
      auto type = dyn_cast<RankedTensorType>(inner.getType());
      if (!isBatch(whole) || !type) {
        mapping.map(inner, passed);
        continue;
      }
      SmallVector<int64_t> shape(type.getShape());
      shape.insert(shape.begin(), 1);
      SmallVector<Value> starts(shape.size(), zero);
      starts[0] = number;
      Value slice = builder.create<vs::DynamicSliceOp>(inner.getLoc(), type.clone(shape), passed, starts);
      mapping.map(inner, builder.create<vs::ReshapeOp>(inner.getLoc(), type, slice).getResult());
    }
    for (Operation &op : source.without_terminator()) {
      auto tag = dyn_cast<vs::TagOp>(op);
      if (tag && tag.getName().ends_with(vs::gradientSuffix))
        mapping.map(tag.getResult(), mapping.lookupOrDefault(tag.getX()));
      else
        builder.clone(op, mapping);
    }
    SmallVector<Value> yielded = {formula.add(number, 1)};
    for (auto [index, term] : llvm::enumerate(terms))
      yielded.push_back(vs::Formula(builder, term.getLoc()).add(run.getArgument(index + 1), mapping.lookup(term)));
    builder.create<vs::YieldOp>(repeat.getLoc(), yielded);
  }
};

} // namespace
} // namespace vescale
