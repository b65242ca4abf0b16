//===- LocalForm.cpp - Parts that rules and local forms are made of -------------------------===//

#include "dialects/vs/rules/LocalForm.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/formulas/RandomFormulas.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using vescale::dist::LocalDim;
using vescale::dist::LocalTensor;

namespace vescale::vs {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

dist::TensorFactors newFactors(dist::IndexingRule &rule, ArrayRef<int64_t> shape,
                               dist::FactorKind kind) {
  dist::TensorFactors tensor;
  for (int64_t size : shape)
    tensor.dims.push_back({rule.addFactor(size, kind)});
  return tensor;
}

void requireRuns(dist::IndexingRule &rule, const dist::TensorFactors &tensor) {
  for (const auto &dim : tensor.dims)
    rule.require(dim, dist::Pieces::runs);
}

dist::IndexingRule emptyRule(Operation *op) {
  dist::IndexingRule rule;
  rule.operands.resize(op->getNumOperands());
  rule.results.resize(op->getNumResults());
  rule.raggedPrefix = 0;
  return rule;
}

ArrayRef<int64_t> LocalForm::resultShape(unsigned result) const {
  return cast<RankedTensorType>(resultTypes[result]).getShape();
}

bool LocalForm::isCut(const LocalTensor &tensor) {
  return llvm::any_of(tensor.dims, [](const LocalDim &dim) { return !dim.whole; });
}

Value LocalForm::offset(const LocalDim &where) {
  assert(where.offset && "the rule must require runs");
  if (std::optional<int64_t> known = getConstantIntValue(where.offset))
    return integers(f, builder.getContext(), {}, *known);
  return f.op<FromIndexOp>(cast<Value>(where.offset));
}

Value LocalForm::offsetIndex(const LocalDim &where) {
  return getValueOrCreateConstantIndexOp(builder, op->getLoc(), where.offset);
}

/// A scalar repeated to a shape.
static Value spread(Formula &f, Value scalar, ArrayRef<int64_t> shape) {
  return shape.empty() ? scalar : f.op<BroadcastOp>(scalar, shape, ArrayRef<int64_t>());
}

Value LocalForm::spreadOffset(ArrayRef<int64_t> shape, const LocalDim &where) {
  return spread(f, offset(where), shape);
}

Value LocalForm::globalIndex(ArrayRef<int64_t> shape, int64_t dim, const LocalDim &where) {
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  Value index = f.op<IotaOp>(type, dim);
  if (where.whole || shape[dim] == 0)
    return index;
  if (where.runs != 1) {
    Value length = integers(f, builder.getContext(), shape, shape[dim] / where.runs);
    Value stride = integers(f, builder.getContext(), shape, where.runStride);
    index = f.add(f.mul(f.div(index, length), stride), f.op<RemainderOp>(index, length));
  }
  return f.add(index, spreadOffset(shape, where));
}

Value LocalForm::globalPositions(ArrayRef<int64_t> shape, const LocalTensor &tensor) {
  SmallVector<int64_t> globalShape;
  for (const LocalDim &dim : tensor.dims)
    globalShape.push_back(dim.globalSize);
  return rowMajorPositions(f, builder.getContext(), shape, globalShape,
                           [&](int64_t dim) { return globalIndex(shape, dim, tensor.dims[dim]); });
}

Value LocalForm::localIndices(Value indices, const LocalDim &where, int64_t localSize) {
  if (where.whole || localSize == 0)
    return indices;
  Type element = Formula::elementType(indices);
  auto number = [&](int64_t value) { return f.constant(indices, static_cast<double>(value)); };
  Value shifted =
      f.sub(indices, spread(f, f.cast(offset(where), element), Formula::type(indices).getShape()));
  if (where.runs == 1)
    return shifted;
  // A negative one stays negative through division and remainder, which truncate.
  int64_t length = localSize / where.runs;
  Value run = f.div(shifted, number(where.runStride));
  Value within = f.op<RemainderOp>(shifted, number(where.runStride));
  Value here = f.compare(ComparePredicate::Lt, within, number(length));
  return f.select(here, f.add(f.mul(run, number(length)), within), number(-1));
}

/// Whether all elements are a constant 0.
static bool isZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!elements || !elements.isSplat())
    return false;
  Attribute element = elements.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValue().isPosZero();
  return cast<IntegerAttr>(element).getValue().isZero();
}

Value LocalForm::onFirst(Value x, ArrayRef<LocalDim> dims) {
  Value first;
  for (const LocalDim &dim : dims) {
    if (dim.whole)
      continue;
    Value start = offset(dim);
    Value begins = f.compare(ComparePredicate::Eq, start, f.zeros(start));
    first = first ? f.op<AndOp>(first, begins) : begins;
  }
  if (!first || isZero(x))
    return x;
  return f.select(spread(f, first, Formula::type(x).getShape()), x, f.zeros(x));
}

} // namespace vescale::vs
