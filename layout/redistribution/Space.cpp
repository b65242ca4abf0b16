//===- Space.cpp - The layouts that one search walks through ---------------------------------===//
//
// An axis whose every use in both layouts is a plain, even cut or partial is taken apart into prime
// parts, or where that gives too many, at the borders that the layouts themselves draw. Any other
// axis stands for itself as it is written, since parts of it would cut elsewhere.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Space.h"

#include "layout/Cutting.h"
#include "layout/Legality.h"

#include <algorithm>

namespace vescale::layout::redistribution {

/// Calls visit(cut, even) for each cut of the dim.
template <class Visit> static void eachCut(const Dim &dim, int64_t n, Visit visit) {
  bool even = true;
  for (const Cut &cut : dim) {
    even = even && isEven(cut, n) && cut.interleave == 1 && cut.block == 1;
    visit(cut, even);
    n /= cut.axis.size;
  }
}

namespace {
/// The parts of one axis that a layout uses.
struct Uses {
  std::vector<SubAxis> cutting, partial;
  std::vector<Cut> cuts;
  std::vector<int> dims;
  std::vector<SubAxis> all() const {
    std::vector<SubAxis> parts = cutting;
    parts.insert(parts.end(), partial.begin(), partial.end());
    std::sort(parts.begin(), parts.end());
    return parts;
  }
};
} // namespace

static Uses usesOf(const Layout &layout, const Shape &shape, int axis, bool &whole) {
  Uses uses;
  for (int d = 0; d < layout.rank(); ++d)
    eachCut(mergeCuts(layout.dim(d), shape[d]), shape[d], [&](const Cut &cut, bool even) {
      if (cut.axis.axis != axis)
        return;
      whole |= !even;
      uses.cutting.push_back(cut.axis);
      uses.cuts.push_back(cut);
      uses.dims.push_back(d);
    });
  if (layout.ragged() && layout.ragged()->axis.axis == axis && layout.ragged()->axis.size > 1) {
    whole = true;
    uses.cutting.push_back(layout.ragged()->axis);
    uses.cuts.push_back({layout.ragged()->axis});
    uses.dims.push_back(-1);
  }
  if (layout.partial())
    for (const SubAxis &part : layout.partial()->axes)
      if (part.axis == axis && part.size > 1)
        uses.partial.push_back(part);
  return uses;
}

/// `parts` cut at the borders of `others`, as far as each pair allows.
static std::vector<SubAxis> refined(std::vector<SubAxis> parts,
                                    const std::vector<SubAxis> &others) {
  for (const SubAxis &other : others)
    if (auto finer = refine(parts, {other}))
      parts = *finer;
  return parts;
}

int Space::addAtom(const Cut &cut, bool evenPart, int dim) {
  Atom atom;
  atom.cut = cut;
  atom.even = evenPart;
  bool styled = cut.interleave != 1 || cut.block != 1;
  if (auto known = find(cut)) {
    if (styled && dim >= 0)
      table[*known].dims |= 1u << dim;
    return *known;
  }
  if (styled) {
    atom.plain = static_cast<uint8_t>(addAtom({cut.axis}, evenPart, -1));
    atom.dims = dim >= 0 ? 1u << dim : 0;
  } else {
    atom.plain = static_cast<uint8_t>(table.size());
  }
  table.push_back(atom);
  return static_cast<int>(table.size()) - 1;
}

std::optional<int> Space::find(const Cut &cut) const {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].cut == cut)
      return static_cast<int>(i);
  return std::nullopt;
}

