//===- FoldTypesTest.cpp - No fold changes a layout -----------------------------------------===//
//
// A fold that returns a value of another layout is a redistribution that nobody sees. Every op of
// the lit tests is folded as it stands, and again with each of its operands in each of several
// other layouts; what a fold returns must have the full type of the result.
//
//===-----------------------------------------------------------------------------------------===//

#include "compiler/Registration.h"
#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/LayoutTypes.h"
#include "layout/Legality.h"
#include "layout/Parse.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace mlir;
namespace layout = vescale::layout;
namespace dist = vescale::dist;

namespace {

std::string text(Operation *op) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  op->print(stream);
  return result;
}

/// Folds a copy of `op` with the given operands; the copy is erased again.
void expectFoldKeepsTypes(Operation *op, ValueRange operands) {
  OpBuilder builder(op);
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  SmallVector<Attribute> constants;
  for (Value operand : operands) {
    Attribute constant;
    matchPattern(operand, m_Constant(&constant));
    constants.push_back(constant);
  }
  SmallVector<OpFoldResult> results;
  if (succeeded(copy->fold(constants, results)) && !results.empty()) {
    EXPECT_EQ(results.size(), op->getNumResults()) << text(copy);
    for (auto [folded, result] : llvm::zip(results, copy->getResults())) {
      if (auto value = llvm::dyn_cast_if_present<Value>(folded)) {
        EXPECT_TRUE(value.getType() == result.getType())
            << text(copy) << " folds to a value of another type";
        continue;
      }
      // Constants hold plain types; the materialized op gives them the type of the result.
      auto typed = llvm::dyn_cast<TypedAttr>(llvm::cast<Attribute>(folded));
      auto tensor = llvm::dyn_cast<RankedTensorType>(result.getType());
      Type plain = tensor ? Type(dist::globalType(tensor)) : result.getType();
      if (typed)
        EXPECT_TRUE(typed.getType() == result.getType() || typed.getType() == plain)
            << text(copy) << " folds to a constant of another type";
    }
  }
  for (auto [before, after] : llvm::zip(op->getResultTypes(), copy->getResultTypes()))
    EXPECT_TRUE(before == after) << text(copy) << " folds in place to another type";
  copy->erase();
}

class FoldTypes : public testing::Test {
protected:
  FoldTypes() {
    DialectRegistry registry;
    vescale::registerVescaleDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects(false);
  }

  /// Layouts of any tensor of this type: whole, partial by sum and by max, cut by each dim.
  SmallVector<RankedTensorType> variants(RankedTensorType type) {
    layout::Mesh mesh = *layout::parseMesh("fold=2");
    SmallVector<RankedTensorType> types = {dist::globalType(type)};
    layout::Shape shape(type.getShape().begin(), type.getShape().end());
    std::string whole;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      whole += dim ? ", {}" : "{}";
    std::vector<std::string> texts = {"[" + whole + "]", "[" + whole + "], partial = [sum: \"fold\"]",
                                      "[" + whole + "], partial = [max: \"fold\"]"};
    for (int64_t cut = 0; cut < type.getRank(); ++cut) {
      std::string cuts;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        cuts += std::string(dim ? ", " : "") + (dim == cut ? "{\"fold\"}" : "{}");
      texts.push_back("[" + cuts + "]");
    }
    for (const std::string &layoutText : texts) {
      auto parsed = layout::parseLayout(mesh, layoutText);
      EXPECT_TRUE(parsed.ok()) << parsed.message();
      if (layout::checkLegal(*parsed, shape).ok())
        types.push_back(dist::withLayout(type, *parsed));
    }
    return types;
  }

  void foldEverything(ModuleOp module) {
    // Values of any type that the folds may be given; they are never verified.
    Block sources;
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      seen.insert(op->getName().getStringRef().str());
      if (op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>())
        continue;
      ++folded;
      expectFoldKeepsTypes(op, op->getOperands());
      for (unsigned i = 0; i < op->getNumOperands(); ++i) {
        auto type = llvm::dyn_cast<RankedTensorType>(op->getOperand(i).getType());
        if (!type || !type.hasStaticShape())
          continue;
        for (RankedTensorType variant : variants(type)) {
          SmallVector<Value> operands(op->getOperands());
          operands[i] = sources.addArgument(variant, op->getLoc());
          expectFoldKeepsTypes(op, operands);
        }
      }
    }
  }

  void foldFile(StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(buffer) << path.str();
    SmallVector<StringRef> chunks;
    (*buffer)->getBuffer().split(chunks, "// -----");
    for (StringRef chunk : chunks) {
      // What the verifiers refuse is the business of other tests.
      if (chunk.contains("expected-error"))
        continue;
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(chunk, &context);
      ASSERT_TRUE(module) << path.str();
      foldEverything(*module);
    }
  }

  MLIRContext context;
  std::set<std::string> seen;
  int folded = 0;
};

TEST_F(FoldTypes, EveryFoldOfTheLitTestsKeepsTheFullType) {
  for (const char *folder : {"tests/lit/dist", "tests/lit/vs"}) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator file(folder, error), end; file != end && !error;
         file.increment(error))
      if (StringRef(file->path()).ends_with(".mlir"))
        foldFile(file->path());
    EXPECT_FALSE(error) << folder << ": " << error.message();
  }
  EXPECT_GT(folded, 30);
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "dist")
      EXPECT_TRUE(seen.count(name.getStringRef().str()))
          << name.getStringRef().str() << " is in no lit test";
}

TEST_F(FoldTypes, RedistributeFoldsOnlyBetweenEqualTypes) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
    #mesh = #dist.mesh<["x" = 2]>
    !cut = tensor<4xf32, #dist.layout<#mesh, [{"x"}]>>
    !whole = tensor<4xf32, #dist.layout<#mesh, [{}]>>
    func.func @f(%x: !cut) -> (!cut, !whole) {
      %same = dist.redistribute %x : !cut -> !cut
      %other = dist.redistribute %x : !cut -> !whole
      return %same, %other : !cut, !whole
    }
  )mlir",
                                                             &context);
  ASSERT_TRUE(module);
  SmallVector<bool> folds;
  module->walk([&](Operation *op) {
    if (op->getName().getStringRef() != "dist.redistribute")
      return;
    SmallVector<OpFoldResult> results;
    folds.push_back(succeeded(op->fold({Attribute()}, results)) && !results.empty());
  });
  EXPECT_EQ(folds, (SmallVector<bool>{true, false}));
}

} // namespace
