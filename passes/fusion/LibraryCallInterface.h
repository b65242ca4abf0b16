//===- LibraryCallInterface.h - ops that a library computes -----*- C++ -*-===//

#ifndef VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_H
#define VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_H

#include "mlir/IR/OpDefinition.h"

#include "passes/fusion/LibraryCallInterface.h.inc"

#endif // VESCALE_PASSES_FUSION_LIBRARYCALLINTERFACE_H
