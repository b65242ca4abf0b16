#include "layout/MostMissing.h"

#include "layout/HeldCount.h"
#include "layout/RankClass.h"
#include "layout/Region.h"
#include "layout/Transfer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace vescale::layout {

namespace {

/// A change of layout on one mesh, and who keeps what of it; see Transfer.h.
struct Change {
  const Layout &before, &after;
  const Shape &shape;
  /// How many devices contribute to each element.
  int64_t contributions = 1;
  /// A receiver keeps an element whose holder has its index along these, and has index 0 along
  /// those.
  std::vector<SubAxis> atHolder, atFirst;
  /// Needed where a ragged cut meets `atHolder`.
  const Transfer *transfer = nullptr;
};

/// Devices with one index range along each part of an axis receive alike.
struct Part {
  SubAxis axis;
  /// Where ranges begin, ascending without repetition once the grid is complete.
  std::vector<int64_t> starts = {0};
};

/// Finds the busiest device of a change.
class Busiest {
public:
  explicit Busiest(const Change &change)
      : change(change), mesh(change.before.mesh()), most(mostHeld(change.after, change.shape)),
        ragged(change.before.ragged() || change.after.ragged()) {}

  int64_t find() {
    limit = most * change.contributions;
    if (limit == 0)
      return 0;
    refineCuts();
    if (!ragged)
      lowerLimit();
    collectParts();
    if (ragged)
      collectRaggedRanges();
    else
      for (size_t d = 0; d < change.shape.size(); ++d)
        collectRanges(before[d].data(), before[d].data() + before[d].size(), after[d].data(),
                      after[d].data() + after[d].size(), change.shape[d]);
    Coordinate device(mesh.rank(), 0);
    if (limit == 0 || tryDevice(device) || tryApart())
      return best;
    visitGrid(device, 0);
    return best;
  }

private:
  /// Even cuts are taken apart at the borders of the other layout's, so that what both cut alike is
  /// seen as alike.
  void refineCuts() {
    auto refined = [&](const Layout &layout, std::vector<SubAxis> others) {
      others.insert(others.end(), change.atHolder.begin(), change.atHolder.end());
      std::vector<Dim> dims(layout.rank());
      for (int d = 0; d < layout.rank(); ++d) {
        int64_t n = change.shape[d];
        bool even = true;
        for (const Cut &cut : layout.dim(d)) {
          if (cut.axis.size == 1)
            continue;
          even = even && isEven(cut, n);
          auto parts = even && cut.interleave == 1 ? refine({cut.axis}, others) : std::nullopt;
          if (!parts)
            dims[d].push_back(cut);
          else
            for (const SubAxis &part : *parts)
              dims[d].push_back({part});
          n /= cut.axis.size;
        }
      }
      return dims;
    };
    before = refined(change.before, change.after.shardingAxes());
    after = refined(change.after, change.before.shardingAxes());
  }

  /// Where all cuts of a dim before the change say who keeps, or there are none, a device held all
  /// of the dim that it keeps; where it is cut evenly before and whole after, a certain part.
  void lowerLimit() {
    Coordinate first(mesh.rank(), 0);
    int64_t common = 1, kept = change.contributions, held = 1;
    for (size_t d = 0; d < change.shape.size(); ++d) {
      int64_t n = change.shape[d], most = cutLength(change.after, change.shape, d, first);
      if (!change.atHolder.empty())
        most = std::min(most, HeldCount(mesh, before[d], &change.atHolder).within(n, 0, n, first));
      bool holdsAll = std::all_of(before[d].begin(), before[d].end(), [&](const Cut &cut) {
        return std::any_of(change.atHolder.begin(), change.atHolder.end(),
                           [&](const SubAxis &part) { return contains(part, cut.axis); });
      });
      if (holdsAll) {
        common *= most;
        continue;
      }
      kept *= most;
      held *= after[d].empty() && isEven(before[d], n)
                  ? cutLength(change.before, change.shape, d, first)
                  : 0;
    }
    limit = std::min(limit, common * (kept - (kept > 0 ? held : 0)));
  }

