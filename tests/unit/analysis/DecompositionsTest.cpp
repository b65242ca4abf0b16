//===- DecompositionsTest.cpp - Ops against their reference meaning -------------------------===//

#include "tests/unit/analysis/OpCases.h"
#include "tests/unit/analysis/Programs.h"

#include "dialects/vs/VsInterfaces.h"

#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace vescale;
using namespace vescale::analysis;

namespace {

/// Replaces the decomposable op of a module, if it has one.
Operation *decompose(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](vs::DecomposableOpInterface op) { found = op; });
  if (!found)
    return nullptr;
  OpBuilder builder(found);
  auto values = cast<vs::DecomposableOpInterface>(found).decompose(builder);
  EXPECT_TRUE(succeeded(values));
  if (failed(values))
    return nullptr;
  found->replaceAllUsesWith(*values);
  EXPECT_TRUE(succeeded(verify(module)));
  return found;
}

void compare(const std::string &element, double tolerance) {
  std::set<std::string> covered;
  for (const OpCase &one : opCases()) {
    SCOPED_TRACE(one.name + " in " + element);
    auto module = parseProgram(one.module(element)), simple = parseProgram(one.module(element));
    ASSERT_TRUE(module && simple);
    Operation *op = decompose(*simple);
    if (!op)
      continue;
    covered.insert(op->getName().getStringRef().str());
    op->erase();
    func::FuncOp function = functionNamed(*module, "f");
    std::vector<Tensor> arguments =
        randomArguments(function, one.low, one.high, one.integersBelow, 23);
    bool declared = element != "f64";
    std::vector<Tensor> direct = runProgram(function, arguments, declared);
    std::vector<Tensor> composed = runProgram(functionNamed(*simple, "f"), arguments, declared);
    ASSERT_EQ(direct.size(), composed.size());
    for (size_t i = 0; i < direct.size(); ++i) {
      Difference difference = largestDifference(composed[i], direct[i]);
      EXPECT_LE(difference.size, tolerance)
          << "result " << i << ", element " << indexText(direct[i].shape(), difference.element)
          << ": " << composed[i].text(difference.element) << " and "
          << direct[i].text(difference.element);
    }
  }
  for (RegisteredOperationName name : testContext().getRegisteredOperations())
    if (name.getDialectNamespace() == "vs" && name.hasInterface<vs::DecomposableOpInterface>())
      EXPECT_TRUE(covered.count(name.getStringRef().str())) << name.getStringRef().str();
}

TEST(Decompositions, MeanTheOpInDoublePrecision) { compare("f64", 1e-12); }

TEST(Decompositions, MeanTheOpInSinglePrecision) { compare("f32", 1e-5); }

} // namespace
