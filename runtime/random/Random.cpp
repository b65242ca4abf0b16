#include "runtime/random/Random.h"

#include "runtime/library/Multiversion.h"
#include "runtime/random/BoxMuller.h"

#include <algorithm>
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace vescale::runtime;

namespace {

/// Counters that are computed together; a multiple of every vector width.
constexpr int blockCounters = 16;
constexpr int64_t blockElements = 4 * blockCounters;

/// The words of `blockCounters` consecutive counters, lane-major, so that what follows vectorises
/// over counters.
struct Words {
  uint32_t lane[4][blockCounters];
};

void blockWordsPlain(Words &words, uint64_t firstCounter, const RandomDraw &draw) {
  for (int i = 0; i < blockCounters; ++i) {
    uint64_t counter = firstCounter + static_cast<uint64_t>(i);
    std::array<uint32_t, 4> block =
        philox4x32({static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), draw.draw,
                    draw.step},
                   draw.seed);
    for (int lane = 0; lane < 4; ++lane)
      words.lane[lane][i] = block[lane];
  }
}

#ifdef __x86_64__
/// Eight counters in two vectors of 64-bit elements per word, since the 32 x 32 -> 64 bit product
/// needs that form anyway.
__attribute__((target("avx2"))) void blockWordsAvx2(Words &words, uint64_t firstCounter,
                                                    const RandomDraw &draw) {
  const __m256i low32 = _mm256_set1_epi64x(0xffffffff);
  const __m256i multiplier0 = _mm256_set1_epi64x(0xD2511F53),
                multiplier1 = _mm256_set1_epi64x(0xCD9E8D57);
  for (int group = 0; group < blockCounters; group += 8) {
    __m256i word[4][2];
    for (int half = 0; half < 2; ++half) {
      __m256i counter = _mm256_add_epi64(
          _mm256_set1_epi64x(static_cast<int64_t>(firstCounter) + group + 4 * half),
          _mm256_setr_epi64x(0, 1, 2, 3));
      word[0][half] = _mm256_and_si256(counter, low32);
      word[1][half] = _mm256_srli_epi64(counter, 32);
      word[2][half] = _mm256_set1_epi64x(draw.draw);
      word[3][half] = _mm256_set1_epi64x(draw.step);
    }
    uint32_t key0 = static_cast<uint32_t>(draw.seed), key1 = static_cast<uint32_t>(draw.seed >> 32);
    for (int round = 0; round < 10; ++round) {
      for (int half = 0; half < 2; ++half) {
        __m256i product0 = _mm256_mul_epu32(multiplier0, word[0][half]);
        __m256i product1 = _mm256_mul_epu32(multiplier1, word[2][half]);
        word[0][half] =
            _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), word[1][half]),
                             _mm256_set1_epi64x(key0));
        word[1][half] = _mm256_and_si256(product1, low32);
        word[2][half] =
            _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), word[3][half]),
                             _mm256_set1_epi64x(key1));
        word[3][half] = _mm256_and_si256(product0, low32);
      }
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    for (int lane = 0; lane < 4; ++lane) {
      __m256i packed = _mm256_castps_si256(_mm256_shuffle_ps(
          _mm256_castsi256_ps(word[lane][0]), _mm256_castsi256_ps(word[lane][1]), 0x88));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(&words.lane[lane][group]),
                          _mm256_permute4x64_epi64(packed, 0xD8));
    }
  }
}

const bool hasAvx2 = __builtin_cpu_supports("avx2");
#endif

inline void blockWords(Words &words, uint64_t firstCounter, const RandomDraw &draw) {
#ifdef __x86_64__
  if (hasAvx2)
    return blockWordsAvx2(words, firstCounter, draw);
#endif
  blockWordsPlain(words, firstCounter, draw);
}

template <typename Real>
inline __attribute__((always_inline)) void uniformBlock(Real *out, uint64_t firstCounter,
                                                        const RandomDraw &draw) {
  Words words;
  blockWords(words, firstCounter, draw);
  for (int i = 0; i < blockCounters; ++i)
    for (int lane = 0; lane < 4; ++lane)
      out[4 * i + lane] = uniformFromBits<Real>(words.lane[lane][i]);
}

template <typename Real>
inline __attribute__((always_inline)) void normalBlock(Real *out, uint64_t firstCounter,
                                                       const RandomDraw &draw) {
  Words words;
  blockWords(words, firstCounter, draw);
  Real values[4][blockCounters];
  for (int pair = 0; pair < 4; pair += 2)
    for (int i = 0; i < blockCounters; ++i)
      normalFromBits(words.lane[pair][i], words.lane[pair + 1][i], values[pair][i],
                     values[pair + 1][i]);
  for (int i = 0; i < blockCounters; ++i)
    for (int lane = 0; lane < 4; ++lane)
      out[4 * i + lane] = values[lane][i];
}

