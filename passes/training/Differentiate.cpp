//===- Differentiate.cpp - gradients of the loss --------------------------===//

#include "passes/training/Passes.h"

#include "dialects/vs/VsInterfaces.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/adjoints/Backpropagation.h"
#include "dialects/vs/formulas/Formula.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "passes/training/Passes.h.inc"

namespace {

/// Numbers the ops that draw random numbers in program order; ids that are there already stay and are skipped.
void assignDrawIds(func::FuncOp function) {
  llvm::DenseSet<uint64_t> taken;
  function.walk([&](vs::RandomOpInterface op) {
    if (std::optional<uint64_t> id = op.drawId())
      taken.insert(*id);
  });
  uint64_t next = 0;
  function.walk([&](vs::RandomOpInterface op) {
    if (!op.drawsRandomNumbers() || op.drawId())
      return;
    while (taken.contains(next))
      ++next;
    op.assignDrawId(next++);
  });
}

struct DifferentiatePass : impl::DifferentiatePassBase<DifferentiatePass> {
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() override {
    auto model = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!model || model.isExternal()) {
      getOperation().emitError() << "there is no function '@" << function
                                 << "' with a body; name the model's function with the option 'function'";
      return signalPassFailure();
    }
    auto loss = model.getNumResults() == 0 ? RankedTensorType()
                                           : dyn_cast<RankedTensorType>(model.getResultTypes().front());
    if (!loss || loss.getRank() != 0 || !isa<FloatType>(loss.getElementType())) {
      model.emitError() << "the first result of '@" << function
                        << "' must be the loss, a floating-point scalar like tensor<f32>";
      return signalPassFailure();
    }
    if (!model.getBody().hasOneBlock()) {
      model.emitError() << "'@" << function << "' must have one block";
      return signalPassFailure();
    }
    assignDrawIds(model);
    func::FuncOp differentiated = model.clone();
    differentiated.setName(gradientsFunctionName);
    getOperation().insert(std::next(model->getIterator()), differentiated);
    if (failed(differentiate(differentiated)))
      signalPassFailure();
  }

  LogicalResult differentiate(func::FuncOp target) {
    Block &body = target.front();
    Operation *terminator = body.getTerminator();
    SmallVector<Operation *> ops;
    for (Operation &op : body.without_terminator())
      ops.push_back(&op);

    OpBuilder builder(terminator);
    vs::Backpropagation backpropagation(builder);
    Value loss = terminator->getOperand(0);
    vs::Formula formula(builder, terminator->getLoc());
    backpropagation.accumulate(loss, formula.constant(loss, 1), terminator->getLoc());
    if (failed(backpropagation.run(ops)))
      return failure();

    SmallVector<Type> types(target.getResultTypes());
    SmallVector<Value> results(terminator->getOperands());
    for (BlockArgument argument : body.getArguments()) {
      auto role = target.getArgAttrOfType<StringAttr>(argument.getArgNumber(), vs::VsDialect::roleAttributeName);
      if (!role || role.getValue() != vs::parameterRole)
        continue;
      auto name = target.getArgAttrOfType<StringAttr>(argument.getArgNumber(), vs::VsDialect::nameAttributeName);
      if (!name)
        return target.emitError() << "argument #" << argument.getArgNumber() << " is a parameter without '"
                                  << vs::VsDialect::nameAttributeName << "'";
      Value gradient = backpropagation.gradient(argument);
      if (!gradient) {
        emitRemark(argument.getLoc()) << "the loss does not depend on parameter '" << name.getValue()
                                      << "': its gradient is zero";
        gradient = vs::Formula(builder, argument.getLoc()).zeros(argument);
      }
      results.push_back(builder.create<vs::TagOp>(argument.getLoc(), gradient,
                                                  (name.getValue() + vs::gradientSuffix).str()));
      types.push_back(gradient.getType());
    }
    terminator->setOperands(results);
    target.setType(builder.getFunctionType(target.getArgumentTypes(), types));
    numAdjointOps += llvm::range_size(body.without_terminator()) - ops.size();
    return success();
  }
};

} // namespace
} // namespace vescale
