//===- MetricNames.h - what the results of a model are called --*- C++ -*-===//

#ifndef VESCALE_PASSES_TRAINING_METRICNAMES_H
#define VESCALE_PASSES_TRAINING_METRICNAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace vescale {

/// The name of result `number` of a model's function: its `vs.name`, or else "loss" for the first and
/// "metric_<number>" for the others.
std::string metricName(mlir::func::FuncOp model, unsigned number);

} // namespace vescale

#endif // VESCALE_PASSES_TRAINING_METRICNAMES_H
