//===- MetricNames.cpp - what the results of a model are called -----------===//

#include "passes/training/MetricNames.h"

#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale {

std::string metricName(func::FuncOp model, unsigned number) {
  if (auto name = model.getResultAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName))
    return name.str();
  return number == 0 ? "loss" : "metric_" + std::to_string(number);
}

} // namespace vescale