bool Space::collectAtoms(Granularity granularity) {
  bool oneMesh = from.mesh() == to.mesh();
  wholeAxes.assign(mesh().rank(), false);
  for (int axis = 0; axis < mesh().rank(); ++axis) {
    if (mesh().axisSize(axis) == 1)
      continue;
    bool whole = false;
    Uses ours = usesOf(from, sizes, axis, whole);
    Uses theirs = oneMesh ? usesOf(to, sizes, axis, whole) : Uses();
    wholeAxes[axis] = whole;
    even = even && !whole;
    if (whole) {
      for (const Uses *uses : {&ours, &theirs}) {
        const Uses &other = uses == &ours ? theirs : ours;
        for (size_t i = 0; i < uses->cuts.size(); ++i)
          addAtom(uses->cuts[i], false, uses->dims[i]);
        for (const SubAxis &part : refined(uses->partial, other.all()))
          addAtom({part}, false, -1);
        for (const SubAxis &part : unusedParts(mesh(), axis, uses->all()))
          addAtom({part}, false, -1);
      }
      continue;
    }
    auto orders = primeOrders(wholeAxis(mesh(), axis));
    std::vector<SubAxis> left = ours.all(), right = theirs.all();
    auto finerLeft = refine(left, right), finerRight = refine(right, left);
    if (granularity == Granularity::written && finerLeft && finerRight) {
      std::vector<SubAxis> parts = *finerLeft;
      for (const SubAxis &part : *finerRight)
        if (std::find(parts.begin(), parts.end(), part) == parts.end())
          parts.push_back(part);
      std::sort(parts.begin(), parts.end());
      for (const SubAxis &part : unusedParts(mesh(), axis, parts))
        parts.push_back(part);
      for (const SubAxis &part : parts)
        addAtom({part}, true, -1);
      continue;
    }
    severalOrders |= orders.size() > 1;
    for (const auto &order : orders)
      for (const SubAxis &part : order)
        addAtom({part}, true, -1);
  }
  if (table.size() > maxAtoms)
    return false;
  // Beside uneven cuts, any axis that is one part may cut unevenly too.
  for (Atom &atom : table)
    if (!even && isWhole(mesh(), atom.cut.axis))
      atom.even = false;
  for (size_t i = 0; i < table.size(); ++i) {
    for (size_t j = 0; j < table.size(); ++j)
      if (overlaps(table[i].cut.axis, table[j].cut.axis))
        table[i].conflicts |= bit(j);
    if (table[i].plain == i)
      plain |= bit(i);
  }
  return true;
}

bool Space::encodePart(const SubAxis &part, std::vector<uint8_t> &atoms) const {
  if (part.size == 1)
    return true;
  // Of several prime orders the one with the smaller primes first is canonical.
  auto exact = find({part});
  int best = exact.value_or(-1);
  for (size_t i = 0; !exact && i < table.size(); ++i)
    if (table[i].plain == i && isPrefix(table[i].cut.axis, part) &&
        (best < 0 || table[i].size() < table[best].size()))
      best = static_cast<int>(i);
  if (best < 0)
    return false;
  atoms.push_back(static_cast<uint8_t>(best));
  SubAxis rest{part.axis, table[best].cut.axis.end(), part.size / table[best].size()};
  return encodePart(rest, atoms);
}

AtomSet Space::plainParts(const std::vector<SubAxis> &parts) const {
  AtomSet set = 0;
  for (const SubAxis &part : parts) {
    std::vector<uint8_t> atoms;
    if (encodePart(part, atoms))
      for (uint8_t atom : atoms)
        set |= bit(atom);
  }
  return set;
}

std::optional<State> Space::encode(const Layout &layout, int raggedNumber) const {
  State state;
  for (int d = 0; d < rank(); ++d) {
    for (const Cut &cut : mergeCuts(layout.dim(d), sizes[d])) {
      std::vector<uint8_t> atoms;
      if (cut.axis.size == 1)
        continue;
      if (wholeAxes[cut.axis.axis]) {
        auto known = find(cut);
        if (!known)
          return std::nullopt;
        atoms.push_back(static_cast<uint8_t>(*known));
      } else if (!encodePart(cut.axis, atoms)) {
        return std::nullopt;
      }
      for (uint8_t atom : atoms) {
        if (state.total == maxCuts)
          return std::nullopt;
        state.append(d, atom);
      }
    }
  }
  if (layout.partial())
    state.partial = plainParts(layout.partial()->axes);
  if (layout.ragged() && layout.ragged()->axis.size > 1)
    state.ragged = static_cast<uint8_t>(raggedNumber);
  canonicalize(state);
  return state;
}

std::optional<Space> Space::get(const Layout &from, const Layout &to, const Shape &shape,
                                Granularity granularity) {
  if (from.rank() > maxDims)
    return std::nullopt;
  Space space(from, to, shape);
  if (!space.collectAtoms(granularity))
    return std::nullopt;
  bool oneMesh = from.mesh() == to.mesh();
  if (from.ragged() && from.ragged()->axis.size > 1)
    space.raggedParts[1] = space.plainParts({from.ragged()->axis});
  if (oneMesh && to.ragged() && to.ragged()->axis.size > 1)
    space.raggedParts[2] = space.plainParts({to.ragged()->axis});
  auto start = space.encode(from, 1);
  if (!start)
    return std::nullopt;
  space.startState = *start;
  if (oneMesh) {
    int raggedNumber = from.ragged() == to.ragged() ? 1 : 2;
    auto goal = space.encode(to, raggedNumber);
    if (!goal)
      return std::nullopt;
    space.targetPartial = goal->partial;
    space.sameReduction =
        !goal->partial || !start->partial || from.partial()->reduction == to.partial()->reduction;
    goal->reduction = space.sameReduction ? 0 : 1;
    space.goalState = *goal;
  } else {
    space.even = false;
  }
  return space;
}

