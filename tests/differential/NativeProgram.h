//===- NativeProgram.h - A compiled module, run in this process -----------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_NATIVEPROGRAM_H
#define VESCALE_TESTS_DIFFERENTIAL_NATIVEPROGRAM_H

#include "analysis/interpreter/Tensor.h"
#include "dialects/sched/SchedOps.h"
#include "runtime/executor/Executor.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace vescale::analysis {

/// The schedule and machine code of a module after code generation, loaded by the runtime: all ranks
/// are in this process. No linker and no file is needed.
class NativeProgram {
public:
  static layout::StatusOr<std::unique_ptr<NativeProgram>> get(mlir::ModuleOp module);
  ~NativeProgram();

  /// Sets this tensor on all ranks, and what the host gives for it in each step.
  void set(sched::TensorOp tensor, const Tensor &value);
  layout::Status run(const runtime::StepScalars &step) { return executor->runStep(step); }
  /// Fails where ranks do not agree.
  layout::StatusOr<Tensor> value(sched::TensorOp tensor) const;

private:
  NativeProgram() = default;
  uint32_t indexOf(sched::TensorOp tensor) const;
  layout::Status fill(const runtime::HostTransfer &transfer) const;

  std::unique_ptr<llvm::orc::LLJIT> machineCode;
  std::vector<vescale_kernel> kernels;
  std::unique_ptr<runtime::Executor> executor;
  /// By number of the tensor and of the rank: what the host gives.
  std::map<std::pair<uint32_t, int64_t>, Tensor> given;
};

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_NATIVEPROGRAM_H
