//===- RandomFormulas.cpp - Random numbers by global position -------------------------------===//

#include "dialects/vs/formulas/RandomFormulas.h"

using namespace mlir;

namespace vescale::vs {

Value integers(Formula &f, MLIRContext *context, ArrayRef<int64_t> shape, int64_t number) {
  auto type = RankedTensorType::get(shape, IntegerType::get(context, 64));
  return f.op<ConstantOp>(ElementsAttr(DenseElementsAttr::get(type, number)));
}

Value rowMajorPositions(Formula &f, MLIRContext *context, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> globalShape,
                        llvm::function_ref<Value(int64_t dim)> index) {
  Value positions;
  int64_t stride = 1;
  for (int64_t dim = static_cast<int64_t>(globalShape.size()) - 1; dim >= 0; --dim) {
    if (globalShape[dim] != 1) {
      Value term = index(dim);
      if (stride != 1)
        term = f.mul(term, integers(f, context, shape, stride));
      positions = positions ? f.add(positions, term) : term;
    }
    stride *= globalShape[dim];
  }
  return positions ? positions : integers(f, context, shape, 0);
}

/// The op of a draw: with the generator, distribution and id of `op`.
static Value drawAt(Formula &f, Value rng, Value positions, Attribute distribution,
                    IntegerAttr drawId, Type element) {
  auto type = RankedTensorType::get(Formula::type(positions).getShape(), element);
  return f.op<RandomAtOp>(type, rng, positions, distribution, drawId);
}

Value randomAt(Formula &f, RandomOp op, Value rng, Value positions) {
  return drawAt(f, rng, positions, op.getDistribution(), op.getDrawIdAttr(),
                Formula::elementType(op.getResult()));
}

Value dropoutAt(Formula &f, DropoutOp op, Value x, Value rng, Value positions) {
  if (op.getRate() == 0)
    return x;
  MLIRContext *context = op.getContext();
  Value uniform = drawAt(f, rng, positions, UniformAttr::get(context, 0.0, 1.0), op.getDrawIdAttr(),
                         Float32Type::get(context));
  Value kept = f.compare(ComparePredicate::Ge, uniform, f.constant(uniform, op.getRate()));
  return f.select(kept, f.mul(x, f.constant(x, 1 / (1 - op.getRate()))), f.zeros(x));
}

} // namespace vescale::vs
