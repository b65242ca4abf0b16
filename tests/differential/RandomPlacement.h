//===- RandomPlacement.h - Random legal layouts for a program -------------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_RANDOMPLACEMENT_H
#define VESCALE_TESTS_DIFFERENTIAL_RANDOMPLACEMENT_H

#include "tests/differential/Choice.h"

#include "layout/Mesh.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace vescale::analysis {

/// Up to three axes of sizes 1 to 4, at most `devices` devices, some in another order.
layout::Mesh randomMesh(Choice &choice, int64_t devices);

/// Gives every tensor of a function without layouts a layout: each op is distributed at random as
/// its rule allows, or as its operands are, and operands that are laid out otherwise are
/// redistributed. Ops that state no rule are refused with an error.
mlir::LogicalResult placeRandomly(mlir::func::FuncOp function, const layout::Mesh &mesh,
                                  Choice &choice);

/// Gives some arguments of a function without layouts a wish, and constrains some of its values.
void wishRandomly(mlir::func::FuncOp function, const layout::Mesh &mesh, Choice &choice);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_RANDOMPLACEMENT_H
