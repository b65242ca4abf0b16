//===- CreationOps.cpp - Tensors from nothing -----------------------------------------===//

#include "dialects/vs/CreationOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/RandomEffects.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/CreationOps.cpp.inc"

void VsDialect::registerCreationOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/CreationOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

/// `value` as an attribute of type `type`, which differs in the layout at most; null where the kind
/// of attribute does not allow it.
static ElementsAttr retyped(ElementsAttr value, RankedTensorType type) {
  if (value.getShapedType() == type)
    return value;
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

void ConstantOp::build(OpBuilder &builder, OperationState &state, ElementsAttr value) {
  build(builder, state, withoutLayout(value.getShapedType()), value);
}

void ConstantOp::build(OpBuilder &builder, OperationState &state, RankedTensorType type,
                       double number) {
  Type elementType = type.getElementType();
  Attribute element;
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    element = builder.getFloatAttr(floatType, number);
  } else {
    auto integerType = cast<IntegerType>(elementType);
    APInt integer(integerType.getWidth(), uint64_t(int64_t(number)), /*isSigned=*/true);
    element = IntegerAttr::get(integerType, integer);
  }
  build(builder, state, type, DenseElementsAttr::get(withoutLayout(type), element));
}

// The attribute is written with the result's type, layout included, and stored without the layout.
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  ElementsAttr value;
  SMLoc location = parser.getCurrentLocation();
  if (parseAttributes(parser, result) || parser.parseAttribute(value))
    return failure();
  auto type = dyn_cast<RankedTensorType>(value.getShapedType());
  ElementsAttr plain = type ? retyped(value, withoutLayout(type)) : ElementsAttr();
  if (!plain)
    return parser.emitError(location) << "expected the elements of a ranked tensor";
  result.addAttribute("value", plain);
  result.addTypes(type);
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printAttributes(printer, *this, {"value"});
  auto type = cast<RankedTensorType>(getResult().getType());
  printer << ' ' << retyped(getValue(), type);
}

//===----------------------------------------------------------------------===//
// FromIndexOp
//===----------------------------------------------------------------------===//

void FromIndexOp::build(OpBuilder &builder, OperationState &state, Value index) {
  build(builder, state, RankedTensorType::get({}, builder.getI64Type()), index);
}

//===----------------------------------------------------------------------===//
// RandomOp and RandomAtOp
//===----------------------------------------------------------------------===//

bool RandomAtOp::drawsRandomNumbers() { return true; }

// The numbers are the result of both ops, in evaluation too.
void RandomAtOp::disableDraws() {}

void RandomOp::disableDraws() {}

void RandomAtOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  reportDrawEffects(*this, effects);
}

bool RandomOp::drawsRandomNumbers() { return true; }

void RandomOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  reportDrawEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// Verification and folding
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  NamedValue result{"result", getResult()};
  auto type = dyn_cast<RankedTensorType>(getValue().getShapedType());
  if (!type || type.getEncoding())
    return emitOpError() << "value has type " << getValue().getShapedType()
                         << ", must be a tensor without a layout";
  return failure(failed(checkShape(*this, result, type.getShape(), "the shape of value")) ||
                 failed(checkElementType(*this, result, type.getElementType(),
                                         "the element type of value")));
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult IotaOp::verify() {
  return checkDim(*this, "dim", getDim(), {"result", getResult()});
}

LogicalResult RandomOp::verify() { return checkDrawId(*this, getDrawId()); }

LogicalResult RandomAtOp::verify() { return checkDrawId(*this, getDrawId()); }
