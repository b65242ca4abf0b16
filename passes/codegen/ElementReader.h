//===- ElementReader.h - scalars of values of a fused group -----*- C++ -*-===//
//
// Inside a kernel every value of the group is known by how to get one of its elements: loaded from an argument or
// a buffer, or computed from elements of operands, recursively, at the place where it is needed.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_CODEGEN_ELEMENTREADER_H
#define VESCALE_PASSES_CODEGEN_ELEMENTREADER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace vescale {

/// The type that elements of `type` are computed in: f32 for narrower floating-point types.
mlir::Type computationType(mlir::Type type);

class ElementReader {
public:
  explicit ElementReader(mlir::ImplicitLocOpBuilder &builder) : builder(builder) {}

  /// `value` lies in `memref`: element (i, j, ...) at (i - origin[0], ...), dims with a null origin are not
  /// dims of the memref.
  void setBuffer(mlir::Value value, mlir::Value memref, llvm::ArrayRef<mlir::Value> origins);

  /// `value`, an index value or a 0-D tensor, is the given scalar everywhere in the kernel.
  void setScalar(mlir::Value value, mlir::Value scalar) { scalars.map(value, scalar); }

  /// Element `indices` of `value`, of the computation type; index values are read with no indices.
  mlir::Value read(mlir::Value value, mlir::ValueRange indices);

  /// The same, computed from the operands of the op that defines `value` even if it has a buffer.
  mlir::Value compute(mlir::Value value, mlir::ValueRange indices);

  /// Stores an element into the buffer of `value`.
  void write(mlir::Value value, mlir::ValueRange indices, mlir::Value element);

  /// Forgets the scalars that read() has built; they do not dominate what is built from here on.
  void enterBlock() { built.clear(); }

private:
  struct Buffer {
    mlir::Value memref;
    llvm::SmallVector<mlir::Value> origins;
  };

  llvm::SmallVector<mlir::Value> bufferIndices(const Buffer &buffer, mlir::ValueRange indices);

  mlir::ImplicitLocOpBuilder &builder;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  mlir::IRMapping scalars;
  std::map<std::vector<void *>, mlir::Value> built;
};

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_ELEMENTREADER_H
