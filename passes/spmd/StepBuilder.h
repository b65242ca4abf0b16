//===- StepBuilder.h - Builds a step of a redistribution ------------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_SPMD_STEPBUILDER_H
#define VESCALE_PASSES_SPMD_STEPBUILDER_H

#include "layout/StepKind.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace vescale {

/// The step of this kind that makes a tensor of type `after` of `value`.
mlir::Value buildStep(mlir::OpBuilder &builder, mlir::Location location, layout::StepKind kind,
                      mlir::Value value, mlir::RankedTensorType after);

} // namespace vescale

#endif // VESCALE_PASSES_SPMD_STEPBUILDER_H
