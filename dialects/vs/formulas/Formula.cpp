//===- Formula.cpp - Tensor formulas as vs ops ---------------------------------------------===//

#include "dialects/vs/formulas/Formula.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ShapeOps.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace vescale::vs {

RankedTensorType Formula::type(Value value) { return llvm::cast<RankedTensorType>(value.getType()); }

Value Formula::constant(Value like, double number) { return constant(like.getType(), number); }

Value Formula::constant(Type type, double number) {
  return op<ConstantOp>(withoutLayout(type), number);
}

Value Formula::cast(Value a, Type element) {
  return elementType(a) == element ? a : op<CastOp>(a, element);
}

Value Formula::reduce(ReduceKind kind, Value a, ArrayRef<int64_t> dims) {
  return dims.empty() ? a : op<ReduceOp>(kind, a, dims);
}

Value Formula::repeat(Value reduced, Value like, ArrayRef<int64_t> dims) {
  return broadcast(reduced, like, otherDims(like, dims));
}

Value Formula::broadcast(Value a, Value like, ArrayRef<int64_t> dims) {
  if (static_cast<int64_t>(dims.size()) == rank(like))
    return a;
  return op<BroadcastOp>(a, type(like).getShape(), dims);
}

SmallVector<int64_t> Formula::otherDims(Value value, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> result;
  for (int64_t dim : llvm::seq<int64_t>(0, rank(value)))
    if (!llvm::is_contained(dims, dim))
      result.push_back(dim);
  return result;
}

} // namespace vescale::vs
