//===- Pricing.cpp - What the steps of a search cost -----------------------------------------===//
//
// In an even space all devices hold alike and formulas give the amounts. Otherwise the busiest
// device is looked for: what a device holds after a step and did not hold before, it received.
// A reduce-scatter passes partial results around a ring, so that a device receives every part but
// one; the busiest keeps the smallest. An all-reduce is a reduce-scatter and an all-gather over
// equal parts.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Pricing.h"

#include "layout/MostMissing.h"
#include "layout/Transfer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vescale::layout::redistribution {

Pricing::Pricing(const Space &space, std::vector<Link> linksOfAxes, Link acrossMeshes,
                 int64_t elementBytes)
    : space(space), links(std::move(linksOfAxes)), acrossMeshes(acrossMeshes),
      elementBytes(elementBytes) {
  for (int64_t size : space.shape())
    totalElements *= size;
  // All amounts of a path together must stay far below 2^63; if a tensor is too large for that,
  // an all-reduce rounds up.
  int64_t wanted = space.mesh().numDevices(), product;
  if (!__builtin_mul_overflow(totalElements, wanted, &product) && product < int64_t(1) << 56)
    scale = wanted;
  if (space.isEven())
    targetShare = space.localElements(*space.goal());
  else
    targetShare = mostHeld(space.target(), space.shape());
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
    findSlowLinks();
  }
}

void Pricing::findSlowLinks() {
  if (!space.isEven() || space.hasSeveralWritings() || space.goal()->partial)
    return;
  std::vector<double> paces;
  for (const Link &link : links)
    paces.push_back(link.bandwidth);
  std::sort(paces.begin(), paces.end());
  paces.erase(std::unique(paces.begin(), paces.end()), paces.end());
  paces.pop_back();
  for (double pace : paces) {
    AtomSet atoms = 0;
    for (size_t i = 0; i < space.atoms().size(); ++i)
      if (link(bit(i)).bandwidth <= pace)
        atoms |= bit(i);
    if (atoms)
      slowLinks.emplace_back(pace, atoms);
  }
}

int64_t Pricing::evenAmount(StepKind kind, int64_t local, AtomSet atoms) const {
  local *= scale;
  switch (kind) {
  case StepKind::slice:
  case StepKind::toPartial:
  case StepKind::exchange:
    return 0;
  case StepKind::allGather:
    return local * (space.product(atoms) - 1);
  case StepKind::permute:
    return local;
  case StepKind::allToAll:
  case StepKind::reduceScatter:
    return local - local / space.product(atoms);
  case StepKind::allReduce:
    return 2 * (local - local / space.product(atoms));
  }
  return 0;
}

int64_t Pricing::leastReduceScatter(const State &state) const {
  int64_t local = space.localElements(state) * scale;
  return local - local / 2;
}

int64_t Pricing::amount(StepKind kind, const State &before, const State &after,
                        AtomSet atoms) const {
  if (kind == StepKind::exchange)
    return exchangeAmount(before, after);
  if (isLocal(kind))
    return 0;
  if (space.isEven())
    return evenAmount(kind, space.localElements(before), atoms);
  const Layout &here = layoutOf(before), &there = layoutOf(after);
  if (kind == StepKind::reduceScatter)
    return mostLost(here, there, space.shape()) * scale;
  if (kind == StepKind::allReduce) {
    int64_t local = mostHeld(here, space.shape()) * scale;
    return 2 * (local - local / space.product(atoms));
  }
  return mostMissing(here, there, space.shape()) * scale;
}

const Layout &Pricing::layoutOf(const State &state) const {
  // What a device holds of its own contribution does not depend on what is partial.
  State key = state;
  key.partial = 0;
  key.reduction = 0;
  auto known = layouts.find(key);
  if (known == layouts.end())
    known = layouts.emplace(key, space.layout(key)).first;
  return known->second;
}

/// An element of a cut that becomes partial comes only from the devices of that cut's index, and
/// parts of axes that overlap are not independent: then devices have to be compared, which takes
/// time where there are many.
bool Pricing::knowsExchange(const State &before) const {
  if (!space.isEven())
    return space.mesh().numDevices() <= 64 ||
           (space.goal() && space.goal()->partial == before.partial &&
            space.goal()->reduction == before.reduction);
  AtomSet cuts = 0;
  for (int i = 0; i < before.total; ++i)
    cuts |= bit(before.cuts[i]);
  bool certain = !(cuts & space.goal()->partial);
  evenOverlap(before, *space.goal(), 0, certain);
  return certain;
}

