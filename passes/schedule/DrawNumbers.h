//===- DrawNumbers.h - which draw of the step a draw id is -----*- C++ -*-===//

#ifndef VESCALE_PASSES_SCHEDULE_DRAWNUMBERS_H
#define VESCALE_PASSES_SCHEDULE_DRAWNUMBERS_H

#include "mlir/IR/Value.h"
#include "mlir/Support/LogicalResult.h"

#include <cstdint>
#include <optional>

namespace vescale {

/// Draw id d of a generator is draw d * count of the step, plus the number of the run of the loop.
struct DrawNumbers {
  int64_t count = 1;
  /// The loop, counted from the outermost, in whose body the generator is used; none outside of loops.
  std::optional<int64_t> loop;
};

/// The numbers of the draws of a generator, which comes from an argument of the function through the arguments of
/// loops. Emits an error and fails where it comes through several loops.
mlir::FailureOr<DrawNumbers> drawNumbers(mlir::Value generator);

} // namespace vescale

#endif // VESCALE_PASSES_SCHEDULE_DRAWNUMBERS_H
