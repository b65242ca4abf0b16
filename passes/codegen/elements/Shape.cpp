//===- Shape.cpp - element forms of ops that move elements ----------------===//

#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale::elements {
namespace {

using Read = llvm::function_ref<Value(unsigned, ValueRange)>;

/// The element form of an op whose result element is one operand-0 element, at `place(builder, op, indices)`.
template <typename Op, SmallVector<Value> (*place)(ImplicitLocOpBuilder &, Op, ValueRange)>
struct MoveModel : ElementOpInterface::ExternalModel<MoveModel<Op, place>, Op> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    return read(0, place(b, llvm::cast<Op>(op), indices));
  }
};

Value indexConstant(ImplicitLocOpBuilder &b, int64_t value) {
  return b.create<arith::ConstantIndexOp>(value);
}

ArrayRef<int64_t> shapeOf(Value value) { return llvm::cast<RankedTensorType>(value.getType()).getShape(); }

/// reshape: dims are matched in groups of equal products, 8x(4x6)x5 to 8x(24)x5, so that dims that stay pass
/// their index unchanged and inner loops keep unit stride.
SmallVector<Value> reshape(ImplicitLocOpBuilder &b, vs::ReshapeOp op, ValueRange indices) {
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
  SmallVector<Value> result(from.size());
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t firstFrom = i, firstTo = j;
    int64_t fromProduct = i < from.size() ? from[i++] : 1;
    int64_t toProduct = j < to.size() ? to[j++] : 1;
    while (fromProduct != toProduct) {
      if (fromProduct < toProduct ? i < from.size() : j >= to.size())
        fromProduct *= from[i++];
      else
        toProduct *= to[j++];
    }
    if (i - firstFrom == 1 && j - firstTo == 1) {
      result[firstFrom] = indices[firstTo];
      continue;
    }
    Value linear = indexConstant(b, 0);
    for (size_t k = firstTo; k < j; ++k) {
      linear = b.create<arith::MulIOp>(linear, indexConstant(b, to[k]));
      linear = b.create<arith::AddIOp>(linear, indices[k]);
    }
    for (size_t k = i; k-- > firstFrom;) {
      if (k == firstFrom) {
        result[k] = linear;
        break;
      }
      Value size = indexConstant(b, from[k]);
      result[k] = b.create<arith::RemUIOp>(linear, size);
      linear = b.create<arith::DivUIOp>(linear, size);
    }
  }
  return result;
}

SmallVector<Value> transpose(ImplicitLocOpBuilder &, vs::TransposeOp op, ValueRange indices) {
  SmallVector<Value> result(indices.size());
  for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
    result[source] = indices[dim];
  return result;
}

SmallVector<Value> broadcast(ImplicitLocOpBuilder &, vs::BroadcastOp op, ValueRange indices) {
  SmallVector<Value> result;
  for (int64_t dim : op.getDims())
    result.push_back(indices[dim]);
  return result;
}

SmallVector<Value> slice(ImplicitLocOpBuilder &b, vs::SliceOp op, ValueRange indices) {
  SmallVector<Value> result;
  for (auto [index, start, stride] : llvm::zip_equal(indices, op.getStarts(), op.getStrides())) {
    Value scaled = b.create<arith::MulIOp>(index, indexConstant(b, stride));
    result.push_back(b.create<arith::AddIOp>(scaled, indexConstant(b, start)));
  }
  return result;
}

SmallVector<Value> reverse(ImplicitLocOpBuilder &b, vs::ReverseOp op, ValueRange indices) {
  SmallVector<Value> result(indices);
  for (int64_t dim : op.getDims())
    result[dim] = b.create<arith::SubIOp>(indexConstant(b, shapeOf(op.getX())[dim] - 1), indices[dim]);
  return result;
}

SmallVector<Value> tag(ImplicitLocOpBuilder &, vs::TagOp, ValueRange indices) {
  return SmallVector<Value>(indices);
}

/// A start of dynamic_slice: the scalar, clamped so that the part lies inside.
Value clampedStart(ImplicitLocOpBuilder &b, Value start, int64_t size, int64_t part) {
  start = b.create<arith::IndexCastOp>(b.getIndexType(), start);
  start = b.create<arith::MaxSIOp>(start, indexConstant(b, 0));
  return b.create<arith::MinSIOp>(start, indexConstant(b, size - part));
}

struct DynamicSliceModel
    : ElementOpInterface::ExternalModel<DynamicSliceModel, vs::DynamicSliceOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    ArrayRef<int64_t> sizes = shapeOf(op->getOperand(0)), part = shapeOf(op->getResult(0));
    SmallVector<Value> place;
    for (auto [dim, index] : llvm::enumerate(indices))
      place.push_back(b.create<arith::AddIOp>(
          clampedStart(b, read(dim + 1, {}), sizes[dim], part[dim]), index));
    return read(0, place);
  }
};

