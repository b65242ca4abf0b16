//===- ShapeRules.cpp - Rules of ops that only move elements --------------------------------===//

#include "dialects/vs/rules/LocalForm.h"
#include "dialects/vs/rules/Rules.h"

#include "dialects/vs/ShapeOps.h"

#include <numeric>

using namespace mlir;
using vescale::dist::FactorKind;
using vescale::dist::IndexingRule;

namespace vescale::vs {
namespace {

/// Both shapes are refined, major to minor, to common factors: 8x4 -> 2x16 is (2 4)(4) ->
/// (2)(4 4). Where what is left of a dim on both sides has no common divisor (3x2 -> 2x3), the
/// dims of this group have factors of their own, which must be whole. Dims of size 1 that stand
/// at the same place on both sides are one factor; any other dim of size 1 must be whole.
struct ReshapeRule : dist::IndexingRuleOpInterface::ExternalModel<ReshapeRule, ReshapeOp> {
  IndexingRule getIndexingRule(Operation *op) const {
    ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    IndexingRule rule;
    rule.operands.resize(1);
    rule.results.resize(1);
    auto &fromDims = rule.operands[0].dims;
    auto &toDims = rule.results[0].dims;
    fromDims.resize(from.size());
    toDims.resize(to.size());
    rule.addMoves({0});
    auto whole = [&](auto &dims, size_t dim, int64_t size) {
      if (size != 1)
        dims[dim].push_back(rule.addFactor(size, FactorKind::replicated));
    };
    if (llvm::is_contained(from, 0)) {
      for (size_t i = 0; i < from.size(); ++i)
        whole(fromDims, i, from[i]);
      for (size_t j = 0; j < to.size(); ++j)
        whole(toDims, j, to[j]);
      return rule;
    }
    // Dims [0, i) and [0, j) have been taken; of the last ones, `left` and `right` are left.
    size_t i = 0, j = 0;
    int64_t left = 1, right = 1;
    while (true) {
      while (left == 1 && right == 1 && i < from.size() && j < to.size() && from[i] == 1 &&
             to[j] == 1) {
        int factor = rule.addFactor(1);
        fromDims[i++].push_back(factor);
        toDims[j++].push_back(factor);
      }
      while (left == 1 && i < from.size())
        left = from[i++];
      while (right == 1 && j < to.size())
        right = to[j++];
      if (left == 1 && right == 1)
        return rule;
      if (int64_t common = std::gcd(left, right); common > 1) {
        int factor = rule.addFactor(common);
        fromDims[i - 1].push_back(factor);
        toDims[j - 1].push_back(factor);
        left /= common;
        right /= common;
        continue;
      }
      // To the end of the group: both sides take dims until they hold as many elements.
      int64_t fromElements = left, toElements = right;
      whole(fromDims, i - 1, left);
      whole(toDims, j - 1, right);
      while (fromElements != toElements) {
        if (fromElements < toElements) {
          fromElements *= from[i];
          whole(fromDims, i, from[i]);
          ++i;
        } else {
          toElements *= to[j];
          whole(toDims, j, to[j]);
          ++j;
        }
      }
      left = right = 1;
    }
  }
};

struct TransposeRule : dist::IndexingRuleOpInterface::ExternalModel<TransposeRule, TransposeOp> {
  IndexingRule getIndexingRule(Operation *op) const {
    IndexingRule rule;
    rule.operands.resize(1);
    rule.results.resize(1);
    for (int64_t size : shapeOf(op->getOperand(0)))
      rule.operands[0].dims.push_back({rule.addFactor(size)});
    for (int64_t dim : cast<TransposeOp>(op).getPermutation())
      rule.results[0].dims.push_back(rule.operands[0].dims[dim]);
    rule.addMoves({0});
    rule.raggedPrefix = 0;
    return rule;
  }
};

/// Dims that the operand does not have are parallel too: each device repeats as often as its part
/// of the result needs. A scalar may also be repeated to a ragged piece.
struct BroadcastRule : dist::IndexingRuleOpInterface::ExternalModel<BroadcastRule, BroadcastOp> {
  IndexingRule getIndexingRule(Operation *op) const {
    IndexingRule rule;
    rule.operands.resize(1);
    rule.results.resize(1);
    for (int64_t size : shapeOf(op->getResult(0)))
      rule.results[0].dims.push_back({rule.addFactor(size)});
    for (int64_t dim : cast<BroadcastOp>(op).getDims())
      rule.operands[0].dims.push_back(rule.results[0].dims[dim]);
    rule.addMoves({0});
    if (!rule.operands[0].dims.empty())
      rule.raggedPrefix = 0;
    return rule;
  }
};

} // namespace

void attachShapeRules(MLIRContext &context) {
  ReshapeOp::attachInterface<ReshapeRule>(context);
  TransposeOp::attachInterface<TransposeRule>(context);
  BroadcastOp::attachInterface<BroadcastRule>(context);
}

} // namespace vescale::vs
