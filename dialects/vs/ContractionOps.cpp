//===- ContractionOps.cpp - Sums of products ------------------------------------------===//

#include "dialects/vs/ContractionOps.h"

#include "dialects/vs/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/ContractionOps.cpp.inc"

void VsDialect::registerContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/ContractionOps.cpp.inc"
      >();
}

void EinsumOp::build(OpBuilder &builder, OperationState &state, StringRef spec, Value lhs,
                     Value rhs, Type elementType) {
  std::string error;
  std::optional<EinsumSpec> parsed = EinsumSpec::parse(spec, error);
  auto lhsType = cast<RankedTensorType>(lhs.getType());
  auto rhsType = cast<RankedTensorType>(rhs.getType());
  SmallVector<int64_t> shape;
  for (char letter : parsed->out) {
    size_t dim = parsed->lhs.find(letter);
    shape.push_back(dim != std::string::npos ? lhsType.getDimSize(dim)
                                             : rhsType.getDimSize(parsed->rhs.find(letter)));
  }
  if (!elementType)
    elementType = lhsType.getElementType();
  build(builder, state, RankedTensorType::get(shape, elementType), spec, lhs, rhs);
}

EinsumSpec EinsumOp::getEinsumSpec() {
  std::string error;
  return *EinsumSpec::parse(getSpec(), error);
}

ParseResult EinsumOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr spec;
  return failure(parser.parseAttribute(spec, "spec", result.attributes) ||
                 parseOperation(parser, result));
}

void EinsumOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSpecAttr();
  printOperation(printer, *this, {"spec"});
}
