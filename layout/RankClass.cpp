#include "layout/RankClass.h"

#include "layout/Cutting.h"
#include "layout/Hash.h"
#include "layout/Legality.h"
#include "layout/Region.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace vescale::layout {

namespace {

/// A number that depends on the device: a dim's length under its cuts, or a device's units.
struct UnevenLength {
  Dim cuts;
  int64_t size = 0;
  const Ragged *ragged = nullptr;

  /// The only part that it depends on; nothing if there are several.
  std::optional<SubAxis> part() const {
    if (ragged)
      return ragged->axis;
    return cuts.size() == 1 ? std::optional(cuts[0].axis) : std::nullopt;
  }

  int64_t on(const Mesh &mesh, const Coordinate &coordinate) const {
    if (ragged)
      return ragged->units[indexAlong(mesh, ragged->axis, coordinate)];
    int64_t length = size;
    for (const Cut &cut : cuts)
      length = cutLength(cut, length, indexAlong(mesh, cut.axis, coordinate));
    return length;
  }

  bool operator==(const UnevenLength &other) const {
    if (ragged || other.ragged)
      return ragged && other.ragged && ragged->axis == other.ragged->axis &&
             ragged->units == other.ragged->units;
    return size == other.size && cuts == other.cuts;
  }
};

/// Numbers pairs from 0 in the order in which they are first met; open addressing, at most half
/// full.
class Numbering {
public:
  Numbering() : slots(64) {}

  int64_t of(int64_t first, int64_t second) {
    if (2 * count >= static_cast<int64_t>(slots.size()))
      grow();
    Slot &slot = slots[probe(first, second)];
    if (slot.number < 0)
      slot = {first, second, count++};
    return slot.number;
  }

private:
  struct Slot {
    int64_t first = 0, second = 0, number = -1;
  };

  size_t probe(int64_t first, int64_t second) const {
    size_t at = combineHash(combineHash(0, first), second) & (slots.size() - 1);
    while (slots[at].number >= 0 && (slots[at].first != first || slots[at].second != second))
      at = (at + 1) & (slots.size() - 1);
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots.size() * 4);
    old.swap(slots);
    for (const Slot &slot : old)
      if (slot.number >= 0)
        slots[probe(slot.first, slot.second)] = slot;
  }

  std::vector<Slot> slots;
  int64_t count = 0;
};

struct UnevenLengthHash {
  size_t operator()(const UnevenLength &length) const {
    if (length.ragged)
      return combineHash(length.ragged->units.hash(), length.ragged->axis.axis);
    size_t hash = length.size;
    for (const Cut &cut : length.cuts)
      hash = combineHash(combineHash(hash, cut.axis.axis), cut.axis.pre * 64 + cut.axis.size);
    return hash;
  }
};

/// Collects, part by part, the indices at which some length changes.
class BorderCollector {
public:
  void add(const UnevenLength &length) {
    if (!length.ragged)
      return addDim(length.cuts, 0, length.size);
    int64_t start = 0;
    for (const RunLengths::Run &run : length.ragged->units.runs()) {
      borders[length.ragged->axis].push_back(start);
      start += run.count;
    }
  }

  std::map<SubAxis, std::vector<int64_t>> borders;

private:
  void addDim(const Dim &cuts, size_t c, int64_t length) {
    if (c == cuts.size())
      return;
    std::vector<LengthRun> runs = cutLengths(cuts[c], length);
    int64_t start = 0;
    for (const LengthRun &run : runs) {
      if (runs.size() > 1)
        borders[cuts[c].axis].push_back(start);
      start += run.count;
      addDim(cuts, c + 1, run.length);
    }
  }
};

} // namespace

/// The ranges along every part that matters. Parts of one axis that overlap without being the same
/// have no common ranges, so that axis falls into single indices.
static std::vector<RankClasses::Ranges> rangesOf(const Mesh &mesh,
                                                 std::map<SubAxis, std::vector<int64_t>> &borders) {
  std::vector<RankClasses::Ranges> result;
  std::vector<bool> single(mesh.rank(), false);
  for (auto a = borders.begin(); a != borders.end(); ++a)
    for (auto b = std::next(a); b != borders.end(); ++b)
      if (overlaps(a->first, b->first))
        single[a->first.axis] = true;
  for (auto &[part, starts] : borders)
    if (!single[part.axis]) {
      std::sort(starts.begin(), starts.end());
      starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
      result.push_back({part, std::move(starts)});
    }
  for (int axis = 0; axis < mesh.rank(); ++axis)
    if (single[axis]) {
      result.push_back({wholeAxis(mesh, axis), {}});
      for (int64_t index = 0; index < mesh.axisSize(axis); ++index)
        result.back().starts.push_back(index);
    }
  std::sort(result.begin(), result.end(),
            [](const auto &a, const auto &b) { return a.part < b.part; });
  return result;
}

