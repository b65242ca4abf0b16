//===- ArenaAllocator.h - free blocks of an arena ---------------*- C++ -*-===//

#ifndef VESCALE_PASSES_MEMORY_ARENAALLOCATOR_H
#define VESCALE_PASSES_MEMORY_ARENAALLOCATOR_H

#include <cstdint>
#include <map>
#include <set>

namespace vescale {

/// Best fit: allocates from the smallest free block that is large enough, the lowest of these; free
/// neighbours merge. The arena grows where no block is large enough. Each call takes O(log n).
class ArenaAllocator {
public:
  /// Bytes below `begin` are not given out.
  explicit ArenaAllocator(int64_t begin) : top(begin) {}

  /// Returns the offset of `bytes` bytes.
  int64_t allocate(int64_t bytes);
  void release(int64_t offset, int64_t bytes);

  /// The largest number of bytes that were ever needed.
  int64_t size() const { return top; }

private:
  void addFree(int64_t offset, int64_t bytes);
  void removeFree(std::map<int64_t, int64_t>::iterator block);

  int64_t top;
  std::map<int64_t, int64_t> byOffset;            ///< Offset and bytes of each free block.
  std::set<std::pair<int64_t, int64_t>> bySize;   ///< Bytes and offset of the same.
};

} // namespace vescale

#endif // VESCALE_PASSES_MEMORY_ARENAALLOCATOR_H
