//===- DecomposeLayers.cpp - ops without a kernel in simpler ones ---------===//

#include "passes/fusion/Passes.h"

#include "dialects/dist/InferLayouts.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsInterfaces.h"
#include "passes/fusion/KernelKind.h"
#include "passes/fusion/OpPattern.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_DECOMPOSELAYERSPASS
#include "passes/fusion/Passes.h.inc"

namespace {

/// Remembers the ops that a builder inserts.
struct Recorder : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { inserted.push_back(op); }
  SmallVector<Operation *> inserted;
};

/// The mesh of the first layout among the types of the op's operands and results.
const layout::Mesh *meshOf(Operation *op) {
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes())))
    if (const layout::Layout *layout = dist::getLayout(type))
      return &layout->mesh();
  return nullptr;
}

struct DecomposeLayersPass : impl::DecomposeLayersPassBase<DecomposeLayersPass> {
  using DecomposeLayersPassBase::DecomposeLayersPassBase;

  void runOnOperation() override {
    layers.clear();
    SmallVector<Operation *> pending;
    getOperation()->walk([&](Operation *op) {
      if (kernelKind(op) == KernelKind::unsupported)
        pending.push_back(op);
    });
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      if (failed(decompose(op, pending)))
        return signalPassFailure();
    }
  }

private:
  /// The ops that stand for a layer, with the types that their results got.
  struct Layer {
    SmallVector<OperationName> ops;
    SmallVector<Type> types;
  };

  /// Infers the layouts of inserted ops, or takes those that an equal layer got.
  LogicalResult layOut(ArrayRef<Operation *> inserted, const layout::Mesh &mesh, Layer &known) {
    auto isKnown = [](Operation *op, OperationName name) { return op->getName() == name; };
    if (!inserted.empty() && llvm::equal(inserted, known.ops, isKnown)) {
      const Type *type = known.types.begin();
      for (Operation *op : inserted)
        for (Value result : op->getResults())
          result.setType(*type++);
      return success();
    }
    if (failed(dist::inferLayouts(inserted, mesh)))
      return failure();
    known = Layer();
    for (Operation *op : inserted) {
      known.ops.push_back(op->getName());
      known.types.append(op->result_type_begin(), op->result_type_end());
    }
    return success();
  }

  LogicalResult decompose(Operation *op, SmallVectorImpl<Operation *> &pending) {
    auto decomposable = dyn_cast<vs::DecomposableOpInterface>(op);
    if (!decomposable)
      return op->emitOpError("has neither a kernel nor a decomposition");
    Layer &known = layers[patternOfOp(op)];
    Recorder recorder;
    OpBuilder builder(op);
    builder.setListener(&recorder);
    FailureOr<SmallVector<Value>> values = decomposable.decompose(builder);
    if (failed(values))
      return failure();
    const layout::Mesh *mesh = meshOf(op);
    if (mesh) {
      // A value that stands for a result has its layout; what lies between follows.
      for (auto [value, result] : llvm::zip_equal(*values, op->getResults()))
        if (!dist::getLayout(value))
          value.setType(result.getType());
      if (failed(layOut(recorder.inserted, *mesh, known)))
        return failure();
    }
    for (auto [value, result] : llvm::zip_equal(*values, op->getResults())) {
      if (value.getType() != result.getType())
        return op->emitOpError() << "result " << result.getResultNumber() << " of type " << result.getType()
                                 << " decomposes into a value of type " << value.getType();
      result.replaceAllUsesWith(value);
    }
    op->erase();
    ++numDecomposed;
    for (Operation *inserted : recorder.inserted) {
      if (inserted->use_empty())
        continue;
      if (kernelKind(inserted) == KernelKind::unsupported)
        pending.push_back(inserted);
    }
    return success();
  }

  PatternMap<Layer> layers;
};

} // namespace
} // namespace vescale
