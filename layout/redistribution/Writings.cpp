//===- Writings.cpp - Several prime orders of one part of an axis ----------------------------===//
//
// "x" of size 6 is "x":(1)2, "x":(2)3 and also "x":(1)3, "x":(3)2. A canonical state has smaller
// primes first wherever parts stand together; moves may take it apart in any order.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Space.h"

#include <algorithm>

namespace vescale::layout::redistribution {

/// Runs of atoms, as positions [begin, end), that are parts of one axis one after the other.
template <class At>
static std::vector<std::pair<int, int>> runs(const Space &space, int begin, int end, At at) {
  std::vector<std::pair<int, int>> result;
  for (int i = begin; i < end;) {
    int j = i + 1;
    while (j < end && space.atom(at(j)).even && space.atom(at(i)).even &&
           canMerge(space.atom(at(j - 1)).cut.axis, space.atom(at(j)).cut.axis))
      ++j;
    if (j - i > 1)
      result.emplace_back(i, j);
    i = j;
  }
  return result;
}

template <class At> static SubAxis whole(const Space &space, std::pair<int, int> run, At at) {
  SubAxis part = space.atom(at(run.first)).cut.axis;
  for (int i = run.first + 1; i < run.second; ++i)
    part = merge(part, space.atom(at(i)).cut.axis);
  return part;
}

static int atomOf(const Space &space, const SubAxis &part) {
  for (size_t i = 0; i < space.atoms().size(); ++i)
    if (space.atom(i).cut == Cut{part})
      return static_cast<int>(i);
  return -1;
}

static std::vector<int> partialList(const Space &space, AtomSet set) {
  std::vector<int> list;
  for (; set; set &= set - 1)
    list.push_back(__builtin_ctzll(set));
  std::sort(list.begin(), list.end(),
            [&](int a, int b) { return space.atom(a).cut.axis < space.atom(b).cut.axis; });
  return list;
}

void Space::canonicalize(State &state) const {
  if (!severalOrders)
    return;
  auto cutAt = [&](int i) { return state.cuts[i]; };
  int begin = 0;
  for (int d = 0; d < rank(); begin += state.count[d++])
    for (auto run : runs(*this, begin, begin + state.count[d], cutAt)) {
      int i = run.first;
      for (const SubAxis &part : primeFactors(whole(*this, run, cutAt)))
        if (int atom = atomOf(*this, part); atom >= 0)
          state.cuts[i++] = static_cast<uint8_t>(atom);
    }
  std::vector<int> partial = partialList(*this, state.partial);
  auto partialAt = [&](int i) { return partial[i]; };
  for (auto run : runs(*this, 0, static_cast<int>(partial.size()), partialAt)) {
    for (int i = run.first; i < run.second; ++i)
      state.partial &= ~bit(partial[i]);
    for (const SubAxis &part : primeFactors(whole(*this, run, partialAt)))
      if (int atom = atomOf(*this, part); atom >= 0)
        state.partial |= bit(atom);
  }
}

std::vector<State> Space::writings(const State &state) const {
  std::vector<State> all = {state};
  if (!severalOrders)
    return all;
  auto multiply = [&](auto write, const SubAxis &part) {
    auto orders = primeOrders(part);
    if (orders.size() < 2)
      return;
    size_t known = all.size();
    for (size_t order = 0; order < orders.size(); ++order)
      for (size_t i = 0; i < known; ++i) {
        State other = all[i];
        if (write(other, orders[order]) && std::find(all.begin(), all.end(), other) == all.end())
          all.push_back(other);
      }
  };
  auto cutAt = [&](int i) { return state.cuts[i]; };
  int begin = 0;
  for (int d = 0; d < rank(); begin += state.count[d++])
    for (auto run : runs(*this, begin, begin + state.count[d], cutAt))
      multiply(
          [&](State &other, const std::vector<SubAxis> &order) {
            int i = run.first;
            for (const SubAxis &part : order) {
              int atom = atomOf(*this, part);
              if (atom < 0)
                return false;
              other.cuts[i++] = static_cast<uint8_t>(atom);
            }
            return true;
          },
          whole(*this, run, cutAt));
  std::vector<int> partial = partialList(*this, state.partial);
  auto partialAt = [&](int i) { return partial[i]; };
  for (auto run : runs(*this, 0, static_cast<int>(partial.size()), partialAt))
    multiply(
        [&](State &other, const std::vector<SubAxis> &order) {
          for (int i = run.first; i < run.second; ++i)
            other.partial &= ~bit(partial[i]);
          for (const SubAxis &part : order) {
            int atom = atomOf(*this, part);
            if (atom < 0)
              return false;
            other.partial |= bit(atom);
          }
          return true;
        },
        whole(*this, run, partialAt));
  return all;
}

} // namespace vescale::layout::redistribution
