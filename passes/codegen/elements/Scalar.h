//===- Scalar.h - arithmetic on scalars, shared by element forms -*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_ELEMENTS_SCALAR_H
#define VESCALE_PASSES_CODEGEN_ELEMENTS_SCALAR_H

#include "passes/codegen/ElementInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace vescale::elements {

/// A constant of `type`, a floating-point, integer or index type.
inline mlir::Value constantOf(mlir::ImplicitLocOpBuilder &b, mlir::Type type, double value) {
  if (mlir::isa<mlir::FloatType>(type))
    return b.create<mlir::arith::ConstantOp>(b.getFloatAttr(type, value));
  return b.create<mlir::arith::ConstantOp>(b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

/// Creates the floating-point op for floating-point operands and the integer op otherwise. Elementwise
/// floating-point arithmetic may contract a product and a sum to one rounding.
template <typename Real, typename Integer>
mlir::Value realOrInteger(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange operands) {
  if (mlir::isa<mlir::FloatType>(operands.front().getType())) {
    auto op = b.create<Real>(operands);
    op.setFastmath(mlir::arith::FastMathFlags::contract);
    return op;
  }
  return b.create<Integer>(operands);
}

inline mlir::Value add(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y) {
  return realOrInteger<mlir::arith::AddFOp, mlir::arith::AddIOp>(b, {x, y});
}
inline mlir::Value sub(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y) {
  return realOrInteger<mlir::arith::SubFOp, mlir::arith::SubIOp>(b, {x, y});
}
inline mlir::Value mul(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y) {
  return realOrInteger<mlir::arith::MulFOp, mlir::arith::MulIOp>(b, {x, y});
}

} // namespace vescale::elements

#endif // VESCALE_PASSES_CODEGEN_ELEMENTS_SCALAR_H
