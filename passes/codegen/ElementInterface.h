//===- ElementInterface.h - how generated kernels compute an op -*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_ELEMENTINTERFACE_H
#define VESCALE_PASSES_CODEGEN_ELEMENTINTERFACE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "passes/codegen/ElementInterface.h.inc"

namespace vescale {

/// Attaches the interfaces of ElementInterface.td to the ops of the vs dialect.
void registerElementInterfaces(mlir::DialectRegistry &registry);

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_ELEMENTINTERFACE_H