struct DynamicUpdateSliceModel
    : ElementOpInterface::ExternalModel<DynamicUpdateSliceModel, vs::DynamicUpdateSliceOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    ArrayRef<int64_t> sizes = shapeOf(op->getOperand(0)), part = shapeOf(op->getOperand(1));
    Value old = read(0, indices);
    if (llvm::is_contained(part, 0))
      return old;
    Value inside = b.create<arith::ConstantIntOp>(1, 1);
    SmallVector<Value> place;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      Value start = clampedStart(b, read(dim + 2, {}), sizes[dim], part[dim]);
      Value at = b.create<arith::SubIOp>(index, start);
      // Below the start the difference is negative: as an unsigned number it is too large as well.
      Value in = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, at, indexConstant(b, part[dim]));
      inside = b.create<arith::AndIOp>(inside, in);
      place.push_back(b.create<arith::SelectOp>(in, at, indexConstant(b, 0)));
    }
    return b.create<arith::SelectOp>(inside, read(1, place), old);
  }
};

struct ConcatModel : ElementOpInterface::ExternalModel<ConcatModel, vs::ConcatOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    int64_t dim = llvm::cast<vs::ConcatOp>(op).getDim(), start = 0;
    Value result;
    for (unsigned k = 0; k < op->getNumOperands(); ++k) {
      int64_t size = shapeOf(op->getOperand(k))[dim];
      if (size == 0)
        continue;
      SmallVector<Value> place(indices);
      Value at = b.create<arith::SubIOp>(indices[dim], indexConstant(b, start));
      at = b.create<arith::MaxSIOp>(at, indexConstant(b, 0));
      place[dim] = b.create<arith::MinSIOp>(at, indexConstant(b, size - 1));
      Value element = read(k, place);
      Value here = b.create<arith::CmpIOp>(arith::CmpIPredicate::sge, indices[dim],
                                           indexConstant(b, start));
      result = result ? Value(b.create<arith::SelectOp>(here, element, result)) : element;
      start += size;
    }
    return result;
  }
};

struct PadModel : ElementOpInterface::ExternalModel<PadModel, vs::PadOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    auto pad = llvm::cast<vs::PadOp>(op);
    ArrayRef<int64_t> sizes = shapeOf(pad.getX());
    Type declared = llvm::cast<RankedTensorType>(pad.getType()).getElementType();
    Value fill = constantOf(b, declared, 0);
    if (pad.getValueAttr())
      fill = b.create<arith::ConstantOp>(pad.getValueAttr());
    auto real = dyn_cast<FloatType>(declared);
    if (real && real.getWidth() < 32)
      fill = b.create<arith::ExtFOp>(b.getF32Type(), fill);
    if (llvm::is_contained(sizes, 0))
      return fill;
    Value inside = b.create<arith::ConstantIntOp>(1, 1);
    SmallVector<Value> place;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      Value at = b.create<arith::SubIOp>(index, indexConstant(b, pad.getLow()[dim]));
      Value step = indexConstant(b, pad.getInterior()[dim] + 1);
      Value element = b.create<arith::DivUIOp>(at, step);
      Value in = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, element, indexConstant(b, sizes[dim]));
      Value onElement = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                b.create<arith::RemUIOp>(at, step), indexConstant(b, 0));
      in = b.create<arith::AndIOp>(in, onElement);
      inside = b.create<arith::AndIOp>(inside, in);
      place.push_back(b.create<arith::SelectOp>(in, element, indexConstant(b, 0)));
    }
    return b.create<arith::SelectOp>(inside, read(0, place), fill);
  }
};

} // namespace

void registerShape(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::ReshapeOp::attachInterface<MoveModel<vs::ReshapeOp, reshape>>(*context);
    vs::TransposeOp::attachInterface<MoveModel<vs::TransposeOp, transpose>>(*context);
    vs::BroadcastOp::attachInterface<MoveModel<vs::BroadcastOp, broadcast>>(*context);
    vs::SliceOp::attachInterface<MoveModel<vs::SliceOp, slice>>(*context);
    vs::ReverseOp::attachInterface<MoveModel<vs::ReverseOp, reverse>>(*context);
    vs::TagOp::attachInterface<MoveModel<vs::TagOp, tag>>(*context);
    vs::DynamicSliceOp::attachInterface<DynamicSliceModel>(*context);
    vs::DynamicUpdateSliceOp::attachInterface<DynamicUpdateSliceModel>(*context);
    vs::ConcatOp::attachInterface<ConcatModel>(*context);
    vs::PadOp::attachInterface<PadModel>(*context);
  });
}

} // namespace vescale::elements
