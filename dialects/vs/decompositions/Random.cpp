//===- Random.cpp - Decompositions of random numbers and dropout ------------------------------===//

#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/formulas/RandomFormulas.h"

using namespace mlir;

namespace vescale::vs {
namespace {

/// The position of each element of a whole tensor of the shape of `tensor`.
Value wholePositions(Formula &f, Value tensor) {
  ArrayRef<int64_t> shape = Formula::type(tensor).getShape();
  auto type = RankedTensorType::get(shape, IntegerType::get(tensor.getContext(), 64));
  return rowMajorPositions(f, tensor.getContext(), shape, shape,
                           [&](int64_t dim) { return f.op<IotaOp>(type, dim); });
}

SmallVector<Value> random(Formula &f, RandomOp op) {
  return {randomAt(f, op, op.getRng(), wholePositions(f, op.getResult()))};
}

SmallVector<Value> dropout(Formula &f, DropoutOp op) {
  if (op.getRate() == 0)
    return {op.getX()};
  return {dropoutAt(f, op, op.getX(), op.getRng(), wholePositions(f, op.getX()))};
}

} // namespace

void registerRandomDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    RandomOp::attachInterface<DecompositionModel<RandomOp, random>>(*context);
    DropoutOp::attachInterface<DecompositionModel<DropoutOp, dropout>>(*context);
  });
}

} // namespace vescale::vs
