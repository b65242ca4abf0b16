//===- BuildEvaluation.cpp - the function that evaluates the loss ---------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/training/MetricNames.h"
#include "passes/training/Passes.h"

#include "dialects/vs/VsDialect.h"
#include "dialects/vs/VsInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_BUILDEVALUATIONPASS
#include "passes/training/Passes.h.inc"

namespace {

struct BuildEvaluationPass : impl::BuildEvaluationPassBase<BuildEvaluationPass> {
  using BuildEvaluationPassBase::BuildEvaluationPassBase;

  void runOnOperation() override {
    auto model = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!model || model.isExternal()) {
      getOperation().emitError() << "there is no function '@" << function
                                 << "' with a body; name the model's function with the option 'function'";
      return signalPassFailure();
    }
    func::FuncOp evaluation = model.clone();
    evaluation.setName(evaluationFunctionName);
    // Last, so that the training step comes first.
    getOperation().push_back(evaluation);
    quieten(evaluation);
    dropGenerators(evaluation);
    putParametersFirst(evaluation);
    for (unsigned number = 0; number < evaluation.getNumResults(); ++number)
      evaluation.setResultAttr(number, vs::VsDialect::nameAttributeName,
                               StringAttr::get(&getContext(), metricName(model, number)));
  }

private:
  StringRef role(func::FuncOp target, unsigned argument) {
    auto attribute = target.getArgAttrOfType<StringAttr>(argument, vs::VsDialect::roleAttributeName);
    return attribute ? attribute.getValue() : StringRef();
  }

  /// Ops that draw become what they are in evaluation; those that then pass an operand on go.
  void quieten(func::FuncOp target) {
    SmallVector<vs::RandomOpInterface> drawing;
    target.walk([&](vs::RandomOpInterface op) {
      if (op.drawsRandomNumbers())
        drawing.push_back(op);
    });
    for (vs::RandomOpInterface op : drawing) {
      op.disableDraws();
      numQuiet += !op.drawsRandomNumbers();
      OpBuilder builder(op);
      SmallVector<Value> values;
      if (failed(builder.tryFold(op, values)))
        continue;
      op->replaceAllUsesWith(values);
      op->erase();
    }
  }

  void dropGenerators(func::FuncOp target) {
    for (unsigned number = target.getNumArguments(); number-- > 0;)
      if (role(target, number) == vs::rngRole && target.getArgument(number).use_empty())
        target.eraseArgument(number);
  }

  void putParametersFirst(func::FuncOp target) {
    Block &body = target.front();
    SmallVector<unsigned> order;
    for (bool parameters : {true, false})
      for (unsigned number = 0; number < target.getNumArguments(); ++number)
        if ((role(target, number) == vs::parameterRole) == parameters)
          order.push_back(number);
    SmallVector<Type> types;
    SmallVector<DictionaryAttr> attributes;
    unsigned count = target.getNumArguments();
    for (unsigned number : order) {
      BlockArgument old = body.getArgument(number);
      types.push_back(old.getType());
      attributes.push_back(target.getArgAttrDict(number));
      old.replaceAllUsesWith(body.addArgument(old.getType(), old.getLoc()));
    }
    body.eraseArguments(0, count);
    target.setFunctionType(FunctionType::get(&getContext(), types, target.getResultTypes()));
    target.setAllArgAttrs(attributes);
  }
};

} // namespace
} // namespace vescale
