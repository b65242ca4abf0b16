#include "runtime/library/AttentionKernel.h"
#include "runtime/library/VectorMath.h"
#include "runtime/random/Random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace vescale::runtime;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A (batch, heads, sequence, size) tensor, dense, or with heads inside the rows as (batch,
/// sequence, heads, size).
struct Tensor4 {
  int64_t batch, heads, sequence, size;
  AttentionStrides strides;
  std::vector<double> values;

  Tensor4(int64_t batch, int64_t heads, int64_t sequence, int64_t size, bool headsInside)
      : batch(batch), heads(heads), sequence(sequence), size(size),
        values(batch * heads * sequence * size) {
    strides = headsInside ? AttentionStrides{sequence * heads * size, size, heads * size}
                          : AttentionStrides{heads * sequence * size, sequence * size, size};
  }
  double &at(int64_t b, int64_t h, int64_t i, int64_t c) {
    return values[b * strides.batch + h * strides.head + i * strides.sequence + c];
  }
};

struct Case {
  int64_t batch = 2, heads = 4, keyHeads = 2, queries = 70, keys = 70, size = 16;
  bool causal = false, bias = false, headsInside = false;
  double dropout = 0, scale = 0.3;
  AttentionPosition position;
  int64_t globalHeads = 0, globalQueries = 0, globalKeys = 0;
};

/// The definition, in f64, with the whole matrix of scores.
struct Reference {
  Tensor4 q, k, v, output, outputGradient, qGradient, kGradient, vGradient;
  std::vector<double> bias, logSumExp;

  explicit Reference(const Case &c, bool single)
      : q(c.batch, c.heads, c.queries, c.size, c.headsInside),
        k(c.batch, c.keyHeads, c.keys, c.size, c.headsInside), v(k), output(q), outputGradient(q),
        qGradient(q), kGradient(k), vGradient(k),
        bias(c.bias ? c.batch * c.heads * c.queries * c.keys : 0),
        logSumExp(c.batch * c.heads * c.queries) {
    std::mt19937 generator(11);
    std::normal_distribution<double> normal;
    for (std::vector<double> *values :
         {&q.values, &k.values, &v.values, &outputGradient.values, &bias})
      for (double &value : *values)
        value = single ? static_cast<float>(normal(generator)) : normal(generator);
    for (size_t i = 0; i < bias.size(); i += 7)
      bias[i] = -infinity;
    int64_t group = c.keyHeads ? c.heads / c.keyHeads : 1;
    std::vector<double> p(c.keys), kept(c.keys);
    for (int64_t b = 0; b < c.batch; ++b)
      for (int64_t h = 0; h < c.heads; ++h)
        for (int64_t i = 0; i < c.queries; ++i) {
          double maximum = -infinity, sum = 0;
          for (int64_t j = 0; j < c.keys; ++j) {
            double score = 0;
            for (int64_t e = 0; e < c.size; ++e)
              score += c.scale * q.at(b, h, i, e) * k.at(b, h / group, j, e);
            if (c.bias)
              score += bias[((b * c.heads + h) * c.queries + i) * c.keys + j];
            if (c.causal && c.position.key + j > c.position.query + i)
              score = -infinity;
            p[j] = score;
            maximum = std::max(maximum, score);
            uint64_t global =
                (((c.position.batch + b) * c.globalHeads + c.position.head + h) * c.globalQueries +
                 c.position.query + i) *
                    c.globalKeys +
                c.position.key + j;
            kept[j] = uniformFromBits<double>(randomBits(c.position.draw, global)) >= c.dropout
                          ? 1 / (1 - c.dropout)
                          : 0;
          }
          for (double score : p)
            sum += maximum == -infinity ? 0 : std::exp(score - maximum);
          double logSum = maximum == -infinity ? maximum : maximum + std::log(sum);
          logSumExp[(b * c.heads + h) * c.queries + i] = logSum;
          double delta = 0;
          for (int64_t j = 0; j < c.keys; ++j)
            p[j] = maximum == -infinity ? 0 : std::exp(p[j] - logSum);
          for (int64_t e = 0; e < c.size; ++e) {
            for (int64_t j = 0; j < c.keys; ++j)
              output.at(b, h, i, e) += p[j] * kept[j] * v.at(b, h / group, j, e);
            delta += output.at(b, h, i, e) * outputGradient.at(b, h, i, e);
          }
          for (int64_t j = 0; j < c.keys; ++j) {
            double dp = 0;
            for (int64_t e = 0; e < c.size; ++e) {
              dp += outputGradient.at(b, h, i, e) * v.at(b, h / group, j, e);
              vGradient.at(b, h / group, j, e) += p[j] * kept[j] * outputGradient.at(b, h, i, e);
            }
            double ds = c.scale * p[j] * (dp * kept[j] - delta);
            for (int64_t e = 0; e < c.size; ++e) {
              qGradient.at(b, h, i, e) += ds * k.at(b, h / group, j, e);
              kGradient.at(b, h / group, j, e) += ds * q.at(b, h, i, e);
            }
          }
        }
  }
};

