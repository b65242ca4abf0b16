//===- ByteCounts.cpp - A number for each op, changed and searched by ranges --------------===//

#include "passes/comm/ByteCounts.h"

#include <algorithm>

namespace vescale {

ByteCounts::ByteCounts(size_t count) {
  while (static_cast<size_t>(width) < count)
    width *= 2;
  nodes.resize(2 * static_cast<size_t>(width));
}

void ByteCounts::add(int begin, int end, int64_t bytes) {
  if (begin <= end && bytes != 0)
    add(1, 0, width - 1, begin, end, bytes);
}

void ByteCounts::add(size_t node, int first, int last, int begin, int end, int64_t bytes) {
  if (end < first || last < begin)
    return;
  Node &here = nodes[node];
  if (begin <= first && last <= end) {
    here.most += bytes;
    here.added += bytes;
    return;
  }
  int middle = first + (last - first) / 2;
  add(2 * node, first, middle, begin, end, bytes);
  add(2 * node + 1, middle + 1, last, begin, end, bytes);
  here.most = here.added + std::max(nodes[2 * node].most, nodes[2 * node + 1].most);
}

int ByteCounts::lastAbove(int begin, int end, int64_t limit) const {
  return begin <= end ? lastAbove(1, 0, width - 1, begin, end, limit) : -1;
}

int ByteCounts::lastAbove(size_t node, int first, int last, int begin, int end, int64_t limit) const {
  const Node &here = nodes[node];
  if (end < first || last < begin || here.most <= limit)
    return -1;
  if (first == last)
    return first;
  int middle = first + (last - first) / 2;
  int found = lastAbove(2 * node + 1, middle + 1, last, begin, end, limit - here.added);
  return found >= 0 ? found : lastAbove(2 * node, first, middle, begin, end, limit - here.added);
}

} // namespace vescale
