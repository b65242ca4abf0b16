#include "runtime/random/Random.h"
#include "runtime/random/BoxMuller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

using namespace vescale::runtime;

namespace {

// Known answers of the Random123 distribution (kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, 0),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, ~uint64_t(0)),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, PlacesIndexDrawAndStepInTheCounter) {
  RandomDraw draw{7, 11, 0x123456789abcdef0};
  uint64_t element = (uint64_t(5) << 34) + 4 * 9 + 2;
  EXPECT_EQ(randomBits(draw, element), philox4x32({9, 5, 7, 11}, draw.seed)[2]);
}

template <typename Real>
Real scalarElement(Distribution distribution, const RandomDraw &draw, uint64_t element) {
  if (distribution == Distribution::uniform)
    return uniformFromBits<Real>(randomBits(draw, element));
  Real even, odd;
  normalFromBits(randomBits(draw, element & ~uint64_t(1)), randomBits(draw, element | 1), even,
                 odd);
  return element & 1 ? odd : even;
}

template <typename Real> bool sameBits(Real a, Real b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename Real> class Runs : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Runs, Reals);

TYPED_TEST(Runs, AreBitwiseTheScalarFormulaAtEveryStartAndLength) {
  RandomDraw draw{3, 100, 42};
  for (Distribution distribution : {Distribution::uniform, Distribution::normal})
    for (int64_t start :
         {int64_t(0), int64_t(1), int64_t(2), int64_t(3), int64_t(63), (int64_t(1) << 34) - 70})
      for (int64_t count : {0, 1, 2, 3, 5, 63, 64, 65, 200}) {
        std::vector<TypeParam> values(count + 1, TypeParam(-77));
        fillRandom(values.data(), start, count, distribution, draw);
        for (int64_t i = 0; i < count; ++i)
          ASSERT_TRUE(sameBits(values[i], scalarElement<TypeParam>(distribution, draw, start + i)))
              << start << " + " << i << ": " << values[i];
        EXPECT_EQ(values[count], TypeParam(-77)) << "written past the end";
      }
}

TYPED_TEST(Runs, OfBoxesDoNotDependOnTheCut) {
  RandomDraw draw{1, 2, 3};
  std::vector<int64_t> shape = {5, 3, 301};
  for (Distribution distribution : {Distribution::uniform, Distribution::normal}) {
    std::vector<TypeParam> whole(5 * 3 * 301);
    fillRandom<TypeParam>(whole.data(), 0, whole.size(), distribution, draw);
    // Every box of a 2 x 3 x 2 cut, written in transposed order with gaps.
    int64_t checked = 0;
    for (int64_t r = 0; r < 2; ++r)
      for (int64_t h = 0; h < 3; ++h)
        for (int64_t c = 0; c < 2; ++c) {
          std::vector<int64_t> offset = {r * 3, h, c * 151}, size = {r ? 2 : 3, 1, c ? 150 : 151};
          std::vector<int64_t> strides = {2, 1000, 7};
          std::vector<TypeParam> out(4000, TypeParam(-9));
          fillRandomBox(out.data(), shape, offset, size, strides, distribution, draw);
          for (int64_t i = 0; i < size[0]; ++i)
            for (int64_t k = 0; k < size[2]; ++k, ++checked)
              ASSERT_TRUE(sameBits(out[i * 2 + k * 7],
                                   whole[((offset[0] + i) * 3 + h) * 301 + offset[2] + k]));
          EXPECT_EQ(out[1], TypeParam(-9)) << "a gap was written";
        }
    EXPECT_EQ(checked, 5 * 3 * 301);
  }
}

TYPED_TEST(Runs, OfScalarsEmptyBoxesAndScaledBoxes) {
  RandomDraw draw{4, 5, 6};
  TypeParam value = -1;
  fillRandomBox<TypeParam>(&value, {}, {}, {}, {}, Distribution::normal, draw);
  EXPECT_TRUE(sameBits(value, scalarElement<TypeParam>(Distribution::normal, draw, 0)));
  value = -1;
  fillRandomBox<TypeParam>(&value, {4, 4}, {0, 0}, {0, 4}, {4, 1}, Distribution::normal, draw);
  EXPECT_EQ(value, TypeParam(-1));
  fillRandomBox<TypeParam>(&value, {9}, {5}, {1}, {1}, Distribution::uniform, draw, TypeParam(0.02),
                           TypeParam(3));
  TypeParam product = scalarElement<TypeParam>(Distribution::uniform, draw, 5) * TypeParam(0.02);
  EXPECT_EQ(value, product + TypeParam(3));
}

TYPED_TEST(Runs, OfNormalsAgreeWithTheLibrarysLogarithmSineAndCosine) {
  RandomDraw draw{0, 0, 99};
  std::vector<TypeParam> values(20000);
  fillRandom<TypeParam>(values.data(), 0, values.size(), Distribution::normal, draw);
  double epsilon = std::is_same_v<TypeParam, float> ? 1e-6 : 2e-15;
  for (size_t i = 0; i < values.size(); i += 2) {
    double u = ((randomBits(draw, i) >> 8) + 1.0) * 0x1p-24,
           v = (randomBits(draw, i + 1) >> 8) * 0x1p-24;
    double radius = std::sqrt(-2 * std::log(u));
    ASSERT_NEAR(values[i], radius * std::cos(2 * M_PI * v), epsilon * (1 + radius));
    ASSERT_NEAR(values[i + 1], radius * std::sin(2 * M_PI * v), epsilon * (1 + radius));
  }
}

TEST(Normal, HandlesTheExtremeWords) {
  float even, odd;
  normalFromBits(0xffffffffu, 0u, even, odd); // u = 1: the radius is 0
  EXPECT_EQ(even, 0.0f);
  EXPECT_EQ(odd, 0.0f);
  normalFromBits(0u, 0u, even, odd); // u = 2^-24, angle 0
  EXPECT_NEAR(even, std::sqrt(48 * std::log(2.0)), 1e-5);
  EXPECT_EQ(odd, 0.0f);
  for (uint32_t quarter = 1; quarter < 4; ++quarter) {
    normalFromBits(0u, quarter << 30, even, odd);
    EXPECT_NEAR(std::hypot(even, odd), std::sqrt(48 * std::log(2.0)), 1e-5);
    EXPECT_NEAR(even, quarter == 2 ? -5.768108 : 0.0, 1e-5);
    EXPECT_NEAR(odd, quarter == 1 ? 5.768108 : quarter == 3 ? -5.768108 : 0.0, 1e-5);
  }
}

TEST(Moments, AreThoseOfTheDistribution) {
  RandomDraw draw{8, 1, 2024};
  const int64_t count = 1 << 20;
  std::vector<float> values(count);
  auto moment = [&](int power) {
    double sum = 0;
    for (float value : values)
      sum += std::pow(static_cast<double>(value), power);
    return sum / count;
  };
  // Five standard errors of each sample moment.
  fillRandom<float>(values.data(), 0, count, Distribution::normal, draw);
  EXPECT_NEAR(moment(1), 0, 5 * std::sqrt(1.0 / count));
  EXPECT_NEAR(moment(2), 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(moment(3), 0, 5 * std::sqrt(15.0 / count));
  EXPECT_NEAR(moment(4), 3, 5 * std::sqrt(96.0 / count));
  fillRandom<float>(values.data(), 0, count, Distribution::uniform, draw);
  EXPECT_NEAR(moment(1), 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(moment(2), 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
}

} // namespace