void Space::groupAlike(const std::vector<Link> &linksOfAxes) {
  if (!goalState)
    return;
  AtomSet unused = ~blocked(*goalState);
  for (size_t i = 0; i < table.size(); ++i) {
    // Parts that overlap others are not told from them by their sizes alone.
    if (!table[i].even || table[i].conflicts != bit(i))
      continue;
    for (size_t j = 0; j < i; ++j) {
      AtomSet both = bit(i) | bit(j);
      bool sameRole = !(both & ~unused) || !(both & ~targetPartial);
      int axis = table[i].cut.axis.axis, other = table[j].cut.axis.axis;
      if (table[j].even && table[j].conflicts == bit(j) && table[i].size() == table[j].size() &&
          sameRole && (linksOfAxes.empty() || linksOfAxes[axis] == linksOfAxes[other]))
        table[i].alikeBefore |= bit(j);
    }
  }
}

AtomSet Space::pending(const State &state) const {
  if (!sameReduction && state.reduction == 0)
    return state.partial;
  return state.partial & ~targetPartial;
}

AtomSet Space::mayBecomePartial(const State &state) const {
  if (!sameReduction && state.reduction == 0 && state.partial)
    return 0;
  return targetPartial & ~state.partial;
}

AtomSet Space::blocked(const State &state) const {
  AtomSet set = 0;
  for (int i = 0; i < state.total; ++i)
    set |= table[state.cuts[i]].conflicts;
  for (AtomSet rest = state.partial | raggedParts[state.ragged]; rest; rest &= rest - 1)
    set |= table[__builtin_ctzll(rest)].conflicts;
  return set;
}

int64_t Space::product(AtomSet set) const {
  int64_t n = 1;
  for (; set; set &= set - 1)
    n *= table[__builtin_ctzll(set)].size();
  return n;
}

int64_t Space::evenLength(const State &state, int dim) const {
  int64_t n = sizes[dim];
  int at = state.begin(dim);
  for (int i = at; i < at + state.count[dim]; ++i) {
    const Atom &atom = table[state.cuts[i]];
    if (atom.cut.block != 1 || n % atom.size() != 0)
      return -1;
    n /= atom.size();
  }
  return n;
}

int64_t Space::localElements(const State &state) const {
  int64_t n = 1, pieces = 1;
  for (int64_t size : sizes)
    n *= size;
  for (int i = 0; i < state.total; ++i)
    pieces *= table[state.cuts[i]].size();
  return n / pieces;
}

bool Space::isLegal(const State &state) const {
  return even || checkLegal(layout(state), sizes).ok();
}

std::vector<SubAxis> Space::axes(AtomSet set) const {
  std::vector<SubAxis> parts;
  for (; set; set &= set - 1)
    parts.push_back(table[__builtin_ctzll(set)].cut.axis);
  std::sort(parts.begin(), parts.end());
  std::vector<SubAxis> merged;
  for (const SubAxis &part : parts) {
    if (!merged.empty() && merged.back() == part)
      continue;
    if (!merged.empty() && canMerge(merged.back(), part))
      merged.back() = merge(merged.back(), part);
    else
      merged.push_back(part);
  }
  return merged;
}

Layout Space::layout(const State &state) const {
  std::vector<Dim> dims(rank());
  int at = 0;
  for (int d = 0; d < rank(); ++d) {
    Dim dim;
    for (int i = 0; i < state.count[d]; ++i)
      dim.push_back(table[state.cuts[at++]].cut);
    dims[d] = mergeCuts(dim, sizes[d]);
  }
  std::optional<Partial> partial;
  if (state.partial) {
    const auto &reduced =
        startState.partial && state.reduction == 0 ? from.partial() : to.partial();
    partial = Partial{reduced ? reduced->reduction : Reduction::sum, axes(state.partial)};
  }
  std::optional<Ragged> tail;
  if (state.ragged)
    tail = ragged(state.ragged);
  return Layout::fromChecked(mesh(), std::move(dims), std::move(partial), std::move(tail));
}

} // namespace vescale::layout::redistribution
