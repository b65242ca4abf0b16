//===- RandomEffects.cpp - Keeps draws without an id apart ---------------------------------===//

#include "dialects/vs/RandomEffects.h"

#include "dialects/vs/VsInterfaces.h"

using namespace mlir;

void vescale::vs::reportDrawEffects(
    Operation *op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  auto random = cast<RandomOpInterface>(op);
  if (random.drawsRandomNumbers() && !random.drawId())
    effects.emplace_back(MemoryEffects::Allocate::get(), op->getOpResult(0));
}
