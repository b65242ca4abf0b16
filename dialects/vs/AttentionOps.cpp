//===- AttentionOps.cpp - Attention and its gradient ---------------------------------------===//

#include "dialects/vs/AttentionOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/RandomEffects.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/AttentionOps.cpp.inc"

void VsDialect::registerAttentionOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/AttentionOps.cpp.inc"
      >();
}

static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// 1 / sqrt(head size) where the op has no scale of its own.
static double scoreScale(std::optional<double> scale, Value q) {
  return scale ? *scale : 1.0 / std::sqrt(double(tensorType(q).getDimSize(3)));
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

void AttentionOp::build(OpBuilder &builder, OperationState &state, Value q, Value k, Value v,
                        Value bias, Value rng, bool causal, std::optional<double> scale,
                        double dropout) {
  RankedTensorType qType = tensorType(q);
  ArrayRef<int64_t> shape = qType.getShape();
  auto outputType = RankedTensorType::get(
      {shape[0], shape[1], shape[2], tensorType(v).getDimSize(3)}, qType.getElementType());
  auto sumType =
      RankedTensorType::get(shape.drop_back(), statisticsType(qType.getElementType()));
  build(builder, state, outputType, sumType, q, k, v, bias, rng, /*positions=*/ValueRange(),
        causal ? builder.getUnitAttr() : UnitAttr(),
        scale ? builder.getF64FloatAttr(*scale) : FloatAttr(), builder.getF64FloatAttr(dropout),
        /*draw_id=*/IntegerAttr(), /*global_sizes=*/DenseI64ArrayAttr());
}

double AttentionOp::getScoreScale() { return scoreScale(getScale(), getQ()); }

bool AttentionOp::drawsRandomNumbers() { return getDropout() > 0; }

void AttentionOp::disableDraws() {
  setDropout(0);
  getRngMutable().clear();
}

void AttentionOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  reportDrawEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// AttentionGradientOp
//===----------------------------------------------------------------------===//

void AttentionGradientOp::build(OpBuilder &builder, OperationState &state, AttentionOp forward,
                                Value gradient) {
  SmallVector<Type> types;
  for (Value operand : {forward.getQ(), forward.getK(), forward.getV()})
    types.push_back(withoutLayout(operand.getType()));
  if (Value bias = forward.getBias())
    types.push_back(withoutLayout(bias.getType()));
  build(builder, state, types[0], types[1], types[2], forward.getBias() ? types[3] : Type(),
        forward.getQ(), forward.getK(), forward.getV(), forward.getBias(), forward.getRng(),
        forward.getOutput(), forward.getLogSumExp(), gradient, forward.getPositions(),
        forward.getCausalAttr(), forward.getScaleAttr(), forward.getDropoutAttr(),
        forward.getDrawIdAttr(), forward.getGlobalSizesAttr());
}

double AttentionGradientOp::getScoreScale() { return scoreScale(getScale(), getQ()); }

bool AttentionGradientOp::drawsRandomNumbers() { return getDropout() > 0; }

void AttentionGradientOp::disableDraws() {
  setDropout(0);
  getRngMutable().clear();
}

void AttentionGradientOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  reportDrawEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

namespace {
/// How many operands of each optional kind an op has.
struct OptionalOperands {
  int32_t bias, rng, positions;
};
} // namespace

/// Parses an op whose operands are q, k, v, an optional bias, an optional generator, `others` more
/// and perhaps positions. Which optional ones are there follows from their number and types.
static FailureOr<OptionalOperands> parseAttention(OpAsmParser &parser, OperationState &result,
                                                  int32_t others) {
  SMLoc location = parser.getCurrentLocation();
  if (parseOperation(parser, result))
    return failure();
  auto count = [&](auto isOne) { return int32_t(llvm::count_if(result.operands, isOne)); };
  OptionalOperands optional;
  optional.rng = count([](Value value) { return isa<RngType>(value.getType()); });
  optional.positions = count([](Value value) { return value.getType().isIndex(); });
  optional.bias =
      int32_t(result.operands.size()) - 3 - optional.rng - optional.positions - others;
  if (optional.rng > 1 || optional.bias < 0 || optional.bias > 1) {
    parser.emitError(location) << "expected q, k, v, optionally a bias and an !vs.rng, and "
                               << others << " more operands, got " << result.operands.size();
    return failure();
  }
  return optional;
}

ParseResult AttentionOp::parse(OpAsmParser &parser, OperationState &result) {
  FailureOr<OptionalOperands> optional = parseAttention(parser, result, 0);
  if (failed(optional))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, 1, 1, optional->bias, optional->rng, optional->positions};
  return success();
}

