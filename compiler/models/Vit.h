//===- Vit.h - Vision transformers as vs IR ---------------------*- C++ -*-===//

#ifndef VESCALE_COMPILER_MODELS_VIT_H
#define VESCALE_COMPILER_MODELS_VIT_H

#include "compiler/models/TransformerOptions.h"

#include <string>

namespace vescale {

/// A classifier of images: patches, learned positions, the blocks of GPT without the causal mask, the mean over
/// patches, one linear layer (Dosovitskiy et al., 2020, with mean pooling in place of a class token).
struct VitOptions : TransformerOptions {
  /// Height and width of an image, and of a patch, which divides it.
  int64_t image = 32;
  int64_t patch = 8;
  int64_t channels = 3;
  int64_t classes = 16;

  std::string fault() const;
};

/// The text of a module with the function `@loss(images, labels, parameters...) -> loss`.
std::string buildVit(const VitOptions &options);

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_VIT_H
