//===- ReductionAdjoints.cpp - Adjoints of reductions and orders -------------------------------===//

#include "dialects/vs/adjoints/AdjointModel.h"
#include "dialects/vs/adjoints/Adjoints.h"

#include "dialects/vs/IndexingOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

/// The gradient of a maximum or minimum goes to the elements that have it, in equal parts, as in PyTorch's amax.
Value toExtremes(Formula &f, ReduceOp op, Value g) {
  Value x = op.getX();
  ArrayRef<int64_t> dims = op.getDims();
  Value hit = f.compare(ComparePredicate::Eq, x, f.repeat(op.getResult(), x, dims));
  Value count = f.sum(f.cast(hit, Formula::elementType(x)), dims);
  return f.select(hit, f.repeat(f.div(g, count), x, dims), f.zeros(x));
}

/// The product of the other elements, right also where elements are 0.
Value toProduct(Formula &f, ReduceOp op, Value g) {
  Value x = op.getX();
  ArrayRef<int64_t> dims = op.getDims();
  Value isZero = f.compare(ComparePredicate::Eq, x, f.zeros(x));
  Value nonZero = f.select(isZero, f.constant(x, 1), x);
  Value product = f.repeat(f.reduce(ReduceKind::Prod, nonZero, dims), x, dims);
  Value zeros = f.repeat(f.sum(f.cast(isZero, Formula::elementType(x)), dims), x, dims);
  auto numZeros = [&](double n) { return f.compare(ComparePredicate::Eq, zeros, f.constant(x, n)); };
  Value others = f.select(isZero, f.select(numZeros(1), product, f.zeros(x)),
                          f.select(numZeros(0), f.div(product, nonZero), f.zeros(x)));
  return f.mul(f.repeat(g, x, dims), others);
}

Gradients reduce(Formula &f, ReduceOp op, Value g) {
  Value x = op.getX();
  ArrayRef<int64_t> dims = op.getDims();
  double count = 1;
  for (int64_t dim : dims)
    count *= Formula::size(x, dim);
  switch (op.getKind()) {
  case ReduceKind::Sum:
    return {f.repeat(g, x, dims)};
  case ReduceKind::Mean:
    return {f.repeat(f.mul(g, 1 / count), x, dims)};
  case ReduceKind::Max:
  case ReduceKind::Min:
    return {toExtremes(f, op, g)};
  case ReduceKind::Prod:
    return {toProduct(f, op, g)};
  case ReduceKind::And:
  case ReduceKind::Or:
    return {Value()};
  }
  llvm_unreachable("all kinds are listed");
}

Gradients cumulativeSum(Formula &f, CumulativeSumOp op, Value g) {
  return {f.op<CumulativeSumOp>(g, op.getDim(), !op.getReverse(), op.getExclusive())};
}

/// sort and top_k move elements: gradients move back.
template <typename Op> struct OrderAdjoint : DifferentiableOpInterface::ExternalModel<OrderAdjoint<Op>, Op> {
  static int64_t dimOf(SortOp op) { return op.getDim(); }
  static int64_t dimOf(TopKOp op) { return Formula::rank(op.getX()) - 1; }

  LogicalResult buildAdjoint(Operation *operation, OpBuilder &builder, ValueRange resultGradients,
                             SmallVectorImpl<Value> &operandGradients) const {
    auto op = llvm::cast<Op>(operation);
    Formula f(builder, op.getLoc());
    Value g = resultGradients[0];
    operandGradients.assign(1, Value());
    if (g)
      operandGradients[0] =
          f.op<ScatterOp>(ScatterKind::Add, f.zeros(op.getX()), op.getIndices(), g, dimOf(op));
    return success();
  }
};

} // namespace

void registerReductionAdjoints(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    ReduceOp::attachInterface<AdjointModel<ReduceOp, reduce>>(*context);
    CumulativeSumOp::attachInterface<AdjointModel<CumulativeSumOp, cumulativeSum>>(*context);
    SortOp::attachInterface<OrderAdjoint<SortOp>>(*context);
    TopKOp::attachInterface<OrderAdjoint<TopKOp>>(*context);
    ArgMaxOp::attachInterface<NoAdjointModel<ArgMaxOp>>(*context);
  });
}

} // namespace vescale::vs
