//===- GlobalTensor.cpp - Tensors of a run as one, by regions -------------===//

#include "runtime/executor/GlobalTensor.h"
#include "layout/Legality.h"
#include "layout/Region.h"
#include "layout/Transfer.h"
#include "runtime/checkpoint/RegionCopy.h"
#include "runtime/communicator/Reduce.h"

#include <cstring>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::CopyDim;
using vescale::layout::Layout;
using vescale::layout::Mesh;
using vescale::layout::Status;
using vescale::layout::StatusOr;

StatusOr<std::vector<std::byte>> vescale::runtime::readTensor(const Executor &executor,
                                                              uint32_t index) {
  const Tensor &tensor = executor.schedule().tensors[index];
  const Layout &layout = executor.resolvedLayouts().layouts[tensor.layout];
  const Mesh &mesh = layout.mesh();
  int64_t size = elementBytes(tensor.element),
          elements = vescale::layout::elementCount(tensor.shape);
  std::vector<std::byte> global(elements * size);
  if (!layout.partial()) {
    for (int64_t p = 0; p < mesh.numDevices(); ++p)
      if (const std::byte *local = executor.tensorData(index, mesh.deviceId(p)))
        copyToGlobal(reinterpret_cast<uint8_t *>(global.data()),
                     reinterpret_cast<const uint8_t *>(local),
                     localRegion(layout, tensor.shape, mesh.coordinate(p)), tensor.shape, size);
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
    return Status::error(
        fmt::format("tensor {} has {} bytes, {} were given", tensor.name, expected, bytes));
  if (layout.partial())
    return Status::error(
        fmt::format("tensor {} is partial: its contributions are not determined", tensor.name));
  for (int64_t p = 0; p < layout.mesh().numDevices(); ++p)
    if (std::byte *local = executor.tensorData(index, layout.mesh().deviceId(p)))
      copyFromGlobal(reinterpret_cast<uint8_t *>(local), reinterpret_cast<const uint8_t *>(data),
                     localRegion(layout, tensor.shape, layout.mesh().coordinate(p)), tensor.shape,
                     size);
  return Status();
}
