//===- ExpandMath.h - transcendental functions as arithmetic ----*- C++ -*-===//

#ifndef VESCALE_PASSES_CODEGEN_EXPANDMATH_H
#define VESCALE_PASSES_CODEGEN_EXPANDMATH_H

#include <memory>

namespace mlir {
class Pass;
}

namespace vescale {

/// Replaces f32 functions of the math dialect by branch-free arithmetic, which LLVM's loop vectoriser can
/// vectorise; calls of libm it cannot. f64 functions stay: they become calls of libm.
std::unique_ptr<mlir::Pass> createExpandMathPass();

} // namespace vescale

#endif // VESCALE_PASSES_CODEGEN_EXPANDMATH_H
