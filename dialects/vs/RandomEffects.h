//===- RandomEffects.h - Keeps draws without an id apart -----------------------------------===//

#ifndef VESCALE_DIALECTS_VS_RANDOMEFFECTS_H
#define VESCALE_DIALECTS_VS_RANDOMEFFECTS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace vescale::vs {

/// Reports the effects of a `RandomOpInterface` op. With a draw id it is a pure function. Without
/// one, two equal ops mean two draws: the first result counts as allocated, so that the op may
/// be removed where unused but never merged with its twin.
void reportDrawEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_RANDOMEFFECTS_H
