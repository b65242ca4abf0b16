//===- GradientCheck.h - Gradients of a model against differences ---------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_GRADIENTCHECK_H
#define VESCALE_TESTS_DIFFERENTIAL_GRADIENTCHECK_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace vescale::analysis {

/// Differentiates a copy of the model @loss and compares the derivative of the loss along a random
/// direction with a central difference. Parameters are random reals, off the grid on which
/// maxima tie and roundings jump; where a step may still have crossed such a point, another is
/// tried. The difference, or the error, where no point agrees.
std::optional<std::string> checkGradients(mlir::ModuleOp model, uint64_t seed);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_GRADIENTCHECK_H
