//===- ElementwiseOps.cpp - One element of the result from one of each operand --------===//

#include "dialects/vs/ElementwiseOps.h"

#include "dialects/vs/Assembly.h"

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
