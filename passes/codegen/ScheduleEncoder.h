//===- ScheduleEncoder.h - from the sched dialect to a schedule -*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_SCHEDULEENCODER_H
#define VESCALE_PASSES_CODEGEN_SCHEDULEENCODER_H

#include "runtime/format/Schedule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

namespace vescale {

/// Translates the one `sched.schedule` of a module, and the symbols of its `sched.kernel_image`, into a
/// schedule of the runtime, and checks it with the runtime's verifier. Emits an error and fails where
/// the module has no such ops, or the schedule does not verify.
mlir::FailureOr<runtime::Schedule> encodeModule(mlir::ModuleOp module);

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_SCHEDULEENCODER_H
