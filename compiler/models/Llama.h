//===- Llama.h - The Llama family as vs IR ----------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_MODELS_LLAMA_H
#define VESCALE_COMPILER_MODELS_LLAMA_H

#include "compiler/models/TransformerOptions.h"

#include <string>

namespace vescale {

/// A decoder-only transformer with rotary positions, RMS norms before attention and MLP, grouped queries, a gated MLP
/// (SwiGLU), no biases and an output projection of its own, as Llama 3 (Dubey et al., 2024). Parameters have the names
/// of Hugging Face's implementation without the leading `model.`.
struct LlamaOptions : TextTransformerOptions {
  /// The base of the rotary angles: pair i of a head of size d turns by position * base^(-2i/d).
  double ropeBase = 10000;

  std::string fault() const;
};

/// The text of a module with the function `@loss(tokens, targets, parameters...) -> loss`.
std::string buildLlama(const LlamaOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_LLAMA_H
