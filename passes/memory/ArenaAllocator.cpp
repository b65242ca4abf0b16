//===- ArenaAllocator.cpp - free blocks of an arena -----------------------===//

#include "passes/memory/ArenaAllocator.h"

#include <iterator>

namespace vescale {

void ArenaAllocator::addFree(int64_t offset, int64_t bytes) {
  byOffset[offset] = bytes;
  bySize.insert({bytes, offset});
}

void ArenaAllocator::removeFree(std::map<int64_t, int64_t>::iterator block) {
  bySize.erase({block->second, block->first});
  byOffset.erase(block);
}

int64_t ArenaAllocator::allocate(int64_t bytes) {
  if (bytes == 0)
    return 0;
  auto fit = bySize.lower_bound({bytes, 0});
  if (fit != bySize.end()) {
    auto [size, offset] = *fit;
    removeFree(byOffset.find(offset));
    if (size > bytes)
      addFree(offset + bytes, size - bytes);
    return offset;
  }
  // The arena grows; a free block at its end is part of what is given out.
  int64_t offset = top;
  if (!byOffset.empty()) {
    auto last = std::prev(byOffset.end());
    if (last->first + last->second == top) {
      offset = last->first;
      removeFree(last);
    }
  }
  top = offset + bytes;
  return offset;
}

void ArenaAllocator::release(int64_t offset, int64_t bytes) {
  if (bytes == 0)
    return;
  auto next = byOffset.lower_bound(offset);
  if (next != byOffset.end() && offset + bytes == next->first) {
    bytes += next->second;
    removeFree(next);
  }
  next = byOffset.lower_bound(offset);
  if (next != byOffset.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      removeFree(before);
    }
  }
  addFree(offset, bytes);
}

} // namespace vescale