  /// The parts of axes on which a device's share depends. Where two overlap, the whole axis is one
  /// part, whose indices are all looked at.
  void collectParts() {
    for (const auto *dims : {&before, &after})
      for (const Dim &dim : *dims)
        for (const Cut &cut : dim)
          addPart(cut.axis);
    for (const Layout *layout : {&change.before, &change.after})
      if (layout->ragged())
        addPart(layout->ragged()->axis);
    for (const auto *kept : {&change.atHolder, &change.atFirst})
      for (const SubAxis &axis : *kept)
        addPart(axis);
  }

  void addPart(const SubAxis &axis) {
    for (const Part &part : parts)
      if (contains(part.axis, axis) && (part.axis == axis || isWhole(mesh, part.axis)))
        return lookAtAll(axis, part.axis != axis);
    bool clash = false;
    for (size_t i = parts.size(); i-- > 0;)
      if (overlaps(parts[i].axis, axis)) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
        clash = true;
      }
    parts.push_back({clash ? wholeAxis(mesh, axis.axis) : axis, {0}});
    if (clash)
      lookAtAll(axis, true);
  }

  Part &partOf(const SubAxis &axis) {
    return *std::find_if(parts.begin(), parts.end(),
                         [&](const Part &part) { return contains(part.axis, axis); });
  }

  void lookAtAll(const SubAxis &axis, bool really = true) {
    if (!really)
      return;
    Part &part = partOf(axis);
    part.starts.resize(part.axis.size);
    std::iota(part.starts.begin(), part.starts.end(), 0);
  }

  /// What a dim of length n gives a device, cut by the rest of both lists of cuts.
  void collectRanges(const Cut *ours, const Cut *oursEnd, const Cut *theirs, const Cut *theirsEnd,
                     int64_t n) {
    if (n == 0)
      return;
    if (ours == oursEnd || theirs == theirsEnd) {
      // One side is whole, so that the device's share is what the other leaves.
      if (ours != oursEnd)
        eachLength(*ours, n, [&](int64_t length) {
          collectRanges(ours + 1, oursEnd, theirs, theirsEnd, length);
        });
      if (theirs != theirsEnd)
        eachLength(*theirs, n, [&](int64_t length) {
          collectRanges(ours, oursEnd, theirs + 1, theirsEnd, length);
        });
      return;
    }
    if (*ours == *theirs) {
      eachLength(*ours, n, [&](int64_t length) {
        collectRanges(ours + 1, oursEnd, theirs + 1, theirsEnd, length);
      });
      return;
    }
    apart.push_back({ours->axis, theirs->axis});
    for (; ours != oursEnd; ++ours)
      lookAtAll(ours->axis);
    for (; theirs != theirsEnd; ++theirs)
      lookAtAll(theirs->axis);
  }

  template <class Visit> void eachLength(const Cut &cut, int64_t n, const Visit &visit) {
    Part &part = partOf(cut.axis);
    int64_t start = 0;
    std::vector<LengthRun> runs = cutLengths(cut, n);
    for (const LengthRun &run : runs) {
      // A part that is larger than the cut's axis has all its indices already.
      if (part.axis == cut.axis && start > 0)
        part.starts.push_back(start);
      start += run.count;
      visit(run.length);
    }
    // Holders that agree only along a part of an uneven cut are counted index by index.
    if (runs.size() > 1)
      for (const SubAxis &kept : change.atHolder)
        if (kept != cut.axis && contains(cut.axis, kept))
          lookAtAll(cut.axis);
  }

  /// Beside a ragged cut all others are even. Where the other layout cuts nothing, only the units
  /// count; else where the borders lie, and the other cuts as far as they shift them.
  void collectRaggedRanges() {
    bool alone = change.before.shardingAxes().empty() || change.after.shardingAxes().empty();
    int flattened = 0, rank = static_cast<int>(change.shape.size());
    for (const Layout *layout : {&change.before, &change.after})
      if (const auto &tail = layout->ragged()) {
        flattened = std::min(std::max({flattened, tail->dims, 1}), rank);
        if (!alone) {
          lookAtAll(tail->axis);
          continue;
        }
        int64_t start = 0;
        for (const RunLengths::Run &run : tail->units.runs()) {
          partOf(tail->axis).starts.push_back(start);
          start += run.count;
        }
      }
    if (alone)
      return;
    bool alike = std::equal(before.begin(), before.begin() + flattened, after.begin());
    for (int d = 0; d < rank; ++d) {
      bool nested = before[d] == after[d] || before[d].empty() || after[d].empty();
      if (d < flattened
              ? alike
              : nested && isEven(before[d], change.shape[d]) && isEven(after[d], change.shape[d]))
        continue;
      for (const auto *dims : {&before, &after})
        for (const Cut &cut : (*dims)[d])
          lookAtAll(cut.axis);
    }
  }

