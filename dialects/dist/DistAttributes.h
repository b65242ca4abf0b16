//===- DistAttributes.h - Meshes, layouts, wishes, futures -------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_DISTATTRIBUTES_H
#define VESCALE_DIALECTS_DIST_DISTATTRIBUTES_H

#include "layout/Layout.h"
#include "layout/Mesh.h"
#include "layout/Wish.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TensorEncoding.h"

#include <optional>

#include "dialects/dist/DistEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/dist/DistAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/dist/DistTypes.h.inc"

#endif // VESCALE_DIALECTS_DIST_DISTATTRIBUTES_H
