//===- Passes.h - passes of the schedule stage ------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_SCHEDULE_PASSES_H
#define VESCALE_PASSES_SCHEDULE_PASSES_H

#include "dialects/sched/SchedDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

/// The module inside the module that sched-lower puts kernels into.
inline constexpr llvm::StringLiteral kernelModuleName = "kernels";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/schedule/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_SCHEDULE_PASSES_H