/// Runs `block` over the counters that hold [start, start + count) and copies what was asked for.
template <typename Real, typename Block>
inline __attribute__((always_inline)) void fillBlocks(Real *out, int64_t start, int64_t count,
                                                      Block block) {
  Real values[blockElements];
  int64_t skip = start % 4;
  uint64_t counter = static_cast<uint64_t>(start) / 4;
  while (count > 0) {
    int64_t taken = std::min(blockElements - skip, count);
    block(values, counter);
    std::copy_n(values + skip, taken, out);
    out += taken;
    count -= taken;
    counter += blockCounters;
    skip = 0;
  }
}

VESCALE_MULTIVERSION void uniformRun(float *out, int64_t start, int64_t count,
                                     const RandomDraw &draw) {
  fillBlocks(
      out, start, count, [&](float *values, uint64_t counter) __attribute__((always_inline)) {
        uniformBlock(values, counter, draw);
      });
}

VESCALE_MULTIVERSION void uniformRun(double *out, int64_t start, int64_t count,
                                     const RandomDraw &draw) {
  fillBlocks(
      out, start, count, [&](double *values, uint64_t counter) __attribute__((always_inline)) {
        uniformBlock(values, counter, draw);
      });
}

VESCALE_MULTIVERSION void normalRun(float *out, int64_t start, int64_t count,
                                    const RandomDraw &draw) {
  fillBlocks(
      out, start, count, [&](float *values, uint64_t counter) __attribute__((always_inline)) {
        normalBlock(values, counter, draw);
      });
}

VESCALE_MULTIVERSION void normalRun(double *out, int64_t start, int64_t count,
                                    const RandomDraw &draw) {
  fillBlocks(
      out, start, count, [&](double *values, uint64_t counter) __attribute__((always_inline)) {
        normalBlock(values, counter, draw);
      });
}

/// Elements of a strided box row that are drawn at once.
constexpr int64_t rowBuffer = 256;

} // namespace

template <typename Real>
void vescale::runtime::fillRandom(Real *out, int64_t start, int64_t count,
                                  Distribution distribution, const RandomDraw &draw) {
  if (distribution == Distribution::uniform)
    uniformRun(out, start, count, draw);
  else
    normalRun(out, start, count, draw);
}

template <typename Real>
void vescale::runtime::fillRandomBox(Real *out, const std::vector<int64_t> &shape,
                                     const std::vector<int64_t> &offset,
                                     const std::vector<int64_t> &size,
                                     const std::vector<int64_t> &strides, Distribution distribution,
                                     const RandomDraw &draw, Real scale, Real shift) {
  int rank = static_cast<int>(shape.size());
  for (int64_t extent : size)
    if (extent == 0)
      return;
  // Rows run along the last dim, where global indices are consecutive; a scalar is one row of one
  // element.
  int64_t rowLength = rank == 0 ? 1 : size.back();
  int64_t rowStride = rank == 0 ? 1 : strides.back();
  std::vector<int64_t> index(rank, 0);
  while (true) {
    int64_t global = 0;
    Real *row = out;
    for (int d = 0; d < rank; ++d) {
      global = global * shape[d] + offset[d] + index[d];
      row += index[d] * strides[d];
    }
    Real values[rowBuffer];
    for (int64_t begin = 0; begin < rowLength; begin += rowBuffer) {
      int64_t count = std::min(rowBuffer, rowLength - begin);
      fillRandom(values, global + begin, count, distribution, draw);
      for (int64_t i = 0; i < count; ++i)
        row[(begin + i) * rowStride] = values[i] * scale + shift;
    }
    int d = rank - 2;
    while (d >= 0 && ++index[d] == size[d])
      index[d--] = 0;
    if (d < 0)
      return;
  }
}

template void vescale::runtime::fillRandom<float>(float *, int64_t, int64_t, Distribution,
                                                  const RandomDraw &);
template void vescale::runtime::fillRandom<double>(double *, int64_t, int64_t, Distribution,
                                                   const RandomDraw &);
template void vescale::runtime::fillRandomBox<float>(float *, const std::vector<int64_t> &,
                                                     const std::vector<int64_t> &,
                                                     const std::vector<int64_t> &,
                                                     const std::vector<int64_t> &, Distribution,
                                                     const RandomDraw &, float, float);
template void vescale::runtime::fillRandomBox<double>(double *, const std::vector<int64_t> &,
                                                      const std::vector<int64_t> &,
                                                      const std::vector<int64_t> &,
                                                      const std::vector<int64_t> &, Distribution,
                                                      const RandomDraw &, double, double);

extern "C" {

void vescale_random_uniform_f32(float *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                                uint32_t step, uint64_t seed) {
  uniformRun(out, globalIndexStart, count, {draw, step, seed});
}

void vescale_random_uniform_f64(double *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                                uint32_t step, uint64_t seed) {
  uniformRun(out, globalIndexStart, count, {draw, step, seed});
}

void vescale_random_normal_f32(float *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                               uint32_t step, uint64_t seed) {
  normalRun(out, globalIndexStart, count, {draw, step, seed});
}

void vescale_random_normal_f64(double *out, int64_t globalIndexStart, int64_t count, uint32_t draw,
                               uint32_t step, uint64_t seed) {
  normalRun(out, globalIndexStart, count, {draw, step, seed});
}

} // extern "C"