template <typename Real> std::vector<Real> rounded(const std::vector<double> &values) {
  return std::vector<Real>(values.begin(), values.end());
}

/// Compares by the largest magnitude of the whole tensor, or of the terms that cancel in it, in
/// units of the type.
template <typename Real>
void expectClose(const char *name, const std::vector<Real> &got,
                 const std::vector<double> &expected, double bound) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 1;
  for (double value : expected)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < got.size(); ++i) {
    if (expected[i] == -infinity)
      ASSERT_EQ(got[i], -infinity) << name << " " << i;
    else
      ASSERT_NEAR(got[i], expected[i], bound * largest * std::numeric_limits<Real>::epsilon())
          << name << " " << i;
  }
}

template <typename Real>
Attention describe(const Case &c, const Reference &reference, bool backward) {
  Attention d;
  d.backward = backward;
  d.batch = c.batch, d.heads = c.heads, d.keyHeads = c.keyHeads;
  d.queryLength = c.queries, d.keyLength = c.keys, d.headSize = c.size;
  d.element = std::is_same_v<Real, float> ? ElementType::F32 : ElementType::F64;
  d.causal = c.causal, d.scale = c.scale, d.dropout = c.dropout, d.bias = c.bias;
  d.globalHeads = c.globalHeads, d.globalQueryLength = c.globalQueries,
  d.globalKeyLength = c.globalKeys;
  d.q = d.output = reference.q.strides;
  d.k = d.v = reference.k.strides;
  return d;
}

template <typename Real> void check(Case c, int workers = 1) {
  if (c.globalHeads == 0)
    c.globalHeads = c.heads, c.globalQueries = c.queries, c.globalKeys = c.keys;
  SCOPED_TRACE(testing::Message() << c.batch << "x" << c.heads << "/" << c.keyHeads << " "
                                  << c.queries << " queries " << c.keys << " keys size " << c.size
                                  << " causal " << c.causal << " bias " << c.bias << " dropout "
                                  << c.dropout << (std::is_same_v<Real, float> ? " f32" : " f64"));
  Reference reference(c, std::is_same_v<Real, float>);
  auto q = rounded<Real>(reference.q.values), k = rounded<Real>(reference.k.values),
       v = rounded<Real>(reference.v.values), bias = rounded<Real>(reference.bias),
       outputGradient = rounded<Real>(reference.outputGradient.values);
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> output(q.size(), nan), logSumExp(reference.logSumExp.size(), nan);
  std::vector<Real> qGradient(q.size(), nan), kGradient(k.size(), nan), vGradient(v.size(), nan);

  for (bool backward : {false, true}) {
    auto kernel = AttentionKernel::prepare(describe<Real>(c, reference, backward), workers);
    ASSERT_TRUE(kernel.ok()) << kernel.message();
    std::vector<void *> operands = {q.data(), k.data(), v.data()};
    if (c.bias)
      operands.push_back(bias.data());
    operands.insert(operands.end(), {output.data(), logSumExp.data()});
    if (backward)
      operands.insert(operands.end(), {outputGradient.data(), qGradient.data(), kGradient.data(),
                                       vGradient.data()});
    for (int64_t part = kernel->parts(); part-- > 0;)
      kernel->run(part, part + 1, operands.data(), c.position);
  }
  expectClose("output", output, reference.output.values, 20);
  expectClose("log-sum-exp", logSumExp, reference.logSumExp, 20);
  expectClose("q gradient", qGradient, reference.qGradient.values, 40);
  expectClose("k gradient", kGradient, reference.kGradient.values, 40);
  expectClose("v gradient", vGradient, reference.vGradient.values, 40);
}

