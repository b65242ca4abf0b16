#include "runtime/library/MatMulKernel.h"
#include "runtime/library/Convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>

using namespace vescale::runtime;

namespace {

/// A tensor of any type beside its values in f64.
struct Values {
  ElementType type;
  std::vector<double> exact;
  std::vector<char> bytes;

  Values(ElementType type, int64_t count, std::mt19937 &generator, bool poison = false)
      : type(type), exact(count), bytes(count * elementBytes(type)) {
    std::normal_distribution<double> normal;
    std::vector<float> single(count);
    for (int64_t i = 0; i < count; ++i)
      single[i] =
          poison ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(normal(generator));
    if (type == ElementType::F64) {
      for (int64_t i = 0; i < count; ++i)
        reinterpret_cast<double *>(bytes.data())[i] = single[i];
    } else {
      convertFromFloat(bytes.data(), type, single.data(), count);
    }
    exact = read();
  }

  std::vector<double> read() const {
    std::vector<double> result(exact.size());
    if (type == ElementType::F64) {
      const double *values = reinterpret_cast<const double *>(bytes.data());
      return std::vector<double>(values, values + exact.size());
    }
    std::vector<float> single(exact.size());
    convertToFloat(single.data(), bytes.data(), type, single.size());
    return std::vector<double>(single.begin(), single.end());
  }
};

double unitRoundoff(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 0x1p-53;
  case ElementType::BF16:
    return 0x1p-8;
  case ElementType::F16:
    return 0x1p-11;
  default:
    return 0x1p-24;
  }
}

int64_t address(const MatMul &d, const Matrix &matrix, const std::vector<int64_t> &batch,
                int64_t row, int64_t column) {
  int64_t result =
      matrix.transposed ? column * matrix.leading + row : row * matrix.leading + column;
  for (size_t l = 0; l < d.batch.size(); ++l)
    result += batch[l] * matrix.batchStrides[l];
  return result;
}

/// Runs `d` in all its parts and compares every element with the definition, in f64; elements
/// outside c must not change.
void check(const MatMul &d, int workers, int64_t sizeA, int64_t sizeB, int64_t sizeC) {
  std::mt19937 generator(7);
  Values a(d.input, sizeA, generator), b(d.input, sizeB, generator),
      c(d.output, sizeC, generator, d.beta == 0);
  auto kernel = MatMulKernel::prepare(d, workers);
  ASSERT_TRUE(kernel.ok()) << kernel.message();
  // Parts are independent: run them backwards.
  for (int64_t part = kernel->parts(); part-- > 0;)
    kernel->run(part, part + 1, a.bytes.data(), b.bytes.data(), c.bytes.data());

  std::vector<double> got = c.read();
  std::vector<bool> written(sizeC, false);
  int64_t batches = 1;
  for (int64_t size : d.batch)
    batches *= size;
  double accumulation = d.input == ElementType::F64 ? 0x1p-53 : 0x1p-24;
  for (int64_t flat = 0; flat < batches; ++flat) {
    std::vector<int64_t> batch(d.batch.size());
    int64_t rest = flat;
    for (size_t l = d.batch.size(); l-- > 0; rest /= d.batch[l])
      batch[l] = rest % d.batch[l];
    // Distances of neighbours along k: the inner loop is most of the test's time.
    int64_t stepA = d.a.transposed ? d.a.leading : 1, stepB = d.b.transposed ? 1 : d.b.leading;
    for (int64_t i = 0; i < d.m; ++i)
      for (int64_t j = 0; j < d.n; ++j) {
        double sum = 0, magnitude = 0;
        int64_t atA = address(d, d.a, batch, i, 0), atB = address(d, d.b, batch, 0, j);
        for (int64_t p = 0; p < d.k; ++p) {
          double product = a.exact[atA + p * stepA] * b.exact[atB + p * stepB];
          sum += product;
          magnitude += std::abs(product);
        }
        int64_t at = address(d, d.c, batch, i, j);
        double previous = d.beta == 0 ? 0 : d.beta * c.exact[at];
        double expected = d.alpha * sum + previous;
        double tolerance =
            (d.k + 3) * accumulation * (std::abs(d.alpha) * magnitude + std::abs(previous)) +
            unitRoundoff(d.output) * std::abs(expected);
        ASSERT_NEAR(got[at], expected, tolerance)
            << "batch " << flat << " element " << i << ", " << j;
        written[at] = true;
      }
  }
  for (int64_t at = 0; at < sizeC; ++at)
    if (!written[at])
      ASSERT_TRUE(got[at] == c.exact[at] || (std::isnan(got[at]) && std::isnan(c.exact[at])))
          << "gap at " << at;
}

