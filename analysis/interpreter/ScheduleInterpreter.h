//===- ScheduleInterpreter.h - The meaning of schedules -------------------------------------===//
//
// Runs the programs of a lowered schedule on all ranks of its mesh, each with the bytes of its arena.
// A rank runs its instructions in program order, which is one of the orders that the events allow,
// up to its next collective; when all ranks have come there, the global tensor is rebuilt from what
// they hold, which checks that they agree, and cut by the layout after the collective. Kernels are
// interpreted (KernelInterpreter.h), library calls are simple loops.
//
// Numbers are in their declared types: what an instruction writes is rounded to the type of its
// operand. Arenas start with bytes that stand for no sensible number, so what is read before it is
// written shows.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_SCHEDULEINTERPRETER_H
#define VESCALE_ANALYSIS_INTERPRETER_SCHEDULEINTERPRETER_H

#include "analysis/interpreter/KernelInterpreter.h"
#include "analysis/interpreter/Shards.h"

#include "dialects/sched/SchedOps.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace vescale::analysis {

/// Numbers that the host knows in a step.
struct ScheduleStep {
  /// Counted from 0.
  int64_t number = 0;
  double learningRate = 0x1p-10;
  uint64_t seed = 0;
};

class ScheduleInterpreter {
public:
  /// `kernels` holds the kernels' functions. Fails with an error where one has no meaning, or the
  /// programs do not fit the mesh.
  static mlir::FailureOr<std::unique_ptr<ScheduleInterpreter>> get(sched::ScheduleOp schedule,
                                                                   mlir::ModuleOp kernels);

  /// Sets a named tensor on all ranks, and what the host gives for it in each step.
  mlir::LogicalResult set(sched::TensorOp tensor, const Tensor &value);
  mlir::LogicalResult run(const ScheduleStep &step);
  /// The whole of a named tensor; fails where ranks do not agree.
  mlir::FailureOr<Tensor> value(sched::TensorOp tensor);

  /// The tensors that are to be set before a step, in their order: all but what a step computes.
  static llvm::SmallVector<sched::TensorOp> inputs(sched::ScheduleOp schedule);
  /// What a step computes, in the order of a training step's results: first the parameters and states
  /// that it replaces.
  static llvm::SmallVector<sched::TensorOp> outputs(sched::ScheduleOp schedule);

private:
  struct Rank {
    layout::Coordinate coordinate;
    sched::ProgramOp program;
    std::vector<std::byte> arena;
    /// What is left to do, the next op last; loops are unrolled as they are met.
    std::vector<std::pair<mlir::Operation *, std::vector<int64_t>>> pending;
  };

  explicit ScheduleInterpreter(sched::ScheduleOp schedule) : schedule(schedule) {}

  mlir::LogicalResult placeRanks();
  /// Runs a rank up to its next collective, which stays pending, or to the end.
  mlir::LogicalResult runToCollective(Rank &rank, const ScheduleStep &step);
  mlir::LogicalResult runInstruction(Rank &rank, mlir::Operation *op, const ScheduleStep &step,
                                     llvm::ArrayRef<int64_t> iterations);
  mlir::LogicalResult runCollective();
  int64_t scalar(const Rank &rank, mlir::Value value, const ScheduleStep &step,
                 llvm::ArrayRef<int64_t> iterations);
  static std::byte *memory(Rank &rank, sched::InstructionOpInterface instruction, unsigned operand);
  /// The buffer of a tensor in a program, or null.
  sched::BufferOp bufferOf(sched::ProgramOp program, sched::TensorOp tensor);

  sched::ScheduleOp schedule;
  std::vector<Rank> ranks;
  std::map<std::string, KernelInterpreter> kernels;
  std::map<std::string, Tensor> given;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_SCHEDULEINTERPRETER_H
