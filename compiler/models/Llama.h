//===- Llama.h - The Llama family as vs IR ----------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_MODELS_LLAMA_H
#define VESCALE_COMPILER_MODELS_LLAMA_H

#include <cstdint>
#include <string>

namespace vescale {

/// A decoder-only transformer with rotary positions, RMS norms before attention and MLP, grouped queries, a gated MLP
/// (SwiGLU), no biases and an output projection of its own, as Llama 3 (Dubey et al., 2024). Parameters have the names
/// of Hugging Face's implementation without the leading `model.`.
struct LlamaOptions {
  int64_t layers = 2;
  int64_t hidden = 64;
  int64_t heads = 4;
  /// Heads of keys and values; 0 means as many as `heads`.
  int64_t keyHeads = 0;
  /// Tokens of a training sample.
  int64_t sequence = 64;
  /// Samples of one step, over all devices.
  int64_t batch = 8;
  int64_t vocabulary = 256;
  /// Width of the MLP; 0 means 4 * hidden.
  int64_t mlp = 0;
  /// The base of the rotary angles: pair i of a head of size d turns by position * base^(-2i/d).
  double ropeBase = 10000;
  /// Element type of parameters and activations: f32 or f64.
  std::string type = "f32";

  /// Why the options make no model; empty where they do.
  std::string fault() const;
};

/// The text of a module with the function `@loss(tokens, targets, parameters...) -> loss`.
std::string buildLlama(const LlamaOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_LLAMA_H
