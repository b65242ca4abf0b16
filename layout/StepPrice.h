//===- StepPrice.h - What one step of a redistribution costs ---------------------------------===//
//
// The price of a step that stands alone, by the same model by which plans are found: a
// reduce-scatter passes partial results around a ring, an all-reduce is a reduce-scatter and an
// all-gather, everything else receives what it does not hold yet.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_STEPPRICE_H
#define VESCALE_LAYOUT_STEPPRICE_H

#include "layout/Layout.h"
#include "layout/LinkCost.h"
#include "layout/StepKind.h"

namespace vescale::layout {

struct StepPrice {
  /// The tensor that the step is about, as the device with the largest part sees it: its bytes
  /// before the step or after it, whichever is more. This is what collective benchmarks call size.
  int64_t payloadBytes = 0;
  /// What the busiest device receives, rounded up to whole bytes. 0 for local steps.
  int64_t bytes = 0;
  /// Predicted time; 0 for local steps and without link costs.
  double seconds = 0;
  /// The part of `seconds` that several tensors in one launch share.
  double latency = 0;
};

/// The price of a legal step (checkStep) on elements of `elementBytes` bytes. `links` may be null.
StepPrice priceStep(StepKind kind, const Layout &before, const Layout &after, const Shape &shape,
                    int64_t elementBytes, const LinkCosts *links = nullptr);

} // namespace vescale::layout

#endif
