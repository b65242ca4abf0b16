//===- LocalFunction.h - What one device computes ------------------------------------------===//
//
// From ops on global types with layouts to the same ops on the plain local tensors of one device.
// The interpreter runs the result on each rank; code generation compiles it once for each class of
// ranks. Both therefore see the same local forms.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_LOCALFUNCTION_H
#define VESCALE_DIALECTS_DIST_LOCALFUNCTION_H

#include "dialects/dist/IndexingRuleInterface.h"
#include "layout/Layout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace vescale::dist {

/// Builds the local forms of ops for the devices whose local shapes are those of one coordinate.
/// Offsets are arithmetic on `dist.axis_index`, so what is built is right for all of them.
class LocalBuilder {
public:
  /// `builder` inserts where the local ops shall stand; `coordinate` is of the mesh of the layouts.
  LocalBuilder(mlir::OpBuilder &builder, layout::Coordinate coordinate)
      : builder(builder), coordinate(std::move(coordinate)) {}

  /// The local type of a value: a ranked tensor's local shape, other types as they are.
  mlir::Type localType(mlir::Type type) const;

  /// Where the local piece of a tensor of this type stands.
  mlir::FailureOr<LocalTensor> localTensor(mlir::Location location, mlir::Type type);

  /// Builds the local form of `op` on `operands`, its local operands, and returns its local
  /// results. Fails, with an error at the op, where it has no local form.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> buildOp(mlir::Operation *op,
                                                          mlir::ValueRange operands);

private:
  mlir::OpBuilder &builder;
  layout::Coordinate coordinate;
};

/// Builds a function `name` at the end of `module` that computes the local form of `block`: its
/// arguments are the block's with local types, its results the local operands of the terminator.
/// Ops that do not compute on tensors (constants of other dialects, indices) are cloned.
mlir::FailureOr<mlir::func::FuncOp> buildLocalFunction(mlir::ModuleOp module, llvm::StringRef name,
                                                       mlir::Block &block,
                                                       const layout::Coordinate &coordinate);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_LOCALFUNCTION_H
