//===- PlacementAttributes.h - Attributes that the placement stage reads and writes ----------===//

#ifndef VESCALE_PASSES_PLACEMENT_PLACEMENTATTRIBUTES_H
#define VESCALE_PASSES_PLACEMENT_PLACEMENTATTRIBUTES_H

#include "dialects/dist/Wishes.h"

#include "llvm/ADT/StringRef.h"

namespace vescale {

/// Of a module: its mesh.
inline constexpr llvm::StringLiteral meshAttributeName = "dist.mesh";
using dist::alsoCutByAttributeName;
using dist::wishAttributeName;
/// Of a result: the number of the argument whose place it takes.
inline constexpr llvm::StringLiteral aliasesAttributeName = "vs.aliases";
/// The ending of the name of the tag of a parameter's gradient.
inline constexpr llvm::StringLiteral gradientSuffix = ".gradient";

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_PLACEMENTATTRIBUTES_H
