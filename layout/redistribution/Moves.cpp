//===- Moves.cpp - The steps that lead out of a layout ---------------------------------------===//
#include "layout/redistribution/Moves.h"

#include <algorithm>
#include <array>

namespace vescale::layout::redistribution {

namespace {

/// The moves out of one state.
class Moves {
public:
  Moves(const Space &space, const State &state, Wanted wanted, const VisitMove &visit)
      : space(space), state(state), wanted(wanted), visit(visit), used(atomsInUse()) {
    for (int d = 0; d < space.rank(); ++d)
      lengths[d] = space.evenLength(state, d);
  }

  void all() {
    AtomSet pending = state.partial;
    if (pending)
      reduceScatters(state, 0, pending, 0, wanted == Wanted::all || isNested());
    if (wanted == Wanted::apart)
      return;
    if (pending)
      allReduces(pending);
    slices();
    toPartial();
    if (state.total || state.ragged)
      gathers(state, 0, 0);
    if (space.raggedAtoms(state.ragged)) {
      State whole = state;
      whole.ragged = 0;
      gathers(whole, 0, space.raggedAtoms(state.ragged));
    }
    allToAll(state, 0, 0, 0);
  }

private:
  void emit(StepKind kind, const State &after, AtomSet atoms) {
    if (!stopped && (space.isEven() || space.isLegal(after)))
      stopped = !visit({kind, after, atoms});
  }

  /// A ragged cut stands behind the cuts of the dims it flattens, so that those may not change.
  bool mayChange(const State &s, int dim) const {
    return !s.ragged || dim >= std::max(1, space.ragged(s.ragged).dims);
  }

  /// The numbers of the ragged cuts that the layouts know.
  template <class Visit> void eachRagged(Visit each) const {
    if (state.ragged)
      return;
    for (int number : {1, 2})
      if (space.raggedAtoms(number))
        each(number);
  }

  AtomSet atomsInUse() const {
    AtomSet set = state.partial | space.raggedAtoms(state.ragged);
    for (int i = 0; i < state.total; ++i)
      set |= bit(state.cuts[i]);
    return set;
  }

  bool isFree(int atom) const { return !(space.atom(atom).conflicts & used); }

  /// Whether the atom may cut the dim, of which `length` is left; see Space::evenLength.
  bool mayCut(const State &before, int dim, int64_t length, int atom) const {
    const Atom &added = space.atom(atom);
    return before.total < maxCuts && (added.dims >> dim & 1) &&
           (!added.even || (length >= 0 && length % added.size() == 0));
  }
  int64_t lengthAfter(int64_t length, int atom) const {
    const Atom &added = space.atom(atom);
    return length >= 0 && added.cut.block == 1 && length % added.size() == 0 ? length / added.size()
                                                                             : -1;
  }

  void slices() {
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      if (!isFree(i) || space.isTriedByAnother(i, ~used))
        continue;
      for (int d = 0; d < space.rank(); ++d) {
        if (!mayChange(state, d) || !mayCut(state, d, lengths[d], i))
          continue;
        State after = state;
        after.append(d, i);
        emit(StepKind::slice, after, bit(space.atom(i).plain));
      }
    }
    eachRagged([&](int number) {
      for (AtomSet rest = space.raggedAtoms(number); rest; rest &= rest - 1)
        if (!isFree(__builtin_ctzll(rest)))
          return;
      State after = state;
      after.ragged = number;
      emit(StepKind::slice, after, space.raggedAtoms(number));
    });
  }

  State withPartial(State after, AtomSet atoms) const {
    // Without partial atoms the state has the source's reduction only by name.
    if (!state.partial && space.goal())
      after.reduction = space.goal()->reduction;
    after.partial |= atoms;
    return after;
  }

  /// A cut may become partial even if the target is not: reduced again behind other cuts, its axis
  /// has changed its place. If the source has a reduction pending, that one had better come first,
  /// unless one launch for both is worth the bytes.
  void toPartial() {
    AtomSet possible = space.mayBecomePartial(state);
    for (AtomSet rest = possible; rest; rest &= rest - 1) {
      int atom = __builtin_ctzll(rest);
      if (!isFree(atom) || space.isTriedByAnother(atom, ~used))
        continue;
      emit(StepKind::toPartial, withPartial(state, bit(atom)), bit(atom));
    }
    for (int d = 0; d < space.rank(); ++d) {
      if (!state.count[d] || !mayChange(state, d))
        continue;
      State after = state;
      int atom = space.atom(after.pop(d)).plain;
      if (!space.start().partial || space.cutsJoinReductions() || (possible & bit(atom)))
        emit(StepKind::toPartial, withPartial(after, bit(atom)), bit(atom));
    }
    AtomSet tail = space.raggedAtoms(state.ragged);
    if (tail && (!space.start().partial || space.cutsJoinReductions() || !(tail & ~possible))) {
      State after = state;
      after.ragged = 0;
      emit(StepKind::toPartial, withPartial(after, tail), tail);
    }
  }

  /// Each dim from `dim` on loses any minor suffix.
  void gathers(const State &after, int dim, AtomSet moved) {
    if (dim == space.rank()) {
      if (moved)
        emit(StepKind::allGather, after, moved);
      return;
    }
    State next = after;
    AtomSet taken = moved;
    gathers(next, dim + 1, taken);
    if (!mayChange(after, dim))
      return;
    while (next.count[dim]) {
      taken |= bit(space.atom(next.pop(dim)).plain);
      gathers(next, dim + 1, taken);
    }
  }

