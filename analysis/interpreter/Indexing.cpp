//===- Indexing.cpp - Elements at computed places -------------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/IndexingOps.h"

#include <cmath>

using namespace mlir;

namespace vescale::analysis {
namespace {

/// An update meets what is there.
void meet(vs::ScatterKind kind, Tensor &x, int64_t at, const Tensor &updates, int64_t i) {
  if (kind == vs::ScatterKind::Set)
    return x.copyElement(at, updates, i);
  if (!x.isReal()) {
    int64_t a = x.integer(at), b = updates.integer(i);
    return x.setInteger(at, kind == vs::ScatterKind::Add ? int64_t(uint64_t(a) + uint64_t(b))
                                                         : std::max(a, b));
  }
  double a = x.real(at), b = updates.real(i);
  x.setReal(at, kind == vs::ScatterKind::Add ? a + b : (std::isnan(a) || a > b ? a : b));
}

/// Calls `visit(table position, taken position)` for each element that `take` reads inside of the
/// table.
template <class Visit>
void forEachTaken(const Shape &table, const Tensor &indices, int64_t dim, Visit visit) {
  Along along(table, dim);
  for (int64_t o = 0; o < along.outer; ++o)
    for (int64_t k = 0; k < indices.elements(); ++k) {
      int64_t index = indices.integer(k);
      if (index < 0 || index >= along.size)
        continue;
      for (int64_t n = 0; n < along.inner; ++n)
        visit(along.at(o, index, n), (o * indices.elements() + k) * along.inner + n);
    }
}

Results take(vs::TakeOp op, Operands operands) {
  const Tensor &table = *operands[0];
  Tensor result = zerosOf(op.getResult());
  forEachTaken(table.shape(), *operands[1], op.getDim(),
               [&](int64_t at, int64_t taken) { result.copyElement(taken, table, at); });
  return one(std::move(result));
}

Results put(vs::PutOp op, Operands operands) {
  Tensor result = *operands[0];
  forEachTaken(result.shape(), *operands[1], op.getDim(), [&](int64_t at, int64_t taken) {
    meet(op.getKind(), result, at, *operands[2], taken);
  });
  return one(std::move(result));
}

/// Calls `visit(position in x, position in indices)` for each index that lies inside of the dim.
template <class Visit>
void forEachGathered(const Shape &x, const Tensor &indices, int64_t dim, Visit visit) {
  Along from(x, dim), to(indices.shape(), dim);
  for (int64_t o = 0; o < to.outer; ++o)
    for (int64_t i = 0; i < to.size; ++i)
      for (int64_t n = 0; n < to.inner; ++n) {
        int64_t index = indices.integer(to.at(o, i, n));
        if (index >= 0 && index < from.size)
          visit(from.at(o, index, n), to.at(o, i, n));
      }
}

Results gather(vs::GatherOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  forEachGathered(operands[0]->shape(), *operands[1], op.getDim(),
                  [&](int64_t from, int64_t to) { result.copyElement(to, *operands[0], from); });
  return one(std::move(result));
}

Results scatter(vs::ScatterOp op, Operands operands) {
  Tensor result = *operands[0];
  forEachGathered(result.shape(), *operands[1], op.getDim(),
                  [&](int64_t at, int64_t i) { meet(op.getKind(), result, at, *operands[2], i); });
  return one(std::move(result));
}

Results oneHot(vs::OneHotOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  int64_t depth = op.getDepth();
  for (int64_t i = 0; i < operands[0]->elements(); ++i) {
    int64_t index = operands[0]->integer(i);
    if (index >= 0 && index < depth)
      result.setNumber(i * depth + index, 1);
  }
  return one(std::move(result));
}

} // namespace

void addIndexing(EvaluationTable &table) {
  table.add<vs::TakeOp, take>();
  table.add<vs::PutOp, put>();
  table.add<vs::GatherOp, gather>();
  table.add<vs::ScatterOp, scatter>();
  table.add<vs::OneHotOp, oneHot>();
}

} // namespace vescale::analysis
