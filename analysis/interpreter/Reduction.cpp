//===- Reduction.cpp - Reductions, scans and orders -----------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/ReductionOps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using vescale::vs::ReduceKind;

namespace vescale::analysis {
namespace {

double identity(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Max:
    return -std::numeric_limits<double>::infinity();
  case ReduceKind::Min:
    return std::numeric_limits<double>::infinity();
  case ReduceKind::Prod:
    return 1;
  default:
    return 0;
  }
}

int64_t identity(ReduceKind kind, ElementType type) {
  switch (kind) {
  case ReduceKind::Max:
    return lowest(type);
  case ReduceKind::Min:
    return highest(type);
  case ReduceKind::Prod:
    return 1;
  case ReduceKind::And:
    return -1;
  default:
    return 0;
  }
}

double combine(ReduceKind kind, double a, double b) {
  switch (kind) {
  case ReduceKind::Max:
    return std::isnan(a) || a > b ? a : b;
  case ReduceKind::Min:
    return std::isnan(a) || a < b ? a : b;
  case ReduceKind::Prod:
    return a * b;
  default:
    return a + b;
  }
}

int64_t combine(ReduceKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case ReduceKind::Max:
    return std::max(a, b);
  case ReduceKind::Min:
    return std::min(a, b);
  case ReduceKind::Prod:
    return uint64_t(a) * uint64_t(b);
  case ReduceKind::And:
    return a & b;
  case ReduceKind::Or:
    return a | b;
  default:
    return uint64_t(a) + uint64_t(b);
  }
}

Results reduce(vs::ReduceOp op, Operands operands) {
  const Tensor &x = *operands[0];
  ReduceKind kind = op.getKind();
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i) {
    if (result.isReal())
      result.setReal(i, identity(kind));
    else
      result.setInteger(i, identity(kind, result.type()));
  }
  std::vector<bool> reduced(x.rank(), false);
  for (int64_t dim : op.getDims())
    reduced[dim] = true;
  forEachIndex(x.shape(), [&](const std::vector<int64_t> &index, int64_t i) {
    int64_t at = 0;
    for (int d = 0; d < x.rank(); ++d)
      if (!reduced[d])
        at = at * x.size(d) + index[d];
    if (result.isReal())
      result.setReal(at, combine(kind, result.real(at), x.real(i)));
    else
      result.setInteger(at, combine(kind, result.integer(at), x.integer(i)));
  });
  if (kind == ReduceKind::Mean) {
    double count = 1;
    for (int64_t dim : op.getDims())
      count *= static_cast<double>(x.size(dim));
    for (int64_t i = 0; i < result.elements(); ++i)
      result.setReal(i, result.real(i) / count);
  }
  return one(std::move(result));
}

/// Orders as `sort` does: NaNs are the largest.
bool less(const Tensor &x, int64_t a, int64_t b) {
  if (!x.isReal())
    return x.integer(a) < x.integer(b);
  if (std::isnan(x.real(a)))
    return false;
  return std::isnan(x.real(b)) || x.real(a) < x.real(b);
}

Results argMax(vs::ArgMaxOp op, Operands operands) {
  const Tensor &x = *operands[0];
  Tensor result = zerosOf(op.getIndices());
  Along along(x.shape(), op.getDim());
  for (int64_t o = 0; o < along.outer; ++o)
    for (int64_t n = 0; n < along.inner; ++n) {
      int64_t best = 0;
      for (int64_t i = 1; i < along.size; ++i)
        if (less(x, along.at(o, best, n), along.at(o, i, n)))
          best = i;
      result.setInteger(o * along.inner + n, best);
    }
  return one(std::move(result));
}

Results cumulativeSum(vs::CumulativeSumOp op, Operands operands) {
  const Tensor &x = *operands[0];
  Tensor result = zerosOf(op.getResult());
  Along along(x.shape(), op.getDim());
  for (int64_t o = 0; o < along.outer; ++o)
    for (int64_t n = 0; n < along.inner; ++n) {
      double sum = 0;
      uint64_t integerSum = 0;
      for (int64_t step = 0; step < along.size; ++step) {
        int64_t at = along.at(o, op.getReverse() ? along.size - 1 - step : step, n);
        auto put = [&] {
          if (x.isReal())
            result.setReal(at, sum);
          else
            result.setInteger(at, integerSum);
        };
        if (op.getExclusive())
          put();
        if (x.isReal())
          sum += x.real(at);
        else
          integerSum += x.integer(at);
        if (!op.getExclusive())
          put();
      }
    }
  return one(std::move(result));
}

/// The first `count` elements of each line along `dim` in order, and where they stood.
SmallVector<Tensor> ordered(const Tensor &x, int64_t dim, bool descending, Tensor values,
                            Tensor indices) {
  Along from(x.shape(), dim), to(values.shape(), dim);
  std::vector<int64_t> order(from.size);
  for (int64_t o = 0; o < from.outer; ++o)
    for (int64_t n = 0; n < from.inner; ++n) {
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return descending ? less(x, from.at(o, b, n), from.at(o, a, n))
                          : less(x, from.at(o, a, n), from.at(o, b, n));
      });
      for (int64_t i = 0; i < to.size; ++i) {
        values.copyElement(to.at(o, i, n), x, from.at(o, order[i], n));
        indices.setInteger(to.at(o, i, n), order[i]);
      }
    }
  return {std::move(values), std::move(indices)};
}

Results sort(vs::SortOp op, Operands operands) {
  return ordered(*operands[0], op.getDim(), op.getDescending(), zerosOf(op.getValues()),
                 zerosOf(op.getIndices()));
}

Results topK(vs::TopKOp op, Operands operands) {
  return ordered(*operands[0], operands[0]->rank() - 1, true, zerosOf(op.getValues()),
                 zerosOf(op.getIndices()));
}

} // namespace

void addReduction(EvaluationTable &table) {
  table.add<vs::ReduceOp, reduce>();
  table.add<vs::ArgMaxOp, argMax>();
  table.add<vs::CumulativeSumOp, cumulativeSum>();
  table.add<vs::SortOp, sort>();
  table.add<vs::TopKOp, topK>();
}

} // namespace vescale::analysis
