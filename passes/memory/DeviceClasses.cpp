//===- DeviceClasses.cpp - the classes of devices of a function -----------===//

#include "passes/memory/DeviceClasses.h"

#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/LayoutTypes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace vescale {

RankedTensorType storedType(Type type) {
  if (auto future = dyn_cast<dist::FutureType>(type))
    return future.getType();
  return dyn_cast<RankedTensorType>(type);
}

RankedTensorType withAnyLayout(RankedTensorType type) {
  return dist::getLayout(type)
             ? type
             : dist::withLayout(type, layout::Layout::replicated(layout::Mesh(), type.getRank()));
}

int64_t localBytes(Type type, const layout::Coordinate &coordinate) {
  RankedTensorType tensor = storedType(type);
  if (!tensor)
    return 0;
  int64_t bits = tensor.getElementTypeBitWidth();
  return dist::localType(tensor, coordinate).getNumElements() * std::max<int64_t>(bits / 8, 1);
}

FailureOr<layout::RankClasses> findDeviceClasses(ArrayRef<func::FuncOp> functions) {
  llvm::SetVector<RankedTensorType> types;
  func::FuncOp firstFunction = functions.front();
  Location first = firstFunction.getLoc();
  const layout::Layout *firstLayout = nullptr;
  bool anyPlain = false;
  LogicalResult consistent = success();
  auto add = [&](Type type, Location location) {
    RankedTensorType tensor = storedType(type);
    if (!tensor || !types.insert(tensor))
      return;
    const layout::Layout *layout = dist::getLayout(tensor);
    bool plain = !layout;
    if ((plain && firstLayout) || (layout && anyPlain)) {
      consistent = emitError(location) << "the function has tensors with a layout and others without: "
                                       << tensor;
    } else if (firstLayout && layout->mesh() != firstLayout->mesh()) {
      InFlightDiagnostic diagnostic = emitError(location)
                                      << "a function on several meshes cannot be scheduled: "
                                      << layout->mesh().str() << " and " << firstLayout->mesh().str();
      diagnostic.attachNote(first) << "the other mesh is used here";
      consistent = diagnostic;
    }
    anyPlain |= plain;
    if (layout && !firstLayout) {
      firstLayout = layout;
      first = location;
    }
  };
  for (func::FuncOp function : functions)
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            add(argument.getType(), argument.getLoc());
      for (Type type : op->getResultTypes())
        add(type, op->getLoc());
      return failed(consistent) ? WalkResult::interrupt() : WalkResult::advance();
    });
  if (failed(consistent))
    return failure();
  std::vector<layout::PlacedTensor> placed;
  for (RankedTensorType type : types)
    placed.push_back({*dist::getLayout(withAnyLayout(type)), layout::Shape(type.getShape())});
  layout::StatusOr<layout::RankClasses> classes =
      layout::RankClasses::get(firstLayout ? firstLayout->mesh() : layout::Mesh(), placed);
  if (!classes.ok())
    return firstFunction.emitError() << classes.message();
  return *classes;
}

} // namespace vescale
