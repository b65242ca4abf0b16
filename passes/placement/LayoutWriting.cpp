//===- LayoutWriting.cpp - Layouts become types ----------------------------------------------===//

#include "passes/placement/LayoutWriting.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/FactorLayout.h"
#include "dialects/dist/LayoutTypes.h"

using namespace mlir;

namespace vescale {

void writeLayout(Value value, const layout::Layout &layout) {
  value.setType(dist::withLayout(cast<RankedTensorType>(value.getType()), layout));
}

void writeLayouts(func::FuncOp function, ValueLayout ofValue, ResultLayout ofResult) {
  auto write = [&](Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return;
    if (std::optional<layout::Layout> layout = ofValue(value))
      writeLayout(value, *layout);
  };
  function.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), write);
    llvm::for_each(op->getResults(), write);
  });
  SmallVector<Type> results;
  for (auto [position, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<layout::Layout> layout;
    if (isa<RankedTensorType>(type))
      layout = ofResult(static_cast<unsigned>(position));
    results.push_back(layout ? dist::withLayout(cast<RankedTensorType>(type), *layout) : type);
  }
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().front().getArgumentTypes(), results));
}

Value redistributed(OpBuilder &builder, Location location, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return builder.create<dist::RedistributeOp>(location, type, value);
}

bool sameLayout(const layout::Layout &left, const layout::Layout &right,
                llvm::ArrayRef<int64_t> shape) {
  return left == right ||
         dist::canonicalLayout(left, shape) == dist::canonicalLayout(right, shape);
}

} // namespace vescale
