//===- IndexingOps.cpp - Elements at computed places ----------------------------------===//

#include "dialects/vs/IndexingOps.h"

#include "dialects/vs/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/IndexingOps.cpp.inc"

void VsDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/IndexingOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Builders that infer the result's type
//===----------------------------------------------------------------------===//

void TakeOp::build(OpBuilder &builder, OperationState &state, Value table, Value indices,
                   int64_t dim) {
  auto tableType = cast<RankedTensorType>(table.getType());
  auto indicesType = cast<RankedTensorType>(indices.getType());
  build(builder, state,
        RankedTensorType::get(takenShape(tableType.getShape(), indicesType.getShape(), dim),
                              tableType.getElementType()),
        table, indices, dim);
}

void GatherOp::build(OpBuilder &builder, OperationState &state, Value x, Value indices,
                     int64_t dim) {
  Type elementType = cast<RankedTensorType>(x.getType()).getElementType();
  build(builder, state, withoutLayout(indices.getType(), elementType), x, indices, dim);
}

void OneHotOp::build(OpBuilder &builder, OperationState &state, Value indices, int64_t depth,
                     Type elementType) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(indices.getType()).getShape());
  shape.push_back(depth);
  build(builder, state, RankedTensorType::get(shape, elementType), indices, depth);
}

//===----------------------------------------------------------------------===//
// PutOp and ScatterOp
//===----------------------------------------------------------------------===//

static ParseResult parseScatter(OpAsmParser &parser, OperationState &result) {
  return failure(parseEnum<ScatterKindAttr>(parser, result, "kind", symbolizeScatterKind) ||
                 parseOperation(parser, result));
}

static void printScatter(OpAsmPrinter &printer, Operation *op, ScatterKind kind) {
  printer << ' ' << stringifyScatterKind(kind);
  printOperation(printer, op, {"kind"});
}

ParseResult PutOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseScatter(parser, result);
}

void PutOp::print(OpAsmPrinter &printer) { printScatter(printer, *this, getKind()); }

ParseResult ScatterOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseScatter(parser, result);
}

void ScatterOp::print(OpAsmPrinter &printer) { printScatter(printer, *this, getKind()); }
