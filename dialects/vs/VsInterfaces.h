//===- VsInterfaces.h - What an op of vs tells the passes ----------------------------------===//

#ifndef VESCALE_DIALECTS_VS_VSINTERFACES_H
#define VESCALE_DIALECTS_VS_VSINTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

#include "dialects/vs/VsInterfaces.h.inc"

#endif // VESCALE_DIALECTS_VS_VSINTERFACES_H
