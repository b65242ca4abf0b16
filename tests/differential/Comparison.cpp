//===- Comparison.cpp - A distributed program against one device ----------------------------===//

#include "tests/differential/Comparison.h"

#include "analysis/interpreter/Interpreter.h"

#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace mlir;

namespace vescale::analysis {

std::optional<Mismatch> compareAllOps(func::FuncOp single, func::FuncOp distributed,
                                      const IRMapping &counterpart,
                                      const std::vector<Tensor> &arguments, double tolerance) {
  std::string errors;
  ScopedDiagnosticHandler handler(single.getContext(), [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return success();
  });
  // What one device computes, by the op of the distributed program.
  DenseMap<Operation *, SmallVector<Tensor>> expected;
  Interpreter one({}, [&](Operation *op, ArrayRef<Sharded> results) {
    if (op->getParentOp() != single.getOperation())
      return;
    Operation *other = counterpart.lookupOrNull(op);
    if (!other)
      return;
    for (const Sharded &result : results)
      expected[other].push_back(result.shards[0]);
  });
  if (failed(one.run(single, arguments)))
    return Mismatch{"one device fails: " + errors, nullptr};

  std::optional<Mismatch> mismatch;
  Operation *last = nullptr;
  Interpreter all({}, [&](Operation *op, ArrayRef<Sharded> results) {
    if (op->getParentOp() != distributed.getOperation())
      return;
    last = op->getNextNode();
    auto found = expected.find(op);
    if (mismatch || found == expected.end())
      return;
    bool inexact = op->hasAttr("inexact");
    for (auto [number, result] : llvm::enumerate(results)) {
      const Tensor &reference = found->second[number];
      layout::StatusOr<Tensor> whole = rebuild(result, reference.shape());
      if (!whole.ok()) {
        mismatch = Mismatch{fmt::format("result {}: {}", number, whole.message()), op};
        return;
      }
      Difference difference = largestDifference(*whole, reference);
      if (difference.size > (inexact ? tolerance : 0)) {
        mismatch = Mismatch{fmt::format("result {}, element {}: {} on all ranks, {} on one device",
                                        number, indexText(reference.shape(), difference.element),
                                        whole->text(difference.element),
                                        reference.text(difference.element)),
                            op};
        return;
      }
    }
  });
  bool fails = failed(all.run(distributed, arguments));
  if (!mismatch && fails)
    mismatch = Mismatch{errors, last};
  return mismatch;
}

std::optional<Mismatch> compareResults(func::FuncOp single, func::FuncOp distributed,
                                       const std::vector<Tensor> &arguments, double tolerance) {
  std::string errors;
  ScopedDiagnosticHandler handler(single.getContext(), [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return success();
  });
  FailureOr<SmallVector<Tensor>> expected = Interpreter({}).run(single, arguments);
  FailureOr<SmallVector<Tensor>> results = Interpreter({}).run(distributed, arguments);
  if (failed(expected) || failed(results))
    return Mismatch{errors, nullptr};
  Operation *end = single.getBody().front().getTerminator();
  for (auto [number, result] : llvm::enumerate(*results)) {
    const Tensor &reference = (*expected)[number];
    Operation *op = end->getOperand(number).getDefiningOp();
    Difference difference = largestDifference(result, reference);
    if (difference.size > (op && op->hasAttr("inexact") ? tolerance : 0))
      return Mismatch{fmt::format("result {}, element {}: {} on all ranks, {} on one device",
                                  number, indexText(reference.shape(), difference.element),
                                  result.text(difference.element),
                                  reference.text(difference.element)),
                      nullptr};
  }
  return std::nullopt;
}

std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return stream.str();
}

std::string reducedTest(Operation *op) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto function = builder.create<func::FuncOp>(
      op->getLoc(), "f", builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Operation *copy = builder.clone(*op);
  copy->setOperands(body->getArguments());
  builder.create<func::ReturnOp>(op->getLoc(), copy->getResults());
  return "// RUN: vescale interpret %s --compare-one-device\n\n" + textOf(*module);
}

} // namespace vescale::analysis
