//===- TransformerOptions.cpp - What describes any transformer ------------===//

#include "compiler/models/TransformerOptions.h"

namespace vescale {

std::string faultUnlessPositive(int64_t value, const char *name) {
  return value > 0 ? std::string() : "--" + std::string(name) + " must be positive, is " + std::to_string(value);
}

std::string TransformerOptions::fault() const {
  for (std::string problem : {faultUnlessPositive(layers, "layers"), faultUnlessPositive(hidden, "hidden"),
                              faultUnlessPositive(heads, "heads"), faultUnlessPositive(batch, "batch")})
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
  for (std::string problem : {TransformerOptions::fault(), faultUnlessPositive(sequence, "sequence"),
                              faultUnlessPositive(vocabulary, "vocabulary")})
    if (!problem.empty())
      return problem;
  if (keyHeads < 0 || (keyHeads > 0 && heads % keyHeads != 0))
    return "--heads " + std::to_string(heads) + " is not a multiple of --key-heads " + std::to_string(keyHeads);
  return "";
}

} // namespace vescale