/// Dense operands with `pad` unused elements after every stored row.
void checkDense(ElementType input, ElementType output, std::vector<int64_t> batch, int64_t m,
                int64_t n, int64_t k, int transposes, double alpha = 1, double beta = 0,
                int workers = 1, int64_t pad = 0, bool broadcastB = false) {
  SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k << " transposes " << transposes
                                  << " alpha " << alpha << " beta " << beta << " "
                                  << elementName(input) << " workers " << workers);
  MatMul d;
  d.batch = batch;
  d.m = m;
  d.n = n;
  d.k = k;
  d.input = input;
  d.output = output;
  d.alpha = alpha;
  d.beta = beta;
  auto dense = [&](Matrix &matrix, int64_t rows, int64_t columns, bool transposed, bool broadcast) {
    matrix.transposed = transposed;
    matrix.leading = (transposed ? rows : columns) + pad;
    int64_t stride = (transposed ? columns : rows) * matrix.leading;
    matrix.batchStrides.assign(batch.size(), 0);
    int64_t total = stride;
    for (size_t l = batch.size(); l-- > 0;) {
      matrix.batchStrides[l] = broadcast ? 0 : total;
      total *= broadcast ? 1 : batch[l];
    }
    return total;
  };
  int64_t sizeA = dense(d.a, m, k, transposes & 1, false);
  int64_t sizeB = dense(d.b, k, n, transposes & 2, broadcastB);
  int64_t sizeC = dense(d.c, m, n, transposes & 4, false);
  check(d, workers, sizeA, sizeB, sizeC);
}

const ElementType reals[] = {ElementType::F32, ElementType::F64};

TEST(MatMulKernel, ComputesAllTransposesOfSmallAndLargeShapes) {
  for (ElementType type : reals)
    for (int transposes = 0; transposes < 8; ++transposes) {
      checkDense(type, type, {}, 17, 33, 9, transposes);
      checkDense(type, type, {}, 128, 128, 128, transposes);
      checkDense(type, type, {}, 200, 40, 30, transposes);
      checkDense(type, type, {}, 40, 200, 30, transposes);
      checkDense(type, type, {}, 150, 140, 160, transposes);
    }
}

TEST(MatMulKernel, ComputesSizesOfZeroAndOne) {
  for (ElementType type : reals)
    for (int transposes = 0; transposes < 8; ++transposes)
      for (int64_t m : {0, 1, 5})
        for (int64_t n : {0, 1, 5})
          for (int64_t k : {0, 1, 5})
            for (double beta : {0.0, 1.0, 0.5})
              checkDense(type, type, {}, m, n, k, transposes, 1, beta);
}

TEST(MatMulKernel, AppliesAlphaAndBeta) {
  for (ElementType type : reals)
    for (int64_t size : {20, 150})
      for (double alpha : {1.0, -0.25, 0.0})
        for (double beta : {0.0, 1.0, -2.0})
          checkDense(type, type, {2}, size, size + 1, size + 2, 0, alpha, beta);
}

TEST(MatMulKernel, LeavesGapsBetweenRowsAlone) {
  for (int transposes = 0; transposes < 8; ++transposes) {
    checkDense(ElementType::F32, ElementType::F32, {2, 3}, 13, 14, 15, transposes, 1, 1, 1, 3);
    checkDense(ElementType::F32, ElementType::F32, {2}, 130, 140, 150, transposes, 1, 0, 1, 5);
  }
}

TEST(MatMulKernel, GivesTheSameTilesAnyNumberOfWorkers) {
  for (int workers : {1, 2, 3, 7, 64})
    for (int transposes : {0, 1, 2, 3, 7}) {
      checkDense(ElementType::F32, ElementType::F32, {}, 300, 70, 60, transposes, 1, 0, workers);
      checkDense(ElementType::F32, ElementType::F32, {}, 70, 300, 60, transposes, 1, 0, workers);
      checkDense(ElementType::F32, ElementType::F32, {}, 128, 128, 128, transposes, 1, 0, workers);
      checkDense(ElementType::F32, ElementType::F32, {}, 300, 200, 150, transposes, 1, 0, workers);
      checkDense(ElementType::F32, ElementType::F32, {5}, 100, 64, 64, transposes, 1, 0, workers);
      checkDense(ElementType::F32, ElementType::F32, {0}, 100, 64, 64, transposes, 1, 0, workers);
    }
}

TEST(MatMulKernel, CutsWorkIntoPartsOnlyWhereItPays) {
  MatMul d;
  d.m = d.n = d.k = 512;
  d.a = d.b = d.c = {{}, 512, false};
  EXPECT_EQ(MatMulKernel::prepare(d, 4)->parts(), 4);
  EXPECT_EQ(MatMulKernel::prepare(d, 1)->parts(), 1);
  d.m = d.n = d.k = 16;
  EXPECT_EQ(MatMulKernel::prepare(d, 4)->parts(), 1);
  d.batch = {256};
  d.a.batchStrides = d.b.batchStrides = d.c.batchStrides = {512 * 512};
  EXPECT_EQ(MatMulKernel::prepare(d, 4)->parts(), 4);
  EXPECT_EQ(MatMulKernel::prepare(d, 4)->operations(), 2.0 * 256 * 16 * 16 * 16);
}

