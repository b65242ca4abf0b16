//===- LocalForm.h - Parts that rules and local forms are made of ---------------------------===//
//
// Rules state factors; local forms turn global indices into local ones and back. Both are built
// from the few functions here, so that where a piece stands is computed in one way.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_RULES_LOCALFORM_H
#define VESCALE_DIALECTS_VS_RULES_LOCALFORM_H

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/vs/formulas/Formula.h"

namespace vescale::vs {

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);

/// A tensor of this shape whose dims are new factors.
dist::TensorFactors newFactors(dist::IndexingRule &rule, llvm::ArrayRef<int64_t> shape,
                               dist::FactorKind kind = dist::FactorKind::parallel);

/// The op's local form computes with the positions of all dims of the tensor.
void requireRuns(dist::IndexingRule &rule, const dist::TensorFactors &tensor);

/// A rule with nothing but its operands' and results' numbers, whose local pieces keep their dims:
/// no ragged layouts.
dist::IndexingRule emptyRule(mlir::Operation *op);

/// The local form of one op while it is built: its local operands, the types of its local results
/// and where the pieces stand.
class LocalForm {
public:
  using Results = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;

  LocalForm(mlir::Operation *op, mlir::OpBuilder &builder, mlir::ValueRange operands,
            mlir::TypeRange resultTypes, const dist::LocalContext &context)
      : op(op), builder(builder), operands(operands), resultTypes(resultTypes), context(context),
        f(builder, op->getLoc()) {}

  /// The op itself on the local operands.
  Results clone() { return dist::cloneLocal(op, builder, operands, resultTypes); }

  llvm::ArrayRef<int64_t> resultShape(unsigned result = 0) const;

  /// Whether a dim of the tensor is cut.
  static bool isCut(const dist::LocalTensor &tensor);

  /// The offset of a dim as an i64 scalar.
  mlir::Value offset(const dist::LocalDim &where);
  /// The same as an index.
  mlir::Value offsetIndex(const dist::LocalDim &where);
  /// The offset, whatever it is, as 0-D i64 tensors repeated to `shape`.
  mlir::Value spreadOffset(llvm::ArrayRef<int64_t> shape, const dist::LocalDim &where);

  /// For each element of a local piece of `shape` its global index along `dim`: i64 of `shape`.
  mlir::Value globalIndex(llvm::ArrayRef<int64_t> shape, int64_t dim, const dist::LocalDim &where);

  /// The positions of a local piece of `shape` in the row-major order of the global tensor.
  mlir::Value globalPositions(llvm::ArrayRef<int64_t> shape, const dist::LocalTensor &tensor);

  /// Global indices into a dim as indices into the piece of it that stands at `where` and has
  /// `localSize` elements; outside of [0, localSize) where the element is not here.
  mlir::Value localIndices(mlir::Value indices, const dist::LocalDim &where, int64_t localSize);

  /// `x` on the one device among those that cut `dims` whose pieces of them come first, 0 on the
  /// others. The global sizes of the dims are not 0.
  mlir::Value onFirst(mlir::Value x, llvm::ArrayRef<dist::LocalDim> dims);

  mlir::Operation *op;
  mlir::OpBuilder &builder;
  mlir::ValueRange operands;
  mlir::TypeRange resultTypes;
  const dist::LocalContext &context;
  Formula f;
};

/// The interface of `Op` from a function that states its rule; its local form is itself.
template <class Op, dist::IndexingRule (*rule)(Op)>
struct StatedRule : dist::IndexingRuleOpInterface::ExternalModel<StatedRule<Op, rule>, Op> {
  dist::IndexingRule getIndexingRule(mlir::Operation *op) const { return rule(llvm::cast<Op>(op)); }
};

/// The interface of `Op` from functions that state its rule and build its local form.
template <class Op, dist::IndexingRule (*rule)(Op), LocalForm::Results (*local)(LocalForm &, Op)>
struct PositionedRule
    : dist::IndexingRuleOpInterface::ExternalModel<PositionedRule<Op, rule, local>, Op> {
  dist::IndexingRule getIndexingRule(mlir::Operation *op) const { return rule(llvm::cast<Op>(op)); }
  LocalForm::Results buildLocal(mlir::Operation *op, mlir::OpBuilder &builder,
                                mlir::ValueRange localOperands, mlir::TypeRange localResultTypes,
                                const dist::LocalContext &context) const {
    LocalForm form(op, builder, localOperands, localResultTypes, context);
    return local(form, llvm::cast<Op>(op));
  }
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_RULES_LOCALFORM_H
