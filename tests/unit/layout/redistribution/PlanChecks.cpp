#include "tests/unit/layout/redistribution/PlanChecks.h"

#include "tests/unit/layout/redistribution/StepExecutor.h"

#include "layout/StepLegality.h"

#include <algorithm>
#include <fmt/format.h>

namespace vescale::layout {

std::string describe(const Plan &plan) {
  std::string text;
  for (const Step &step : plan.steps())
    text += fmt::format("  {} -> {}: {} bytes, {} launches\n", str(step.kind), step.after.str(),
                        step.bytes, step.launches);
  return text;
}

static int64_t groupSize(const std::vector<SubAxis> &axes) {
  int64_t n = 1;
  for (const SubAxis &axis : axes)
    n *= axis.size;
  return n;
}

static std::vector<int64_t> heldCounts(const Layout &layout, const Shape &shape) {
  std::vector<int64_t> counts;
  for (int64_t rank = 0; rank < layout.mesh().numDevices(); ++rank) {
    std::vector<bool> held = heldElements(layout, shape, rank);
    counts.push_back(std::count(held.begin(), held.end(), true));
  }
  return counts;
}

/// What reducing steps receive: around a ring a rank gets every part of its group's tensor but one.
static int64_t reducedBytes(const Step &step, const Layout &before, const Shape &shape,
                            int64_t elementBytes) {
  std::vector<int64_t> whole = heldCounts(before, shape), parts = heldCounts(step.after, shape);
  int64_t n = groupSize(step.axes), most = 0;
  for (size_t rank = 0; rank < whole.size(); ++rank) {
    if (step.kind == StepKind::allReduce) {
      most = std::max(most, (2 * whole[rank] * (n - 1) * elementBytes + n - 1) / n);
      continue;
    }
    int64_t smallest = whole[rank];
    for (size_t other = 0; other < parts.size(); ++other) {
      Coordinate a = before.mesh().coordinate(rank), b = before.mesh().coordinate(other);
      for (const SubAxis &axis : step.axes) {
        setIndexAlong(before.mesh(), axis, 0, a);
        setIndexAlong(before.mesh(), axis, 0, b);
      }
      if (a == b)
        smallest = std::min(smallest, parts[other]);
    }
    most = std::max(most, (whole[rank] - smallest) * elementBytes);
  }
  return most;
}

std::string checkPlan(const Plan &plan, const Layout &from, const Layout &to, const Shape &shape,
                      int64_t elementBytes) {
  Scattered data = scatterRandom(from, shape, 12345);
  std::vector<Slots> ranks = data.ranks;
  Layout at = from;
  int64_t bytes = 0;
  int launches = 0;
  for (const Step &step : plan.steps()) {
    Status legal = checkStep(step.kind, at, step.after, shape);
    if (!legal.ok())
      return fmt::format("illegal step {} {} -> {}: {}", str(step.kind), at.str(), step.after.str(),
                         legal.message());
    ExecutedStep done = executeStep(step.kind, at, step.after, shape, ranks);
    if (!done.failure.empty())
      return done.failure;
    bool reduces = step.kind == StepKind::allReduce || step.kind == StepKind::reduceScatter;
    int64_t expected =
        reduces ? reducedBytes(step, at, shape, elementBytes) : done.received * elementBytes;
    if (step.bytes != expected)
      return fmt::format("{} {} -> {}: says {} bytes, receives {}", str(step.kind), at.str(),
                         step.after.str(), step.bytes, expected);
    if (step.launches != (expected > 0))
      return fmt::format("{} {} -> {}: {} launches for {} bytes", str(step.kind), at.str(),
                         step.after.str(), step.launches, expected);
    bytes += step.bytes;
    launches += step.launches;
    ranks = std::move(done.ranks);
    at = step.after;
  }
  if (at != to)
    return fmt::format("ends in {}, not in {}", at.str(), to.str());
  if (bytes != plan.bytes() || launches != plan.launches())
    return "the plan's totals are not those of its steps";
  if (plan.bytes() < plan.lowerBoundBytes())
    return fmt::format("{} bytes are below the bound of {}", plan.bytes(), plan.lowerBoundBytes());
  return compareWith(data.global, to, shape, ranks);
}

} // namespace vescale::layout
