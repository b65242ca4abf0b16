//===- Moves.h - The steps that lead out of a layout -----------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_MOVES_H
#define VESCALE_LAYOUT_REDISTRIBUTION_MOVES_H

#include "layout/StepKind.h"
#include "layout/redistribution/Space.h"

#include <functional>

namespace vescale::layout::redistribution {

struct Move {
  StepKind kind;
  State after;
  /// The atoms that the step slices, gathers, moves or reduces.
  AtomSet atoms;
};

/// Both return whether to go on: there may be factorially many.
using VisitMove = std::function<bool(const Move &)>;
using VisitState = std::function<bool(const State &)>;

/// Which layouts are wanted: those whose cuts, dim by dim, continue the target's or are continued
/// by them, the others, or both. In the others some device holds nothing of its target.
enum class Wanted { nested, apart, all };

/// Calls `visit` for every slice, to-partial, all-gather, all-to-all, reduce-scatter and all-reduce
/// out of `state`, which is one of the writings of a layout; `after` may not be canonical.
/// Reduce-scatters only to wanted layouts, and nothing else if those are the ones apart.
/// Permutations and exchanges are the search's own.
void visitMoves(const Space &space, const State &state, Wanted wanted, const VisitMove &visit);

/// Calls `visit` for every set of atoms in `set` that is not empty; of those that differ only in
/// atoms which are alike, for one.
template <class Visit> void visitSubsets(const Space &space, AtomSet set, const Visit &visit) {
  auto grow = [&](auto &self, AtomSet chosen, AtomSet left) -> bool {
    if (chosen && !visit(chosen))
      return false;
    for (; left; left &= left - 1) {
      int atom = __builtin_ctzll(left);
      if (!space.isTriedByAnother(atom, set & ~chosen) &&
          !self(self, chosen | bit(atom), left & (left - 1)))
        return false;
    }
    return true;
  };
  grow(grow, 0, set);
}

/// Marks a cut of a pattern whose place any atom of its size and style may take.
inline constexpr uint8_t freePlace = 0x80;

/// Calls `visit` for every state that puts atoms of `movable`, which neither the other places use
/// nor the partial set, in the free places of `pattern`. In an even space the sizes of the free
/// places of a dim may stand in any order, since their product is what shapes the local tensor.
void visitArrangements(const Space &space, const State &pattern, AtomSet movable, Wanted wanted,
                       const VisitState &visit);

/// Writes patterns that have the same arrangements in one way.
void sortFreePlaces(const Space &space, State &pattern);

} // namespace vescale::layout::redistribution

#endif
