//===- TrainedFunctions.h - The model and its gradients ------------------------------------===//

#ifndef VESCALE_PASSES_TRAINING_TRAINEDFUNCTIONS_H
#define VESCALE_PASSES_TRAINING_TRAINEDFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace vescale {

struct TrainedFunctions {
  mlir::func::FuncOp model;
  /// What vs-differentiate made of the model.
  mlir::func::FuncOp gradients;
};

/// The model named `function` and its gradients; an error at the module where either is missing.
mlir::FailureOr<TrainedFunctions> findTrainedFunctions(mlir::ModuleOp module,
                                                       llvm::StringRef function);

} // namespace vescale

#endif // VESCALE_PASSES_TRAINING_TRAINEDFUNCTIONS_H
