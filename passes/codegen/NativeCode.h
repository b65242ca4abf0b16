//===- NativeCode.h - machine code of generated kernels ---------*- C++ -*-===//
//
// From kernels as MLIR functions on memrefs to one relocatable object file.
//
// Steps: 1. transcendental functions become arithmetic (ExpandMath.h); 2. structured control flow, memrefs and
// arithmetic become the LLVM dialect, with bare pointers for memrefs; 3. each kernel gets an entry function with
// the ABI of the schedule; 4. LLVM optimises (its loop vectoriser does all vectorisation) and emits the object.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_CODEGEN_NATIVECODE_H
#define VESCALE_PASSES_CODEGEN_NATIVECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace vescale {

/// What machine code is made for.
struct NativeTarget {
  /// A CPU name of LLVM. The default runs on every x86-64 machine with AVX2 and FMA.
  std::string cpu = "x86-64-v3";
  /// 0 (fast to compile) to 3.
  unsigned optimizationLevel = 3;
};

/// The attribute of a kernel function that asks for an entry function.
///
/// A kernel is a `func.func` with this unit attribute whose arguments are memrefs with identity layouts, then
/// `index` parameters, then two `index` bounds `begin` and `end` of its outer parallel loop. Its entry function
/// has the same name and the C signature
/// `void kernel(void *const *arguments, const int64_t *parameters, int64_t begin, int64_t end)`;
/// memref k is `arguments[k]`, parameter k is `parameters[k]`.
inline constexpr llvm::StringLiteral kernelAttributeName = "sched.kernel";

/// Lowers `module`, which is consumed, and appends the bytes of an ELF object to `object`. Emits a diagnostic at
/// the op that cannot be lowered and fails otherwise.
mlir::LogicalResult generateNativeCode(mlir::ModuleOp module, const NativeTarget &target,
                                       llvm::SmallVectorImpl<char> &object);

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_NATIVECODE_H
