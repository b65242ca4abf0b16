//===- BoxCopy.h - One strided copy between two local arrays ---------------------------------===//
#ifndef VESCALE_LAYOUT_BOXCOPY_H
#define VESCALE_LAYOUT_BOXCOPY_H

#include "layout/Box.h"

#include <cstdint>
#include <vector>

namespace vescale::layout {

/// One loop of a copy: `size` elements, with the distance in elements between neighbours on each
/// side.
struct CopyDim {
  int64_t size, sourceStride, targetStride;

  bool operator==(const CopyDim &other) const {
    return size == other.size && sourceStride == other.sourceStride &&
           targetStride == other.targetStride;
  }
};

/// A box of the global tensor that one device takes from the local array of another, or of itself.
struct BoxCopy {
  /// The device that has it: its position in the source mesh, and its device id.
  int64_t source = 0, sourceDevice = 0;
  /// False: the elements are stored. True: they are reduced onto what is there.
  bool accumulate = false;
  Box box;
  /// Where the box begins in the source's and in the target's local array, in elements.
  int64_t sourceOffset = 0, targetOffset = 0;
  /// Loops from outer to inner, with as few as possible; none for a single element.
  std::vector<CopyDim> dims;

  int64_t elements() const { return box.elements(); }
};

/// The loops of a box with these strides: dims of size 1 dropped, dims that continue one another on
/// both sides joined.
std::vector<CopyDim> copyDims(const std::vector<int64_t> &size,
                              const std::vector<int64_t> &sourceStrides,
                              const std::vector<int64_t> &targetStrides);

/// Calls run(sourceOffset, targetOffset, CopyDim) for each innermost loop of a copy, in order.
template <class Run> void forEachRun(const BoxCopy &copy, Run &&run) {
  size_t rank = copy.dims.size();
  if (rank == 0) {
    run(copy.sourceOffset, copy.targetOffset, CopyDim{1, 1, 1});
    return;
  }
  std::vector<int64_t> index(rank - 1, 0);
  int64_t source = copy.sourceOffset, target = copy.targetOffset;
  while (true) {
    run(source, target, copy.dims.back());
    size_t d = rank - 1;
    while (d-- > 0) {
      const CopyDim &dim = copy.dims[d];
      source += dim.sourceStride;
      target += dim.targetStride;
      if (++index[d] < dim.size)
        break;
      source -= dim.size * dim.sourceStride;
      target -= dim.size * dim.targetStride;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

} // namespace vescale::layout

#endif
