//===- GlobalTensor.cpp - Tensors of a run as one, by regions -------------===//

#include "runtime/executor/GlobalTensor.h"
#include "layout/Legality.h"
#include "layout/Transfer.h"
#include "runtime/communicator/Reduce.h"

#include <cstring>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Coordinate;
using vescale::layout::CopyDim;
using vescale::layout::Layout;
using vescale::layout::LocalRegion;
using vescale::layout::Mesh;
using vescale::layout::Shape;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// Calls copy(local element, global element, elements) for each contiguous run of a rank's part.
template <class Copy>
void forEachContiguousRun(const Layout &layout, const Shape &shape, const Coordinate &coordinate,
                          Copy copy) {
  LocalRegion local = localRegion(layout, shape, coordinate);
  std::vector<int64_t> strides = vescale::layout::rowMajorStrides(shape);
  for (const vescale::layout::Piece &piece : local.pieces) {
    vescale::layout::BoxCopy box;
    box.box = piece.box;
    box.sourceOffset = piece.localOffset;
    for (size_t d = 0; d < shape.size(); ++d)
      box.targetOffset += piece.box.offset[d] * strides[d];
    box.dims = vescale::layout::copyDims(piece.box.size, local.strides, strides);
    forEachRun(box, [&](int64_t from, int64_t to, const CopyDim &dim) {
      if (dim.sourceStride == 1 && dim.targetStride == 1) {
        copy(from, to, dim.size);
        return;
      }
      for (int64_t i = 0; i < dim.size; ++i)
        copy(from + i * dim.sourceStride, to + i * dim.targetStride, 1);
    });
  }
}

} // namespace

void vescale::runtime::copyToGlobal(const Layout &layout, const Shape &shape,
                                    const Coordinate &coordinate, int64_t elementBytes,
                                    const std::byte *local, std::byte *global) {
  forEachContiguousRun(layout, shape, coordinate, [&](int64_t from, int64_t to, int64_t count) {
    std::memcpy(global + to * elementBytes, local + from * elementBytes, count * elementBytes);
  });
}

void vescale::runtime::copyFromGlobal(const Layout &layout, const Shape &shape,
                                      const Coordinate &coordinate, int64_t elementBytes,
                                      std::byte *local, const std::byte *global) {
  forEachContiguousRun(layout, shape, coordinate, [&](int64_t from, int64_t to, int64_t count) {
    std::memcpy(local + from * elementBytes, global + to * elementBytes, count * elementBytes);
  });
}

StatusOr<std::vector<std::byte>> vescale::runtime::readTensor(const Executor &executor,
                                                              uint32_t index) {
  const Tensor &tensor = executor.schedule().tensors[index];
  const Layout &layout = executor.resolvedLayouts().layouts[tensor.layout];
  const Mesh &mesh = layout.mesh();
  int64_t size = elementBytes(tensor.element), elements = vescale::layout::elementCount(tensor.shape);
  std::vector<std::byte> global(elements * size);
  if (!layout.partial()) {
    for (int64_t p = 0; p < mesh.numDevices(); ++p)
      if (const std::byte *local = executor.tensorData(index, mesh.deviceId(p)))
        copyToGlobal(layout, tensor.shape, mesh.coordinate(p), size, local, global.data());
    return global;
  }
  ReduceFunction reduce = reduceFunction(layout.partial()->reduction, tensor.element);
  if (!reduce)
    return Status::error(fmt::format("tensor {}: {} has no reduction {}", tensor.name,
                                     elementName(tensor.element),
                                     str(layout.partial()->reduction)));
  // What one device gets that takes the whole tensor.
  Layout whole = Layout::replicated(mesh, layout.rank());
  auto transfer = vescale::layout::Transfer::get(layout, whole, tensor.shape);
  if (!transfer.ok())
    return transfer.status();
  for (const vescale::layout::BoxCopy &copy : transfer->receive(0).copies) {
    const std::byte *local = executor.tensorData(index, copy.sourceDevice);
    forEachRun(copy, [&](int64_t from, int64_t to, const CopyDim &dim) {
      std::byte *target = global.data() + to * size;
      for (int64_t i = 0; i < dim.size; ++i) {
        const std::byte *both[2] = {target + i * dim.targetStride * size,
                                    local + (from + i * dim.sourceStride) * size};
        if (copy.accumulate)
          reduce(target + i * dim.targetStride * size, 1, both, 0, 1, 2, 1);
        else
          std::memcpy(target + i * dim.targetStride * size, both[1], size);
      }
    });
  }
  return global;
}

Status vescale::runtime::writeTensor(Executor &executor, uint32_t index, const std::byte *data,
                                     uint64_t bytes) {
  const Tensor &tensor = executor.schedule().tensors[index];
  const Layout &layout = executor.resolvedLayouts().layouts[tensor.layout];
  int64_t size = elementBytes(tensor.element);
  uint64_t expected = static_cast<uint64_t>(vescale::layout::elementCount(tensor.shape)) * size;
  if (bytes != expected)
    return Status::error(fmt::format("tensor {} has {} bytes, {} were given", tensor.name, expected,
                                     bytes));
  if (layout.partial())
    return Status::error(fmt::format("tensor {} is partial: its contributions are not determined",
                                     tensor.name));
  for (int64_t p = 0; p < layout.mesh().numDevices(); ++p)
    if (std::byte *local = executor.tensorData(index, layout.mesh().deviceId(p)))
      copyFromGlobal(layout, tensor.shape, layout.mesh().coordinate(p), size, local, data);
  return Status();
}
