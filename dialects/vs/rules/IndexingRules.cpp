//===- IndexingRules.cpp - Rules of elements at computed places -----------------------------===//
//
// An index outside of its dim reads 0 and writes nothing. So a device that holds a part of the
// table subtracts its offset from the indices and does its part: reads are joined over the devices,
// writes meet only where the element is.
//
//===-------------------------------------------------------------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/dist/Joining.h"
#include "dialects/vs/IndexingOps.h"

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;
using vescale::dist::LocalDim;
using vescale::dist::TensorFactors;
using vescale::layout::Reduction;

namespace vescale::vs {
namespace {

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// The slices of a table: `table` with the dims of `indices` in place of `dim`.
TensorFactors taken(const TensorFactors &table, const TensorFactors &indices, int64_t dim) {
  TensorFactors result;
  for (int64_t before = 0; before < dim; ++before)
    result.dims.push_back(table.dims[before]);
  llvm::append_range(result.dims, indices.dims);
  for (size_t after = dim + 1; after < table.dims.size(); ++after)
    result.dims.push_back(table.dims[after]);
  return result;
}

IndexingRule takeRule(TakeOp op) {
  IndexingRule rule = emptyRule(op);
  Reduction joined = dist::joiningReduction(op.getTable().getType().getElementType());
  for (auto [dim, size] : llvm::enumerate(shapeOf(op.getTable())))
    rule.operands[0].dims.push_back({static_cast<int64_t>(dim) == op.getDim()
                                         ? rule.addReduced(size, joined)
                                         : rule.addFactor(size)});
  rule.operands[1] = newFactors(rule, shapeOf(op.getIndices()));
  rule.results[0] = taken(rule.operands[0], rule.operands[1], op.getDim());
  rule.require(rule.operands[0].dims[op.getDim()], dist::Pieces::runs);
  rule.addLinear({0});
  return rule;
}

/// A rule in which x, indices and result agree in all dims but `dim`.
IndexingRule gatherRule(GatherOp op) {
  IndexingRule rule = emptyRule(op);
  Reduction joined = dist::joiningReduction(op.getX().getType().getElementType());
  for (auto [dim, size] : llvm::enumerate(shapeOf(op.getX()))) {
    if (static_cast<int64_t>(dim) != op.getDim()) {
      int factor = rule.addFactor(size);
      rule.operands[0].dims.push_back({factor});
      rule.operands[1].dims.push_back({factor});
      continue;
    }
    rule.operands[0].dims.push_back({rule.addReduced(size, joined)});
    rule.operands[1].dims.push_back({rule.addFactor(shapeOf(op.getIndices())[dim])});
  }
  rule.results[0] = rule.operands[1];
  rule.require(rule.operands[0].dims[op.getDim()], dist::Pieces::runs);
  rule.addLinear({0});
  return rule;
}

/// Reads of operand 0 at operand 1, which count from the start of the local piece.
template <class Op> LocalForm::Results readLocal(LocalForm &form, Op op) {
  const LocalDim &where = form.context.operands[0].dims[op.getDim()];
  Value indices =
      form.localIndices(form.operands[1], where, shapeOf(form.operands[0])[op.getDim()]);
  return dist::cloneLocal(op, form.builder, {form.operands[0], indices}, form.resultTypes);
}

/// The new dim is parallel: each device compares with the classes that it holds.
IndexingRule oneHotRule(OneHotOp op) {
  IndexingRule rule = emptyRule(op);
  rule.operands[0] = newFactors(rule, shapeOf(op.getIndices()));
  rule.results[0] = rule.operands[0];
  rule.results[0].dims.push_back({rule.addFactor(op.getDepth())});
  rule.require(rule.results[0].dims.back(), dist::Pieces::runs);
  return rule;
}

LocalForm::Results oneHotLocal(LocalForm &form, OneHotOp op) {
  int64_t depth = form.resultShape().back();
  Value indices = form.localIndices(form.operands[0], form.context.results[0].dims.back(), depth);
  return SmallVector<Value>{
      form.f.op<OneHotOp>(indices, depth, Formula::elementType(op.getResult()))};
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// A dim of the updates that the result does not have. Each device applies its own updates: their
/// sum or maximum is joined over the devices. The last of all `set` updates is known to no
/// device that has a part of them. The target counts once in a sum, which takes one device whose
/// piece comes first; a dim of no elements has none.
int updateFactor(IndexingRule &rule, ScatterKind kind, int64_t size) {
  if (kind == ScatterKind::Set || size == 0)
    return rule.addFactor(size, FactorKind::replicated);
  return rule.addReduced(size, kind == ScatterKind::Add ? Reduction::sum : Reduction::max);
}

/// Where x and updates may be partial together: each result element is one of x, or one that
/// `kind` makes of updates and x.
void addWritePasses(IndexingRule &rule, ScatterKind kind) {
  if (kind == ScatterKind::Set)
    rule.addMoves({0, 2});
  else if (kind == ScatterKind::Add)
    rule.addLinear({0, 2});
  else
    rule.passes.push_back({{0, 2}, Reduction::max, Reduction::max});
}

IndexingRule putRule(PutOp op) {
  IndexingRule rule = emptyRule(op);
  rule.operands[0] = newFactors(rule, shapeOf(op.getX()));
  for (int64_t size : shapeOf(op.getIndices()))
    rule.operands[1].dims.push_back({updateFactor(rule, op.getKind(), size)});
  rule.operands[2] = taken(rule.operands[0], rule.operands[1], op.getDim());
  rule.results[0] = rule.operands[0];
  rule.require(rule.operands[0].dims[op.getDim()], dist::Pieces::runs);
  requireRuns(rule, rule.operands[1]);
  addWritePasses(rule, op.getKind());
  return rule;
}

IndexingRule scatterRule(ScatterOp op) {
  IndexingRule rule = emptyRule(op);
  rule.operands[0] = newFactors(rule, shapeOf(op.getX()));
  rule.operands[1] = rule.operands[0];
  rule.operands[1].dims[op.getDim()] = {
      updateFactor(rule, op.getKind(), shapeOf(op.getIndices())[op.getDim()])};
  rule.operands[2] = rule.operands[1];
  rule.results[0] = rule.operands[0];
  rule.require(rule.operands[0].dims[op.getDim()], dist::Pieces::runs);
  rule.require(rule.operands[1].dims[op.getDim()], dist::Pieces::runs);
  addWritePasses(rule, op.getKind());
  return rule;
}

/// `updateDims`: the dims of the indices that the result does not have.
template <class Op>
LocalForm::Results writeLocal(LocalForm &form, Op op, ArrayRef<LocalDim> updateDims) {
  const LocalDim &where = form.context.operands[0].dims[op.getDim()];
  Value indices =
      form.localIndices(form.operands[1], where, shapeOf(form.operands[0])[op.getDim()]);
  Value x = form.operands[0];
  if (op.getKind() == ScatterKind::Add)
    x = form.onFirst(x, updateDims);
  return dist::cloneLocal(op, form.builder, {x, indices, form.operands[2]}, form.resultTypes);
}

LocalForm::Results putLocal(LocalForm &form, PutOp op) {
  return writeLocal(form, op, form.context.operands[1].dims);
}

LocalForm::Results scatterLocal(LocalForm &form, ScatterOp op) {
  return writeLocal(form, op, form.context.operands[1].dims[op.getDim()]);
}

} // namespace

void attachIndexingRules(MLIRContext &context) {
  TakeOp::attachInterface<PositionedRule<TakeOp, takeRule, readLocal<TakeOp>>>(context);
  GatherOp::attachInterface<PositionedRule<GatherOp, gatherRule, readLocal<GatherOp>>>(context);
  OneHotOp::attachInterface<PositionedRule<OneHotOp, oneHotRule, oneHotLocal>>(context);
  PutOp::attachInterface<PositionedRule<PutOp, putRule, putLocal>>(context);
  ScatterOp::attachInterface<PositionedRule<ScatterOp, scatterRule, scatterLocal>>(context);
}

} // namespace vescale::vs
