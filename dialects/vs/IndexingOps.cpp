//===- IndexingOps.cpp - Elements at computed places ----------------------------------===//

#include "dialects/vs/IndexingOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

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

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks that `slices` is what `take` of `table` at `indices` along `dim` reads.
static LogicalResult checkTaken(Operation *op, NamedValue table, NamedValue indices,
                                NamedValue slices, int64_t dim) {
  if (failed(checkDim(op, "dim", dim, table)))
    return failure();
  SmallVector<int64_t> shape = takenShape(table.shape(), indices.shape(), dim);
  return failure(failed(checkShape(op, slices, shape,
                                   ("the shape of " + table.name + " with that of indices as dim")
                                       .str())) ||
                 failed(checkSameElementType(op, slices, table)));
}

/// Checks that `elements` is what `gather` of `x` at `indices` along `dim` reads.
static LogicalResult checkGathered(Operation *op, NamedValue x, NamedValue indices,
                                   NamedValue elements, int64_t dim) {
  if (failed(checkDim(op, "dim", dim, x)) || failed(checkRank(op, indices, x.rank())))
    return failure();
  for (int64_t other = 0; other < x.rank(); ++other)
    if (other != dim && indices.shape()[other] != x.shape()[other])
      return op->emitOpError() << "indices has size " << indices.shape()[other] << " in dim "
                               << other << ", but x has " << x.shape()[other];
  return failure(failed(checkSameShape(op, elements, indices)) ||
                 failed(checkSameElementType(op, elements, x)));
}

LogicalResult TakeOp::verify() {
  return checkTaken(*this, {"table", getTable()}, {"indices", getIndices()},
                    {"result", getResult()}, getDim());
}

LogicalResult PutOp::verify() {
  NamedValue x{"x", getX()};
  return failure(failed(checkTaken(*this, x, {"indices", getIndices()}, {"updates", getUpdates()},
                                   getDim())) ||
                 failed(checkSameAs(*this, {"result", getResult()}, x)));
}

LogicalResult GatherOp::verify() {
  return checkGathered(*this, {"x", getX()}, {"indices", getIndices()}, {"result", getResult()},
                       getDim());
}

LogicalResult ScatterOp::verify() {
  NamedValue x{"x", getX()};
  return failure(failed(checkGathered(*this, x, {"indices", getIndices()},
                                      {"updates", getUpdates()}, getDim())) ||
                 failed(checkSameAs(*this, {"result", getResult()}, x)));
}

LogicalResult OneHotOp::verify() {
  NamedValue indices{"indices", getIndices()};
  if (failed(checkAtLeast(*this, "depth", getDepth(), 0)))
    return failure();
  SmallVector<int64_t> shape(indices.shape());
  shape.push_back(getDepth());
  return checkShape(*this, {"result", getResult()}, shape,
                    "the shape of indices with depth as a last dim");
}
