//===- Contraction.cpp - A contraction without matrix products --------------------------------===//
//
// The fallback where a contraction is no matrix product as it lies in memory (elementwise products
// among them), and for integers: both operands are repeated to all letters, multiplied and summed.
// Fused, it needs no memory for the product.
//
//===----------------------------------------------------------------------===//

#include "dialects/vs/decompositions/DecompositionModel.h"
#include "dialects/vs/decompositions/Decompositions.h"

#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/ShapeOps.h"

using namespace mlir;

namespace vescale::vs {
namespace {

/// `x`, whose dims are `letters`, as a tensor over the letters `all` with these sizes.
Value spread(Formula &f, Value x, StringRef letters, StringRef all, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> dims, permutation;
  for (auto [dim, letter] : llvm::enumerate(all))
    if (size_t at = letters.find(letter); at != StringRef::npos) {
      dims.push_back(dim);
      permutation.push_back(at);
    }
  if (!llvm::is_sorted(permutation))
    x = f.op<TransposeOp>(x, ArrayRef<int64_t>(permutation));
  return dims.size() == all.size() ? x : f.op<BroadcastOp>(x, sizes, ArrayRef<int64_t>(dims));
}

SmallVector<Value> einsum(Formula &f, EinsumOp op) {
  EinsumSpec spec = op.getEinsumSpec();
  std::string letters = spec.letters();
  SmallVector<int64_t> sizes, summed;
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    size_t at = spec.lhs.find(letter);
    sizes.push_back(at != std::string::npos ? Formula::size(op.getLhs(), at)
                                            : Formula::size(op.getRhs(), spec.rhs.find(letter)));
    if (spec.out.find(letter) == std::string::npos)
      summed.push_back(dim);
  }
  Type element = Formula::elementType(op.getLhs()), wide = element;
  if (isa<FloatType>(element))
    wide = statisticsType(element);
  Value lhs = spread(f, f.cast(op.getLhs(), wide), spec.lhs, letters, sizes);
  Value rhs = spread(f, f.cast(op.getRhs(), wide), spec.rhs, letters, sizes);
  return {f.cast(f.sum(f.mul(lhs, rhs), summed), Formula::elementType(op.getResult()))};
}

} // namespace

void registerContractionDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VsDialect *) {
    EinsumOp::attachInterface<DecompositionModel<EinsumOp, einsum>>(*context);
  });
}

} // namespace vescale::vs
