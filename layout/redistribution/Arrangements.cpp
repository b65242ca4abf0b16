//===- Arrangements.cpp - All layouts that one permutation reaches ---------------------------===//
#include "layout/redistribution/Moves.h"

#include <algorithm>
#include <array>

namespace vescale::layout::redistribution {

namespace {

class Arranging {
public:
  Arranging(const Space &space, const State &pattern, AtomSet movable, Wanted wanted,
            const VisitState &visit)
      : space(space), movable(movable), wanted(wanted), visit(visit), sizes(pattern),
        after(pattern) {
    AtomSet taken = pattern.partial | space.raggedAtoms(pattern.ragged);
    for (int i = 0; i < pattern.total; ++i)
      if (!(pattern.cuts[i] & freePlace))
        taken |= bit(pattern.cuts[i]);
    int place = 0, goalPlace = 0;
    for (int d = 0; d < space.rank(); ++d) {
      int goalCount = space.goal() ? space.goal()->count[d] : 0;
      for (int i = 0; i < pattern.count[d]; ++i, ++place)
        aim[place] = i < goalCount ? space.goal()->cuts[goalPlace + i] : none;
      goalPlace += goalCount;
    }
    // Where the target decides comes first, so that no choice is made in vain.
    int next = 0;
    for (bool decided : {true, false})
      for (int i = 0; i < place; ++i)
        if ((aim[i] != none) == decided)
          order[next++] = static_cast<uint8_t>(i);
    if (space.isEven())
      reorder(0, taken);
    else
      fill(0, taken, true);
  }

private:
  static constexpr uint8_t none = 0xff;

  /// Puts the sizes of the free places of each dim from `dim` on in every order.
  void reorder(int dim, AtomSet taken) {
    if (dim == space.rank()) {
      fill(0, taken, true);
      return;
    }
    std::array<uint8_t, maxCuts> places, likes;
    int free = 0, begin = sizes.begin(dim);
    bool alike = true;
    for (int i = begin; i < begin + sizes.count[dim]; ++i)
      if (sizes.cuts[i] & freePlace) {
        places[free] = static_cast<uint8_t>(i);
        likes[free++] = sizes.cuts[i];
        alike = alike && likes[0] == sizes.cuts[i];
      }
    if (alike) {
      reorder(dim + 1, taken);
      return;
    }
    std::sort(likes.begin(), likes.begin() + free);
    do {
      for (int i = 0; i < free; ++i)
        sizes.cuts[places[i]] = likes[i];
      reorder(dim + 1, taken);
    } while (!stopped && std::next_permutation(likes.begin(), likes.begin() + free));
  }

  void fill(int filled, AtomSet taken, bool nested) {
    if (filled == sizes.total) {
      if (nested ? wanted != Wanted::apart : wanted != Wanted::nested)
        stopped = !visit(after);
      return;
    }
    int place = order[filled];
    if (!(sizes.cuts[place] & freePlace)) {
      put(filled, sizes.cuts[place], taken, nested);
      return;
    }
    const Atom &like = space.atom(sizes.cuts[place] & ~freePlace);
    for (size_t i = 0; i < space.atoms().size() && !stopped; ++i) {
      const Atom &atom = space.atom(i);
      if ((movable & bit(atom.plain)) && !(atom.conflicts & taken) &&
          !space.isTriedByAnother(i, movable & ~taken) && atom.size() == like.size() &&
          atom.cut.interleave == like.cut.interleave && atom.cut.block == like.cut.block)
        put(filled, static_cast<uint8_t>(i), taken | bit(i), nested);
    }
  }

  void put(int filled, uint8_t atom, AtomSet taken, bool nested) {
    int place = order[filled];
    // Atoms of one axis in several orders may overlap without being equal: such are not apart.
    bool continues = aim[place] == none || (space.atom(atom).conflicts & bit(aim[place]));
    if (!continues && wanted == Wanted::nested)
      return;
    after.cuts[place] = atom;
    fill(filled + 1, taken, nested && continues);
  }

  const Space &space;
  AtomSet movable;
  Wanted wanted;
  const VisitState &visit;
  State sizes, after;
  bool stopped = false;
  std::array<uint8_t, maxCuts> aim, order;
};

} // namespace

void visitArrangements(const Space &space, const State &pattern, AtomSet movable, Wanted wanted,
                       const VisitState &visit) {
  Arranging(space, pattern, movable, wanted, visit);
}

void sortFreePlaces(const Space &space, State &pattern) {
  int begin = 0;
  for (int d = 0; d < space.rank(); begin += pattern.count[d++]) {
    std::vector<uint8_t> likes;
    for (int i = begin; i < begin + pattern.count[d]; ++i)
      if (pattern.cuts[i] & freePlace)
        likes.push_back(pattern.cuts[i]);
    std::sort(likes.begin(), likes.end());
    size_t next = 0;
    for (int i = begin; i < begin + pattern.count[d]; ++i)
      if (pattern.cuts[i] & freePlace)
        pattern.cuts[i] = likes[next++];
  }
}

} // namespace vescale::layout::redistribution
