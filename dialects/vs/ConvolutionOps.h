//===- ConvolutionOps.h - Convolution and pooling --------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_CONVOLUTIONOPS_H
#define VESCALE_DIALECTS_VS_CONVOLUTIONOPS_H

#include "dialects/vs/Types.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/VsInterfaces.h"
#include "dialects/vs/VsTraits.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/vs/ConvolutionOps.h.inc"

#endif // VESCALE_DIALECTS_VS_CONVOLUTIONOPS_H
