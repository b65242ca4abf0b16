//===- Passes.h - passes of the codegen stage -------------------*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_PASSES_H
#define VESCALE_PASSES_CODEGEN_PASSES_H

#include "dialects/sched/SchedDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace vescale {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/codegen/Passes.h.inc"

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_PASSES_H
