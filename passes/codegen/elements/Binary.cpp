//===- Binary.cpp - element forms of binary and ternary ops ---------------===//

#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/VsDialect.h"
#include "dialects/vs/ElementwiseOps.h"

using namespace mlir;

namespace vescale::elements {
namespace {

/// The element form of an op of several operands, `build(builder, op, scalars)`.
template <typename Op, Value (*build)(ImplicitLocOpBuilder &, Op, ValueRange)>
struct PointwiseModel : ElementOpInterface::ExternalModel<PointwiseModel<Op, build>, Op> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                     llvm::function_ref<Value(unsigned, ValueRange)> read) const {
    SmallVector<Value> scalars;
    for (unsigned k = 0; k < op->getNumOperands(); ++k)
      scalars.push_back(read(k, indices));
    return build(b, llvm::cast<Op>(op), scalars);
  }
};

Type declaredType(Value value) { return llvm::cast<RankedTensorType>(value.getType()).getElementType(); }

template <typename Op> bool isUnsigned(Op op) {
  return declaredType(op->getOperand(0)).isUnsignedInteger();
}

template <typename Op, typename Real, typename Integer>
Value arithmetic(ImplicitLocOpBuilder &b, Op, ValueRange x) {
  return realOrInteger<Real, Integer>(b, x);
}

/// Real ops without fast-math flags of their own, integer ops that depend on the sign.
template <typename Op, typename Real, typename Signed, typename Unsigned>
Value signedArithmetic(ImplicitLocOpBuilder &b, Op op, ValueRange x) {
  if (isa<FloatType>(x[0].getType()))
    return b.create<Real>(x[0], x[1]);
  if (isUnsigned(op))
    return b.create<Unsigned>(x[0], x[1]);
  return b.create<Signed>(x[0], x[1]);
}

template <typename Op, typename Bits> Value bits(ImplicitLocOpBuilder &b, Op, ValueRange x) {
  return b.create<Bits>(x[0], x[1]);
}

Value power(ImplicitLocOpBuilder &b, vs::PowOp, ValueRange x) { return b.create<math::PowFOp>(x[0], x[1]); }

Value compare(ImplicitLocOpBuilder &b, vs::CompareOp op, ValueRange x) {
  unsigned predicate = static_cast<unsigned>(op.getPredicate()); // eq ne lt le gt ge
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F reals[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I signedOnes[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I unsignedOnes[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  if (isa<FloatType>(x[0].getType()))
    return b.create<arith::CmpFOp>(reals[predicate], x[0], x[1]);
  bool asUnsigned = isUnsigned(op) || x[0].getType().isInteger(1);
  return b.create<arith::CmpIOp>(asUnsigned ? unsignedOnes[predicate] : signedOnes[predicate], x[0],
                                 x[1]);
}

Value select(ImplicitLocOpBuilder &b, vs::SelectOp, ValueRange x) {
  return b.create<arith::SelectOp>(x[0], x[1], x[2]);
}

Value clamp(ImplicitLocOpBuilder &b, vs::ClampOp op, ValueRange x) {
  using namespace arith;
  if (isa<FloatType>(x[0].getType()))
    return b.create<MinimumFOp>(b.create<MaximumFOp>(x[0], x[1]), x[2]);
  if (isUnsigned(op))
    return b.create<MinUIOp>(b.create<MaxUIOp>(x[0], x[1]), x[2]);
  return b.create<MinSIOp>(b.create<MaxSIOp>(x[0], x[1]), x[2]);
}

} // namespace

void registerBinary(DialectRegistry &registry) {
  using namespace arith;
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::AddOp::attachInterface<PointwiseModel<vs::AddOp, arithmetic<vs::AddOp, AddFOp, AddIOp>>>(*context);
    vs::SubOp::attachInterface<PointwiseModel<vs::SubOp, arithmetic<vs::SubOp, SubFOp, SubIOp>>>(*context);
    vs::MulOp::attachInterface<PointwiseModel<vs::MulOp, arithmetic<vs::MulOp, MulFOp, MulIOp>>>(*context);
    vs::DivOp::attachInterface<
        PointwiseModel<vs::DivOp, signedArithmetic<vs::DivOp, DivFOp, DivSIOp, DivUIOp>>>(*context);
    vs::RemainderOp::attachInterface<
        PointwiseModel<vs::RemainderOp, signedArithmetic<vs::RemainderOp, RemFOp, RemSIOp, RemUIOp>>>(
        *context);
    vs::MaximumOp::attachInterface<
        PointwiseModel<vs::MaximumOp, signedArithmetic<vs::MaximumOp, MaximumFOp, MaxSIOp, MaxUIOp>>>(
        *context);
    vs::MinimumOp::attachInterface<
        PointwiseModel<vs::MinimumOp, signedArithmetic<vs::MinimumOp, MinimumFOp, MinSIOp, MinUIOp>>>(
        *context);
    vs::PowOp::attachInterface<PointwiseModel<vs::PowOp, power>>(*context);
    vs::AndOp::attachInterface<PointwiseModel<vs::AndOp, bits<vs::AndOp, AndIOp>>>(*context);
    vs::OrOp::attachInterface<PointwiseModel<vs::OrOp, bits<vs::OrOp, OrIOp>>>(*context);
    vs::XorOp::attachInterface<PointwiseModel<vs::XorOp, bits<vs::XorOp, XOrIOp>>>(*context);
    vs::CompareOp::attachInterface<PointwiseModel<vs::CompareOp, compare>>(*context);
    vs::SelectOp::attachInterface<PointwiseModel<vs::SelectOp, select>>(*context);
    vs::ClampOp::attachInterface<PointwiseModel<vs::ClampOp, clamp>>(*context);
  });
}

} // namespace vescale::elements
