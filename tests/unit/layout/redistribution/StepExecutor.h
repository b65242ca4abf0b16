//===- StepExecutor.h - Runs redistribution steps on all ranks with real numbers -------------===//
//
// The reference for plans: it knows regions and what each kind of step may do, and nothing of
// transfers or of the planner. Every rank has one slot for each element of the global tensor, empty
// where the rank does not hold it. Whatever a step needs and the devices that it may talk to do not
// have is a failure, and what comes from others is counted.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_LAYOUT_REDISTRIBUTION_STEPEXECUTOR_H
#define VESCALE_TESTS_UNIT_LAYOUT_REDISTRIBUTION_STEPEXECUTOR_H

#include "layout/Layout.h"
#include "layout/StepKind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale::layout {

/// The elements of one rank by their index in the global tensor.
using Slots = std::vector<std::optional<int64_t>>;

struct ExecutedStep {
  std::vector<Slots> ranks;
  /// Elements that the busiest rank received, where a step does not reduce.
  int64_t received = 0;
  /// Empty on success.
  std::string failure;
};

/// Which elements of the global tensor a rank holds.
std::vector<bool> heldElements(const Layout &layout, const Shape &shape, int64_t position);

int64_t identityOf(Reduction reduction);
int64_t combine(Reduction reduction, int64_t a, int64_t b);

/// What all ranks hold after the step.
ExecutedStep executeStep(StepKind kind, const Layout &before, const Layout &after,
                         const Shape &shape, const std::vector<Slots> &ranks);

/// Random contributions for `layout`, one value for each rank that agrees on the element, and the
/// global tensor that they stand for.
struct Scattered {
  std::vector<Slots> ranks;
  std::vector<int64_t> global;
};
Scattered scatterRandom(const Layout &layout, const Shape &shape, uint32_t seed);

/// Empty where the ranks hold exactly the shards of `global` under `layout`: each its region, and
/// over partial axes values that reduce to the global one.
std::string compareWith(const std::vector<int64_t> &global, const Layout &layout,
                        const Shape &shape, const std::vector<Slots> &ranks);

} // namespace vescale::layout

#endif