void AttentionOp::print(OpAsmPrinter &printer) {
  printOperation(printer, *this, {getOperandSegmentSizesAttrName()});
}

ParseResult AttentionGradientOp::parse(OpAsmParser &parser, OperationState &result) {
  FailureOr<OptionalOperands> optional = parseAttention(parser, result, 3);
  if (failed(optional))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, 1, 1, optional->bias, optional->rng, 1, 1, 1, optional->positions};
  return success();
}

void AttentionGradientOp::print(OpAsmPrinter &printer) {
  printOperation(printer, *this, {getOperandSegmentSizesAttrName()});
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks what both ops share: operands, output and log-sum-exp of the forward pass, numbers.
template <typename Op>
static LogicalResult checkAttention(Op op) {
  NamedValue q{"q", op.getQ()}, k{"k", op.getK()}, v{"v", op.getV()};
  NamedValue output{"output", op.getOutput()}, sum{"log_sum_exp", op.getLogSumExp()};
  for (NamedValue tensor : {q, k, v})
    if (failed(checkRank(op, tensor, 4)))
      return failure();
  int64_t batch = q.shape()[0], heads = q.shape()[1], queries = q.shape()[2];
  int64_t keyHeads = k.shape()[1], keys = k.shape()[2];
  if (failed(checkShape(op, k, {batch, keyHeads, keys, q.shape()[3]},
                        "the batch and head size of q")) ||
      failed(checkShape(op, v, {batch, keyHeads, keys, v.shape()[3]},
                        "the batch, heads and sequence of k")))
    return failure();
  if (keyHeads == 0 ? heads != 0 : heads % keyHeads != 0)
    return op.emitOpError() << "q has " << heads << " heads, must have a multiple of the "
                            << keyHeads << " of k";
  for (NamedValue tensor : {k, v, output})
    if (failed(checkSameElementType(op, tensor, q)))
      return failure();
  if (failed(checkShape(op, output, {batch, heads, queries, v.shape()[3]},
                        "(batch, heads, query sequence, value size)")) ||
      failed(checkShape(op, sum, {batch, heads, queries}, "(batch, heads, query sequence)")) ||
      failed(checkElementType(op, sum, statisticsType(q.elementType()),
                              "the statistics type of q")))
    return failure();
  if (op.getBias()) {
    NamedValue bias{"bias", op.getBias()};
    if (failed(checkRank(op, bias, 4)))
      return failure();
    auto whole = [&](int64_t dim, int64_t size) { return bias.shape()[dim] == 1 ? 1 : size; };
    if (failed(checkShape(op, bias, {whole(0, batch), whole(1, heads), queries, keys},
                          "(batch or 1, heads or 1, query sequence, key sequence)")))
      return failure();
  }
  if (failed(checkFraction(op, "dropout", op.getDropout())) ||
      failed(checkDrawId(op, op.getDrawId())))
    return failure();
  if (op.getDropout() > 0 && !op.getRng())
    return op.emitOpError() << "dropout needs an rng operand";
  std::optional<ArrayRef<int64_t>> sizes = op.getGlobalSizes();
  if (op.getPositions().empty() && !sizes)
    return success();
  if (op.getPositions().empty())
    return op.emitOpError() << "has global_sizes, but no positions";
  if (op.getPositions().size() != 4)
    return op.emitOpError() << "has " << op.getPositions().size()
                            << " positions, must have four or none";
  if (!sizes)
    return op.emitOpError() << "has positions, but no global_sizes";
  return checkLength(op, "global_sizes", *sizes, 3, "heads, query sequence and key sequence");
}

LogicalResult AttentionOp::verify() { return checkAttention(*this); }

LogicalResult AttentionGradientOp::verify() {
  if (failed(checkAttention(*this)) ||
      failed(checkSameAs(*this, {"gradient", getGradient()}, {"output", getOutput()})) ||
      failed(checkSameAs(*this, {"q_gradient", getQGradient()}, {"q", getQ()})) ||
      failed(checkSameAs(*this, {"k_gradient", getKGradient()}, {"k", getK()})) ||
      failed(checkSameAs(*this, {"v_gradient", getVGradient()}, {"v", getV()})))
    return failure();
  if (!getBiasGradient())
    return success();
  if (!getBias())
    return emitOpError() << "has a bias_gradient, but no bias";
  return checkSameAs(*this, {"bias_gradient", getBiasGradient()}, {"bias", getBias()});
}
