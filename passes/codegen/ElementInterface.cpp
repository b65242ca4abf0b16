//===- ElementInterface.cpp - how generated kernels compute an op ---------===//

#include "passes/codegen/ElementInterface.h"

#include "passes/codegen/elements/Elements.h"

#include "passes/codegen/ElementInterface.cpp.inc"

void vescale::registerElementInterfaces(mlir::DialectRegistry &registry) {
  elements::registerUnary(registry);
  elements::registerBinary(registry);
  elements::registerShape(registry);
  elements::registerIndexing(registry);
  elements::registerReduction(registry);
  elements::registerScatter(registry);
  elements::registerRandom(registry);
}
