//===- Attention.h - Attention on plain tensors ---------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_ATTENTION_H
#define VESCALE_ANALYSIS_INTERPRETER_ATTENTION_H

#include "analysis/interpreter/Random.h"
#include "analysis/interpreter/Tensor.h"

#include <array>

namespace vescale::analysis {

struct AttentionOptions {
  double scale = 1;
  bool causal = false;
  /// The probability that a probability is dropped, and what draws it.
  double dropout = 0;
  Draw draw;
  /// Where batch, heads, queries and keys start in the global tensors.
  std::array<int64_t, 4> start = {0, 0, 0, 0};
  /// Heads, queries and keys of the global tensors.
  std::array<int64_t, 3> globalSizes = {0, 0, 0};
};

/// q: (batch, heads, queries, head size), k and v with fewer heads and their own sequence, `bias` of
/// the scores' shape with size 1 as batch or heads where they share it, or null.
struct AttentionInputs {
  const Tensor &q, &k, &v;
  const Tensor *bias = nullptr;
};

/// Adds the output and the log-sum-exp to tensors of zeros.
void evaluateAttention(const AttentionInputs &inputs, const AttentionOptions &options,
                       Tensor &output, Tensor &logSumExp);

/// Adds the gradients of q, k, v and, where it is not null, of the bias to tensors of zeros.
void evaluateAttentionGradient(const AttentionInputs &inputs, const AttentionOptions &options,
                               const Tensor &output, const Tensor &logSumExp,
                               const Tensor &gradient, std::array<Tensor *, 4> gradients);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_ATTENTION_H
