//===- ReductionOps.cpp - Reductions, scans and orders --------------------------------===//

#include "dialects/vs/ReductionOps.h"

#include "dialects/vs/Assembly.h"

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