  /// Tries a device; true where none can be busier.
  bool tryDevice(const Coordinate &device) {
    best = std::max(best, missing(device));
    return best == limit;
  }

  /// Tries devices that hold nothing of their target, because in some dim they stand in other
  /// pieces before and after.
  bool tryApart() {
    for (const auto &[ours, theirs] : apart)
      for (auto [index, other] : {std::pair<int64_t, int64_t>{ours.size - 1, 0}, {1, 0}, {0, 1}}) {
        Coordinate device(mesh.rank(), 0);
        setIndexAlong(mesh, theirs, std::min(other, theirs.size - 1), device);
        setIndexAlong(mesh, ours, std::min(index, ours.size - 1), device);
        if (tryDevice(device))
          return true;
      }
    return false;
  }

  bool visitGrid(Coordinate &device, size_t number) {
    if (number == parts.size())
      return tryDevice(device);
    Part &part = parts[number];
    std::sort(part.starts.begin(), part.starts.end());
    part.starts.erase(std::unique(part.starts.begin(), part.starts.end()), part.starts.end());
    for (int64_t start : part.starts) {
      setIndexAlong(mesh, part.axis, start, device);
      if (visitGrid(device, number + 1))
        return true;
    }
    setIndexAlong(mesh, part.axis, 0, device);
    return false;
  }

  int64_t missing(const Coordinate &device) const {
    for (const SubAxis &axis : change.atFirst)
      if (indexAlong(mesh, axis, device) != 0)
        return 0;
    if (ragged)
      return missingRagged(device);
    int64_t held = 1, kept = 1;
    for (size_t d = 0; d < change.shape.size(); ++d) {
      int64_t n = change.shape[d], own = 0, all = 0;
      HeldCount holds(mesh, before[d], nullptr), keeps(mesh, before[d], &change.atHolder);
      auto add = [&](int64_t begin, int64_t end) {
        own += holds.within(n, begin, end, device);
        all += change.atHolder.empty() ? end - begin : keeps.within(n, begin, end, device);
      };
      bool plain = std::all_of(after[d].begin(), after[d].end(),
                               [](const Cut &cut) { return cut.interleave == 1; });
      if (plain) {
        Interval target{0, n};
        for (const Cut &cut : after[d]) {
          Interval piece =
              chunk(target.length(), cut.axis.size, cut.block, indexAlong(mesh, cut.axis, device));
          target = {target.begin + piece.begin, target.begin + piece.end};
        }
        add(target.begin, target.end);
      } else {
        for (const Segment &segment : dimSegments(mesh, after[d], n, device))
          add(segment.global, segment.global + segment.length);
      }
      held *= own;
      kept *= all;
      if (kept == 0)
        return 0;
    }
    return kept * change.contributions - held;
  }

  int64_t missingRagged(const Coordinate &device) const {
    if (!change.atHolder.empty())
      return change.transfer->receive(mesh.position(device)).missingElements();
    int64_t target = localElements(change.after, change.shape, device);
    if (target * change.contributions <= best)
      return 0;
    return target * change.contributions -
           elementCount(overlap(region(change.before, change.shape, device),
                                region(change.after, change.shape, device)));
  }

  const Change &change;
  const Mesh &mesh;
  int64_t most, limit = 0, best = 0;
  bool ragged;
  std::vector<Dim> before, after;
  std::vector<Part> parts;
  /// The first cuts in which a dim's two lists differ.
  std::vector<std::pair<SubAxis, SubAxis>> apart;
};

