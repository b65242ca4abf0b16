//===- LocalFunction.cpp - What one device computes --------------------------------------===//

#include "dialects/dist/LocalFunction.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "layout/Region.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace vescale::dist {
namespace {

/// Arithmetic on indices that may be known: known operands give known results.
class IndexArithmetic {
public:
  IndexArithmetic(OpBuilder &builder, Location location) : builder(builder), location(location) {}

  OpFoldResult constant(int64_t value) { return builder.getIndexAttr(value); }

  OpFoldResult add(OpFoldResult a, OpFoldResult b) {
    if (isConstantIntValue(a, 0))
      return b;
    return apply<arith::AddIOp>(a, b, [](int64_t x, int64_t y) { return x + y; });
  }
  OpFoldResult sub(OpFoldResult a, OpFoldResult b) {
    return apply<arith::SubIOp>(a, b, [](int64_t x, int64_t y) { return x - y; });
  }
  OpFoldResult mul(OpFoldResult a, OpFoldResult b) {
    return apply<arith::MulIOp>(a, b, [](int64_t x, int64_t y) { return x * y; });
  }
  OpFoldResult min(OpFoldResult a, OpFoldResult b) {
    return apply<arith::MinUIOp>(a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
  }
  OpFoldResult div(OpFoldResult a, OpFoldResult b) {
    return apply<arith::DivUIOp>(a, b, [](int64_t x, int64_t y) { return x / y; });
  }
  OpFoldResult rem(OpFoldResult a, OpFoldResult b) {
    return apply<arith::RemUIOp>(a, b, [](int64_t x, int64_t y) { return x % y; });
  }
  OpFoldResult ceilDiv(OpFoldResult a, int64_t b) {
    return b == 1 ? a : div(add(a, constant(b - 1)), constant(b));
  }

  Value value(OpFoldResult x) { return getValueOrCreateConstantIndexOp(builder, location, x); }

private:
  template <typename Op>
  OpFoldResult apply(OpFoldResult a, OpFoldResult b, int64_t (*fold)(int64_t, int64_t)) {
    std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
    if (x && y)
      return constant(fold(*x, *y));
    return builder.createOrFold<Op>(location, value(a), value(b));
  }

  OpBuilder &builder;
  Location location;
};

/// This device's index on a sub-axis: (coordinate / (n / (pre * size))) mod size.
OpFoldResult subAxisIndex(OpBuilder &builder, Location location, const layout::Mesh &mesh,
                          const layout::SubAxis &part) {
  IndexArithmetic at(builder, location);
  const layout::Axis &axis = mesh.axes()[part.axis];
  if (part.size == 1)
    return at.constant(0);
  OpFoldResult index =
      builder
          .create<AxisIndexOp>(location, builder.getIndexType(),
                               MeshAttr::get(builder.getContext(), mesh),
                               builder.getStringAttr(axis.name))
          .getResult();
  int64_t rest = axis.size / (part.pre * part.size);
  if (rest != 1)
    index = at.div(index, at.constant(rest));
  return part.pre == 1 ? index : at.rem(index, at.constant(part.size));
}

/// Follows the cuts of one dim, major to minor: `[{"a", "b"}]` of 5 on a=2, b=2 gives the offset
/// min(3a, 5) + min(ceil(length / 2) * b, length) with length = min(3, 5 - 3a).
/// A dim that is cut with interleaving and by something else too holds no runs of one length; it gets
/// no offset.
LocalDim localDim(OpBuilder &builder, Location location, const layout::Mesh &mesh,
                  const layout::Dim &cuts, int64_t size) {
  IndexArithmetic at(builder, location);
  LocalDim dim;
  dim.globalSize = size;
  dim.whole = cuts.empty();
  OpFoldResult offset = at.constant(0), length = at.constant(size);
  for (const layout::Cut &cut : cuts) {
    OpFoldResult index = subAxisIndex(builder, location, mesh, cut.axis);
    // The pattern of the first cut decides.
    if (&cut != &cuts.front() && cut.interleave != cuts.front().interleave)
      return dim;
    if (cut.interleave != 1) {
      // Interleaved cuts are even, so lengths are known.
      int64_t part = *getConstantIntValue(length) / cut.interleave;
      if (dim.runs == 1) {
        dim.runs = cut.interleave;
        dim.runStride = part;
      }
      int64_t piece = part / cut.axis.size;
      offset = at.add(offset, at.mul(index, at.constant(piece)));
      length = at.constant(piece * cut.interleave);
      continue;
    }
    std::optional<int64_t> known = getConstantIntValue(length);
    OpFoldResult full =
        known ? at.constant(layout::chunkLength(*known, cut.axis.size, cut.block))
              : at.mul(at.ceilDiv(at.ceilDiv(length, cut.block), cut.axis.size),
                       at.constant(cut.block));
    OpFoldResult begin = at.mul(index, full);
    if (known && layout::isEven(cut, *known)) {
      length = full;
    } else {
      begin = at.min(begin, length);
      length = at.min(full, at.sub(length, begin));
    }
    offset = at.add(offset, begin);
  }
  dim.offset = offset;
  return dim;
}

} // namespace

Type LocalBuilder::localType(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(dist::localType(tensor, coordinate)) : type;
}

FailureOr<LocalTensor> LocalBuilder::localTensor(Location location, Type type) {
  LocalTensor result;
  result.globalType = type;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return result;
  const layout::Layout *layout = getLayout(type);
  if (layout && layout->ragged())
    return result;
  for (int64_t dim = 0; dim < tensor.getRank(); ++dim) {
    result.dims.push_back(layout ? localDim(builder, location, layout->mesh(), layout->dim(dim),
                                            tensor.getDimSize(dim))
                                 : localDim(builder, location, layout::Mesh(), {},
                                            tensor.getDimSize(dim)));
  }
  return result;
}

FailureOr<SmallVector<Value>> LocalBuilder::buildOp(Operation *op, ValueRange operands) {
  SmallVector<Type> resultTypes;
  for (Type type : op->getResultTypes())
    resultTypes.push_back(localType(type));
  auto ruled = dyn_cast<IndexingRuleOpInterface>(op);
  if (!ruled) {
    if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>)) {
      op->emitOpError("has no local form: it states no indexing rule");
      return failure();
    }
    return cloneLocal(op, builder, operands, resultTypes);
  }
  LocalContext context;
  for (Value operand : op->getOperands()) {
    FailureOr<LocalTensor> tensor = localTensor(op->getLoc(), operand.getType());
    if (failed(tensor))
      return failure();
    context.operands.push_back(std::move(*tensor));
  }
  for (Type type : op->getResultTypes()) {
    FailureOr<LocalTensor> tensor = localTensor(op->getLoc(), type);
    if (failed(tensor))
      return failure();
    context.results.push_back(std::move(*tensor));
  }
  return ruled.buildLocal(builder, operands, resultTypes, context);
}

