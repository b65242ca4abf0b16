//===- RuleCheckTest.cpp - Which layouts an op may have --------------------------------------===//

#include "dialects/dist/RuleCheck.h"
#include "dialects/dist/RuleComponents.h"

#include "layout/Parse.h"

#include "gtest/gtest.h"

using namespace vescale;
using dist::IndexingRule;
using layout::Reduction;

namespace {

using Layouts = std::vector<std::optional<layout::Layout>>;

layout::Mesh testMesh() { return *layout::parseMesh("x=2,y=4"); }

Layouts layouts(const std::vector<std::string> &texts) {
  Layouts parsed;
  for (const std::string &text : texts) {
    layout::StatusOr<layout::Layout> layout = layout::parseLayout(testMesh(), text);
    EXPECT_TRUE(layout.ok()) << layout.message();
    parsed.push_back(*layout);
  }
  return parsed;
}

/// `einsum "bd,fd->bf"` of 8x16 and 32x16.
IndexingRule linear() {
  IndexingRule rule;
  int b = rule.addFactor(8), f = rule.addFactor(32);
  int d = rule.addReduced(16, Reduction::sum);
  rule.operands = {{{{b}, {d}}}, {{{f}, {d}}}};
  rule.results = {{{{b}, {f}}}};
  rule.addLinear({0});
  rule.addLinear({1});
  return rule;
}

IndexingRule add() {
  IndexingRule rule = IndexingRule::elementwise({8, 16}, 2);
  rule.addLinear({0, 1});
  return rule;
}

std::string check(const IndexingRule &rule, const std::vector<std::string> &operands,
                  const std::vector<std::string> &results) {
  layout::Status status = dist::checkRule(rule, layouts(operands), layouts(results));
  return status.message();
}

TEST(RuleCheck, AcceptsWhatFollowsFromTheCuts) {
  EXPECT_EQ(check(linear(), {R"([{"x"}, {}])", "[{}, {}]"}, {R"([{"x"}, {}])"}), "");
  EXPECT_EQ(check(linear(), {R"([{"x"}, {}])", R"([{"y"}, {}])"}, {R"([{"x"}, {"y"}])"}), "");
  EXPECT_EQ(check(linear(), {R"([{"x"}, {"y"}])", R"([{}, {"y"}])"},
                  {R"([{"x"}, {}], partial = [sum: "y"])"}),
            "");
  EXPECT_EQ(check(linear(), {R"([{}, {}], partial = [sum: "x"])", R"([{"y"}, {}])"},
                  {R"([{}, {"y"}], partial = [sum: "x"])"}),
            "");
}

TEST(RuleCheck, AReducedFactorMustLeaveThePartialValue) {
  EXPECT_NE(check(linear(), {R"([{"x"}, {"y"}])", R"([{}, {"y"}])"}, {R"([{"x"}, {}])"})
                .find("result 0 is laid out"),
            std::string::npos);
}

TEST(RuleCheck, OperandsMustAgreeOnAFactor) {
  EXPECT_NE(check(linear(), {R"([{}, {"y"}])", "[{}, {}]"}, {"[{}, {}]"})
                .find("factor 2 of size 16 is cut by {\"y\"} in operand 0 and by {} in operand 1"),
            std::string::npos);
}

TEST(RuleCheck, OneAxisOnTwoFactorsIsRefused) {
  EXPECT_NE(check(linear(), {R"([{"x"}, {}])", R"([{"x"}, {}])"}, {R"([{"x"}, {}])"})
                .find("factor 1"),
            std::string::npos);
  dist::OpCuts cuts;
  cuts.cuts = {{{{0, 1, 2}, 1, 1}}, {{{0, 1, 2}, 1, 1}}, {}};
  layout::StatusOr<dist::OpLayouts> derived = dist::layoutsOf(linear(), testMesh(), cuts);
  ASSERT_FALSE(derived.ok());
  EXPECT_EQ(derived.message(),
            "axis \"x\" would do two things to result 0: [{\"x\"}, {\"x\"}]");
}

TEST(RuleCheck, PartialOperandsPassOnlyThroughLinearSets) {
  EXPECT_EQ(check(add(), {R"([{}, {}], partial = [sum: "x"])", R"([{}, {}], partial = [sum: "x"])"},
                  {R"([{}, {}], partial = [sum: "x"])"}),
            "");
  EXPECT_NE(check(add(), {R"([{}, {}], partial = [sum: "x"])", "[{}, {}]"},
                  {R"([{}, {}], partial = [sum: "x"])"})
                .find("operand 0 is partial [sum: \"x\"], through which the op does not pass"),
            std::string::npos);
  EXPECT_NE(check(linear(),
                  {R"([{}, {}], partial = [sum: "x"])", R"([{}, {}], partial = [sum: "x"])"},
                  {R"([{}, {}], partial = [sum: "x"])"})
                .find("operands 0 and 1 are partial"),
            std::string::npos);
  EXPECT_NE(check(linear(), {R"([{}, {}], partial = [max: "x"])", "[{}, {}]"},
                  {R"([{}, {}], partial = [max: "x"])"})
                .find("does not pass"),
            std::string::npos);
}

TEST(RuleCheck, PartialOverPartsOfAnAxis) {
  EXPECT_EQ(check(add(),
                  {R"([{}, {}], partial = [sum: "y":(1)2, sum: "y":(2)2])",
                   R"([{}, {}], partial = [sum: "y"])"},
                  {R"([{}, {}], partial = [sum: "y"])"}),
            "");
}

TEST(RuleCheck, DifferentReductionsDoNotMeet) {
  IndexingRule rule = linear();
  rule.addMonotone({0});
  EXPECT_NE(check(rule, {R"([{}, {"y"}], partial = [max: "x"])", R"([{}, {"y"}])"},
                  {R"([{}, {}], partial = [sum: "y"])"})
                .find("which have no defined order"),
            std::string::npos);
}

TEST(RuleCheck, FactorsThatMustBeWhole) {
  IndexingRule rule;
  int a = rule.addFactor(8), b = rule.addFactor(4, dist::FactorKind::replicated);
  rule.operands = {{{{a}, {b}}}};
  rule.results = {{{{a}, {b}}}};
  EXPECT_EQ(check(rule, {R"([{"y"}, {}])"}, {R"([{"y"}, {}])"}), "");
  EXPECT_NE(check(rule, {R"([{}, {"x"}])"}, {R"([{}, {"x"}])"}).find("must be whole"),
            std::string::npos);
  rule.factors[b].kind = dist::FactorKind::decomposable;
  EXPECT_NE(check(rule, {R"([{}, {"x"}])"}, {R"([{}, {"x"}])"}).find("decomposition"),
            std::string::npos);
}

TEST(RuleCheck, AParallelFactorMissingInAResultIsRefused) {
  IndexingRule rule;
  int a = rule.addFactor(8);
  rule.operands = {{{{a}}}};
  rule.results = {{{{a}}}, {}};
  EXPECT_NE(check(rule, {R"([{"x"}])"}, {R"([{"x"}])", "[]"}).find("result 1 does not have it"),
            std::string::npos);
}

/// The gradient of a normalisation of 8x16: rows stand in the gradient of x, and the gradient of the
/// weight is a sum over them.
IndexingRule normGradient() {
  IndexingRule rule;
  int rows = rule.addKeptOrReduced(8, Reduction::sum);
  int last = rule.addFactor(16, dist::FactorKind::decomposable);
  rule.operands = {{{{rows}, {last}}}};
  rule.results = {{{{rows}, {last}}}, {{{last}}}};
  rule.addLinear({0});
  return rule;
}

TEST(RuleCheck, AParallelFactorLeavesResultsWithoutItPartial) {
  EXPECT_EQ(check(normGradient(), {R"([{"y"}, {}])"}, {R"([{"y"}, {}])", R"([{}], partial = [sum: "y"])"}),
            "");
  EXPECT_NE(check(normGradient(), {R"([{"y"}, {}])"}, {R"([{"y"}, {}])", "[{}]"})
                .find("result 1 is laid out"),
            std::string::npos);
  EXPECT_NE(check(normGradient(), {R"([{}, {"y"}])"}, {R"([{}, {"y"}])", R"([{"y"}])"})
                .find("decomposition"),
            std::string::npos);
}

TEST(RuleCheck, OneAxisOnTwoReducedFactorsIsRefused) {
  // sum over a and b of x[a] * y[b]: contributions of one axis would be the diagonal only.
  IndexingRule rule;
  int a = rule.addReduced(8, Reduction::sum), b = rule.addReduced(8, Reduction::sum);
  rule.operands = {{{{a}}}, {{{b}}}};
  rule.results = {{}};
  EXPECT_EQ(check(rule, {R"([{"x"}])", R"([{"y"}])"}, {R"([], partial = [sum: "x", sum: "y"])"}), "");
  EXPECT_NE(check(rule, {R"([{"x"}])", R"([{"x"}])"}, {R"([], partial = [sum: "x"])"})
                .find("for two reasons"),
            std::string::npos);
}

TEST(RuleCheck, APartialOperandPassesToEveryResult) {
  EXPECT_EQ(check(normGradient(), {R"([{"y"}, {}], partial = [sum: "x"])"},
                  {R"([{"y"}, {}], partial = [sum: "x"])", R"([{}], partial = [sum: "x", sum: "y"])"}),
            "");
}

TEST(RuleCheck, ARaggedCutLeavesNoResultPartial) {
  std::string ragged = R"([{}, {}], ragged = {"y", dims = 1, units = [1, 0, 4, 3]})";
  EXPECT_NE(check(normGradient(), {ragged}, {ragged, "[{}]"}).find("does not keep together"),
            std::string::npos);
}

TEST(RuleComponents, TensorsThatShareNoFactorAreApart) {
  IndexingRule rule;
  int a = rule.addFactor(8), b = rule.addFactor(4), c = rule.addFactor(2);
  rule.operands = {{{{a}}}, {{{b}, {c}}}, {}};
  rule.results = {{{{a}}}, {{{b}, {c}}}};
  std::vector<dist::RuleComponent> components = dist::componentsOf(rule);
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0].operands, (llvm::SmallVector<int, 4>{0, 2}));
  EXPECT_EQ(components[1].operands, (llvm::SmallVector<int, 4>{1}));
  EXPECT_EQ(components[1].factors, (llvm::SmallVector<int, 4>{b, c}));
  EXPECT_EQ(components[1].rule.results[0].dims[1][0], 1);
  EXPECT_EQ(components[1].rule.factors[0].size, 4);
  rule.addLinear({0, 1});
  EXPECT_EQ(dist::componentsOf(rule).size(), 1u);
}

