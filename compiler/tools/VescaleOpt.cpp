//===- VescaleOpt.cpp - Runs any pass on any module ----------------------------------------===//

#include "compiler/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  vescale::registerVescaleDialects(registry);
  vescale::registerVescalePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "runs passes on veScale modules\n", registry));
}
