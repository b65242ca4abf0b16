//===- InPlace.cpp - Collectives whose output overlaps their input --------===//
//
// While ranks copy from each other's inputs, a rank must not write to bytes of its own input that
// are still to be read. So where output and input of a rank overlap, no box that it writes may
// touch a box that is read from it, except that an element may be reduced onto itself.
//
//===----------------------------------------------------------------------===//

#include "runtime/communicator/ThreadsCollective.h"

#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::BoxCopy;
using vescale::layout::CopyDim;
using vescale::layout::Reception;
using vescale::layout::Status;

namespace {

struct Span {
  const std::byte *begin, *end;
  bool overlaps(const Span &other) const { return begin < other.end && other.begin < end; }
};

Span span(const std::byte *base, int64_t offset, const std::vector<CopyDim> &dims,
          int64_t CopyDim::*stride, int64_t elementSize) {
  int64_t last = offset;
  for (const CopyDim &dim : dims)
    last += (dim.size - 1) * dim.*stride;
  return {base + offset * elementSize, base + (last + 1) * elementSize};
}

} // namespace

Status vescale::runtime::checkInPlace(const std::map<int64_t, ThreadsCollective *> &parts,
                                      const std::map<int64_t, Reception> &receptions) {
  for (auto [rank, part] : parts) {
    const AccessRange &input = part->call.input, &output = part->call.output;
    if (!input.address || !output.address)
      continue;
    Span in{input.address, input.address + input.bytes};
    Span out{output.address, output.address + output.bytes};
    if (!in.overlaps(out))
      continue;
    int64_t size = elementBytes(part->call.element);
    const Reception &own = receptions.at(rank);
    if (own.fill)
      return Status::error(fmt::format("collective {}: rank {} fills its output, which overlaps "
                                       "its input",
                                       part->call.id, rank));
    for (const BoxCopy &write : own.copies) {
      Span written =
          span(output.address, write.targetOffset, write.dims, &CopyDim::targetStride, size);
      for (const auto &[reader, reception] : receptions)
        for (const BoxCopy &read : reception.copies) {
          if (read.sourceDevice != rank)
            continue;
          Span taken =
              span(input.address, read.sourceOffset, read.dims, &CopyDim::sourceStride, size);
          bool onItself =
              reader == rank && taken.begin == written.begin && taken.end == written.end;
          // In the two phases of an all-reduce every element has one reader at a time, the one that
          // reduces it.
          bool twoPhases = part->call.kind == CollectiveKind::AllReduce &&
                           input.address == output.address && taken.begin == written.begin &&
                           taken.end == written.end;
          if (taken.overlaps(written) && !onItself && !twoPhases)
            return Status::error(fmt::format(
                "collective {}: rank {} would write to bytes of its input that rank {} reads",
                part->call.id, rank, reader));
        }
    }
  }
  return Status();
}
