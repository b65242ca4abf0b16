//===- ScaleModel.h - What compile time is measured on ----------------------------*- C++ -*-===//

#ifndef VESCALE_BENCH_COMPILER_SCALEMODEL_H
#define VESCALE_BENCH_COMPILER_SCALEMODEL_H

#include <cstdint>
#include <string>

namespace vescale::bench {

enum class Sizes {
  /// Meshes of up to 128 x 128 devices divide them.
  even,
  /// Batch and vocabulary leave a remainder on any mesh, the hidden size of the perceptrons from 32 devices on.
  /// On a mesh of powers of two up to 128 the last index along each axis has less than the others. Attention is
  /// not cut.
  uneven,
};

/// A GPT, as text.
std::string scaleModel(int64_t layers, Sizes sizes);

/// A plan file, on disk while this lives: data parallel groups of Megatron groups.
class ScalePlan {
public:
  ScalePlan(int64_t data, int64_t tensor, Sizes sizes);
  ~ScalePlan();
  ScalePlan(const ScalePlan &) = delete;
  ScalePlan &operator=(const ScalePlan &) = delete;

  const std::string &path() const { return file; }

private:
  std::string file;
};

} // namespace vescale::bench

#endif // VESCALE_BENCH_COMPILER_SCALEMODEL_H
