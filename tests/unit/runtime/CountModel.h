//===- CountModel.h - A model for tests of training ------------------------===//
//
// How often each byte occurs: the weights are 256 logits, the loss is the mean cross-entropy, the
// optimizer is gradient descent with momentum. Its schedule is written by hand, its kernels are
// C++.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_RUNTIME_COUNTMODEL_H
#define VESCALE_TESTS_UNIT_RUNTIME_COUNTMODEL_H

#include "runtime/format/KernelTable.h"

#include <cstdint>
#include <vector>

namespace vescale::runtime::test {

constexpr int64_t countBytes = 256, countRows = 8, countSequence = 16;
constexpr uint64_t countChecksum = 42;

struct CountVariant {
  int64_t ranks = 1, microBatches = 1;
  bool gradients = true; ///< Hands out the gradient.
  bool hangs = false;    ///< A kernel never returns.
  bool wholeLoss = true; ///< Otherwise the loss claims to be partial.
  bool givesLoss = true; ///< Otherwise no instruction hands out the loss.
  bool fromFile = false; ///< The weights must be loaded.
  bool evaluates = true; ///< Has a function that evaluates the loss.
};

/// The bytes of the schedule file: data-parallel over `ranks`.
std::vector<uint8_t> compileCountModel(const CountVariant &variant);

/// Its kernels: four.
extern const vescale_kernel countKernels[4];

} // namespace vescale::runtime::test

#endif // VESCALE_TESTS_UNIT_RUNTIME_COUNTMODEL_H