/// Ranges of one part get the same number where all lengths that depend on it alone are equal.
static std::vector<int64_t> numberRanges(const RankClasses::Ranges &ranges,
                                         const std::vector<UnevenLength> &lengths) {
  std::vector<int64_t> numbers(ranges.starts.size(), 0);
  for (const UnevenLength &length : lengths) {
    if (length.part() != ranges.part)
      continue;
    Numbering numbering;
    if (!length.ragged) {
      for (size_t r = 0; r < numbers.size(); ++r)
        numbers[r] =
            numbering.of(numbers[r], cutLength(length.cuts[0], length.size, ranges.starts[r]));
      continue;
    }
    auto run = length.ragged->units.runs().begin();
    int64_t end = run->count;
    for (size_t r = 0; r < numbers.size(); ++r) {
      while (ranges.starts[r] >= end)
        end += (++run)->count;
      numbers[r] = numbering.of(numbers[r], run->value);
    }
  }
  return numbers;
}

StatusOr<RankClasses> RankClasses::get(Mesh mesh, const std::vector<PlacedTensor> &tensors) {
  std::vector<UnevenLength> lengths;
  std::unordered_map<UnevenLength, bool, UnevenLengthHash> seen;
  BorderCollector collector;
  auto add = [&](UnevenLength length) {
    if (!seen.emplace(length, true).second)
      return;
    collector.add(length);
    lengths.push_back(std::move(length));
  };
  for (const PlacedTensor &tensor : tensors) {
    const Layout &layout = tensor.layout;
    if (layout.mesh() != mesh)
      return Status::error(fmt::format("rank classes of the mesh {}: a layout is on the mesh {}",
                                       mesh.str(), layout.mesh().str()));
    Status legal = checkLegal(layout, tensor.shape);
    if (!legal.ok())
      return legal;
    if (!layout.ragged()) {
      for (int d = 0; d < layout.rank(); ++d)
        if (!isEven(layout.dim(d), tensor.shape[d]))
          add({layout.dim(d), tensor.shape[d], nullptr});
      continue;
    }
    // Beside a ragged cut all others are even: a device's size is its units times a constant, which
    // is 0 for an empty tensor.
    if (elementCount(tensor.shape) != 0 && layout.ragged()->units.runs().size() > 1)
      add({{}, 0, &*layout.ragged()});
  }

  RankClasses result(mesh);
  result.axes = rangesOf(mesh, collector.borders);
  int64_t cellCount = 1, spanned = 1;
  for (const Ranges &ranges : result.axes) {
    cellCount *= static_cast<int64_t>(ranges.starts.size());
    spanned *= ranges.part.size;
  }

  // What depends on one part only gives each of its ranges a number; the others are looked at cell
  // by cell.
  std::vector<std::vector<int64_t>> alike;
  for (const Ranges &ranges : result.axes)
    alike.push_back(numberRanges(ranges, lengths));
  std::vector<const UnevenLength *> others;
  for (const UnevenLength &length : lengths)
    if (std::none_of(result.axes.begin(), result.axes.end(),
                     [&](const Ranges &ranges) { return length.part() == ranges.part; }))
      others.push_back(&length);

  // Visits the cells in order of position; the coordinate is the smallest of the cell.
  std::vector<size_t> cell(result.axes.size(), 0);
  Coordinate coordinate(mesh.rank(), 0);
  std::vector<Numbering> numberings(cell.size() + others.size());
  result.cells.reserve(cellCount);
  for (int64_t c = 0; c < cellCount; ++c) {
    int64_t number = 0, devices = mesh.numDevices() / spanned;
    for (size_t a = 0; a < cell.size(); ++a) {
      const Ranges &ranges = result.axes[a];
      int64_t end =
          cell[a] + 1 < ranges.starts.size() ? ranges.starts[cell[a] + 1] : ranges.part.size;
      devices *= end - ranges.starts[cell[a]];
      number = numberings[a].of(number, alike[a][cell[a]]);
    }
    for (size_t i = 0; i < others.size(); ++i)
      number = numberings[cell.size() + i].of(number, others[i]->on(mesh, coordinate));
    if (number == result.size())
      result.found.push_back({coordinate, 0});
    result.found[number].devices += devices;
    result.cells.push_back(number);
    for (size_t a = cell.size(); a-- > 0;) {
      bool carry = ++cell[a] == result.axes[a].starts.size();
      if (carry)
        cell[a] = 0;
      setIndexAlong(mesh, result.axes[a].part, result.axes[a].starts[cell[a]], coordinate);
      if (!carry)
        break;
    }
  }
  return result;
}

int64_t RankClasses::classOf(const Coordinate &coordinate) const {
  size_t cell = 0;
  for (const Ranges &ranges : axes) {
    int64_t index = indexAlong(deviceMesh, ranges.part, coordinate);
    auto after = std::upper_bound(ranges.starts.begin(), ranges.starts.end(), index);
    cell = cell * ranges.starts.size() + (after - ranges.starts.begin() - 1);
  }
  return cells[cell];
}

} // namespace vescale::layout
