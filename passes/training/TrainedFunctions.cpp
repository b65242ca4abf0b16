//===- TrainedFunctions.cpp - The model and its gradients ----------------------------------===//

#include "passes/training/TrainedFunctions.h"

#include "passes/training/Passes.h"

using namespace mlir;

FailureOr<vescale::TrainedFunctions> vescale::findTrainedFunctions(ModuleOp module,
                                                                   StringRef function) {
  TrainedFunctions found{module.lookupSymbol<func::FuncOp>(function),
                         module.lookupSymbol<func::FuncOp>(gradientsFunctionName)};
  if (found.model && found.gradients)
    return found;
  return module.emitError() << "there is no function '@"
                            << (found.model ? StringRef(gradientsFunctionName) : function)
                            << "'; run vs-differentiate first";
}
