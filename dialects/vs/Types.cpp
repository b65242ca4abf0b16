//===- Types.cpp - Tensor types of results -------------------------------------------------===//

#include "dialects/vs/Types.h"

using namespace mlir;

RankedTensorType vescale::vs::withoutLayout(Type type, Type elementType) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(),
                               elementType ? elementType : tensor.getElementType());
}

Type vescale::vs::statisticsType(Type elementType) {
  return elementType.isF64() ? elementType : FloatType::getF32(elementType.getContext());
}

SmallVector<int64_t> vescale::vs::withoutDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(dim)))
      kept.push_back(size);
  return kept;
}

SmallVector<int64_t> vescale::vs::takenShape(ArrayRef<int64_t> table, ArrayRef<int64_t> indices,
                                             int64_t dim) {
  SmallVector<int64_t> shape(table.take_front(dim));
  llvm::append_range(shape, indices);
  llvm::append_range(shape, table.drop_front(dim + 1));
  return shape;
}