FailureOr<func::FuncOp> buildLocalFunction(ModuleOp module, StringRef name, Block &block,
                                           const layout::Coordinate &coordinate) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  LocalBuilder local(builder, coordinate);
  SmallVector<Type> inputs, outputs;
  SmallVector<Location> locations;
  for (BlockArgument argument : block.getArguments()) {
    inputs.push_back(local.localType(argument.getType()));
    locations.push_back(argument.getLoc());
  }
  for (Type type : block.getTerminator()->getOperandTypes())
    outputs.push_back(local.localType(type));
  auto function = builder.create<func::FuncOp>(block.getParentOp()->getLoc(), name,
                                               builder.getFunctionType(inputs, outputs));
  Block *body = builder.createBlock(&function.getBody(), {}, inputs, locations);
  IRMapping mapping;
  mapping.map(block.getArguments(), body->getArguments());
  auto mapped = [&](Operation *op) {
    SmallVector<Value> values;
    for (Value operand : op->getOperands())
      values.push_back(mapping.lookup(operand));
    return values;
  };
  for (Operation &op : block.without_terminator()) {
    FailureOr<SmallVector<Value>> results = local.buildOp(&op, mapped(&op));
    if (failed(results)) {
      function.erase();
      return failure();
    }
    mapping.map(op.getResults(), *results);
  }
  builder.create<func::ReturnOp>(block.getTerminator()->getLoc(), mapped(block.getTerminator()));
  return function;
}

} // namespace vescale::dist