/// A mesh of one axis with the same devices in the same order, and what lies on it.
struct Line {
  explicit Line(const Mesh &mesh)
      : mesh(mesh), line(*Mesh::get({{"devices", mesh.numDevices()}}, mesh.deviceIds())) {}

  SubAxis along(const SubAxis &axis) const {
    int64_t before = mesh.numDevices() / mesh.axisStride(axis.axis) / mesh.axisSize(axis.axis);
    return {0, before * axis.pre, axis.size};
  }
  Layout along(const Layout &layout) const {
    std::vector<Dim> dims = layout.dims();
    for (Dim &dim : dims)
      for (Cut &cut : dim)
        cut.axis = along(cut.axis);
    std::optional<Ragged> ragged = layout.ragged();
    if (ragged)
      ragged->axis = along(ragged->axis);
    return Layout::fromChecked(line, std::move(dims), std::nullopt, std::move(ragged));
  }

  const Mesh &mesh;
  Mesh line;
};

/// Of a change between two meshes. A device that is on both holds what it held, the others nothing.
int64_t mostAcross(const Change &change) {
  const Layout &before = change.before, &after = change.after;
  const Mesh &source = before.mesh(), &target = after.mesh();
  if (source.numDevices() == target.numDevices() && source.deviceIds() == target.deviceIds()) {
    Line ours(source), theirs(target);
    Layout from = ours.along(before), to = theirs.along(after);
    Change onLine{from, to, change.shape, change.contributions, {}, {}};
    for (const SubAxis &axis : change.atFirst)
      onLine.atFirst.push_back(theirs.along(axis));
    return Busiest(onLine).find();
  }
  int64_t limit = mostHeld(after, change.shape) * change.contributions, most = 0;
  for (int64_t i = 0; i < target.numDevices() && most < limit; ++i) {
    Coordinate there = target.coordinate(i);
    int64_t all = localElements(after, change.shape, there) * change.contributions;
    bool keeps = std::all_of(change.atFirst.begin(), change.atFirst.end(),
                             [&](const SubAxis &axis) { return !indexAlong(target, axis, there); });
    if (!keeps || all <= most)
      continue;
    if (auto own = source.positionOf(target.deviceId(i)))
      all -= elementCount(overlap(region(before, change.shape, source.coordinate(*own)),
                                  region(after, change.shape, there)));
    most = std::max(most, all);
  }
  return most;
}

} // namespace

int64_t mostHeld(const Layout &layout, const Shape &shape) {
  // The first piece of a cut is the largest, and so are the first pieces of it.
  Coordinate device(layout.mesh().rank(), 0);
  if (!layout.ragged())
    return localElements(layout, shape, device);
  const Ragged &ragged = *layout.ragged();
  int64_t begin = 0, most = -1, largest = 0;
  for (const RunLengths::Run &run : ragged.units.runs()) {
    if (run.value > most)
      most = run.value, largest = begin;
    begin += run.count;
  }
  setIndexAlong(layout.mesh(), ragged.axis, largest, device);
  return localElements(layout, shape, device);
}

int64_t mostLost(const Layout &before, const Layout &after, const Shape &shape) {
  StatusOr<RankClasses> classes =
      RankClasses::get(before.mesh(), {{before, shape}, {after, shape}});
  assert(classes.ok() && "the layouts of a step are legal and on one mesh");
  int64_t most = 0;
  for (const RankClasses::Class &one : classes->classes())
    most = std::max(most, localElements(before, shape, one.representative) -
                              localElements(after, shape, one.representative));
  return most;
}

static int64_t mostOf(const Change &change) {
  return change.before.mesh() == change.after.mesh() ? Busiest(change).find() : mostAcross(change);
}

int64_t mostMissing(const Layout &before, const Layout &after, const Shape &shape) {
  return mostOf({before, after, shape, 1, {}, {}});
}

int64_t mostReceived(const Transfer &transfer) {
  int64_t contributions = 1;
  for (const SubAxis &axis : transfer.reducedAxes())
    contributions *= axis.size;
  return mostOf({transfer.from(), transfer.to(), transfer.shape(), contributions,
                 transfer.keptAtHolder(), transfer.keptAtFirst(), &transfer});
}

} // namespace vescale::layout
