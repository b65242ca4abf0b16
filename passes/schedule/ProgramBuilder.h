//===- ProgramBuilder.h - the program of one class of devices ---*- C++ -*-===//

#ifndef VESCALE_PASSES_SCHEDULE_PROGRAMBUILDER_H
#define VESCALE_PASSES_SCHEDULE_PROGRAMBUILDER_H

#include "passes/schedule/KernelLibrary.h"
#include "passes/schedule/TensorTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <tuple>

namespace vescale {

/// The streams of every program.
inline constexpr int64_t computeStream = 0, communicationStream = 1;

/// The number of the first collective that a step of communication issues; one of several tensors issues one
/// for each, with consecutive numbers. No number is in two functions.
using CollectiveIds = llvm::DenseMap<mlir::Operation *, int64_t>;
CollectiveIds numberCollectives(llvm::ArrayRef<mlir::func::FuncOp> functions);

/// Builds the program that the devices like that at `coordinate` execute.
class ProgramBuilder {
public:
  ProgramBuilder(mlir::func::FuncOp function, const layout::Coordinate &coordinate,
                 const TensorTable &tensors, const CollectiveIds &ids, KernelLibrary &kernels)
      : function(function), coordinate(coordinate), tensors(tensors), ids(ids), kernels(kernels),
        builder(function.getContext()), declarations(function.getContext()) {}

  /// Builds program number `number` where `place` inserts.
  mlir::FailureOr<sched::ProgramOp> build(mlir::OpBuilder &place, int64_t number);

private:
  mlir::LogicalResult buildHostInputs();
  mlir::LogicalResult buildOp(mlir::Operation *op);
  mlir::LogicalResult buildLaunch(mlir::Operation *group);
  mlir::LogicalResult buildLibraryCall(mlir::Operation *op);
  mlir::LogicalResult buildCollectives(mlir::Operation *step);
  mlir::LogicalResult buildLoop(mlir::Operation *loop);
  /// Copies a value to where another one lies, unless it is there already.
  mlir::LogicalResult buildCopy(mlir::Value from, mlir::Value to);
  mlir::LogicalResult buildHostOutputs();

  /// Bytes of a value on this class.
  int64_t bytes(mlir::Value value) const;
  /// The buffer of a value, which holds `tensor` where that is given.
  mlir::FailureOr<mlir::Value> buffer(mlir::Value value, sched::TensorOp tensor = nullptr);
  mlir::Value scalar(sched::ScalarKind kind, int64_t constant, mlir::Type tensorType = nullptr,
                     int64_t dim = 0);
  /// The location of an op with a label for traces.
  mlir::Location labelled(mlir::Operation *op) const;

  mlir::func::FuncOp function;
  const layout::Coordinate &coordinate;
  const TensorTable &tensors;
  const CollectiveIds &ids;
  KernelLibrary &kernels;
  /// Buffers and scalars stand before all instructions.
  mlir::OpBuilder builder, declarations;
  /// By offset and bytes.
  std::map<std::pair<int64_t, int64_t>, sched::BufferOp> buffers;
  std::map<std::tuple<int, int64_t, void *, int64_t>, mlir::Value> scalars;
};

} // namespace vescale

#endif // VESCALE_PASSES_SCHEDULE_PROGRAMBUILDER_H
