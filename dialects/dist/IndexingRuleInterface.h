//===- IndexingRuleInterface.h - Ops that state an indexing rule ---------------------------===//

#ifndef VESCALE_DIALECTS_DIST_INDEXINGRULEINTERFACE_H
#define VESCALE_DIALECTS_DIST_INDEXINGRULEINTERFACE_H

#include "dialects/dist/IndexingRule.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace vescale::dist {

/// Where one dim of a local piece stands in the global tensor. A run is a range of consecutive
/// global indices; a plain cut leaves one, an interleaved cut several of equal length. Local
/// index i of a dim of local size n is global index
///   offset + (i / (n / runs)) * runStride + i % (n / runs).
/// Example: 12 elements, `{"a" / 3}` with a of size 2, device a = 1: offset 2, runs 3,
/// runStride 4: local 0..5 is global 2 3 6 7 10 11.
struct LocalDim {
  /// Elements of the dim in the global tensor.
  int64_t globalSize = 0;
  /// Global index of the first local element, an `index` value or an integer attribute. It is
  /// 0 where the dim is not cut, and unspecified where the local piece is empty. Null where the
  /// dim is cut in different patterns (Pieces::any), so that its positions form no such runs.
  mlir::OpFoldResult offset;
  int64_t runs = 1;
  int64_t runStride = 0;

  /// The dim is whole on each device, so local and global indices agree.
  bool whole = true;
};

/// Where the local piece of one operand or result stands. `dims` is empty for values that are
/// not ranked tensors, and for ragged pieces, whose ops act on each element alone.
struct LocalTensor {
  /// The global type with its layout.
  mlir::Type globalType;
  llvm::SmallVector<LocalDim, 4> dims;
};

/// Where the local pieces of all operands and results of one op stand.
struct LocalContext {
  llvm::SmallVector<LocalTensor, 4> operands;
  llvm::SmallVector<LocalTensor, 1> results;
};

/// Clones `op`, regions and attributes included, with the given operands and result types: the
/// local form of an op whose results do not depend on positions.
llvm::SmallVector<mlir::Value> cloneLocal(mlir::Operation *op, mlir::OpBuilder &builder,
                                          mlir::ValueRange localOperands,
                                          mlir::TypeRange localResultTypes);

/// Checks the rule of `op` against its operands and results (the invariants in IndexingRule.h);
/// reports what does not hold as an error of the op.
mlir::LogicalResult verifyIndexingRule(mlir::Operation *op);

} // namespace vescale::dist

#include "dialects/dist/IndexingRuleInterface.h.inc"

#endif // VESCALE_DIALECTS_DIST_INDEXINGRULEINTERFACE_H
