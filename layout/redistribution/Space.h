//===- Space.h - The layouts that one search walks through -----------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_SPACE_H
#define VESCALE_LAYOUT_REDISTRIBUTION_SPACE_H

#include "layout/Layout.h"
#include "layout/LinkCost.h"
#include "layout/redistribution/State.h"

#include <optional>
#include <vector>

namespace vescale::layout::redistribution {

/// A part of an axis that moves as one, with the way in which it cuts.
struct Atom {
  Cut cut;
  /// The plain atom of the same part, which is also what partial sets hold.
  uint8_t plain = 0;
  /// The atoms that a layout may not use beside this one; itself and its other ways included.
  AtomSet conflicts = 0;
  /// The dims that it may cut in this way, one bit each.
  uint32_t dims = ~0u;
  /// True where it only stands for even cuts, so that it may merge with its neighbours.
  bool even = true;
  /// Earlier atoms that could take its place all the way to the target: see Space::groupAlike.
  AtomSet alikeBefore = 0;

  int64_t size() const { return cut.axis.size; }
};

/// How finely axes are taken apart: into primes, or only where source or target take them apart.
enum class Granularity { prime, written };

/// Atoms, and layouts as states and back, for one pair of layouts and a shape.
class Space {
public:
  /// Nothing where the layouts have more dims, cuts or atoms than a state holds. Both layouts must
  /// be legal; if their meshes differ, only `from` can be a state and `to` is reached by exchange.
  static std::optional<Space> get(const Layout &from, const Layout &to, const Shape &shape,
                                  Granularity granularity);

  const Mesh &mesh() const { return from.mesh(); }
  const Layout &source() const { return from; }
  const Layout &target() const { return to; }
  const Shape &shape() const { return sizes; }
  int rank() const { return static_cast<int>(sizes.size()); }
  const std::vector<Atom> &atoms() const { return table; }
  const Atom &atom(int id) const { return table[id]; }
  /// The plain atoms, each standing for the part of an axis.
  AtomSet plainAtoms() const { return plain; }
  /// True where there are so few atoms and devices that nothing needs to be left out.
  bool isSmall() const { return __builtin_popcountll(plain) <= 3 && mesh().numDevices() <= 64; }
  /// True where every cut of every state is plain and even, so that formulas give the bytes.
  bool isEven() const { return even; }

  /// Lets cuts become partial where the source already is: worth a search only where launches cost.
  void letCutsJoinReductions() { joinReductions = true; }
  bool cutsJoinReductions() const { return joinReductions; }

  /// Atoms of one size and link that the target does not use, or all keeps partial, can change
  /// names with one another without changing what the way to the target costs. So of those that
  /// stand alike in a layout, only the first needs to be tried.
  void groupAlike(const std::vector<Link> &linksOfAxes);
  /// Whether an atom need not be tried, since one of `available`, alike to it, comes before.
  bool isTriedByAnother(int atom, AtomSet available) const {
    return table[atom].alikeBefore & available;
  }

  const State &start() const { return startState; }
  /// Only where both layouts are on one mesh.
  const std::optional<State> &goal() const { return goalState; }

  /// The partial atoms of the state that the target does not keep partial.
  AtomSet pending(const State &state) const;
  /// The replicated atoms that may become partial in the state: those of the target, if no other
  /// reduction is under way.
  AtomSet mayBecomePartial(const State &state) const;
  /// What the state uses, and whatever overlaps it.
  AtomSet blocked(const State &state) const;
  /// The part of the axes that a ragged cut takes, as atoms.
  AtomSet raggedAtoms(int ragged) const { return raggedParts[ragged]; }
  const Ragged &ragged(int ragged) const { return ragged == 1 ? *from.ragged() : *to.ragged(); }

  /// Product of the sizes of a set of atoms.
  int64_t product(AtomSet set) const;
  /// Elements of the dim that a device holds; only where all its cuts are even, else -1.
  int64_t evenLength(const State &state, int dim) const;
  /// Elements that a device holds; only in even spaces.
  int64_t localElements(const State &state) const;
  /// Whether the layout that a state stands for is legal; true in even spaces by construction.
  bool isLegal(const State &state) const;

  /// One way of writing for each layout: parts of an axis that can be taken apart in several
  /// orders (6 as 2, 3 or 3, 2) stand in the first order.
  void canonicalize(State &state) const;
  /// All ways of writing a canonical state.
  std::vector<State> writings(const State &state) const;
  bool hasSeveralWritings() const { return severalOrders; }

  Layout layout(const State &state) const;
  /// Parts of axes, merged and in mesh order.
  std::vector<SubAxis> axes(AtomSet set) const;

private:
  Space(const Layout &from, const Layout &to, const Shape &shape)
      : from(from), to(to), sizes(shape) {}

  bool collectAtoms(Granularity granularity);
  int addAtom(const Cut &cut, bool evenPart, int dim);
  std::optional<int> find(const Cut &cut) const;
  bool encodePart(const SubAxis &part, std::vector<uint8_t> &atoms) const;
  std::optional<State> encode(const Layout &layout, int raggedNumber) const;
  AtomSet plainParts(const std::vector<SubAxis> &parts) const;

  Layout from, to;
  Shape sizes;
  std::vector<Atom> table;
  std::vector<bool> wholeAxes;
  AtomSet plain = 0;
  AtomSet raggedParts[3] = {0, 0, 0};
  AtomSet targetPartial = 0;
  bool sameReduction = true;
  bool even = true;
  bool severalOrders = false;
  bool joinReductions = false;
  State startState;
  std::optional<State> goalState;
};

} // namespace vescale::layout::redistribution

#endif
