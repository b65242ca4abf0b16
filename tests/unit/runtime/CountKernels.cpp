//===- CountKernels.cpp - Kernels of the count model -----------------------===//

#include "tests/unit/runtime/CountModel.h"

#include <cmath>
#include <cstring>

using namespace vescale::runtime::test;

namespace {

/// args: gradient, loss.
void clear(void *const *args, const int64_t *, int64_t, int64_t) {
  std::memset(args[0], 0, countBytes * sizeof(float));
  std::memset(args[1], 0, sizeof(float));
}

/// args: tokens, weights, gradient, loss. params: number of local tokens. Adds the sums over the
/// local tokens.
void differentiate(void *const *args, const int64_t *params, int64_t, int64_t) {
  const int32_t *tokens = static_cast<const int32_t *>(args[0]);
  const float *weights = static_cast<const float *>(args[1]);
  float *gradient = static_cast<float *>(args[2]), *loss = static_cast<float *>(args[3]);
  double sum = 0;
  for (int64_t v = 0; v < countBytes; ++v)
    sum += std::exp(weights[v]);
  double scale = 1.0 / (countRows * countSequence);
  for (int64_t v = 0; v < countBytes; ++v)
    gradient[v] += static_cast<float>(scale * params[0] * std::exp(weights[v]) / sum);
  double total = 0;
  for (int64_t t = 0; t < params[0]; ++t) {
    gradient[tokens[t]] -= static_cast<float>(scale);
    total += std::log(sum) - weights[tokens[t]];
  }
  *loss += static_cast<float>(scale * total);
}

/// args: gradient, rate, weights, velocity.
void update(void *const *args, const int64_t *, int64_t, int64_t) {
  const float *gradient = static_cast<const float *>(args[0]),
              *rate = static_cast<const float *>(args[1]);
  float *weights = static_cast<float *>(args[2]), *velocity = static_cast<float *>(args[3]);
  for (int64_t v = 0; v < countBytes; ++v) {
    velocity[v] = 0.5f * velocity[v] + gradient[v];
    weights[v] -= *rate * velocity[v];
  }
}

void hang(void *const *, const int64_t *, int64_t, int64_t) {
  while (true) {
  }
}

} // namespace

const vescale_kernel vescale::runtime::test::countKernels[4] = {clear, differentiate, update, hang};
