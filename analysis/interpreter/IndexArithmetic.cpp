//===- IndexArithmetic.cpp - Offsets in local forms -----------------------------------------===//
//
// Operands are scalars: indices, integers, or truth values.
//
//===-------------------------------------------------------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace vescale::analysis {
namespace {

using Integer2 = int64_t (*)(int64_t, int64_t);

Results scalar(Value value, int64_t number) {
  Tensor result = zerosOf(value);
  result.setInteger(0, number);
  return one(std::move(result));
}

Results constant(arith::ConstantOp op, Operands) {
  auto integer = dyn_cast<IntegerAttr>(op.getValue());
  if (!integer)
    return op.emitOpError("is no integer; the interpreter computes tensors with ops of vs"),
           failure();
  return scalar(op.getResult(), integer.getType().isInteger(1) ? integer.getValue().getZExtValue()
                                                               : integer.getInt());
}

template <class Op, Integer2 function> Results binary(Op op, Operands operands) {
  return scalar(op.getResult(), function(operands[0]->integer(0), operands[1]->integer(0)));
}

template <class Op, Integer2 function> Results quotient(Op op, Operands operands) {
  if (operands[1]->integer(0) == 0)
    return op.emitOpError("divides by 0"), failure();
  return binary<Op, function>(op, operands);
}

int64_t add(int64_t a, int64_t b) { return uint64_t(a) + uint64_t(b); }
int64_t subtract(int64_t a, int64_t b) { return uint64_t(a) - uint64_t(b); }
int64_t multiply(int64_t a, int64_t b) { return uint64_t(a) * uint64_t(b); }
int64_t divideUnsigned(int64_t a, int64_t b) { return uint64_t(a) / uint64_t(b); }
int64_t remainderUnsigned(int64_t a, int64_t b) { return uint64_t(a) % uint64_t(b); }
int64_t divideSigned(int64_t a, int64_t b) { return b == -1 ? int64_t(-uint64_t(a)) : a / b; }
int64_t remainderSigned(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
int64_t minimumUnsigned(int64_t a, int64_t b) { return std::min(uint64_t(a), uint64_t(b)); }
int64_t maximumUnsigned(int64_t a, int64_t b) { return std::max(uint64_t(a), uint64_t(b)); }
int64_t minimumSigned(int64_t a, int64_t b) { return std::min(a, b); }
int64_t maximumSigned(int64_t a, int64_t b) { return std::max(a, b); }

Results compare(arith::CmpIOp op, Operands operands) {
  APInt a(64, operands[0]->integer(0)), b(64, operands[1]->integer(0));
  return scalar(op.getResult(), arith::applyCmpPredicate(op.getPredicate(), a, b));
}

Results select(arith::SelectOp op, Operands operands) {
  return one(operands[0]->integer(0) ? *operands[1] : *operands[2]);
}

Results cast(arith::IndexCastOp op, Operands operands) {
  return scalar(op.getResult(), operands[0]->integer(0));
}

} // namespace

void addIndexArithmetic(EvaluationTable &table) {
  table.add<arith::ConstantOp, constant>();
  table.add<arith::AddIOp, binary<arith::AddIOp, add>>();
  table.add<arith::SubIOp, binary<arith::SubIOp, subtract>>();
  table.add<arith::MulIOp, binary<arith::MulIOp, multiply>>();
  table.add<arith::DivUIOp, quotient<arith::DivUIOp, divideUnsigned>>();
  table.add<arith::RemUIOp, quotient<arith::RemUIOp, remainderUnsigned>>();
  table.add<arith::DivSIOp, quotient<arith::DivSIOp, divideSigned>>();
  table.add<arith::RemSIOp, quotient<arith::RemSIOp, remainderSigned>>();
  table.add<arith::MinUIOp, binary<arith::MinUIOp, minimumUnsigned>>();
  table.add<arith::MaxUIOp, binary<arith::MaxUIOp, maximumUnsigned>>();
  table.add<arith::MinSIOp, binary<arith::MinSIOp, minimumSigned>>();
  table.add<arith::MaxSIOp, binary<arith::MaxSIOp, maximumSigned>>();
  table.add<arith::CmpIOp, compare>();
  table.add<arith::SelectOp, select>();
  table.add<arith::IndexCastOp, cast>();
}

} // namespace vescale::analysis
