//===- KernelInterpreter.h - The meaning of a schedule's kernels ----------------------------===//
//
// A kernel is a function of loops over memrefs (passes/codegen/NativeCode.h states its form). Each
// of its ops becomes one closure on a frame of slots, one slot for each value, so that a kernel is
// read once and run for every launch. Reals are rounded to their type after each op, integers wrap
// to theirs; nothing is reordered, contracted or approximated.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_KERNELINTERPRETER_H
#define VESCALE_ANALYSIS_INTERPRETER_KERNELINTERPRETER_H

#include "analysis/interpreter/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace vescale::analysis {

/// Bytes of an element in memory; an i1 takes one.
int64_t bytesOf(ElementType type);
/// Reads or writes element `index` of an array of elements of a type, as `Tensor` holds them.
void loadElement(const std::byte *array, int64_t index, Tensor &tensor, int64_t element);
void storeElement(std::byte *array, int64_t index, const Tensor &tensor, int64_t element);

class KernelInterpreter {
public:
  /// Reads a kernel; fails with an error at the op that has no meaning here.
  static mlir::FailureOr<KernelInterpreter> get(mlir::func::FuncOp kernel);

  /// Runs iterations [begin, end) of the outer loop on dense row-major arrays.
  void run(llvm::ArrayRef<std::byte *> memrefs, llvm::ArrayRef<int64_t> parameters, int64_t begin,
           int64_t end) const;

private:
  struct Slot {
    double real = 0;
    int64_t integer = 0;
    std::byte *memory = nullptr;
  };
  using Frame = std::vector<Slot>;
  using Code = std::function<void(Frame &)>;
  class Reader;

  std::vector<Code> body;
  /// Slots of the kernel's arguments, in order; a memref's slot holds its memory.
  std::vector<unsigned> memrefs, scalars;
  unsigned slots = 0;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_KERNELINTERPRETER_H
