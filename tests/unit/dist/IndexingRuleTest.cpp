//===- IndexingRuleTest.cpp - Partial values and ragged prefixes in rules -------------------===//

#include "dialects/dist/IndexingRule.h"

#include <gtest/gtest.h>

namespace vescale::dist {
namespace {

using Factors = llvm::SmallVector<int, 4>;
using layout::Reduction;

/// einsum "bsd,fd->bsf" with sizes 4, 6, 8, 10 of b, s, d, f.
IndexingRule einsum() {
  IndexingRule rule;
  int b = rule.addFactor(4), s = rule.addFactor(6), d = rule.addReduced(8, Reduction::sum),
      f = rule.addFactor(10);
  rule.operands = {TensorFactors{{{b}, {s}, {d}}}, TensorFactors{{{f}, {d}}}};
  rule.results = {TensorFactors{{{b}, {s}, {f}}}};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

TEST(IndexingRule, PartialOperandsPassOnlyInTheSetsThatAreListed) {
  IndexingRule rule = einsum();
  EXPECT_EQ(rule.pass({0}, Reduction::sum), Reduction::sum);
  EXPECT_EQ(rule.pass({1}, Reduction::sum), Reduction::sum);
  // Linear in each, not in both together: (a + b)(c + d) is not ac + bd.
  EXPECT_FALSE(rule.pass({0, 1}, Reduction::sum));
  EXPECT_FALSE(rule.pass({0}, Reduction::max));
}

TEST(IndexingRule, MonotoneOpsPassMaximaAndMinima) {
  IndexingRule rule = IndexingRule::elementwise({4}, 2);
  rule.addMonotone({0, 1});
  EXPECT_EQ(rule.pass({0, 1}, Reduction::max), Reduction::max);
  EXPECT_EQ(rule.pass({0, 1}, Reduction::min), Reduction::min);
  EXPECT_FALSE(rule.pass({0, 1}, Reduction::sum));
}

TEST(IndexingRule, MovesPassEveryReduction) {
  IndexingRule rule = IndexingRule::elementwise({4}, 1);
  rule.addMoves({0});
  for (Reduction reduction : {Reduction::sum, Reduction::max, Reduction::min, Reduction::prod,
                              Reduction::bitAnd, Reduction::bitOr})
    EXPECT_EQ(rule.pass({0}, reduction), reduction);
}

TEST(IndexingRule, RaggedPrefixOfAnElementwiseOpHasAnyLength) {
  IndexingRule rule = IndexingRule::elementwise({4, 6}, 2);
  EXPECT_EQ(rule.raggedFactors(rule.operands[0], 1), (Factors{0}));
  EXPECT_EQ(rule.raggedFactors(rule.operands[1], 2), (Factors{0, 1}));
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 3));
}

TEST(IndexingRule, RaggedPrefixMustLeadWhereverItsFactorsStand) {
  IndexingRule rule = einsum();
  EXPECT_EQ(rule.raggedFactors(rule.operands[0], 1), (Factors{0}));
  EXPECT_EQ(rule.raggedFactors(rule.operands[0], 2), (Factors{0, 1}));
  // d is reduced, so it may not be part of a ragged cut.
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 3));
  // f leads in the weight and not in the result.
  EXPECT_FALSE(rule.raggedFactors(rule.operands[1], 1));
}

TEST(IndexingRule, RaggedPrefixOfATransposeIsRefused) {
  IndexingRule rule;
  int a = rule.addFactor(4), b = rule.addFactor(6);
  rule.operands = {TensorFactors{{{a}, {b}}}};
  rule.results = {TensorFactors{{{b}, {a}}}};
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 1));
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 2));
}

TEST(IndexingRule, RaggedPrefixOfAReshapeFollowsTheFactors) {
  // reshape 8x4 -> 2x16: (0 1) (2) -> (0) (1 2).
  IndexingRule rule;
  int a = rule.addFactor(2), b = rule.addFactor(4), c = rule.addFactor(4);
  rule.operands = {TensorFactors{{{a, b}, {c}}}};
  rule.results = {TensorFactors{{{a}, {b, c}}}};
  // The first dim of the operand, 8, is no whole number of dims of the result; both together are.
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 1));
  EXPECT_EQ(rule.raggedFactors(rule.operands[0], 2), (Factors{0, 1, 2}));
  EXPECT_FALSE(rule.raggedFactors(rule.results[0], 1));
}

TEST(IndexingRule, FactorsOfSizeOneDoNotHinderARaggedPrefix) {
  // broadcast-like: a dim of size 1 in front of the result only.
  IndexingRule rule;
  int one = rule.addFactor(1), a = rule.addFactor(6);
  rule.operands = {TensorFactors{{{a}}}};
  rule.results = {TensorFactors{{{one}, {a}}}};
  EXPECT_EQ(rule.raggedFactors(rule.operands[0], 1), (Factors{a}));
  EXPECT_EQ(rule.raggedFactors(rule.results[0], 2), (Factors{one, a}));
}

TEST(IndexingRule, ARaggedCutOfASingleElementLeavesSomeDevicesWithoutIt) {
  // reduce over a dim of size 1: devices without the element would compute the reduction of none.
  IndexingRule rule;
  int reduced = rule.addReduced(1, Reduction::sum);
  rule.operands = {TensorFactors{{{reduced}}}};
  rule.results = {TensorFactors{}};
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 1));
  // Elementwise, all devices without it compute nothing.
  rule = IndexingRule::elementwise({1, 1}, 2);
  EXPECT_EQ(rule.raggedFactors(rule.operands[0], 2), (Factors{0, 1}));
}

TEST(IndexingRule, AnOpMayAllowFewerRaggedDims) {
  IndexingRule rule = IndexingRule::elementwise({4, 6}, 1);
  rule.raggedPrefix = 1;
  EXPECT_TRUE(rule.raggedFactors(rule.operands[0], 1));
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 2));
  rule.raggedPrefix = 0;
  EXPECT_FALSE(rule.raggedFactors(rule.operands[0], 1));
}

} // namespace
} // namespace vescale::dist
