//===- Reduction.cpp - how reductions accumulate in kernels ---------------===//

#include "passes/codegen/ElementReader.h"
#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/ReductionOps.h"
#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale::elements {
namespace {

struct ReduceModel : AccumulationOpInterface::ExternalModel<ReduceModel, vs::ReduceOp> {
  SmallVector<int64_t> getAccumulatedDims(Operation *op) const {
    return SmallVector<int64_t>(llvm::cast<vs::ReduceOp>(op).getDims());
  }

  static Type declaredType(Operation *op) {
    return llvm::cast<RankedTensorType>(op->getOperand(0).getType()).getElementType();
  }

  Value buildIdentity(Operation *op, ImplicitLocOpBuilder &b) const {
    Type declared = declaredType(op), type = computationType(declared);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    bool isReal = isa<FloatType>(type), isUnsigned = declared.isUnsignedInteger() || declared.isInteger(1);
    auto integer = [&](APInt value) -> Value {
      return b.create<arith::ConstantOp>(
          b.getIntegerAttr(IntegerType::get(b.getContext(), value.getBitWidth()), value));
    };
    unsigned width = declared.getIntOrFloatBitWidth();
    switch (llvm::cast<vs::ReduceOp>(op).getKind()) {
    case vs::ReduceKind::Sum:
    case vs::ReduceKind::Mean:
    case vs::ReduceKind::Or:
      return isReal ? constantOf(b, type, 0) : integer(APInt(width, 0));
    case vs::ReduceKind::Prod:
      return isReal ? constantOf(b, type, 1) : integer(APInt(width, 1));
    case vs::ReduceKind::Max:
      return isReal ? constantOf(b, type, -infinity)
                    : integer(isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width));
    case vs::ReduceKind::Min:
      return isReal ? constantOf(b, type, infinity)
                    : integer(isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
    case vs::ReduceKind::And:
      return integer(APInt::getAllOnes(width));
    }
    llvm_unreachable("all kinds are listed");
  }

  Value buildCombination(Operation *op, ImplicitLocOpBuilder &b, Value accumulator, Value element) const {
    bool isReal = isa<FloatType>(element.getType());
    bool isUnsigned = declaredType(op).isUnsignedInteger() || declaredType(op).isInteger(1);
    // Only with leave to reorder does LLVM vectorise a sum.
    auto reordered = [](auto created) -> Value {
      created.setFastmath(arith::FastMathFlags::reassoc);
      return created;
    };
    switch (llvm::cast<vs::ReduceOp>(op).getKind()) {
    case vs::ReduceKind::Sum:
    case vs::ReduceKind::Mean:
      return isReal ? reordered(b.create<arith::AddFOp>(accumulator, element))
                    : Value(b.create<arith::AddIOp>(accumulator, element));
    case vs::ReduceKind::Prod:
      return isReal ? reordered(b.create<arith::MulFOp>(accumulator, element))
                    : Value(b.create<arith::MulIOp>(accumulator, element));
    case vs::ReduceKind::Max:
      if (isReal)
        return b.create<arith::MaximumFOp>(accumulator, element);
      return isUnsigned ? Value(b.create<arith::MaxUIOp>(accumulator, element))
                        : Value(b.create<arith::MaxSIOp>(accumulator, element));
    case vs::ReduceKind::Min:
      if (isReal)
        return b.create<arith::MinimumFOp>(accumulator, element);
      return isUnsigned ? Value(b.create<arith::MinUIOp>(accumulator, element))
                        : Value(b.create<arith::MinSIOp>(accumulator, element));
    case vs::ReduceKind::And:
      return b.create<arith::AndIOp>(accumulator, element);
    case vs::ReduceKind::Or:
      return b.create<arith::OrIOp>(accumulator, element);
    }
    llvm_unreachable("all kinds are listed");
  }

  Value buildFinal(Operation *op, ImplicitLocOpBuilder &b, Value accumulator) const {
    auto reduce = llvm::cast<vs::ReduceOp>(op);
    if (reduce.getKind() != vs::ReduceKind::Mean)
      return accumulator;
    int64_t count = 1;
    for (int64_t dim : reduce.getDims())
      count *= llvm::cast<RankedTensorType>(reduce.getX().getType()).getDimSize(dim);
    return b.create<arith::DivFOp>(accumulator, constantOf(b, accumulator.getType(), count));
  }
};

} // namespace

void registerReduction(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::ReduceOp::attachInterface<ReduceModel>(*context);
  });
}

} // namespace vescale::elements
