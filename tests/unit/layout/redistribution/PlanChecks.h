//===- PlanChecks.h - What must be true of every plan ----------------------------------------===//
#ifndef VESCALE_TESTS_UNIT_LAYOUT_REDISTRIBUTION_PLANCHECKS_H
#define VESCALE_TESTS_UNIT_LAYOUT_REDISTRIBUTION_PLANCHECKS_H

#include "layout/Redistribution.h"

#include <string>

namespace vescale::layout {

/// Executes the plan on all ranks with random values. Empty if every step is legal, receives the
/// bytes that it says, and the last one leaves exactly the target's shards; else what is wrong.
std::string checkPlan(const Plan &plan, const Layout &from, const Layout &to, const Shape &shape,
                      int64_t elementBytes);

/// The steps, one a line.
std::string describe(const Plan &plan);

} // namespace vescale::layout

#endif
