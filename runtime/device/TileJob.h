//===- TileJob.h - One instruction, divided between workers ---------------===//
#ifndef VESCALE_RUNTIME_DEVICE_TILEJOB_H
#define VESCALE_RUNTIME_DEVICE_TILEJOB_H

#include <atomic>
#include <cstdint>

namespace vescale::runtime {

/// Work on [begin, end) of an extent.
using TileFunction = void (*)(const void *context, int64_t begin, int64_t end);

/// The tiles of one instruction. Its owner opens it, any worker takes tiles, and the owner waits
/// for those that others took. The object is reused: a ticket carries the number of the opening, so
/// that a late worker takes nothing of another.
class TileJob {
public:
  /// Divides [0, extent) into `tiles` runs of whole grains and makes them available.
  void open(TileFunction function, const void *context, int64_t extent, int64_t grain,
            uint32_t tiles) {
    this->function = function;
    this->context = context;
    this->extent = extent;
    int64_t grains = (extent + grain - 1) / grain;
    tileSize = (grains + tiles - 1) / tiles * grain;
    uint32_t used = static_cast<uint32_t>((extent + tileSize - 1) / tileSize);
    pending.store(used);
    ++opening;
    ticket.store(uint64_t(opening) << 32 | uint64_t(used) << 16);
  }

  /// Runs one tile; false where none is left.
  bool help() {
    uint64_t current = ticket.load();
    while (true) {
      uint32_t next = current & 0xffff, tiles = current >> 16 & 0xffff;
      if (next >= tiles)
        return false;
      if (ticket.compare_exchange_weak(current, current + 1)) {
        // The job cannot be opened anew before this tile is done: its fields hold.
        int64_t begin = next * tileSize;
        int64_t end = begin + tileSize < extent ? begin + tileSize : extent;
        function(context, begin, end);
        pending.fetch_sub(1);
        return true;
      }
    }
  }

  bool exhausted() const {
    uint64_t current = ticket.load();
    return (current & 0xffff) >= (current >> 16 & 0xffff);
  }
  bool finished() const { return pending.load() == 0; }

private:
  std::atomic<uint64_t> ticket{0}; // opening, number of tiles, next tile
  std::atomic<uint32_t> pending{0};
  uint32_t opening = 0;
  TileFunction function = nullptr;
  const void *context = nullptr;
  int64_t extent = 0, tileSize = 1;
};

/// Tiles that one job can have.
constexpr uint32_t maximumTiles = 0xffff;

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_TILEJOB_H
