//===- Gpt.h - The GPT family as vs IR --------------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_MODELS_GPT_H
#define VESCALE_COMPILER_MODELS_GPT_H

#include "compiler/models/TransformerOptions.h"

#include <string>

namespace vescale {

/// A decoder-only transformer with learned positions, layer norms before attention and MLP, GELU (tanh form), biases,
/// and the output projection tied to the token embedding, as GPT-2 (Radford et al., 2019).
/// Fewer heads of keys and values have weights of their own for q, k and v.
struct GptOptions : TextTransformerOptions {
  double dropout = 0;

  std::string fault() const;
};

/// The text of a module with the function `@loss(tokens, targets, parameters..., [rng]) -> loss`.
std::string buildGpt(const GptOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_GPT_H