TEST(MatMulKernel, BroadcastsBatchesByStrideZero) {
  for (int transposes = 0; transposes < 4; ++transposes)
    checkDense(ElementType::F32, ElementType::F32, {3, 4}, 20, 30, 40, transposes, 1, 0, 2, 0,
               true);
}

TEST(MatMulKernel, TakesHeadsBetweenSequenceAndSize) {
  // (batch 2, sequence 10, heads 3, size 8): q k^T per batch and head, with the head inside the
  // row.
  MatMul d;
  d.batch = {2, 3};
  d.m = d.n = 10;
  d.k = 8;
  d.a = {{240, 8}, 24, false};
  d.b = {{240, 8}, 24, true};
  d.c = {{300, 100}, 10, false};
  check(d, 2, 480, 480, 600);
}

TEST(MatMulKernel, AccumulatesHalfPrecisionInSinglePrecision) {
  for (ElementType input : {ElementType::BF16, ElementType::F16})
    for (ElementType output : {input, ElementType::F32})
      for (int transposes = 0; transposes < 8; ++transposes) {
        checkDense(input, output, {2}, 20, 30, 70, transposes, 1, 0, 2);
        checkDense(input, output, {}, 3, 270, 600, transposes, 0.5, 1, 2);
        checkDense(input, output, {}, 5, 4, 0, transposes);
      }
}

std::string refusal(MatMul d) {
  auto kernel = MatMulKernel::prepare(d, 1);
  return kernel.ok() ? "accepted" : kernel.message();
}

TEST(MatMulKernel, RefusesWhatItCannotCompute) {
  MatMul good;
  good.m = 4, good.n = 5, good.k = 6, good.batch = {2};
  good.a = {{24}, 6, false}, good.b = {{30}, 5, false}, good.c = {{20}, 5, false};
  EXPECT_EQ(refusal(good), "accepted");
  MatMul d = good;
  d.input = ElementType::I32;
  EXPECT_EQ(refusal(d), "matmul: no product i32 -> f32");
  d = good;
  d.output = ElementType::BF16;
  EXPECT_EQ(refusal(d), "matmul: no product f32 -> bf16");
  d = good;
  d.b.leading = 4;
  EXPECT_EQ(refusal(d), "matmul: operand b has leading dimension 4, shorter than its rows of 5");
  d = good;
  d.a.transposed = true;
  d.a.leading = 3;
  EXPECT_EQ(refusal(d), "matmul: operand a has leading dimension 3, shorter than its rows of 4");
  d = good;
  d.c.batchStrides = {0};
  EXPECT_EQ(refusal(d), "matmul: batch elements of operand c overlap");
  d = good;
  d.c.batchStrides = {19};
  EXPECT_EQ(refusal(d), "matmul: batch elements of operand c overlap");
  d = good;
  d.a.batchStrides = {};
  EXPECT_EQ(refusal(d), "matmul: operand a has 0 batch strides for 1 batch dims");
  d = good;
  d.k = -1;
  EXPECT_EQ(refusal(d), "matmul: sizes 4 x 5 x -1 are out of range");
  d = good;
  d.batch = {-2};
  EXPECT_EQ(refusal(d), "matmul: negative batch size -2");
}

TEST(OpenBlas, StartsNoThreads) {
  checkDense(ElementType::F32, ElementType::F32, {}, 200, 200, 200, 0);
  std::ifstream status("/proc/self/status");
  std::string line, threads;
  while (std::getline(status, line))
    if (line.rfind("Threads:", 0) == 0)
      threads = line.substr(8);
  EXPECT_EQ(std::stoi(threads), 1);
}

TEST(Convert, RoundsToNearestEvenAndKeepsNotANumber) {
  auto through = [](float value, ElementType type) {
    uint16_t half;
    float result;
    convertFromFloat(&half, type, &value, 1);
    convertToFloat(&result, &half, type, 1);
    return result;
  };
  EXPECT_EQ(through(1 + 0x1p-8f, ElementType::BF16), 1.0f);
  EXPECT_EQ(through(1 + 0x3p-8f, ElementType::BF16), 1 + 0x1p-6f);
  EXPECT_EQ(through(1 + 0x1.1p-8f, ElementType::BF16), 1 + 0x1p-7f);
  EXPECT_EQ(through(0x1.ffffp127f, ElementType::BF16), std::numeric_limits<float>::infinity());
  EXPECT_EQ(through(1 + 0x1p-11f, ElementType::F16), 1.0f);
  EXPECT_EQ(through(1 + 0x3p-11f, ElementType::F16), 1 + 0x1p-9f);
  EXPECT_EQ(through(1e6f, ElementType::F16), std::numeric_limits<float>::infinity());
  for (ElementType type : {ElementType::BF16, ElementType::F16}) {
    uint32_t bits = 0x7f800001; // A not-a-number whose payload is in the bits that are dropped.
    float nan;
    std::memcpy(&nan, &bits, 4);
    EXPECT_TRUE(std::isnan(through(nan, type)));
    EXPECT_EQ(through(-std::numeric_limits<float>::infinity(), type),
              -std::numeric_limits<float>::infinity());
  }
}

} // namespace
