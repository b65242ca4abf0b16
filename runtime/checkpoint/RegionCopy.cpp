#include "runtime/checkpoint/RegionCopy.h"

#include <cstring>

using namespace vescale;
using namespace vescale::runtime;

/// Calls copy(globalByte, localByte, bytes) for each run of a region that is contiguous on both
/// sides.
template <typename Copy>
static void forEachRun(const layout::LocalRegion &region, const layout::Shape &shape,
                       int64_t elementBytes, Copy copy) {
  size_t rank = shape.size();
  std::vector<int64_t> globalStrides = layout::rowMajorStrides(shape);
  for (const layout::Piece &piece : region.pieces) {
    if (piece.box.elements() == 0)
      continue;
    // Trailing dims that are whole on both sides belong to the run.
    size_t outer = rank;
    int64_t run = 1;
    while (outer > 0 && globalStrides[outer - 1] == run && region.strides[outer - 1] == run)
      run *= piece.box.size[--outer];
    std::vector<int64_t> index(outer, 0);
    for (bool more = true; more;) {
      int64_t global = 0, local = piece.localOffset;
      for (size_t d = 0; d < rank; ++d) {
        int64_t inside = d < outer ? index[d] : 0;
        global += (piece.box.offset[d] + inside) * globalStrides[d];
        local += inside * region.strides[d];
      }
      copy(global * elementBytes, local * elementBytes, static_cast<size_t>(run * elementBytes));
      more = false;
      for (size_t d = outer; d-- > 0;) {
        if (++index[d] < piece.box.size[d]) {
          more = true;
          break;
        }
        index[d] = 0;
      }
    }
  }
}

void runtime::copyToGlobal(uint8_t *global, const uint8_t *local, const layout::LocalRegion &region,
                           const layout::Shape &shape, int64_t elementBytes) {
  forEachRun(region, shape, elementBytes, [&](int64_t to, int64_t from, size_t bytes) {
    std::memcpy(global + to, local + from, bytes);
  });
}

void runtime::copyFromGlobal(uint8_t *local, const uint8_t *global,
                             const layout::LocalRegion &region, const layout::Shape &shape,
                             int64_t elementBytes) {
  forEachRun(region, shape, elementBytes, [&](int64_t from, int64_t to, size_t bytes) {
    std::memcpy(local + to, global + from, bytes);
  });
}
