//===- Pricing.cpp - What the steps of a search cost -----------------------------------------===//
//
// In an even space all devices hold alike and formulas give the amounts. Otherwise the holdings of
// all devices are compared: what a device holds after a step and did not hold before, it received.
// A reduce-scatter passes partial results around a ring, so that a device receives every part but
// one: in an uneven one, the busiest lacks the smallest. An all-reduce is a reduce-scatter and an
// all-gather over equal parts.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Pricing.h"

#include "layout/Transfer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

namespace vescale::layout::redistribution {

Pricing::Pricing(const Space &space, std::vector<Link> linksOfAxes, Link acrossMeshes,
                 int64_t elementBytes)
    : space(space), links(std::move(linksOfAxes)), acrossMeshes(acrossMeshes),
      elementBytes(elementBytes), holdings(space) {
  for (int64_t size : space.shape())
    totalElements *= size;
  // All amounts of a path together must stay far below 2^63; if a tensor is too large for that,
  // an all-reduce rounds up.
  int64_t wanted = space.product(space.start().partial), product;
  if (!__builtin_mul_overflow(totalElements, wanted, &product) && product < int64_t(1) << 56)
    scale = wanted;
  if (space.isEven())
    targetShare = space.localElements(*space.goal());
  else
    targetShare = holdings.target().most();
  if (links.empty()) {
    classes = {Link()};
  } else {
    for (const Link &a : links)
      for (const Link &b : links) {
        Link both = slowest(a, b);
        if (std::find(classes.begin(), classes.end(), both) == classes.end())
          classes.push_back(both);
      }
    if (classes.empty())
      classes = {Link()};
  }
}

int64_t Pricing::reduceScatterAmount(const State &before, const State &after, AtomSet atoms) const {
  if (space.isEven()) {
    int64_t local = space.localElements(before) * scale;
    return local - local / space.product(atoms);
  }
  const Holdings &whole = holdings.of(before), &parts = holdings.of(after);
  std::vector<SubAxis> axes = space.axes(atoms);
  std::map<Coordinate, int64_t> smallest;
  const Mesh &mesh = space.mesh();
  auto group = [&](int64_t position) {
    Coordinate coordinate = mesh.coordinate(position);
    for (const SubAxis &axis : axes)
      setIndexAlong(mesh, axis, 0, coordinate);
    return coordinate;
  };
  for (int64_t i = 0; i < parts.devices(); ++i) {
    auto [known, added] = smallest.emplace(group(i), parts.elements(i));
    if (!added)
      known->second = std::min(known->second, parts.elements(i));
  }
  int64_t most = 0;
  for (int64_t i = 0; i < parts.devices(); ++i)
    most = std::max(most, whole.elements(i) - smallest[group(i)]);
  return most * scale;
}

int64_t Pricing::amount(StepKind kind, const State &before, const State &after,
                        AtomSet atoms) const {
  switch (kind) {
  case StepKind::slice:
  case StepKind::toPartial:
    return 0;
  case StepKind::reduceScatter:
    return reduceScatterAmount(before, after, atoms);
  case StepKind::allReduce: {
    int64_t local = space.isEven() ? space.localElements(before) : holdings.of(before).most();
    return 2 * (local * scale - local * scale / space.product(atoms));
  }
  case StepKind::exchange:
    return exchangeAmount(before, after);
  case StepKind::allGather:
  case StepKind::allToAll:
  case StepKind::permute:
    break;
  }
  if (!space.isEven())
    return mostMissing(holdings.of(before), holdings.of(after)) * scale;
  int64_t local = space.localElements(before) * scale;
  if (kind == StepKind::permute)
    return local;
  if (kind == StepKind::allGather)
    return local * (space.product(atoms) - 1);
  return local - local / space.product(atoms);
}

int64_t Pricing::exchangeAmount(const State &before, const State &after) const {
  bool keepsPartial = before.partial == after.partial && before.reduction == after.reduction;
  if (!space.isEven()) {
    if (keepsPartial)
      return mostMissing(holdings.of(before), holdings.of(after)) * scale;
  } else if (after.cuts == space.goal()->cuts && after.count == space.goal()->count) {
    AtomSet pending = keepsPartial ? 0 : space.pending(before);
    AtomSet fresh = after.partial & ~(before.partial & ~pending);
    AtomSet cutting = 0;
    for (int i = 0; i < before.total; ++i)
      cutting |= bit(before.cuts[i]);
    bool certain = true;
    int64_t own = evenOverlap(before, 0, certain);
    // An element of a cut that becomes partial comes only from the devices of that cut's index.
    if (certain && !(fresh & cutting))
      return (targetShare * space.product(pending) - own) * scale;
  }
  return transferAmount(space.layout(before), space.layout(after));
}

int64_t Pricing::transferAmount(const Layout &before, const Layout &after) const {
  auto transfer = Transfer::get(before, after, space.shape());
  assert(transfer.ok() && "the layouts of a search are legal");
  int64_t most = 0;
  for (int64_t i = 0; i < after.mesh().numDevices(); ++i)
    most = std::max(most, transfer->receive(i).missingElements());
  return most * scale;
}

int64_t Pricing::amountToTarget(const State &before) const {
  return space.goal() ? exchangeAmount(before, *space.goal())
                      : transferAmount(space.layout(before), space.target());
}

/// What every device already holds of its target region: 0 where in some dim the cuts differ before
/// one list ends, since some device is then in disjoint pieces; else in each dim the smaller piece.
/// `certain` becomes false where two parts overlap in an axis, so that they are not independent;
/// the result is then an upper bound.
int64_t Pricing::evenOverlap(const State &state, AtomSet ignored, bool &certain) const {
  const State &goal = *space.goal();
  int64_t product = 1;
  int at = 0, goalAt = 0;
  for (int d = 0; d < space.rank(); ++d) {
    int64_t length = space.shape()[d], goalLength = length;
    int end = at + state.count[d], goalEnd = goalAt + goal.count[d];
    bool apart = false, together = true;
    while (true) {
      while (at < end && ignored & bit(state.cuts[at]))
        ++at;
      bool has = at < end, goalHas = goalAt < goalEnd;
      if (!has && !goalHas)
        break;
      if (together && has && goalHas && state.cuts[at] != goal.cuts[goalAt]) {
        together = false;
        apart = !(space.atom(state.cuts[at]).conflicts & bit(goal.cuts[goalAt]));
        certain = certain && apart;
      }
      if (has)
        length /= space.atom(state.cuts[at++]).size();
      if (goalHas)
        goalLength /= space.atom(goal.cuts[goalAt++]).size();
    }
    product *= apart ? 0 : std::min(length, goalLength);
  }
  return product;
}

int64_t Pricing::missing(const State &state) const {
  AtomSet pending = space.pending(state);
  AtomSet kept = state.partial & ~pending;
  // Devices along a fresh partial axis may share the work, and each needs its part of it alone.
  AtomSet fresh = space.goal() ? space.goal()->partial & ~kept : 0;
  bool freshElsewhere = !space.goal() && space.target().partial();
  if (freshElsewhere || (space.hasSeveralWritings() && space.goal()->partial))
    return 0;
  if (pending)
    return targetShare * scale / space.product(fresh);
  if (space.isEven()) {
    bool certain = true;
    return (targetShare - evenOverlap(state, fresh, certain)) * scale / space.product(fresh);
  }
  if (fresh)
    return 0;
  if (space.goal())
    return mostMissing(holdings.of(state), holdings.target()) * scale;
  const Holdings &here = holdings.of(state), &there = holdings.target();
  const Mesh &mesh = space.target().mesh();
  int64_t most = 0;
  for (int64_t i = 0; i < there.devices(); ++i) {
    auto own = space.mesh().positionOf(mesh.deviceId(i));
    most = std::max(most, there.elements(i) - (own ? there.overlap(i, here, *own) : 0));
  }
  return most * scale;
}

int64_t Pricing::bound(const State &state) const {
  int64_t atLeast = missing(state);
  AtomSet pending = space.pending(state);
  if (!pending || !space.isEven() || (space.hasSeveralWritings() && space.goal()->partial))
    return atLeast;
  // Some device must combine all contributions, and every other holder receives at least once.
  AtomSet kept = state.partial & ~pending;
  int64_t sharing = space.product(space.goal()->partial & ~kept);
  int64_t devices = space.mesh().numDevices() / space.product(kept);
  int64_t pieces = totalElements / std::max<int64_t>(targetShare, 1);
  int64_t holders = std::max<int64_t>(devices / std::max<int64_t>(pieces, 1) / sharing, 1);
  auto messages = static_cast<__int128>(totalElements) * scale *
                  (space.product(pending) - 1 + holders - 1) / devices;
  return std::max(atLeast, static_cast<int64_t>(messages));
}

Cost Pricing::cost(StepKind kind, int64_t amount, const Link &link) const {
  Cost cost;
  cost.primary = amount;
  cost.launches = amount > 0;
  cost.exchanges = kind == StepKind::exchange;
  cost.steps = 1;
  if (!countsBytes() && amount > 0) {
    double seconds =
        link.latency + static_cast<double>(amount) / scale * elementBytes / link.bandwidth;
    cost.primary = static_cast<int64_t>(std::ceil(seconds * 1e12));
  }
  return cost;
}

Cost Pricing::boundCost(int64_t amount) const {
  Cost cost;
  cost.launches = amount > 0;
  cost.primary = amount;
  if (!countsBytes() && amount > 0) {
    Link best = links.empty() ? Link() : links.front();
    for (const Link &link : links)
      best = {std::min(best.latency, link.latency), std::max(best.bandwidth, link.bandwidth)};
    if (!space.goal())
      best = {std::min(best.latency, acrossMeshes.latency),
              std::max(best.bandwidth, acrossMeshes.bandwidth)};
    double seconds =
        best.latency + static_cast<double>(amount) / scale * elementBytes / best.bandwidth;
    cost.primary = static_cast<int64_t>(std::floor(seconds * 1e12));
  }
  return cost;
}

Link Pricing::link(AtomSet atoms) const {
  if (countsBytes() || !atoms)
    return Link();
  Link result{0, std::numeric_limits<double>::infinity()};
  for (; atoms; atoms &= atoms - 1)
    result = slowest(result, links[space.atom(__builtin_ctzll(atoms)).cut.axis.axis]);
  return result;
}

Link Pricing::exchangeLink(const State &before, const State &after) const {
  if (countsBytes())
    return Link();
  AtomSet moved = before.partial ^ after.partial;
  int at = 0, otherAt = 0;
  for (int d = 0; d < space.rank(); ++d) {
    int end = at + before.count[d], otherEnd = otherAt + after.count[d];
    while (at < end && otherAt < otherEnd && before.cuts[at] == after.cuts[otherAt])
      ++at, ++otherAt;
    for (; at < end; ++at)
      moved |= bit(space.atom(before.cuts[at]).plain);
    for (; otherAt < otherEnd; ++otherAt)
      moved |= bit(space.atom(after.cuts[otherAt]).plain);
  }
  if (before.ragged != after.ragged)
    moved |= space.raggedAtoms(before.ragged) | space.raggedAtoms(after.ragged);
  return link(moved);
}

Link Pricing::linkToTarget(const State &before) const {
  return space.goal() ? exchangeLink(before, *space.goal()) : acrossMeshes;
}

AtomSet Pricing::atomsWithin(const Link &limit) const {
  if (countsBytes())
    return space.plainAtoms();
  AtomSet set = 0;
  for (AtomSet rest = space.plainAtoms(); rest; rest &= rest - 1)
    if (slowest(link(rest & -rest), limit) == limit)
      set |= rest & -rest;
  return set;
}

int64_t Pricing::bytes(int64_t amount) const {
  auto scaled = static_cast<__int128>(amount) * elementBytes;
  return static_cast<int64_t>((scaled + scale - 1) / scale);
}

} // namespace vescale::layout::redistribution
