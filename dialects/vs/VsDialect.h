//===- VsDialect.h - The vs dialect, its types and attributes ------------------------------===//
//
// Ops are declared per family (CreationOps.h, ElementwiseOps.h, ...): include what you use.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_VSDIALECT_H
#define VESCALE_DIALECTS_VS_VSDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "dialects/vs/VsDialect.h.inc"
#include "dialects/vs/VsEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/vs/VsTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/vs/VsAttributes.h.inc"

namespace vescale::vs {

/// The roles of a function's arguments, as `vs.role` spells them.
inline constexpr llvm::StringLiteral parameterRole = "parameter";
inline constexpr llvm::StringLiteral stateRole = "state";
inline constexpr llvm::StringLiteral batchRole = "batch";
inline constexpr llvm::StringLiteral rngRole = "rng";
inline constexpr llvm::StringLiteral scalarRole = "scalar";

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_VSDIALECT_H
