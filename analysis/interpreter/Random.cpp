//===- Random.cpp - The random numbers of a draw --------------------------------------------===//

#include "analysis/interpreter/Random.h"

#include <cmath>

namespace vescale::analysis {
namespace {

struct Block {
  uint32_t word[4];
};

Block philox(Block counter, uint64_t seed) {
  uint32_t low = static_cast<uint32_t>(seed), high = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53) * counter.word[0];
    uint64_t second = uint64_t(0xCD9E8D57) * counter.word[2];
    counter = {{static_cast<uint32_t>(second >> 32) ^ counter.word[1] ^ low,
                static_cast<uint32_t>(second),
                static_cast<uint32_t>(first >> 32) ^ counter.word[3] ^ high,
                static_cast<uint32_t>(first)}};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

Block blockOf(const Draw &draw, uint64_t element) {
  uint64_t number = element / 4;
  return philox(
      {{static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32), draw.id, draw.step}},
      draw.seed);
}

} // namespace

// Of a generator: seed, step, and the two numbers that make draw id d number d * factor + offset.
enum Field { seedField, stepField, factorField, offsetField };

Draw drawOf(const Tensor &generator, int64_t id) {
  int64_t number = id * generator.integer(factorField) + generator.integer(offsetField);
  return {static_cast<uint64_t>(generator.integer(seedField)),
          static_cast<uint32_t>(generator.integer(stepField)), static_cast<uint32_t>(number)};
}

Tensor generatorOfRun(const Tensor &generator, int64_t run, int64_t count) {
  // Draw d of the run is draw d * count + run of the outer generator.
  Tensor inner = generator;
  int64_t factor = generator.integer(factorField);
  inner.setInteger(factorField, factor * count);
  inner.setInteger(offsetField, factor * run + generator.integer(offsetField));
  return inner;
}

double uniformNumber(const Draw &draw, uint64_t element) {
  return (blockOf(draw, element).word[element % 4] >> 8) * 0x1p-24;
}

double normalNumber(const Draw &draw, uint64_t element) {
  Block block = blockOf(draw, element);
  int lane = static_cast<int>(element % 4), pair = lane / 2 * 2;
  // The radius must not be infinite, so its uniform number is in (0, 1].
  double radius = std::sqrt(-2 * std::log(((block.word[pair] >> 8) + 1.0) * 0x1p-24));
  double angle = 2 * M_PI * ((block.word[pair + 1] >> 8) * 0x1p-24);
  return radius * (lane == pair ? std::cos(angle) : std::sin(angle));
}

} // namespace vescale::analysis
