//===- Moves.cpp - The steps that lead out of a layout ---------------------------------------===//
#include "layout/redistribution/Moves.h"

#include <algorithm>
#include <array>

namespace vescale::layout::redistribution {

namespace {

/// The moves out of one state.
class Moves {
public:
  Moves(const Space &space, const State &state, const VisitMove &visit)
      : space(space), state(state), visit(visit), blocked(space.blocked(state)) {}

  void all() {
    slices();
    toPartial();
    if (state.total || state.ragged)
      gathers(state, 0, 0);
    if (state.ragged && space.raggedAtoms(state.ragged)) {
      State whole = state;
      whole.ragged = 0;
      gathers(whole, 0, space.raggedAtoms(state.ragged));
    }
    allToAll(state, 0, 0, 0);
    AtomSet pending = space.pending(state);
    if (pending) {
      reduceScatters(state, 0, pending, 0);
      allReduces(pending);
    }
  }

private:
  void emit(StepKind kind, const State &after, AtomSet atoms) {
    if (space.isEven() || space.isLegal(after))
      visit({kind, after, atoms});
  }

  /// A ragged cut stands behind the cuts of the dims it flattens, so that those may not change.
  bool isFree(const State &s, int dim) const {
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

  void slices() {
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      const Atom &atom = space.atom(i);
      if (atom.conflicts & bitsInUse())
        continue;
      for (int d = 0; d < space.rank(); ++d) {
        if (!isFree(state, d) || !space.mayAppend(state, d, i))
          continue;
        State after = state;
        after.append(d, i);
        emit(StepKind::slice, after, bit(atom.plain));
      }
    }
    eachRagged([&](int number) {
      if (space.raggedAtoms(number) & blocked)
        return;
      State after = state;
      after.ragged = number;
      emit(StepKind::slice, after, space.raggedAtoms(number));
    });
  }

  AtomSet bitsInUse() const {
    AtomSet set = state.partial | space.raggedAtoms(state.ragged);
    for (int i = 0; i < state.total; ++i)
      set |= bit(state.cuts[i]);
    return set;
  }

  State withPartial(State after, AtomSet atoms) const {
    // Without partial atoms the state has the source's reduction only by name.
    if (!state.partial && space.goal())
      after.reduction = space.goal()->reduction;
    after.partial |= atoms;
    return after;
  }

  void toPartial() {
    AtomSet possible = space.mayBecomePartial(state);
    for (AtomSet rest = possible; rest; rest &= rest - 1) {
      int atom = __builtin_ctzll(rest);
      if (space.atom(atom).conflicts & bitsInUse())
        continue;
      emit(StepKind::toPartial, withPartial(state, bit(atom)), bit(atom));
    }
    for (int d = 0; d < space.rank(); ++d) {
      if (!state.count[d] || !isFree(state, d))
        continue;
      State after = state;
      int atom = space.atom(after.pop(d)).plain;
      if (possible & bit(atom))
        emit(StepKind::toPartial, withPartial(after, bit(atom)), bit(atom));
    }
    AtomSet tail = space.raggedAtoms(state.ragged);
    if (tail && (tail & ~possible) == 0) {
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
    if (!isFree(after, dim))
      return;
    while (next.count[dim]) {
      taken |= bit(space.atom(next.pop(dim)).plain);
      gathers(next, dim + 1, taken);
    }
  }

  /// One move out of dim `source` or a later one, and further ones between dims that take no part
  /// yet. The moved cuts keep their order.
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
          appendInOrder(left, j, taken, n, [&](const State &after) {
            emit(StepKind::allToAll, after, set);
            allToAll(after, i + 1, busy | 1u << i | 1u << j, set);
          });
        }
      }
    }
  }

  /// Appends plain[left - 1] to plain[0], each in any of its ways to cut this dim.
  template <class Visit>
  void appendInOrder(const State &before, int dim, const std::array<uint8_t, maxCuts> &plain,
                     int left, const Visit &each) {
    if (left == 0) {
      each(before);
      return;
    }
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      if (space.atom(i).plain != plain[left - 1] || !space.mayAppend(before, dim, i))
        continue;
      State after = before;
      after.append(dim, i);
      appendInOrder(after, dim, plain, left - 1, each);
    }
  }

  /// Appends any of the pending atoms, in any order, to each dim from `dim` on.
  void reduceScatters(const State &before, int dim, AtomSet pending, AtomSet moved) {
    if (dim == space.rank()) {
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
    reduceScatters(before, dim + 1, pending, moved);
    if (!isFree(before, dim))
      return;
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      AtomSet plain = bit(space.atom(i).plain);
      if (!(pending & plain) || !space.mayAppend(before, dim, i))
        continue;
      State after = before;
      after.partial &= ~plain;
      after.append(dim, i);
      appendReduced(after, dim, pending & ~plain, moved | plain);
    }
  }

  /// Further atoms behind one that this dim has got, or on to the next dim.
  void appendReduced(const State &before, int dim, AtomSet pending, AtomSet moved) {
    reduceScatters(before, dim + 1, pending, moved);
    for (size_t i = 0; i < space.atoms().size(); ++i) {
      AtomSet plain = bit(space.atom(i).plain);
      if (!(pending & plain) || !space.mayAppend(before, dim, i))
        continue;
      State after = before;
      after.partial &= ~plain;
      after.append(dim, i);
      appendReduced(after, dim, pending & ~plain, moved | plain);
    }
  }

  void allReduces(AtomSet pending) {
    for (AtomSet subset = pending; subset; subset = (subset - 1) & pending) {
      State after = state;
      after.partial &= ~subset;
      emit(StepKind::allReduce, after, subset);
    }
  }

  const Space &space;
  const State &state;
  const VisitMove &visit;
  AtomSet blocked;
};

