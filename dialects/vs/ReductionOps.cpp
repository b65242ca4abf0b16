//===- ReductionOps.cpp - Reductions, scans and orders --------------------------------===//

#include "dialects/vs/ReductionOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/ReductionOps.cpp.inc"

void VsDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/ReductionOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind, Value x,
                     ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(x.getType());
  build(builder, state,
        RankedTensorType::get(withoutDims(type.getShape(), dims), type.getElementType()), kind, x,
        dims);
}

// vs.reduce mean %x dims = [0, 1] : T -> R
ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand x;
  DenseI64ArrayAttr dims;
  if (parseEnum<ReduceKindAttr>(parser, result, "kind", symbolizeReduceKind))
    return failure();
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseOperand(x) || parser.parseKeyword("dims") || parser.parseEqual() ||
      parseIntegers(parser, dims))
    return failure();
  result.addAttribute("dims", dims);
  return failure(parseAttributes(parser, result) || parseTypes(parser, {x}, location, result));
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyReduceKind(getKind()) << ' ' << getX() << " dims = [";
  llvm::interleaveComma(getDims(), printer.getStream());
  printer << ']';
  printAttributes(printer, *this, {"kind", "dims"});
  printTypes(printer, *this);
}

LogicalResult ReduceOp::verify() {
  NamedValue x{"x", getX()}, result{"result", getResult()};
  if (failed(checkDims(*this, "dims", getDims(), x)) ||
      failed(checkShape(*this, result, withoutDims(x.shape(), getDims()),
                        "the shape of x without dims")) ||
      failed(checkSameElementType(*this, result, x)))
    return failure();
  bool isFloat = isa<FloatType>(x.elementType());
  bool isBool = x.elementType().isInteger(1);
  auto refuse = [&](StringRef needed) {
    return emitOpError() << stringifyReduceKind(getKind()) << " needs " << needed
                         << ", x has element type " << x.elementType();
  };
  switch (getKind()) {
  case ReduceKind::Mean:
    return isFloat ? success() : refuse("floating-point numbers");
  case ReduceKind::And:
  case ReduceKind::Or:
    return isFloat ? refuse("integers or i1") : success();
  case ReduceKind::Sum:
  case ReduceKind::Prod:
  case ReduceKind::Max:
  case ReduceKind::Min:
    return isBool ? refuse("numbers") : success();
  }
  llvm_unreachable("all kinds are above");
}

//===----------------------------------------------------------------------===//
// Scans and orders
//===----------------------------------------------------------------------===//

LogicalResult ArgMaxOp::verify() {
  NamedValue x{"x", getX()};
  if (failed(checkDim(*this, "dim", getDim(), x)) ||
      failed(checkShape(*this, {"indices", getIndices()}, withoutDims(x.shape(), getDim()),
                        "the shape of x without dim")))
    return failure();
  if (x.shape()[getDim()] == 0)
    return emitOpError() << "x has size 0 in dim " << getDim() << ", where nothing is largest";
  return success();
}

LogicalResult CumulativeSumOp::verify() { return checkDim(*this, "dim", getDim(), {"x", getX()}); }

LogicalResult SortOp::verify() {
  NamedValue x{"x", getX()}, values{"values", getValues()}, indices{"indices", getIndices()};
  return failure(failed(checkDim(*this, "dim", getDim(), x)) ||
                 failed(checkSameShape(*this, values, x)) ||
                 failed(checkSameShape(*this, indices, x)) ||
                 failed(checkSameElementType(*this, values, x)));
}

LogicalResult TopKOp::verify() {
  NamedValue x{"x", getX()}, values{"values", getValues()}, indices{"indices", getIndices()};
  if (failed(checkRankAtLeast(*this, x, 1)))
    return failure();
  if (getK() <= 0 || getK() > x.shape().back())
    return emitOpError() << "k is " << getK() << ", must be above 0 and at most the size "
                         << x.shape().back() << " of the last dim of x";
  SmallVector<int64_t> shape(x.shape());
  shape.back() = getK();
  StringRef reason = "the shape of x with k as the last dim";
  return failure(failed(checkShape(*this, values, shape, reason)) ||
                 failed(checkShape(*this, indices, shape, reason)) ||
                 failed(checkSameElementType(*this, values, x)));
}