  /// One move out of dim `source` or a later one, and further ones between dims that take no part
  /// yet. The moved cuts keep their order, or take another: any where there are few atoms, else one
  /// that the target has.
  void allToAll(const State &before, int source, uint32_t busy, AtomSet moved) {
    if (state.ragged)
      return;
    for (int i = source; i < space.rank(); ++i) {
      if (busy >> i & 1 || !before.count[i])
        continue;
      for (int j = 0; j < space.rank(); ++j) {
        if (j == i || busy >> j & 1)
          continue;
        State left = before;
        std::array<uint8_t, maxCuts> taken;
        AtomSet set = moved;
        for (int n = 1; left.count[i]; ++n) {
          taken[n - 1] = space.atom(left.pop(i)).plain;
          set |= bit(taken[n - 1]);
          appendInOrder(left, j, lengths[j], taken, n, [&](const State &after) {
            emit(StepKind::allToAll, after, set);
            allToAll(after, i + 1, busy | 1u << i | 1u << j, set);
          });
        }
      }
    }
  }

  /// Appends plain[left - 1] to plain[0], each in any of its ways to cut this dim.
  template <class Visit>
  void appendInOrder(const State &before, int dim, int64_t length,
                     const std::array<uint8_t, maxCuts> &plain, int left, const Visit &each,
                     bool inOrder = true) {
    if (left == 0) {
      each(before);
      return;
    }
    // Any of those that are left may be the next.
    for (int next = left - 1; next >= 0; --next) {
      std::array<uint8_t, maxCuts> rest = plain;
      std::copy(rest.begin() + next + 1, rest.begin() + left, rest.begin() + next);
      bool keepsOrder = inOrder && next == left - 1;
      for (size_t i = 0; i < space.atoms().size(); ++i) {
        if (space.atom(i).plain != plain[next] || !mayCut(before, dim, length, i))
          continue;
        if (!keepsOrder && !mayReorder(dim, before.count[dim], i))
          continue;
        State after = before;
        after.append(dim, i);
        appendInOrder(after, dim, lengthAfter(length, i), rest, left - 1, each, keepsOrder);
      }
    }
  }

  bool mayReorder(int dim, int place, size_t atom) const {
    if (space.isSmall())
      return true;
    return space.goal() && place < space.goal()->count[dim] &&
           space.goal()->cuts[space.goal()->begin(dim) + place] == atom;
  }

  /// True where each dim's cuts and the target's are the same as far as both go.
  bool isNested() const {
    if (!space.goal())
      return true;
    int at = 0;
    for (int d = 0; d < space.rank(); at += state.count[d++])
      for (int i = 0; i < state.count[d]; ++i)
        if (!continuesTarget(d, i, state.cuts[at + i]))
          return false;
    return true;
  }

  /// Whether a cut at this place keeps a dim nested with the target's. Parts of one axis in several
  /// orders may overlap without being equal; those are not apart.
  bool continuesTarget(int dim, int place, int atom) const {
    const State &goal = *space.goal();
    return place >= goal.count[dim] ||
           (space.atom(atom).conflicts & bit(goal.cuts[goal.begin(dim) + place]));
  }

  /// Appends any of the pending atoms, in any order, to each dim from `dim` on.
  void reduceScatters(const State &before, int dim, AtomSet pending, AtomSet moved, bool nested) {
    if (dim == space.rank()) {
      if (wanted == (nested ? Wanted::apart : Wanted::nested))
        return;
      if (moved)
        emit(StepKind::reduceScatter, before, moved);
      eachRagged([&](int number) {
        AtomSet tail = space.raggedAtoms(number);
        if ((tail & pending) != tail)
          return;
        State after = before;
        after.ragged = number;
        after.partial &= ~tail;
        emit(StepKind::reduceScatter, after, moved | tail);
      });
      return;
    }
    appendReduced(before, dim, lengths[dim], pending, moved, nested);
  }

  /// Further atoms to this dim, or on to the next.
  void appendReduced(const State &before, int dim, int64_t length, AtomSet pending, AtomSet moved,
                     bool nested) {
    reduceScatters(before, dim + 1, pending, moved, nested);
    if (!pending || !mayChange(before, dim))
      return;
    for (size_t i = 0; i < space.atoms().size() && !stopped; ++i) {
      AtomSet plain = bit(space.atom(i).plain);
      if (!(pending & plain) || space.isTriedByAnother(i, pending) ||
          !mayCut(before, dim, length, i))
        continue;
      bool still = nested && (wanted == Wanted::all || continuesTarget(dim, before.count[dim], i));
      if (!still && wanted == Wanted::nested)
        continue;
      State after = before;
      after.partial &= ~plain;
      after.append(dim, i);
      appendReduced(after, dim, lengthAfter(length, i), pending & ~plain, moved | plain, still);
    }
  }

  void allReduces(AtomSet pending) {
    visitSubsets(space, pending, [&](AtomSet subset) {
      State after = state;
      after.partial &= ~subset;
      emit(StepKind::allReduce, after, subset);
      return !stopped;
    });
  }

  const Space &space;
  const State &state;
  Wanted wanted;
  const VisitMove &visit;
  AtomSet used;
  bool stopped = false;
  std::array<int64_t, maxDims> lengths{};
};

} // namespace

void visitMoves(const Space &space, const State &state, Wanted wanted, const VisitMove &visit) {
  Moves(space, state, wanted, visit).all();
}

} // namespace vescale::layout::redistribution
