#include "tests/unit/layout/redistribution/StepExecutor.h"

#include "layout/Legality.h"
#include "layout/Region.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <random>

namespace vescale::layout {

std::vector<bool> heldElements(const Layout &layout, const Shape &shape, int64_t position) {
  std::vector<bool> held(elementCount(shape), false);
  for (const Box &box : region(layout, shape, layout.mesh().coordinate(position))) {
    std::vector<int64_t> index = box.offset;
    for (int64_t n = box.elements(); n > 0; --n) {
      int64_t linear = 0;
      for (size_t d = 0; d < shape.size(); ++d)
        linear = linear * shape[d] + index[d];
      held[linear] = true;
      for (size_t d = shape.size(); d-- > 0;) {
        if (++index[d] < box.offset[d] + box.size[d])
          break;
        index[d] = box.offset[d];
      }
    }
  }
  return held;
}

int64_t identityOf(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum:
  case Reduction::bitOr:
    return 0;
  case Reduction::prod:
    return 1;
  case Reduction::max:
    return std::numeric_limits<int64_t>::min();
  case Reduction::min:
    return std::numeric_limits<int64_t>::max();
  case Reduction::bitAnd:
    return -1;
  }
  return 0;
}

int64_t combine(Reduction reduction, int64_t a, int64_t b) {
  switch (reduction) {
  case Reduction::sum:
    return a + b;
  case Reduction::prod:
    return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  case Reduction::max:
    return std::max(a, b);
  case Reduction::min:
    return std::min(a, b);
  case Reduction::bitAnd:
    return a & b;
  case Reduction::bitOr:
    return a | b;
  }
  return 0;
}

/// The digits of all prime parts of a rank's coordinates, so that parts of axes compare one by one.
static std::vector<int64_t> digitsAlong(const Mesh &mesh, const std::vector<SubAxis> &axes,
                                        int64_t position) {
  std::vector<int64_t> digits;
  Coordinate coordinate = mesh.coordinate(position);
  for (const SubAxis &axis : axes)
    digits.push_back(indexAlong(mesh, axis, coordinate));
  return digits;
}

static std::vector<SubAxis> partialAxes(const Layout &layout) {
  return layout.partial() ? layout.partial()->axes : std::vector<SubAxis>();
}

/// The axes that cut `layout`, with its reduction, as one comparable set of positions: two ranks of
/// one group have equal digits along all parts outside `axes`.
static std::vector<int64_t> withoutDigits(const Mesh &mesh, const std::vector<SubAxis> &axes,
                                          int64_t position) {
  Coordinate coordinate = mesh.coordinate(position);
  for (const SubAxis &axis : axes)
    setIndexAlong(mesh, axis, 0, coordinate);
  return coordinate;
}

/// `axes` without what `others` contain; the two come from layouts whose parts compare.
static std::vector<SubAxis> axesOutside(const std::vector<SubAxis> &axes,
                                        const std::vector<SubAxis> &others) {
  std::vector<SubAxis> result;
  auto refined = refine(axes, others);
  for (const SubAxis &axis : refined ? *refined : axes)
    if (std::none_of(others.begin(), others.end(),
                     [&](const SubAxis &other) { return contains(other, axis); }))
      result.push_back(axis);
  return result;
}

namespace {

class Execution {
public:
  Execution(StepKind kind, const Layout &before, const Layout &after, const Shape &shape,
            const std::vector<Slots> &ranks)
      : kind(kind), before(before), after(after), shape(shape), ranks(ranks) {}

  ExecutedStep run() {
    int64_t count = after.mesh().numDevices();
    for (int64_t rank = 0; rank < count && result.failure.empty(); ++rank) {
      std::vector<bool> wanted = heldElements(after, shape, rank);
      Slots slots(wanted.size());
      int64_t received = 0;
      for (size_t element = 0; element < wanted.size(); ++element)
        if (wanted[element])
          slots[element] = value(rank, element, received);
      result.ranks.push_back(std::move(slots));
      result.received = std::max(result.received, received);
    }
    return result;
  }

private:
  /// The value of one element on one rank after the step.
  std::optional<int64_t> value(int64_t rank, size_t element, int64_t &received) {
    switch (kind) {
    case StepKind::slice:
      return ownValue(rank, element);
    case StepKind::toPartial:
      return contribution(rank, element);
    case StepKind::allReduce:
    case StepKind::reduceScatter:
      return reduced(rank, element, axesOutside(partialAxes(before), partialAxes(after)));
    case StepKind::allGather:
    case StepKind::allToAll:
    case StepKind::permute:
      return fetched(rank, element, received);
    case StepKind::exchange:
      return exchanged(rank, element, received);
    }
    return std::nullopt;
  }

