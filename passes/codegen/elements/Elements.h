//===- Elements.h - families of element forms -------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_ELEMENTS_ELEMENTS_H
#define VESCALE_PASSES_CODEGEN_ELEMENTS_ELEMENTS_H

#include "mlir/IR/DialectRegistry.h"

namespace vescale::elements {

// Each attaches the interfaces of ElementInterface.td to one family of vs ops.
void registerUnary(mlir::DialectRegistry &registry);
void registerBinary(mlir::DialectRegistry &registry);
void registerShape(mlir::DialectRegistry &registry);
void registerIndexing(mlir::DialectRegistry &registry);
void registerReduction(mlir::DialectRegistry &registry);
void registerScatter(mlir::DialectRegistry &registry);
void registerRandom(mlir::DialectRegistry &registry);

} // namespace vescale::elements

#endif // VESCALE_PASSES_CODEGEN_ELEMENTS_ELEMENTS_H
