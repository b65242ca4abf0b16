//===- Gpt.h - The GPT family as vs IR --------------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_MODELS_GPT_H
#define VESCALE_COMPILER_MODELS_GPT_H

#include <cstdint>
#include <string>

namespace vescale {

/// A decoder-only transformer with learned positions, layer norms before attention and MLP, GELU (tanh form), biases,
/// and the output projection tied to the token embedding, as GPT-2 (Radford et al., 2019).
struct GptOptions {
  int64_t layers = 2;
  int64_t hidden = 64;
  int64_t heads = 4;
  /// Heads of keys and values; 0 means as many as `heads`. Fewer of them have weights of their own for q, k and v.
  int64_t keyHeads = 0;
  /// Tokens of a training sample.
  int64_t sequence = 64;
  /// Samples of one step, over all devices.
  int64_t batch = 8;
  int64_t vocabulary = 256;
  /// Width of the MLP; 0 means 4 * hidden.
  int64_t mlp = 0;
  double dropout = 0;
  /// Element type of parameters and activations: f32 or f64.
  std::string type = "f32";

  /// Why the options make no model; empty where they do.
  std::string fault() const;
};

/// The text of a module with the function `@loss(tokens, targets, parameters..., [rng]) -> loss`.
std::string buildGpt(const GptOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_GPT_H