  std::optional<int64_t> fail(int64_t rank, size_t element, const char *why) {
    if (result.failure.empty())
      result.failure = fmt::format("{} {} -> {}: element {} on rank {}: {}", str(kind),
                                   before.str(), after.str(), element, rank, why);
    return std::nullopt;
  }

  std::optional<int64_t> ownValue(int64_t rank, size_t element) {
    if (ranks[rank][element])
      return ranks[rank][element];
    return fail(rank, element, "a local step needs what the rank does not hold");
  }

  /// Coordinate 0 along axes that were not used keeps the value; along axes that cut, whoever holds
  /// the element does.
  std::optional<int64_t> contribution(int64_t rank, size_t element) {
    std::vector<SubAxis> added = axesOutside(partialAxes(after), partialAxes(before));
    for (int64_t digit : digitsAlong(after.mesh(), axesOutside(added, before.shardingAxes()), rank))
      if (digit != 0)
        return identityOf(after.partial()->reduction);
    if (ranks[rank][element])
      return ranks[rank][element];
    return identityOf(after.partial()->reduction);
  }

  std::optional<int64_t> reduced(int64_t rank, size_t element, const std::vector<SubAxis> &axes) {
    Reduction reduction = before.partial()->reduction;
    int64_t sum = identityOf(reduction);
    auto group = withoutDigits(before.mesh(), axes, rank);
    for (int64_t other = 0; other < before.mesh().numDevices(); ++other) {
      if (withoutDigits(before.mesh(), axes, other) != group)
        continue;
      if (!ranks[other][element])
        return fail(rank, element, "a member of the group does not hold its contribution");
      sum = combine(reduction, sum, *ranks[other][element]);
    }
    return sum;
  }

  /// From any rank with the same contributions; gathers and all-to-alls talk only along the axes
  /// that leave dims.
  std::optional<int64_t> fetched(int64_t rank, size_t element, int64_t &received) {
    if (ranks[rank][element])
      return ranks[rank][element];
    ++received;
    const Mesh &mesh = before.mesh();
    std::vector<SubAxis> moved = kind == StepKind::permute
                                     ? axesOutside(everyAxis(mesh), partialAxes(before))
                                     : before.shardingAxes();
    auto group = withoutDigits(mesh, moved, rank);
    for (int64_t other = 0; other < mesh.numDevices(); ++other)
      if (ranks[other][element] && withoutDigits(mesh, moved, other) == group)
        return ranks[other][element];
    return fail(rank, element, "no member of the group holds it");
  }

  static std::vector<SubAxis> everyAxis(const Mesh &mesh) {
    std::vector<SubAxis> axes;
    for (int axis = 0; axis < mesh.rank(); ++axis)
      axes.push_back(wholeAxis(mesh, axis));
    return axes;
  }

