//===- Random.cpp - element forms of random numbers -----------------------===//
//
// The numbers are those of runtime/random: word g mod 4 of the Philox 4x32-10 block (low and high half of
// g / 4, draw, step) under the seed, for the element at global row-major position g. Normal numbers come from
// pairs of words by Box and Muller's formula, here with the logarithm and the cosine of the math dialect, which
// may differ from the runtime's in the last places.
//
// In a kernel a generator is the cast of four index values: step, low half of the seed, high half, and a number
// that is added to draw ids.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/CreationOps.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/IR/BuiltinOps.h"

#include <array>

using namespace mlir;

namespace vescale::elements {
namespace {

using Read = llvm::function_ref<Value(unsigned, ValueRange)>;

/// Arithmetic on 32-bit words that are kept in 64 bits.
class Philox {
public:
  explicit Philox(ImplicitLocOpBuilder &b) : b(b) {}

  Value constant(int64_t value) { return b.create<arith::ConstantIntOp>(value, 64); }
  Value low(Value x) { return b.create<arith::AndIOp>(x, constant(0xffffffff)); }
  Value high(Value x) { return b.create<arith::ShRUIOp>(x, constant(32)); }
  Value exclusiveOr(Value x, Value y, Value z) {
    return b.create<arith::XOrIOp>(b.create<arith::XOrIOp>(x, y), z);
  }

  std::array<Value, 4> block(std::array<Value, 4> counter, Value key0, Value key1) {
    for (int round = 0; round < 10; ++round) {
      Value product0 = b.create<arith::MulIOp>(constant(0xD2511F53), counter[0]);
      Value product1 = b.create<arith::MulIOp>(constant(0xCD9E8D57), counter[2]);
      counter = {exclusiveOr(high(product1), counter[1], key0), low(product1),
                 exclusiveOr(high(product0), counter[3], key1), low(product0)};
      key0 = low(b.create<arith::AddIOp>(key0, constant(0x9E3779B9)));
      key1 = low(b.create<arith::AddIOp>(key1, constant(0xBB67AE85)));
    }
    return counter;
  }

private:
  ImplicitLocOpBuilder &b;
};

/// Element `position` (an i64) of draw `draw` of the generator `rng`.
Value randomElement(ImplicitLocOpBuilder &b, Value rng, int64_t draw, Value position, Attribute distribution,
                    Type type) {
  Philox philox(b);
  auto parts = rng.getDefiningOp<UnrealizedConversionCastOp>().getInputs();
  SmallVector<Value, 4> words;
  for (Value part : parts)
    words.push_back(b.create<arith::IndexCastUIOp>(b.getI64Type(), part));
  Value block = b.create<arith::ShRUIOp>(position, philox.constant(2));
  Value drawWord = philox.low(b.create<arith::AddIOp>(words[3], philox.constant(draw)));
  std::array<Value, 4> bits = philox.block(
      {philox.low(block), philox.high(block), drawWord, philox.low(words[0])}, words[1], words[2]);
  Value lane = b.create<arith::AndIOp>(position, philox.constant(3));
  auto isLane = [&](Value which, int64_t value) -> Value {
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, which, philox.constant(value));
  };
  auto select = [&](Value condition, Value x, Value y) -> Value {
    return b.create<arith::SelectOp>(condition, x, y);
  };
  // The top 24 bits as a number in [0, 1), exact in f32.
  auto unit = [&](Value word, int64_t plus) -> Value {
    Value top = b.create<arith::ShRUIOp>(word, philox.constant(8));
    top = b.create<arith::AddIOp>(top, philox.constant(plus));
    Value number = b.create<arith::SIToFPOp>(type, b.create<arith::TruncIOp>(b.getI32Type(), top));
    return b.create<arith::MulFOp>(number, constantOf(b, type, 0x1p-24));
  };
  if (auto uniform = dyn_cast<vs::UniformAttr>(distribution)) {
    Value word = select(isLane(lane, 0), bits[0],
                        select(isLane(lane, 1), bits[1], select(isLane(lane, 2), bits[2], bits[3])));
    double from = uniform.getLow().getValueAsDouble(), to = uniform.getHigh().getValueAsDouble();
    Value scaled = b.create<arith::MulFOp>(unit(word, 0), constantOf(b, type, to - from));
    return b.create<arith::AddFOp>(scaled, constantOf(b, type, from));
  }
  double deviation = cast<vs::NormalAttr>(distribution).getStddev().getValueAsDouble();
  Value upper = b.create<arith::CmpIOp>(arith::CmpIPredicate::uge, lane, philox.constant(2));
  Value radiusWord = select(upper, bits[2], bits[0]), angleWord = select(upper, bits[3], bits[1]);
  Value logarithm = b.create<math::LogOp>(unit(radiusWord, 1));
  Value radius = b.create<math::SqrtOp>(b.create<arith::MulFOp>(constantOf(b, type, -2), logarithm));
  Value angle = b.create<arith::MulFOp>(unit(angleWord, 0), constantOf(b, type, 6.283185307179586477));
  Value odd = isLane(b.create<arith::AndIOp>(lane, philox.constant(1)), 1);
  Value wave = select(odd, b.create<math::SinOp>(angle), b.create<math::CosOp>(angle));
  return b.create<arith::MulFOp>(b.create<arith::MulFOp>(radius, wave), constantOf(b, type, deviation));
}

Type elementTypeOf(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
}

/// The type that elements of `type` are computed in.
Type wide(Type type) { return type.getIntOrFloatBitWidth() < 32 ? Float32Type::get(type.getContext()) : type; }

struct RandomAtModel : ElementOpInterface::ExternalModel<RandomAtModel, vs::RandomAtOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices, Read read) const {
    auto random = cast<vs::RandomAtOp>(op);
    Value position = read(1, indices);
    if (position.getType() != b.getI64Type())
      position = b.create<arith::ExtUIOp>(b.getI64Type(), position);
    return randomElement(b, read(0, {}), random.getDrawId().value_or(0), position, random.getDistribution(),
                         wide(elementTypeOf(op)));
  }
};

struct RandomModel : ElementOpInterface::ExternalModel<RandomModel, vs::RandomOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange indices, Read read) const {
    auto random = cast<vs::RandomOp>(op);
    Value position = b.create<arith::ConstantIndexOp>(0);
    for (auto [index, size] :
         llvm::zip_equal(indices, cast<RankedTensorType>(random.getType()).getShape()))
      position = add(b, mul(b, position, b.create<arith::ConstantIndexOp>(size)), index);
    position = b.create<arith::IndexCastUIOp>(b.getI64Type(), position);
    return randomElement(b, read(0, {}), random.getDrawId().value_or(0), position, random.getDistribution(),
                         wide(elementTypeOf(op)));
  }
};

struct FromIndexModel : ElementOpInterface::ExternalModel<FromIndexModel, vs::FromIndexOp> {
  Value buildElement(Operation *op, ImplicitLocOpBuilder &b, unsigned, ValueRange, Read read) const {
    return b.create<arith::IndexCastOp>(elementTypeOf(op), read(0, {}));
  }
};

} // namespace

void registerRandom(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::RandomOp::attachInterface<RandomModel>(*context);
    vs::RandomAtOp::attachInterface<RandomAtModel>(*context);
    vs::FromIndexOp::attachInterface<FromIndexModel>(*context);
  });
}

} // namespace vescale::elements