template <typename Real> class Attentions : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Attentions, Reals);

TYPED_TEST(Attentions, AgreeWithTheDefinitionAtAllBlockBoundaries) {
  for (int64_t queries : {0, 1, 5, 64, 65, 130})
    for (int64_t keys : {0, 1, 63, 64, 129})
      for (bool causal : {false, true}) {
        Case c;
        c.batch = 1, c.heads = 2, c.keyHeads = 1, c.size = 8;
        c.queries = queries, c.keys = keys, c.causal = causal;
        check<TypeParam>(c);
      }
}

TYPED_TEST(Attentions, AgreeForAllHeadCountsSizesAndLayouts) {
  for (int64_t keyHeads : {1, 2, 4})
    for (int64_t size : {1, 7, 64, 136})
      for (bool headsInside : {false, true}) {
        Case c;
        c.keyHeads = keyHeads, c.size = size, c.headsInside = headsInside, c.causal = true;
        c.batch = 1 + (keyHeads == 2);
        c.scale = 1 / std::sqrt(static_cast<double>(size));
        check<TypeParam>(c, 3);
      }
  Case none;
  none.heads = none.keyHeads = 0;
  check<TypeParam>(none);
  none.batch = 0;
  check<TypeParam>(none);
}

TYPED_TEST(Attentions, AddTheBias) {
  for (bool causal : {false, true}) {
    Case c;
    c.bias = true, c.causal = causal, c.queries = 75;
    check<TypeParam>(c, 2);
  }
}

TYPED_TEST(Attentions, DropScoresByTheirGlobalIndex) {
  for (bool causal : {false, true}) {
    Case c;
    c.dropout = 0.3, c.causal = causal, c.bias = causal;
    c.position.draw = {5, 6, 7};
    check<TypeParam>(c, 2);
    c.position.batch = 3, c.position.head = 8, c.position.query = 50, c.position.key = 13;
    c.globalHeads = 12, c.globalQueries = 201, c.globalKeys = 99;
    check<TypeParam>(c, 2);
  }
}

TYPED_TEST(Attentions, MaskByGlobalPositions) {
  for (int64_t shift : {-100, -64, -3, 0, 1, 40, 64, 100}) {
    Case c;
    c.causal = true;
    c.position.query = 200 + shift, c.position.key = 200;
    check<TypeParam>(c);
  }
}

