/// The parameters of published models by the groups in which FSDP gathers them: one group for each
/// transformer block, one for what comes before and after the blocks. Shapes are those of the
/// published configurations and checkpoints.
#ifndef VESCALE_BENCH_LAYOUT_MODELTENSORS_H
#define VESCALE_BENCH_LAYOUT_MODELTENSORS_H

#include "layout/RaggedPacking.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vescale::bench {

struct ModelTensor {
  std::string name;
  std::vector<int64_t> shape;
};

/// Tensors that one collective gathers; `count` blocks of the model are alike.
struct TensorGroup {
  std::string name;
  int64_t count;
  std::vector<ModelTensor> tensors;
};

/// DeepSeek-V3 671B (without the multi-token-prediction module): 61 blocks with multi-head latent
/// attention, 3 of them dense, 58 with 256 routed experts, which are fused into one tensor for each
/// of gate, up and down.
std::vector<TensorGroup> deepSeekV3();

/// GPT-OSS 120B: 36 blocks with 128 experts; gate and up are one fused tensor.
std::vector<TensorGroup> gptOss120B();

/// The elements of a tensor.
int64_t elementCount(const ModelTensor &tensor);

/// Which tensors must be cut between blocks of rows; the others may be cut at any element.
enum class BlockedTensors {
  experts, ///< The fused routed experts: what block-wise quantisation works on.
  all,
};

/// The group as a packing problem whose blocks are `rows` rows: slices of the last dim (single
/// elements of a tensor with one dim).
layout::PackingProblem packingProblem(const TensorGroup &group, int64_t rows,
                                      BlockedTensors blocked, int64_t devices);

} // namespace vescale::bench

#endif // VESCALE_BENCH_LAYOUT_MODELTENSORS_H
