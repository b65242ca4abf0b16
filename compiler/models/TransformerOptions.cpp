//===- TransformerOptions.cpp - What describes any transformer ------------===//

#include "compiler/models/TransformerOptions.h"

namespace vescale {

std::string faultOfSize(int64_t value, const char *name) {
  // Products of three sizes stay within 64 bits.
  constexpr int64_t most = 1 << 20;
  if (value > 0 && value <= most)
    return "";
  return "--" + std::string(name) + " must lie between 1 and " + std::to_string(most) + ", is " + std::to_string(value);
}

std::string TransformerOptions::fault() const {
  for (std::string problem : {faultOfSize(layers, "layers"), faultOfSize(hidden, "hidden"),
                              faultOfSize(heads, "heads"), faultOfSize(batch, "batch")})
    if (!problem.empty())
      return problem;
  if (hidden % heads != 0)
    return "--hidden " + std::to_string(hidden) + " is not a multiple of --heads " + std::to_string(heads);
  if (mlp < 0)
    return "--mlp must not be negative, is " + std::to_string(mlp);
  if (type != "f32" && type != "f64")
    return "--type must be f32 or f64, is '" + type + "'";
  return "";
}

std::string TextTransformerOptions::fault() const {
  for (std::string problem : {TransformerOptions::fault(), faultOfSize(sequence, "sequence"),
                              faultOfSize(vocabulary, "vocabulary")})
    if (!problem.empty())
      return problem;
  if (keyHeads < 0 || (keyHeads > 0 && heads % keyHeads != 0))
    return "--heads " + std::to_string(heads) + " is not a multiple of --key-heads " + std::to_string(keyHeads);
  return "";
}

} // namespace vescale
