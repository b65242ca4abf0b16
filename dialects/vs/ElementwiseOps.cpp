//===- ElementwiseOps.cpp - One element of the result from one of each operand --------===//

#include "dialects/vs/ElementwiseOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/ElementwiseOps.cpp.inc"

void VsDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/ElementwiseOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// CompareOp
//===----------------------------------------------------------------------===//

ParseResult CompareOp::parse(OpAsmParser &parser, OperationState &result) {
  return failure(parseEnum<ComparePredicateAttr>(parser, result, "predicate",
                                                 symbolizeComparePredicate) ||
                 parseOperation(parser, result));
}

void CompareOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyComparePredicate(getPredicate());
  printOperation(printer, *this, {"predicate"});
}

LogicalResult CompareOp::verify() {
  return checkSameElementType(*this, {"rhs", getRhs()}, {"lhs", getLhs()});
}

//===----------------------------------------------------------------------===//
// SelectOp
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::verify() {
  NamedValue onTrue{"on_true", getOnTrue()};
  return failure(failed(checkSameElementType(*this, {"on_false", getOnFalse()}, onTrue)) ||
                 failed(checkSameElementType(*this, {"result", getResult()}, onTrue)));
}
