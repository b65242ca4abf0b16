//===- Verification.cpp - The checks that verifiers are made of ----------------------------===//

#include "dialects/vs/Verification.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace vescale;
using vescale::vs::NamedValue;

LogicalResult vs::checkDim(Operation *op, StringRef name, int64_t dim, NamedValue tensor) {
  if (dim >= 0 && dim < tensor.rank())
    return success();
  return op->emitOpError() << name << " holds " << dim << ", but " << tensor.name << " has rank "
                           << tensor.rank();
}

LogicalResult vs::checkDims(Operation *op, StringRef name, ArrayRef<int64_t> dims,
                            NamedValue tensor) {
  for (int64_t dim : dims)
    if (failed(checkDim(op, name, dim, tensor)))
      return failure();
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i - 1] >= dims[i])
      return op->emitOpError() << name << " must ascend, but " << dims[i] << " follows "
                               << dims[i - 1];
  return success();
}

LogicalResult vs::checkLength(Operation *op, StringRef name, ArrayRef<int64_t> list, int64_t length,
                              StringRef what) {
  if (int64_t(list.size()) == length)
    return success();
  return op->emitOpError() << name << " has " << list.size() << " entries, must have " << length
                           << ": " << what;
}

LogicalResult vs::checkRank(Operation *op, NamedValue tensor, int64_t rank) {
  if (tensor.rank() == rank)
    return success();
  return op->emitOpError() << tensor.name << " has rank " << tensor.rank() << ", must have "
                           << rank;
}

LogicalResult vs::checkRankAtLeast(Operation *op, NamedValue tensor, int64_t rank) {
  if (tensor.rank() >= rank)
    return success();
  return op->emitOpError() << tensor.name << " has rank " << tensor.rank()
                           << ", must have at least " << rank;
}

LogicalResult vs::checkShape(Operation *op, NamedValue tensor, ArrayRef<int64_t> expected,
                             StringRef reason) {
  if (tensor.rank() != int64_t(expected.size()))
    return op->emitOpError() << tensor.name << " has rank " << tensor.rank() << ", must have "
                             << expected.size() << ": " << reason;
  for (auto [dim, size] : llvm::enumerate(expected))
    if (tensor.shape()[dim] != size)
      return op->emitOpError() << tensor.name << " has size " << tensor.shape()[dim] << " in dim "
                               << dim << ", must have " << size << ": " << reason;
  return success();
}

LogicalResult vs::checkSameShape(Operation *op, NamedValue tensor, NamedValue model) {
  return checkShape(op, tensor, model.shape(), ("the shape of " + model.name).str());
}

LogicalResult vs::checkElementType(Operation *op, NamedValue tensor, Type expected,
                                   StringRef reason) {
  if (tensor.elementType() == expected)
    return success();
  return op->emitOpError() << tensor.name << " has element type " << tensor.elementType()
                           << ", must have " << expected << ": " << reason;
}

LogicalResult vs::checkSameElementType(Operation *op, NamedValue tensor, NamedValue model) {
  return checkElementType(op, tensor, model.elementType(),
                          ("the element type of " + model.name).str());
}

LogicalResult vs::checkSameAs(Operation *op, NamedValue tensor, NamedValue model) {
  return failure(failed(checkSameShape(op, tensor, model)) ||
                 failed(checkSameElementType(op, tensor, model)));
}

LogicalResult vs::checkAtLeast(Operation *op, StringRef name, ArrayRef<int64_t> values,
                               int64_t minimum) {
  for (int64_t value : values)
    if (value < minimum)
      return op->emitOpError() << name << " holds " << value << ", must be at least " << minimum;
  return success();
}

/// A number as people write it, in messages.
static std::string text(double value) {
  std::string buffer;
  llvm::raw_string_ostream(buffer) << llvm::format("%g", value);
  return buffer;
}

LogicalResult vs::checkNotNegative(Operation *op, StringRef name, double value) {
  if (value >= 0)
    return success();
  return op->emitOpError() << name << " is " << text(value) << ", must not be negative";
}

LogicalResult vs::checkFraction(Operation *op, StringRef name, double value) {
  if (value >= 0 && value < 1)
    return success();
  return op->emitOpError() << name << " is " << text(value)
                           << ", must be at least 0 and less than 1";
}

LogicalResult vs::checkDrawId(Operation *op, std::optional<int64_t> drawId) {
  return drawId ? checkAtLeast(op, "draw_id", *drawId, 0) : success();
}