TEST(Attention, OfACutSequenceIsThePartOfTheWhole) {
  // Queries 64 .. 99 of 100, computed alone, are bitwise those of the whole: blocks of keys are the
  // same.
  Case c;
  c.queries = c.keys = 100, c.causal = true, c.batch = 1, c.heads = c.keyHeads = 1, c.dropout = 0.2;
  c.globalHeads = 1, c.globalQueries = c.globalKeys = 100;
  c.position.draw = {1, 2, 3};
  Reference reference(c, true);
  auto q = rounded<float>(reference.q.values), k = rounded<float>(reference.k.values),
       v = rounded<float>(reference.v.values);
  std::vector<float> whole(q.size()), part(36 * c.size), sums(100);
  auto wholeKernel = AttentionKernel::prepare(describe<float>(c, reference, false), 1);
  void *wholeOperands[] = {q.data(), k.data(), v.data(), whole.data(), sums.data()};
  wholeKernel->run(0, wholeKernel->parts(), wholeOperands, c.position);
  Attention d = describe<float>(c, reference, false);
  d.queryLength = 36;
  auto partKernel = AttentionKernel::prepare(d, 1);
  void *partOperands[] = {q.data() + 64 * c.size, k.data(), v.data(), part.data(), sums.data()};
  AttentionPosition position = c.position;
  position.query = 64;
  partKernel->run(0, partKernel->parts(), partOperands, position);
  for (int64_t i = 0; i < 36 * c.size; ++i)
    ASSERT_NEAR(part[i], whole[64 * c.size + i], 1e-6);
}

TEST(Attention, LetsNotANumberThrough) {
  Case c;
  c.batch = c.heads = c.keyHeads = 1, c.queries = c.keys = 5;
  Reference reference(c, true);
  auto q = rounded<float>(reference.q.values), k = rounded<float>(reference.k.values),
       v = rounded<float>(reference.v.values);
  q[0] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> output(q.size()), sums(5);
  auto kernel = AttentionKernel::prepare(describe<float>(c, reference, false), 1);
  void *operands[] = {q.data(), k.data(), v.data(), output.data(), sums.data()};
  kernel->run(0, 1, operands, {});
  EXPECT_TRUE(std::isnan(output[0]));
  EXPECT_TRUE(std::isnan(sums[0]));
  EXPECT_FALSE(std::isnan(output[c.size]));
}

std::string refusal(const Attention &d) {
  auto kernel = AttentionKernel::prepare(d, 1);
  return kernel.ok() ? "accepted" : kernel.message();
}

TEST(Attention, RefusesWhatItCannotCompute) {
  Attention good;
  good.batch = 1, good.heads = 4, good.keyHeads = 2, good.queryLength = good.keyLength = 8,
  good.headSize = 4;
  good.q = good.k = good.v = good.output = {128, 32, 4};
  EXPECT_EQ(refusal(good), "accepted");
  Attention d = good;
  d.element = ElementType::BF16;
  EXPECT_EQ(refusal(d), "attention: no kernel for bf16");
  d = good;
  d.keyHeads = 3;
  EXPECT_EQ(refusal(d), "attention: 4 heads cannot share 3 key heads evenly");
  d = good;
  d.dropout = 1;
  EXPECT_EQ(refusal(d), "attention: dropout rate 1 is not in [0, 1)");
  d = good;
  d.v.sequence = 3;
  EXPECT_EQ(refusal(d), "attention: the sequence stride 3 of v does not hold a head of 4");
  d = good;
  d.queryLength = -1;
  EXPECT_EQ(refusal(d), "attention: size -1 is out of range");
  d = good;
  d.scale = infinity;
  EXPECT_EQ(refusal(d), "attention: scale inf is not finite");
}

TEST(Exponential, IsWithinTwoUnitsInTheLastPlace) {
  for (double x = -86.9; x < 87; x += 0.00371) {
    float single = static_cast<float>(x);
    double exact = std::exp(static_cast<double>(single));
    ASSERT_NEAR(exponential(single), exact, exact * 0x1p-22) << x;
  }
  for (double x = -707; x < 708; x += 0.0371)
    ASSERT_NEAR(exponential(x), std::exp(x), std::exp(x) * 0x1p-51) << x;
  EXPECT_EQ(exponential(-static_cast<float>(infinity)), 0.0f);
  EXPECT_EQ(exponential(-1000.0f), 0.0f);
  EXPECT_EQ(exponential(-infinity), 0.0);
  EXPECT_EQ(exponential(0.0f), 1.0f);
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_TRUE(std::isnan(exponential(std::nanf(""))));
}

} // namespace