  /// All contributions to the target, each from its own rank if that holds it.
  std::optional<int64_t> exchanged(int64_t rank, size_t element, int64_t &received) {
    bool sameMesh = before.mesh() == after.mesh();
    int64_t device = after.mesh().deviceId(rank);
    std::vector<SubAxis> ours = partialAxes(before), theirs = partialAxes(after), kept;
    if (sameMesh && before.partial() && after.partial() &&
        before.partial()->reduction == after.partial()->reduction)
      for (const SubAxis &axis : refine(ours, theirs).value_or(std::vector<SubAxis>()))
        if (axesOutside({axis}, theirs).empty())
          kept.push_back(axis);
    // Along fresh partial axes one rank contributes: the one that held the element, if cut there.
    std::vector<SubAxis> fresh = axesOutside(theirs, kept);
    std::vector<SubAxis> freshCut;
    for (const SubAxis &axis :
         refine(fresh, before.shardingAxes()).value_or(std::vector<SubAxis>(fresh)))
      if (sameMesh && axesOutside({axis}, before.shardingAxes()).empty())
        freshCut.push_back(axis);
    for (int64_t digit : digitsAlong(after.mesh(), axesOutside(fresh, freshCut), rank))
      if (digit != 0)
        return identityOf(after.partial()->reduction);

    std::map<std::vector<int64_t>, int64_t> contributions;
    std::vector<SubAxis> reducedAxes = axesOutside(ours, kept);
    auto consider = [&](int64_t other, bool own) {
      if (!ranks[other][element])
        return;
      if (sameMesh &&
          (digitsAlong(before.mesh(), kept, other) != digitsAlong(before.mesh(), kept, rank) ||
           digitsAlong(before.mesh(), freshCut, other) !=
               digitsAlong(before.mesh(), freshCut, rank)))
        return;
      auto [known, added] = contributions.emplace(digitsAlong(before.mesh(), reducedAxes, other),
                                                  *ranks[other][element]);
      received += added && !own;
    };
    auto own = before.mesh().positionOf(device);
    if (own)
      consider(*own, true);
    for (int64_t other = 0; other < before.mesh().numDevices(); ++other)
      consider(other, false);
    if (contributions.empty()) {
      if (!fresh.empty())
        return identityOf(after.partial()->reduction);
      return fail(rank, element, "nobody holds it");
    }
    std::optional<int64_t> sum;
    for (const auto &[digits, value] : contributions)
      sum = sum ? combine(before.partial()->reduction, *sum, value) : value;
    return sum;
  }

  StepKind kind;
  const Layout &before, &after;
  const Shape &shape;
  const std::vector<Slots> &ranks;
  ExecutedStep result;
};

} // namespace

ExecutedStep executeStep(StepKind kind, const Layout &before, const Layout &after,
                         const Shape &shape, const std::vector<Slots> &ranks) {
  return Execution(kind, before, after, shape, ranks).run();
}

Scattered scatterRandom(const Layout &layout, const Shape &shape, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int64_t> anyValue(-9, 9);
  Scattered result;
  std::vector<SubAxis> partial = partialAxes(layout);
  size_t elements = elementCount(shape);
  std::map<std::vector<int64_t>, std::vector<int64_t>> contributions;
  for (int64_t rank = 0; rank < layout.mesh().numDevices(); ++rank) {
    auto &values = contributions[digitsAlong(layout.mesh(), partial, rank)];
    while (values.size() < elements)
      values.push_back(anyValue(random));
    std::vector<bool> held = heldElements(layout, shape, rank);
    Slots slots(elements);
    for (size_t element = 0; element < elements; ++element)
      if (held[element])
        slots[element] = values[element];
    result.ranks.push_back(std::move(slots));
  }
  for (const auto &[digits, values] : contributions) {
    if (result.global.empty()) {
      result.global = values;
      continue;
    }
    for (size_t element = 0; element < elements; ++element)
      result.global[element] =
          combine(layout.partial()->reduction, result.global[element], values[element]);
  }
  return result;
}

std::string compareWith(const std::vector<int64_t> &global, const Layout &layout,
                        const Shape &shape, const std::vector<Slots> &ranks) {
  std::vector<SubAxis> partial = partialAxes(layout);
  for (int64_t rank = 0; rank < layout.mesh().numDevices(); ++rank) {
    std::vector<bool> held = heldElements(layout, shape, rank);
    auto group = withoutDigits(layout.mesh(), partial, rank);
    for (size_t element = 0; element < global.size(); ++element) {
      if (held[element] != ranks[rank][element].has_value())
        return fmt::format("rank {} {} element {}", rank, held[element] ? "lacks" : "has", element);
      if (!held[element])
        continue;
      int64_t sum =
          partial.empty() ? *ranks[rank][element] : identityOf(layout.partial()->reduction);
      for (int64_t other = 0; !partial.empty() && other < layout.mesh().numDevices(); ++other)
        if (withoutDigits(layout.mesh(), partial, other) == group)
          sum = combine(layout.partial()->reduction, sum, *ranks[other][element]);
      if (sum != global[element])
        return fmt::format("rank {} element {}: {} instead of {}", rank, element, sum,
                           global[element]);
    }
  }
  return "";
}

} // namespace vescale::layout
