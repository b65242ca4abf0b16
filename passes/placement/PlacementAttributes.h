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

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_PLACEMENTATTRIBUTES_H
