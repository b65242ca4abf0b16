//===- ElementReader.cpp - scalars of values of a fused group -------------===//

#include "passes/codegen/ElementReader.h"

#include "passes/codegen/ElementInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace vescale {

Type computationType(Type type) {
  auto real = dyn_cast<FloatType>(type);
  if (real && real.getWidth() < 32)
    return Float32Type::get(type.getContext());
  return type;
}

void ElementReader::setBuffer(Value value, Value memref, ArrayRef<Value> origins) {
  buffers[value] = {memref, SmallVector<Value>(origins)};
}

SmallVector<Value> ElementReader::bufferIndices(const Buffer &buffer, ValueRange indices) {
  SmallVector<Value> result;
  for (auto [index, origin] : llvm::zip_equal(indices, buffer.origins))
    if (origin)
      result.push_back(isConstantIntValue(getAsOpFoldResult(origin), 0)
                           ? Value(index)
                           : Value(builder.create<arith::SubIOp>(index, origin)));
  return result;
}

Value ElementReader::read(Value value, ValueRange indices) {
  if (Value scalar = scalars.lookupOrNull(value))
    return scalar;
  std::vector<void *> key{value.getAsOpaquePointer()};
  for (Value index : indices)
    key.push_back(index.getAsOpaquePointer());
  auto it = built.find(key);
  if (it != built.end())
    return it->second;
  Value element;
  auto buffer = buffers.find(value);
  if (buffer == buffers.end()) {
    element = compute(value, indices);
  } else {
    element = builder.create<memref::LoadOp>(buffer->second.memref,
                                             bufferIndices(buffer->second, indices));
    if (Type wide = computationType(element.getType()); wide != element.getType())
      element = builder.create<arith::ExtFOp>(wide, element);
  }
  built[key] = element;
  return element;
}

Value ElementReader::compute(Value value, ValueRange indices) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return read(value, indices); // An argument: it has a buffer.
  return cast<ElementOpInterface>(op).buildElement(
      builder, cast<OpResult>(value).getResultNumber(), indices,
      [&](unsigned operand, ValueRange at) { return read(op->getOperand(operand), at); });
}

void ElementReader::write(Value value, ValueRange indices, Value element) {
  const Buffer &buffer = buffers.find(value)->second;
  Type stored = cast<MemRefType>(buffer.memref.getType()).getElementType();
  if (stored != element.getType())
    element = builder.create<arith::TruncFOp>(stored, element);
  builder.create<memref::StoreOp>(element, buffer.memref, bufferIndices(buffer, indices));
}

} // namespace vescale
