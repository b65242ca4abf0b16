//===- Indexing.cpp - element forms of ops that read at indices, and of creation -===//

#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/IndexingOps.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace vescale::elements {
namespace {

using Read = llvm::function_ref<Value(unsigned, ValueRange)>;

RankedTensorType typeOf(Value value) { return llvm::cast<RankedTensorType>(value.getType()); }

Type computedType(ImplicitLocOpBuilder &b, Type type) {
  auto real = dyn_cast<FloatType>(type);
  return real && real.getWidth() < 32 ? Type(b.getF32Type()) : type;
}

/// `number`, an integer or index scalar, as an element of `type`.
Value convertInteger(ImplicitLocOpBuilder &b, Value number, Type type) {
  type = computedType(b, type);
  if (number.getType().isIndex())
    number = b.create<arith::IndexCastOp>(b.getI64Type(), number);
  if (isa<FloatType>(type))
    return b.create<arith::SIToFPOp>(type, number);
  auto to = IntegerType::get(b.getContext(), type.getIntOrFloatBitWidth());
  unsigned width = number.getType().getIntOrFloatBitWidth();
  if (to.getWidth() < width)
    return b.create<arith::TruncIOp>(to, number);
  return to.getWidth() > width ? Value(b.create<arith::ExtSIOp>(to, number)) : number;
}

/// Reads operand 0 at `indices`, of which `indices[dim]` is an integer that may lie outside: then the result is 0.
Value readOrZero(ImplicitLocOpBuilder &b, Read read, SmallVector<Value> indices, int64_t dim,
                 RankedTensorType table) {
  Type element = computedType(b, table.getElementType());
  Value zero = constantOf(b, element, 0);
  if (table.getNumElements() == 0)
    return zero;
  Value index = b.create<arith::IndexCastOp>(b.getIndexType(), indices[dim]);
  Value size = b.create<arith::ConstantIndexOp>(table.getDimSize(dim));
  // A negative index is a large one as an unsigned number.
  Value inside = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, index, size);
  indices[dim] = b.create<arith::SelectOp>(inside, index, b.create<arith::ConstantIndexOp>(0));
  return b.create<arith::SelectOp>(inside, read(0, indices), zero);
}

struct TakeModel : ElementOpInterface::ExternalModel<TakeModel, vs::TakeOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    auto take = llvm::cast<vs::TakeOp>(op);
    int64_t dim = take.getDim(), numIndexDims = typeOf(take.getIndices()).getRank();
    SmallVector<Value> place(indices.take_front(dim));
    place.push_back(read(1, indices.slice(dim, numIndexDims)));
    llvm::append_range(place, indices.drop_front(dim + numIndexDims));
    return readOrZero(b, read, place, dim, typeOf(take.getTable()));
  }
};

struct GatherModel : ElementOpInterface::ExternalModel<GatherModel, vs::GatherOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    auto gather = llvm::cast<vs::GatherOp>(op);
    SmallVector<Value> place(indices);
    place[gather.getDim()] = read(1, indices);
    return readOrZero(b, read, place, gather.getDim(), typeOf(gather.getX()));
  }
};

struct OneHotModel : ElementOpInterface::ExternalModel<OneHotModel, vs::OneHotOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     Read read) const {
    Value wanted = b.create<arith::IndexCastOp>(b.getIndexType(), read(0, indices.drop_back()));
    Value hot = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, wanted, indices.back());
    Type type = computedType(b, typeOf(op->getResult(0)).getElementType());
    return b.create<arith::SelectOp>(hot, constantOf(b, type, 1), constantOf(b, type, 0));
  }
};

struct IotaModel : ElementOpInterface::ExternalModel<IotaModel, vs::IotaOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices, Read) const {
    auto iota = llvm::cast<vs::IotaOp>(op);
    return convertInteger(b, indices[iota.getDim()], typeOf(iota.getResult()).getElementType());
  }
};

struct ConstantModel : ElementOpInterface::ExternalModel<ConstantModel, vs::ConstantOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices, Read) const {
    auto value = llvm::cast<DenseElementsAttr>(llvm::cast<vs::ConstantOp>(op).getValue());
    Type type = value.getElementType();
    auto scalar = [&](Attribute attribute) {
      Value constant = b.create<arith::ConstantOp>(llvm::cast<TypedAttr>(attribute));
      auto real = dyn_cast<FloatType>(type);
      return real && real.getWidth() < 32 ? Value(b.create<arith::ExtFOp>(b.getF32Type(), constant))
                                          : constant;
    };
    if (value.isSplat())
      return scalar(value.getSplatValue<Attribute>());
    return readTable(b, value, indices);
  }

private:
  /// Elements that differ lie in a constant array of the kernel's object.
  static Value readTable(ImplicitLocOpBuilder &b, DenseElementsAttr value, ValueRange indices) {
    ModuleOp module = b.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
    auto type = MemRefType::get(value.getType().getShape(), value.getElementType());
    StringAttr name;
    for (auto global : module.getOps<memref::GlobalOp>())
      if (global.getInitialValueAttr() == value)
        name = global.getSymNameAttr();
    if (!name) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      unsigned number = llvm::range_size(module.getOps<memref::GlobalOp>());
      name = b.getStringAttr("constant_" + Twine(number));
      b.create<memref::GlobalOp>(name, b.getStringAttr("private"), type, value, /*constant=*/true,
                                 IntegerAttr());
    }
    Value table = b.create<memref::GetGlobalOp>(type, name);
    Value element = b.create<memref::LoadOp>(table, indices);
    Type wide = computedType(b, value.getElementType());
    return wide == element.getType() ? element : Value(b.create<arith::ExtFOp>(wide, element));
  }
};

} // namespace

void registerIndexing(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::TakeOp::attachInterface<TakeModel>(*context);
    vs::GatherOp::attachInterface<GatherModel>(*context);
    vs::OneHotOp::attachInterface<OneHotModel>(*context);
    vs::IotaOp::attachInterface<IotaModel>(*context);
    vs::ConstantOp::attachInterface<ConstantModel>(*context);
  });
}

} // namespace vescale::elements
