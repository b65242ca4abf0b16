//===- StepPrice.cpp - What one step of a redistribution costs -------------------------------===//
#include "layout/StepPrice.h"

#include "layout/MostMissing.h"
#include "layout/RankClass.h"
#include "layout/Region.h"
#include "layout/StepLegality.h"
#include "layout/Transfer.h"

#include <algorithm>
#include <cassert>

namespace vescale::layout {

namespace {

/// Elements as a fraction, since the shares of an all-reduce need not be whole.
struct Amount {
  int64_t elements = 0, divisor = 1;
};

bool isPlain(const Layout &layout) {
  for (const Dim &dim : layout.dims())
    for (const Cut &cut : dim)
      if (cut.interleave != 1 || cut.block != 1)
        return false;
  return !layout.ragged();
}

Link linkOf(StepKind kind, const Layout &before, const Layout &after,
            const std::vector<SubAxis> &axes, const LinkCosts &links) {
  Link result{0, 1e300};
  if (before.mesh() == after.mesh()) {
    for (const SubAxis &axis : axes)
      result = slowest(result, links.link(before.mesh().axis(axis.axis).name));
    return result;
  }
  assert(kind == StepKind::exchange && "only an exchange leaves its mesh");
  for (const Mesh &mesh : {before.mesh(), after.mesh()})
    for (const Link &link : links.links(mesh))
      result = slowest(result, link);
  return result;
}

} // namespace

StepPrice priceStep(StepKind kind, const Layout &before, const Layout &after, const Shape &shape,
                    int64_t elementBytes, const LinkCosts *links) {
  int64_t mostBefore = 0, mostAfter = 0, mostLost = 0, mostGained = 0;
  bool alike = false;
  if (before.mesh() == after.mesh()) {
    // Devices of one class hold parts of one size before and after, so one of each stands for all.
    StatusOr<RankClasses> classes =
        RankClasses::get(before.mesh(), {{before, shape}, {after, shape}});
    assert(classes.ok() && "the layouts of a step are legal");
    alike = classes->size() == 1;
    for (const RankClasses::Class &one : classes->classes()) {
      int64_t here = localElements(before, shape, one.representative);
      int64_t there = localElements(after, shape, one.representative);
      mostBefore = std::max(mostBefore, here);
      mostAfter = std::max(mostAfter, there);
      mostLost = std::max(mostLost, here - there);
      mostGained = std::max(mostGained, there - here);
    }
  } else {
    for (auto [layout, most] : {std::pair{&before, &mostBefore}, std::pair{&after, &mostAfter}}) {
      StatusOr<RankClasses> classes = RankClasses::get(layout->mesh(), {{*layout, shape}});
      assert(classes.ok() && "the layouts of a step are legal");
      for (const RankClasses::Class &one : classes->classes())
        *most = std::max(*most, localElements(*layout, shape, one.representative));
    }
  }

  std::vector<SubAxis> axes = stepAxes(kind, before, after, shape);
  int64_t members = 1;
  for (const SubAxis &axis : axes)
    members *= axis.size;
  Amount amount;
  switch (kind) {
  case StepKind::slice:
  case StepKind::toPartial:
    break;
  case StepKind::allGather:
    amount = {mostGained};
    break;
  case StepKind::reduceScatter:
    amount = {mostLost};
    break;
  case StepKind::allReduce:
    amount = {2 * mostBefore * (members - 1), members};
    break;
  case StepKind::allToAll:
  case StepKind::permute:
    if (alike && isPlain(before) && isPlain(after))
      amount = kind == StepKind::permute ? Amount{mostBefore}
                                         : Amount{mostBefore * (members - 1), members};
    else
      amount = {mostReceived(*Transfer::get(before, after, shape))};
    break;
  case StepKind::exchange:
    amount = {mostReceived(*Transfer::get(before, after, shape))};
    break;
  }

  StepPrice price;
  price.payloadBytes = std::max(mostBefore, mostAfter) * elementBytes;
  price.bytes = (amount.elements * elementBytes + amount.divisor - 1) / amount.divisor;
  if (links && amount.elements > 0) {
    Link link = linkOf(kind, before, after, axes, *links);
    price.latency = link.latency;
    price.seconds = link.latency + static_cast<double>(amount.elements) / amount.divisor *
                                       elementBytes / link.bandwidth;
  }
  return price;
}

} // namespace vescale::layout
