//===- Creation.cpp - Tensors from nothing --------------------------------------------------===//

#include "analysis/interpreter/Evaluation.h"
#include "analysis/interpreter/Random.h"

#include "dialects/vs/CreationOps.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace vescale::analysis {
namespace {

Results constant(vs::ConstantOp op, Operands) {
  Tensor result = zerosOf(op.getResult());
  ElementsAttr value = op.getValue();
  if (result.isReal()) {
    auto elements = value.tryGetValues<APFloat>();
    if (!elements)
      return op.emitOpError("has elements that the interpreter cannot read"), failure();
    int64_t i = 0;
    for (const APFloat &number : *elements) {
      APFloat wide = number;
      bool lost;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
      result.setReal(i++, wide.convertToDouble());
    }
    return one(std::move(result));
  }
  auto elements = value.tryGetValues<APInt>();
  if (!elements)
    return op.emitOpError("has elements that the interpreter cannot read"), failure();
  int64_t i = 0;
  for (const APInt &number : *elements)
    result.setInteger(i++,
                      number.getBitWidth() == 1 ? number.getZExtValue() : number.getSExtValue());
  return one(std::move(result));
}

Results iota(vs::IotaOp op, Operands) {
  Tensor result = zerosOf(op.getResult());
  forEachIndex(result.shape(), [&](const std::vector<int64_t> &index, int64_t i) {
    result.setNumber(i, static_cast<double>(index[op.getDim()]));
  });
  return one(std::move(result));
}

/// The element at a position of a draw.
double number(Attribute distribution, const Draw &draw, int64_t element) {
  if (auto normal = dyn_cast<vs::NormalAttr>(distribution))
    return normalNumber(draw, element) * normal.getStddev().getValueAsDouble();
  auto uniform = cast<vs::UniformAttr>(distribution);
  double low = uniform.getLow().getValueAsDouble(), high = uniform.getHigh().getValueAsDouble();
  return uniformNumber(draw, element) * (high - low) + low;
}

/// Element i is that at position `at(i)` of the draw.
template <class Op, class At> Results drawn(Op op, const Tensor &rng, At at) {
  if (!op.getDrawId())
    return op.emitOpError("has no draw_id, so its numbers are not known"), failure();
  Draw draw = drawOf(rng, *op.getDrawId());
  Tensor result = zerosOf(op.getResult());
  for (int64_t i = 0; i < result.elements(); ++i)
    result.setReal(i, number(op.getDistribution(), draw, at(i)));
  return one(std::move(result));
}

Results random(vs::RandomOp op, Operands operands) {
  return drawn(op, *operands[0], [](int64_t i) { return i; });
}

Results randomAt(vs::RandomAtOp op, Operands operands) {
  return drawn(op, *operands[0], [&](int64_t i) { return operands[1]->integer(i); });
}

Results fromIndex(vs::FromIndexOp op, Operands operands) {
  Tensor result = zerosOf(op.getResult());
  result.setInteger(0, operands[0]->integer(0));
  return one(std::move(result));
}

} // namespace

void addCreation(EvaluationTable &table) {
  table.add<vs::ConstantOp, constant>();
  table.add<vs::IotaOp, iota>();
  table.add<vs::RandomOp, random>();
  table.add<vs::RandomAtOp, randomAt>();
  table.add<vs::FromIndexOp, fromIndex>();
}

} // namespace vescale::analysis