/// The pending atoms over which a step to `after` reduces.
AtomSet Pricing::reducedBetween(const State &before, const State &after) const {
  return before.reduction == after.reduction ? before.partial & ~after.partial : before.partial;
}

int64_t Pricing::exchangeAmount(const State &before, const State &after) const {
  bool keepsPartial = before.partial == after.partial && before.reduction == after.reduction;
  if (!space.isEven() && keepsPartial)
    return mostMissing(layoutOf(before), layoutOf(after), space.shape()) * scale;
  if (space.isEven()) {
    // An element of a cut that becomes partial comes only from the devices of that cut's index.
    AtomSet cuts = 0;
    for (int i = 0; i < before.total; ++i)
      cuts |= bit(before.cuts[i]);
    bool certain = !(cuts & after.partial);
    int64_t contributions = keepsPartial ? 1 : space.product(reducedBetween(before, after));
    int64_t own = evenOverlap(before, after, 0, certain);
    if (certain)
      return (space.localElements(after) * contributions - own) * scale;
  }
  return transferAmount(space.layout(before), space.layout(after));
}

int64_t Pricing::transferAmount(const Layout &before, const Layout &after) const {
  auto transfer = Transfer::get(before, after, space.shape());
  assert(transfer.ok() && "the layouts of a search are legal");
  return mostReceived(*transfer) * scale;
}

int64_t Pricing::amountToTarget(const State &before) const {
  return space.goal() ? exchangeAmount(before, *space.goal())
                      : transferAmount(space.layout(before), space.target());
}

/// What every device already holds of its region in another layout: 0 where in some dim the cuts
/// differ before one list ends, since some device is then in disjoint pieces; else in each dim the
/// smaller piece. `certain` becomes false where two parts overlap in an axis, so that they are not
/// independent; the result is then an upper bound.
int64_t Pricing::evenOverlap(const State &state, const State &goal, AtomSet ignored,
                             bool &certain) const {
  int64_t product = 1;
  int at = 0, goalAt = 0;
  for (int d = 0; d < space.rank(); ++d) {
    int64_t pieces = 1, goalPieces = 1;
    int end = at + state.count[d], goalEnd = goalAt + goal.count[d];
    bool together = true;
    for (; at < end || goalAt < goalEnd;) {
      // What follows is scattered over the part that ignoring a cut opens.
      if (at < end && ignored & bit(state.cuts[at])) {
        together = false;
        ++at;
        continue;
      }
      if (together && at < end && goalAt < goalEnd && state.cuts[at] != goal.cuts[goalAt]) {
        if (!(space.atom(state.cuts[at]).conflicts & bit(goal.cuts[goalAt])))
          return 0;
        together = false;
        certain = false;
      }
      if (at < end)
        pieces *= space.atom(state.cuts[at++]).size();
      if (goalAt < goalEnd)
        goalPieces *= space.atom(goal.cuts[goalAt++]).size();
    }
    product *= space.shape()[d] / std::max(pieces, goalPieces);
  }
  return product;
}

int64_t Pricing::missing(const State &state) const {
  if (space.pending(state))
    return targetShare * scale;
  if (space.isEven()) {
    bool certain = true;
    int64_t own = evenOverlap(state, *space.goal(), 0, certain);
    if (certain)
      return (targetShare - own) * scale;
  }
  return mostMissing(layoutOf(state), space.target(), space.shape()) * scale;
}

int64_t Pricing::boundApart(const State &) const {
  return space.goal()->partial ? 0 : targetShare * scale;
}

