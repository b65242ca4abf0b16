//===- Vs.h - The vs dialect and all its ops -----------------------------------------------===//
//
// For code that treats many families; prefer the header of the family that you need.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_VS_H
#define VESCALE_DIALECTS_VS_VS_H

#include "dialects/vs/AttentionOps.h"
#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/ConvolutionOps.h"
#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/IndexingOps.h"
#include "dialects/vs/LayerOps.h"
#include "dialects/vs/ReductionOps.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/StateOps.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"

#endif // VESCALE_DIALECTS_VS_VS_H
