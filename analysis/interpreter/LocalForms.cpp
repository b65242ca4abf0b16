//===- LocalForms.cpp - The local forms of ops, built once ---------------------------------===//

#include "analysis/interpreter/LocalForms.h"

#include "dialects/dist/LocalFunction.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace vescale::analysis {

FailureOr<const LocalForm *> LocalForms::get(Operation *op, const layout::Coordinate &coordinate) {
  OpBuilder builder(op->getContext());
  dist::LocalBuilder local(builder, coordinate);
  Key key{op, {}};
  SmallVector<Type> operandTypes;
  for (Type type : op->getOperandTypes()) {
    operandTypes.push_back(local.localType(type));
    key.second.push_back(operandTypes.back().getAsOpaquePointer());
  }
  for (Type type : op->getResultTypes())
    key.second.push_back(local.localType(type).getAsOpaquePointer());
  if (auto found = forms.find(key); found != forms.end())
    return &found->second;

  // A function holds the blocks, since ops that are built may ask for the op around them.
  if (!module) {
    module = ModuleOp::create(op->getLoc());
    OpBuilder top = OpBuilder::atBlockEnd(module->getBody());
    top.create<func::FuncOp>(op->getLoc(), "local_forms", top.getFunctionType({}, {}));
  }
  auto function = cast<func::FuncOp>(module->getBody()->front());
  SmallVector<Location> locations(operandTypes.size(), op->getLoc());
  Block *block =
      builder.createBlock(&function.getBody(), function.getBody().end(), operandTypes, locations);
  FailureOr<SmallVector<Value>> results = local.buildOp(op, block->getArguments());
  if (failed(results))
    return failure();
  for (Operation &built : *block)
    if (failed(verify(&built)))
      return op->emitOpError("has a local form that does not verify"), failure();
  if (results->size() != op->getNumResults())
    return op->emitOpError() << "has a local form with " << results->size() << " results",
           failure();
  return &forms.emplace(std::move(key), LocalForm{block, std::move(*results)}).first->second;
}

} // namespace vescale::analysis
