//===- Formula.h - Tensor formulas as vs ops ------------------------------------------------===//
//
// Decompositions and adjoints are formulas; this builds them without spelling types, which follow
// from the operands. Built values carry no layouts.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_FORMULAS_FORMULA_H
#define VESCALE_DIALECTS_VS_FORMULAS_FORMULA_H

#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/ReductionOps.h"

#include "mlir/IR/Builders.h"

namespace vescale::vs {

/// Builds ops at one location. Binary functions take tensors of one shape and element type.
class Formula {
public:
  Formula(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  template <typename Op, typename... Operands> mlir::Value op(Operands &&...operands) {
    return builder.create<Op>(location, std::forward<Operands>(operands)...)->getResult(0);
  }

  mlir::Value add(mlir::Value a, mlir::Value b) { return op<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return op<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return op<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return op<DivOp>(a, b); }
  mlir::Value neg(mlir::Value a) { return op<NegOp>(a); }
  mlir::Value exp(mlir::Value a) { return op<ExpOp>(a); }
  mlir::Value log(mlir::Value a) { return op<LogOp>(a); }
  mlir::Value sqrt(mlir::Value a) { return op<SqrtOp>(a); }
  mlir::Value rsqrt(mlir::Value a) { return op<RsqrtOp>(a); }
  mlir::Value square(mlir::Value a) { return mul(a, a); }

  /// `number` in the shape and element type of `like`.
  mlir::Value constant(mlir::Value like, double number);
  /// `number` as a tensor of a type; a layout of the type is dropped.
  mlir::Value constant(mlir::Type type, double number);
  mlir::Value zeros(mlir::Value like) { return constant(like, 0); }

  mlir::Value add(mlir::Value a, double number) { return add(a, constant(a, number)); }
  mlir::Value mul(mlir::Value a, double number) { return mul(a, constant(a, number)); }

  /// Conversion to an element type; the value itself where it has it.
  mlir::Value cast(mlir::Value a, mlir::Type elementType);

  mlir::Value compare(ComparePredicate predicate, mlir::Value a, mlir::Value b) {
    return op<CompareOp>(predicate, a, b);
  }
  mlir::Value select(mlir::Value predicate, mlir::Value onTrue, mlir::Value onFalse) {
    return op<SelectOp>(predicate, onTrue, onFalse);
  }

  /// Reduction over dims; the value itself where there are none.
  mlir::Value reduce(ReduceKind kind, mlir::Value a, llvm::ArrayRef<int64_t> dims);
  mlir::Value sum(mlir::Value a, llvm::ArrayRef<int64_t> dims) {
    return reduce(ReduceKind::Sum, a, dims);
  }

  /// The reverse of a reduction over `dims`: repeats `reduced` along them, to the shape of `like`.
  mlir::Value repeat(mlir::Value reduced, mlir::Value like, llvm::ArrayRef<int64_t> dims);
  /// Repeats a tensor whose dims are the dims `dims` of `like`, along all others.
  mlir::Value broadcast(mlir::Value a, mlir::Value like, llvm::ArrayRef<int64_t> dims);

  static mlir::RankedTensorType type(mlir::Value value);
  static mlir::Type elementType(mlir::Value value) { return type(value).getElementType(); }
  static int64_t rank(mlir::Value value) { return type(value).getRank(); }
  static int64_t size(mlir::Value value, int64_t dim) { return type(value).getDimSize(dim); }
  /// All dims of a value but those in `dims`.
  static llvm::SmallVector<int64_t> otherDims(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  static llvm::SmallVector<int64_t> allDims(mlir::Value value) { return otherDims(value, {}); }

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_FORMULAS_FORMULA_H
