//===- TransformerOptions.h - What describes any transformer ----*- C++ -*-===//

#ifndef VESCALE_COMPILER_MODELS_TRANSFORMEROPTIONS_H
#define VESCALE_COMPILER_MODELS_TRANSFORMEROPTIONS_H

#include <cstdint>
#include <string>

namespace vescale {

/// The sizes that all transformers have.
struct TransformerOptions {
  int64_t layers = 2;
  int64_t hidden = 64;
  int64_t heads = 4;
  /// Samples of one step, over all devices.
  int64_t batch = 8;
  /// Width of the MLP; 0 means 4 * hidden.
  int64_t mlp = 0;
  /// Element type of parameters and activations: f32 or f64.
  std::string type = "f32";

  /// Why the options make no model; empty where they do. Those of a family check what they add and call their base's.
  std::string fault() const;
};

/// Those of transformers that read tokens.
struct TextTransformerOptions : TransformerOptions {
  /// Heads of keys and values; 0 means as many as `heads`.
  int64_t keyHeads = 0;
  /// Tokens of a training sample.
  int64_t sequence = 64;
  int64_t vocabulary = 256;

  std::string fault() const;
};

/// The fault of an option that is no size, from 1 to 2^20; else empty. `name` is that of the command line's option.
std::string faultOfSize(int64_t value, const char *name);

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_TRANSFORMEROPTIONS_H
