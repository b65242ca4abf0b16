//===- BuildersTest.cpp - Types that builders infer, and effects of draws ------------------===//

#include "dialects/vs/Vs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace vescale::vs {
namespace {

class Builders : public testing::Test {
protected:
  Builders() : context(), builder(&context) {
    context.loadDialect<VsDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  /// A value of this shape; its type has an encoding, which builders must not pass on.
  Value tensor(ArrayRef<int64_t> shape, Type elementType) {
    auto type = RankedTensorType::get(shape, elementType, builder.getStringAttr("layout"));
    return builder.create<ConstantOp>(builder.getUnknownLoc(), type, 0.0);
  }
  Value f32(ArrayRef<int64_t> shape) { return tensor(shape, builder.getF32Type()); }
  Value i32(ArrayRef<int64_t> shape) { return tensor(shape, builder.getI32Type()); }

  template <typename Op, typename... Args>
  Op make(Args &&...args) {
    Op op = builder.create<Op>(builder.getUnknownLoc(), std::forward<Args>(args)...);
    EXPECT_TRUE(succeeded(verify(op)));
    return op;
  }

  /// Checks the type of the result `index` of `op`.
  void expectType(Operation *op, unsigned index, ArrayRef<int64_t> shape, Type elementType) {
    EXPECT_EQ(op->getResult(index).getType(), RankedTensorType::get(shape, elementType));
  }
  void expectF32(Operation *op, ArrayRef<int64_t> shape) {
    expectType(op, 0, shape, builder.getF32Type());
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(Builders, ElementwiseOps) {
  Value x = f32({8, 4});
  expectF32(make<AddOp>(x, x), {8, 4});
  expectF32(make<GeluOp>(x, true), {8, 4});
  expectType(make<CompareOp>(ComparePredicate::Lt, x, x), 0, {8, 4}, builder.getI1Type());
  expectType(make<CastOp>(x, builder.getBF16Type()), 0, {8, 4}, builder.getBF16Type());
}

TEST_F(Builders, ShapeOps) {
  Value x = f32({8, 4});
  expectF32(make<ReshapeOp>(x, ArrayRef<int64_t>{2, 16}), {2, 16});
  expectF32(make<TransposeOp>(x, ArrayRef<int64_t>{1, 0}), {4, 8});
  expectF32(make<BroadcastOp>(x, ArrayRef<int64_t>{3, 8, 4}, ArrayRef<int64_t>{1, 2}), {3, 8, 4});
  expectF32(make<SliceOp>(x, ArrayRef<int64_t>{1, 0}, ArrayRef<int64_t>{8, 0},
                          ArrayRef<int64_t>{3, 2}),
            {3, 0});
  expectF32(make<ConcatOp>(ValueRange{x, x, x}, 1), {8, 12});
  expectF32(make<PadOp>(x, ArrayRef<int64_t>{1, 0}, ArrayRef<int64_t>{0, 2},
                        ArrayRef<int64_t>{0, 3}, TypedAttr()),
            {9, 15});
}

TEST_F(Builders, ContractionsReductionsAndIndices) {
  Value x = f32({8, 4}), w = f32({2, 4}), indices = i32({3, 5});
  expectF32(make<EinsumOp>("bi,oi->ob", x, w), {2, 8});
  Value narrow = tensor({8, 4}, builder.getBF16Type());
  expectF32(make<EinsumOp>("bi,ci->bc", narrow, narrow, builder.getF32Type()), {8, 8});
  expectF32(make<ReduceOp>(ReduceKind::Sum, x, ArrayRef<int64_t>{0}), {4});
  expectF32(make<TakeOp>(x, indices, 1), {8, 3, 5});
  expectF32(make<GatherOp>(x, i32({8, 2}), 1), {8, 2});
  expectF32(make<OneHotOp>(indices, 7, builder.getF32Type()), {3, 5, 7});
}

TEST_F(Builders, LayersUseTheStatisticsType) {
  Value narrow = tensor({8, 4}, builder.getBF16Type()), wide = tensor({8, 4}, builder.getF64Type());
  Value weight = tensor({4}, builder.getBF16Type()), wideWeight = tensor({4}, builder.getF64Type());
  auto norm = make<LayerNormOp>(narrow, weight, weight, 1e-5);
  expectType(norm, 0, {8, 4}, builder.getBF16Type());
  expectType(norm, 2, {8}, builder.getF32Type());
  expectType(make<RmsNormOp>(wide, wideWeight, 1e-6), 1, {8}, builder.getF64Type());
  expectF32(make<CrossEntropyOp>(narrow, i32({8}), -100), {8});
}

TEST_F(Builders, AttentionAndItsGradientAgree) {
  Value q = f32({2, 4, 8, 16}), k = f32({2, 2, 6, 16}), bias = f32({1, 4, 8, 6});
  auto attention = make<AttentionOp>(q, k, k, bias, Value(), true, std::nullopt, 0.0);
  expectF32(attention, {2, 4, 8, 16});
  EXPECT_DOUBLE_EQ(attention.getScoreScale(), 0.25);
  auto gradient = make<AttentionGradientOp>(attention, q);
  ASSERT_EQ(gradient->getNumResults(), 4u);
  expectType(gradient, 1, {2, 2, 6, 16}, builder.getF32Type());
  expectType(gradient, 3, {1, 4, 8, 6}, builder.getF32Type());
  auto plain = make<AttentionOp>(q, k, k, Value(), Value(), false, 0.5, 0.0);
  EXPECT_DOUBLE_EQ(plain.getScoreScale(), 0.5);
  EXPECT_EQ(make<AttentionGradientOp>(plain, q)->getNumResults(), 3u);
}

TEST_F(Builders, TheClippedNormIsTheLastResult) {
  Value a = f32({8, 4}), b = tensor({3}, builder.getF64Type());
  auto clip = make<ClipByGlobalNormOp>(ValueRange{a, b}, 1.0);
  ASSERT_EQ(clip->getNumResults(), 3u);
  expectType(clip, 1, {3}, builder.getF64Type());
  EXPECT_EQ(clip.getNorm().getType(), RankedTensorType::get({}, builder.getF64Type()));
}

TEST_F(Builders, ConstantsHoldNegativeIntegersAndBooleans) {
  auto negative = make<ConstantOp>(RankedTensorType::get({2}, builder.getI8Type()), -3.0);
  EXPECT_EQ(cast<DenseElementsAttr>(negative.getValue()).getSplatValue<APInt>().getSExtValue(), -3);
  auto truth = make<ConstantOp>(RankedTensorType::get({2}, builder.getI1Type()), 1.0);
  EXPECT_TRUE(cast<DenseElementsAttr>(truth.getValue()).getSplatValue<bool>());
}

} // namespace
} // namespace vescale::vs