void arrange(const Space &space, const State &pattern, State &after, int place, AtomSet movable,
             AtomSet taken, const std::function<void(const State &)> &visit) {
  if (place == pattern.total) {
    visit(after);
    return;
  }
  const Atom &old = space.atom(pattern.cuts[place] & ~freePlace);
  if (!(pattern.cuts[place] & freePlace)) {
    arrange(space, pattern, after, place + 1, movable, taken, visit);
    return;
  }
  for (size_t i = 0; i < space.atoms().size(); ++i) {
    const Atom &atom = space.atom(i);
    if (!(movable & bit(atom.plain)) || atom.conflicts & taken || atom.size() != old.size() ||
        atom.cut.interleave != old.cut.interleave || atom.cut.block != old.cut.block)
      continue;
    after.cuts[place] = static_cast<uint8_t>(i);
    arrange(space, pattern, after, place + 1, movable, taken | bit(i), visit);
  }
}

} // namespace

void visitMoves(const Space &space, const State &state, const VisitMove &visit) {
  Moves(space, state, visit).all();
}

/// Puts the sizes of the free places of each dim from `dim` on in every order.
static void reorder(const Space &space, const State &pattern, int dim, AtomSet movable,
                    AtomSet taken, const std::function<void(const State &)> &visit) {
  if (dim == space.rank()) {
    State after = pattern;
    arrange(space, pattern, after, 0, movable, taken, visit);
    return;
  }
  std::vector<int> places;
  std::vector<uint8_t> likes;
  int begin = pattern.begin(dim);
  for (int i = begin; i < begin + pattern.count[dim]; ++i)
    if (pattern.cuts[i] & freePlace) {
      places.push_back(i);
      likes.push_back(pattern.cuts[i]);
    }
  std::sort(likes.begin(), likes.end());
  do {
    State next = pattern;
    for (size_t i = 0; i < places.size(); ++i)
      next.cuts[places[i]] = likes[i];
    reorder(space, next, dim + 1, movable, taken, visit);
  } while (std::next_permutation(likes.begin(), likes.end()));
}

void visitArrangements(const Space &space, const State &pattern, AtomSet movable,
                       const std::function<void(const State &)> &visit) {
  AtomSet taken = pattern.partial | space.raggedAtoms(pattern.ragged);
  for (int i = 0; i < pattern.total; ++i)
    if (!(pattern.cuts[i] & freePlace))
      taken |= bit(pattern.cuts[i]);
  if (space.isEven()) {
    reorder(space, pattern, 0, movable, taken, visit);
    return;
  }
  State after = pattern;
  arrange(space, pattern, after, 0, movable, taken, visit);
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
