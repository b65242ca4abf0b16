//===- VsTraits.cpp - Traits of ops that compare shapes, never layouts ---------------------===//

#include "dialects/vs/VsTraits.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace {
/// A tensor among operands and results, with the words by which messages name it.
struct NamedTensor {
  RankedTensorType type;
  StringRef group;
  unsigned index;
};
} // namespace

static SmallVector<NamedTensor> tensorsOf(Operation *op) {
  SmallVector<NamedTensor> tensors;
  auto append = [&](TypeRange types, StringRef group) {
    for (auto [index, type] : llvm::enumerate(types))
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        tensors.push_back({tensor, group, unsigned(index)});
  };
  append(op->getOperandTypes(), "operand");
  append(op->getResultTypes(), "result");
  return tensors;
}

static InFlightDiagnostic &operator<<(InFlightDiagnostic &diagnostic, const NamedTensor &tensor) {
  return diagnostic << tensor.group << " #" << tensor.index;
}

LogicalResult vescale::vs::verifySameShape(Operation *op) {
  SmallVector<NamedTensor> tensors = tensorsOf(op);
  for (const NamedTensor &tensor : llvm::drop_begin(tensors)) {
    const NamedTensor &first = tensors.front();
    if (tensor.type.getRank() != first.type.getRank()) {
      InFlightDiagnostic diagnostic = op->emitOpError();
      diagnostic << tensor << " has rank " << tensor.type.getRank() << ", but " << first
                 << " has rank " << first.type.getRank();
      return diagnostic;
    }
    for (int64_t dim = 0; dim < first.type.getRank(); ++dim)
      if (tensor.type.getDimSize(dim) != first.type.getDimSize(dim)) {
        InFlightDiagnostic diagnostic = op->emitOpError();
        diagnostic << tensor << " has size " << tensor.type.getDimSize(dim) << " in dim " << dim
                   << ", but " << first << " has " << first.type.getDimSize(dim);
        return diagnostic;
      }
  }
  return success();
}

LogicalResult vescale::vs::verifyUniformElementType(Operation *op) {
  SmallVector<NamedTensor> tensors = tensorsOf(op);
  for (const NamedTensor &tensor : llvm::drop_begin(tensors)) {
    const NamedTensor &first = tensors.front();
    if (tensor.type.getElementType() != first.type.getElementType()) {
      InFlightDiagnostic diagnostic = op->emitOpError();
      diagnostic << tensor << " has element type " << tensor.type.getElementType() << ", but "
                 << first << " has " << first.type.getElementType();
      return diagnostic;
    }
  }
  return success();
}
