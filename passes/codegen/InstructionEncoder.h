//===- InstructionEncoder.h - instructions as records of the schedule file -*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_INSTRUCTIONENCODER_H
#define VESCALE_PASSES_CODEGEN_INSTRUCTIONENCODER_H

#include "dialects/sched/SchedOps.h"
#include "runtime/format/Schedule.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <unordered_map>

namespace vescale {

/// The tables of a schedule that instructions refer to by index.
class ScheduleTables {
public:
  /// `mesh` becomes mesh 0.
  ScheduleTables(runtime::Schedule &schedule, const layout::Mesh &mesh);

  /// The runtime's name of an element type; one that it does not have is noted in `unsupported`.
  runtime::ElementType element(mlir::Type type);
  mlir::Type unsupported;
  uint32_t layout(mlir::Type tensorType);
  /// `none` for an unknown location.
  uint32_t location(mlir::Location location);
  void addKernel(llvm::StringRef symbol);
  void addTensor(llvm::StringRef symbol) { tensors.try_emplace(symbol, tensors.size()); }
  /// `none` where there is none of that name.
  uint32_t kernel(llvm::StringRef symbol) const;
  uint32_t tensor(llvm::StringRef symbol) const;

private:
  uint32_t mesh(const layout::Mesh &mesh);

  runtime::Schedule &schedule;
  std::unordered_map<layout::Mesh, uint32_t> meshes;
  std::unordered_map<layout::Layout, uint32_t> layouts;
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>, uint32_t> locations;
  llvm::StringMap<uint32_t> kernels, tensors;
};

/// Encodes a program and notes its buffers in the tensors that `schedule` has already.
mlir::FailureOr<runtime::Program> encodeProgram(sched::ProgramOp program, runtime::Schedule &schedule,
                                                ScheduleTables &tables);

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_INSTRUCTIONENCODER_H
