//===- StateOps.cpp - Optimizers ------------------------------------------------------===//

#include "dialects/vs/StateOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/StateOps.cpp.inc"

void VsDialect::registerStateOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/StateOps.cpp.inc"
      >();
}

void ClipByGlobalNormOp::build(OpBuilder &builder, OperationState &state, ValueRange gradients,
                               double maxNorm) {
  SmallVector<Type> types;
  Type normType = builder.getF32Type();
  for (Value gradient : gradients) {
    types.push_back(withoutLayout(gradient.getType()));
    if (cast<RankedTensorType>(gradient.getType()).getElementType().isF64())
      normType = builder.getF64Type();
  }
  types.push_back(RankedTensorType::get({}, normType));
  state.addTypes(types);
  state.addOperands(gradients);
  state.addAttribute(getMaxNormAttrName(state.name), builder.getF64FloatAttr(maxNorm));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
/// A piece of an optimizer's state and its new value.
struct Update {
  NamedValue before, after;
};
} // namespace

/// Checks that the gradient and all of the state have the first piece's shape, the parameter's, and
/// that no update changes an element type.
static LogicalResult checkUpdates(Operation *op, Value gradient, ArrayRef<Update> updates) {
  NamedValue parameter = updates.front().before;
  if (failed(checkSameShape(op, {"gradient", gradient}, parameter)))
    return failure();
  for (const Update &update : updates)
    if (failed(checkSameShape(op, update.before, parameter)) ||
        failed(checkSameAs(op, update.after, update.before)))
      return failure();
  return success();
}

LogicalResult SgdOp::verify() {
  SmallVector<Update> updates{
      {{"parameter", getParameter()}, {"new_parameter", getNewParameter()}}};
  if (bool(getMomentum()) != bool(getNewMomentum()))
    return emitOpError() << (getMomentum() ? "has a momentum, but no new_momentum"
                                           : "has a new_momentum, but no momentum");
  if (getMomentum())
    updates.push_back({{"momentum", getMomentum()}, {"new_momentum", getNewMomentum()}});
  if (getNesterov() && !getMomentum())
    return emitOpError() << "nesterov needs a momentum";
  return failure(failed(checkUpdates(*this, getGradient(), updates)) ||
                 failed(checkNotNegative(*this, "momentum_factor", getMomentumFactor())) ||
                 failed(checkNotNegative(*this, "weight_decay", getWeightDecay())));
}

/// Checks the numbers that `adamw` and `adamw8bit` share.
template <typename Op>
static LogicalResult checkAdamNumbers(Op op) {
  return failure(failed(checkFraction(op, "beta1", op.getBeta1())) ||
                 failed(checkFraction(op, "beta2", op.getBeta2())) ||
                 failed(checkNotNegative(op, "epsilon", op.getEpsilon())) ||
                 failed(checkNotNegative(op, "weight_decay", op.getWeightDecay())));
}

LogicalResult AdamwOp::verify() {
  return failure(
      failed(checkUpdates(
          *this, getGradient(),
          {{{"parameter", getParameter()}, {"new_parameter", getNewParameter()}},
           {{"first_moment", getFirstMoment()}, {"new_first_moment", getNewFirstMoment()}},
           {{"second_moment", getSecondMoment()}, {"new_second_moment", getNewSecondMoment()}}})) ||
      failed(checkAdamNumbers(*this)));
}

LogicalResult Adamw8bitOp::verify() {
  if (failed(checkUpdates(
          *this, getGradient(),
          {{{"parameter", getParameter()}, {"new_parameter", getNewParameter()}},
           {{"first_moment", getFirstMoment()}, {"new_first_moment", getNewFirstMoment()}},
           {{"second_moment", getSecondMoment()}, {"new_second_moment", getNewSecondMoment()}}})) ||
      failed(checkAtLeast(*this, "block_size", getBlockSize(), 1)))
    return failure();
  int64_t elements = NamedValue{"parameter", getParameter()}.type().getNumElements();
  int64_t blocks = (elements + getBlockSize() - 1) / getBlockSize();
  NamedValue firstScale{"first_scale", getFirstScale()};
  NamedValue secondScale{"second_scale", getSecondScale()};
  StringRef reason = "one scale per block";
  return failure(
      failed(checkShape(*this, firstScale, blocks, reason)) ||
      failed(checkShape(*this, secondScale, blocks, reason)) ||
      failed(checkSameAs(*this, {"new_first_scale", getNewFirstScale()}, firstScale)) ||
      failed(checkSameAs(*this, {"new_second_scale", getNewSecondScale()}, secondScale)) ||
      failed(checkAdamNumbers(*this)));
}

LogicalResult MuonOp::verify() {
  return failure(
      failed(checkRank(*this, {"parameter", getParameter()}, 2)) ||
      failed(checkUpdates(*this, getGradient(),
                          {{{"parameter", getParameter()}, {"new_parameter", getNewParameter()}},
                           {{"momentum", getMomentum()}, {"new_momentum", getNewMomentum()}}})) ||
      failed(checkAtLeast(*this, "iterations", getIterations(), 1)) ||
      failed(checkNotNegative(*this, "momentum_factor", getMomentumFactor())) ||
      failed(checkNotNegative(*this, "epsilon", getEpsilon())) ||
      failed(checkNotNegative(*this, "weight_decay", getWeightDecay())));
}

LogicalResult ClipByGlobalNormOp::verify() {
  if (getGradients().empty())
    return emitOpError() << "needs at least one gradient";
  if (getGradients().size() != getClipped().size())
    return emitOpError() << "has " << getGradients().size() << " gradients, but "
                         << getClipped().size() << " clipped ones";
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(getGradients(), getClipped()))) {
    auto [gradient, clipped] = pair;
    std::string number = "#" + std::to_string(index);
    std::string name = "gradient " + number, clippedName = "clipped gradient " + number;
    if (failed(checkSameAs(*this, {clippedName, clipped}, {name, gradient})))
      return failure();
  }
  return checkNotNegative(*this, "max_norm", getMaxNorm());
}
