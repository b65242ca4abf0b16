//===- MatMulForm.h - a contraction as a batched matrix product -*- C++ -*-===//

#ifndef VESCALE_PASSES_FUSION_MATMULFORM_H
#define VESCALE_PASSES_FUSION_MATMULFORM_H

#include "dialects/vs/EinsumSpec.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace vescale {

/// One matrix operand of a product. Element (i, j) of batch index (b0, b1, ...) lies at
/// sum b_l * batchStrides[l] + i * leading + j, or + j * leading + i where transposed.
struct MatrixForm {
  llvm::SmallVector<int64_t> batchStrides;
  int64_t leading = 1;
  bool transposed = false;
};

/// c = a * b for each batch index; a is m x k, b is k x n, all dense row-major tensors seen through strides.
struct MatMulForm {
  llvm::SmallVector<int64_t> batch;
  int64_t m = 1, n = 1, k = 1;
  MatrixForm a, b, c;
  /// a is the contraction's second operand and b its first.
  bool swapped = false;
};

/// The product that computes the contraction without moving data, or nothing where dims would have to be
/// transposed first. Letters that stay apart in memory become batch dims:
/// "bsd,fd->bsf" is one product with m = b*s; "bhsd,bhtd->bhst" a batch of b*h.
std::optional<MatMulForm> findMatMulForm(const vs::EinsumSpec &spec, llvm::ArrayRef<int64_t> lhsShape,
                                         llvm::ArrayRef<int64_t> rhsShape);

} // namespace vescale

#endif // VESCALE_PASSES_FUSION_MATMULFORM_H
