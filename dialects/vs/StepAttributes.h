//===- StepAttributes.h - What the results of a training step say ------------------------------===//

#ifndef VESCALE_DIALECTS_VS_STEPATTRIBUTES_H
#define VESCALE_DIALECTS_VS_STEPATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace vescale::vs {

/// On a result of a function: the number of the argument whose memory it takes, an integer.
inline constexpr llvm::StringLiteral aliasesAttributeName = "vs.aliases";

/// On a batch argument: its row starts this many tokens after the row's position in the data, an integer.
inline constexpr llvm::StringLiteral tokenOffsetAttributeName = "vs.token_offset";

/// On a batch argument: its tokens lie below this number, an integer. Data with others is refused.
inline constexpr llvm::StringLiteral vocabularyAttributeName = "vs.vocabulary";

/// On a batch argument: how many micro-batches its first dim counts, an integer. Names, plans and the host
/// know its other dims.
inline constexpr llvm::StringLiteral microBatchesAttributeName = "vs.micro_batches";

/// How the tag of a parameter's gradient, and the result that keeps it, are named: `<parameter>.gradient`.
inline constexpr llvm::StringLiteral gradientSuffix = ".gradient";

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_STEPATTRIBUTES_H