TEST(RuleCheck, ReshapeSplitsAnInterleavedCut) {
  IndexingRule rule;
  int three = rule.addFactor(3), rest = rule.addFactor(16);
  rule.operands = {{{{three, rest}}}};
  rule.results = {{{{three}, {rest}}}};
  EXPECT_EQ(check(rule, {R"([{"y" / 3}])"}, {R"([{}, {"y"}])"}), "");
  EXPECT_NE(check(rule, {R"([{"y"}])"}, {R"([{}, {"y"}])"}).find("falls on no factor"),
            std::string::npos);
}

TEST(RuleCheck, ConsecutiveFactorsRefuseInterleavedCuts) {
  IndexingRule rule = IndexingRule::elementwise({8, 16}, 1);
  rule.require(rule.operands[0].dims[0], dist::Pieces::consecutive);
  EXPECT_EQ(check(rule, {R"([{"x"}, {"y" / 2}])"}, {R"([{"x"}, {"y" / 2}])"}), "");
  EXPECT_NE(check(rule, {R"([{"x" / 2}, {}])"}, {R"([{"x" / 2}, {}])"})
                .find("needs consecutive positions"),
            std::string::npos);
}

TEST(RuleCheck, FactorsInRunsRefuseMixedPatterns) {
  IndexingRule rule = IndexingRule::elementwise({16}, 1);
  rule.require(rule.operands[0].dims[0], dist::Pieces::runs);
  for (std::string fits : {R"([{"x", "y"}])", R"([{"x" / 2, "y" / 2}])", R"([{"x" / 2}])"})
    EXPECT_EQ(check(rule, {fits}, {fits}), "") << fits;
  for (std::string mixed : {R"([{"x", "y" / 2}])", R"([{"x" / 2, "y"}])"})
    EXPECT_NE(check(rule, {mixed}, {mixed}).find("needs positions in runs of one length"),
              std::string::npos)
        << mixed;
  rule.factors[0].pieces = dist::Pieces::any;
  EXPECT_EQ(check(rule, {R"([{"x", "y" / 2}])"}, {R"([{"x", "y" / 2}])"}), "");
}

TEST(RuleCheck, RaggedOperandsMustAgree) {
  IndexingRule rule = add();
  std::string ragged = R"([{}, {}], ragged = {"y", dims = 1, units = [1, 0, 4, 3]})";
  EXPECT_EQ(check(rule, {ragged, ragged}, {ragged}), "");
  EXPECT_NE(check(rule, {ragged, "[{}, {}]"}, {ragged}).find("operand 1 is laid out"),
            std::string::npos);
  EXPECT_NE(check(linear(), {R"([{}, {}], ragged = {"y", dims = 2, units = [1, 0, 4, 3]})",
                             "[{}, {}]"},
                  {"[{}, {}]"})
                .find("does not keep together"),
            std::string::npos);
}

} // namespace