/// Of `p` contributions on as many devices only `q` may be left, so that p - q must be received;
/// and a target group of q devices that holds whole values shares what it misses.
int64_t Pricing::boundToPartial(const State &state) const {
  // Parts of one axis in another order are not the same atoms, though they are the same digits.
  if (!space.goal() || space.hasSeveralWritings())
    return 0;
  int64_t sharing = space.product(space.goal()->partial);
  if (state.partial) {
    auto messages = static_cast<__int128>(totalElements) * scale *
                    std::max<int64_t>(space.product(state.partial) - sharing, 0);
    return static_cast<int64_t>(messages / space.mesh().numDevices());
  }
  if (!space.isEven())
    return 0;
  bool certain = true;
  return (targetShare - evenOverlap(state, *space.goal(), space.goal()->partial, certain)) * scale /
         sharing;
}

int64_t Pricing::bound(const State &state) const {
  if (space.target().partial() && (!space.goal() || space.goal()->partial))
    return boundToPartial(state);
  AtomSet pending = space.pending(state);
  if (!pending && space.isEven()) {
    bool certain = true;
    return (targetShare - evenOverlap(state, *space.goal(), 0, certain)) * scale;
  }
  int64_t atLeast = missing(state);
  if (!pending || !space.isEven())
    return atLeast;
  // Some device must combine all contributions, and every other holder receives at least once.
  int64_t devices = space.mesh().numDevices();
  int64_t pieces = totalElements / std::max<int64_t>(targetShare, 1);
  int64_t holders = devices / std::max<int64_t>(pieces, 1);
  auto messages = static_cast<__int128>(totalElements) * scale *
                  (space.product(pending) - 1 + std::max<int64_t>(holders - 1, 0)) / devices;
  return std::max(atLeast, static_cast<int64_t>(messages));
}

Cost Pricing::cost(StepKind kind, int64_t amount, const Link &link) const {
  Cost cost;
  cost.primary = amount;
  cost.launches = amount > 0;
  cost.exchanges = kind == StepKind::exchange;
  // At one price, an all-reduce is preferred to scattering and gathering again.
  cost.steps = kind == StepKind::allGather ? 2 : 1;
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

/// What a device receives at least in steps along the slow atoms. The devices that no slow link
/// separates hold together what one of them would without its other cuts; what they want together
/// and do not hold comes from outside, and each of them receives its share at least.
int64_t Pricing::crossing(const State &state, AtomSet slow) const {
  const State &goal = *space.goal();
  int64_t wanted = 1, held = 1;
  int at = 0, goalAt = 0;
  for (int d = 0; d < space.rank(); at += state.count[d], goalAt += goal.count[d], ++d) {
    int64_t length = space.shape()[d], own = 1;
    bool aligned = true, apart = false;
    for (int i = 0; i < std::max<int>(state.count[d], goal.count[d]); ++i) {
      int ours = i < state.count[d] ? state.cuts[at + i] : -1;
      int theirs = i < goal.count[d] ? goal.cuts[goalAt + i] : -1;
      bool oursSlow = ours >= 0 && (slow & bit(ours));
      bool theirsSlow = theirs >= 0 && (slow & bit(theirs));
      if (theirsSlow)
        length /= space.atom(theirs).size();
      // Behind cuts of different sizes, nothing is known of the order of the pieces.
      aligned = aligned &&
                (ours < 0 || theirs < 0 || space.atom(ours).size() == space.atom(theirs).size());
      if (aligned && oursSlow && !theirsSlow)
        own *= space.atom(ours).size();
      apart = apart || (aligned && oursSlow && theirsSlow && ours != theirs);
    }
    wanted *= length;
    held = apart ? 0 : held * (length / own);
  }
  if (space.pending(state) & slow)
    held = 0;
  return (wanted - held) * scale / space.product(space.plainAtoms() & ~slow);
}

Cost Pricing::boundCost(const State &state) const {
  int64_t all = bound(state);
  Cost cost = boundCost(all);
  if (slowLinks.empty())
    return cost;
  int64_t known = 0;
  double extra = 0, fastest = 0;
  for (const Link &link : links)
    fastest = std::max(fastest, link.bandwidth);
  for (const auto &[pace, slow] : slowLinks) {
    int64_t amount = crossing(state, slow);
    if (amount <= known)
      continue;
    extra += static_cast<double>(amount - known) * (1 / pace - 1 / fastest);
    known = amount;
  }
  if (known > all)
    cost = boundCost(known);
  cost.primary += static_cast<int64_t>(extra / scale * elementBytes * 1e12);
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

} // namespace vescale::layout::redistribution
