//===- Evaluation.cpp - What an op of one device means --------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale::analysis {

const EvaluationTable &EvaluationTable::get() {
  static const EvaluationTable table = [] {
    EvaluationTable all;
    addCreation(all);
    addElementwise(all);
    addContraction(all);
    addReduction(all);
    addShape(all);
    addIndexing(all);
    addState(all);
    addLayers(all);
    addAttention(all);
    addConvolution(all);
    addIndexArithmetic(all);
    return all;
  }();
  return table;
}

std::optional<ElementType> elementTypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (type.isF64())
    return ElementType::f64;
  if (type.isF32())
    return ElementType::f32;
  if (type.isBF16())
    return ElementType::bf16;
  if (type.isF16())
    return ElementType::f16;
  if (type.isFloat8E4M3FN())
    return ElementType::f8E4M3FN;
  if (type.isFloat8E5M2())
    return ElementType::f8E5M2;
  if (type.isIndex())
    return ElementType::index;
  if (isa<vs::RngType>(type))
    return ElementType::rng;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  switch (integer.getWidth()) {
  case 64:
    return ElementType::i64;
  case 32:
    return ElementType::i32;
  case 16:
    return ElementType::i16;
  case 8:
    return integer.isUnsigned() ? ElementType::ui8 : ElementType::i8;
  case 1:
    return ElementType::i1;
  default:
    return std::nullopt;
  }
}

Tensor zerosOf(Type type) {
  Shape shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return Tensor(*elementTypeOf(type), shape);
}

} // namespace vescale::analysis
