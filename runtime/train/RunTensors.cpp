#include "runtime/train/RunTensors.h"

#include "runtime/checkpoint/RegionCopy.h"
#include "runtime/library/Convert.h"
#include "runtime/random/Random.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>

using namespace vescale::runtime;
using vescale::layout::Box;
using vescale::layout::Layout;
using vescale::layout::LocalRegion;
using vescale::layout::Piece;
using vescale::layout::Status;
using vescale::layout::StatusOr;

RunTensors::RunTensors(const Schedule &schedule, const ResolvedLayouts &layouts,
                       const std::function<std::byte *(uint32_t, int64_t)> &locate)
    : source(&schedule), layouts(&layouts), rankCount(layouts.ranks()) {
  for (uint32_t t = 0; t < schedule.tensors.size(); ++t) {
    const Tensor &tensor = schedule.tensors[t];
    const Layout &layout = layouts.layouts[tensor.layout];
    std::set<std::vector<Box>> seen;
    for (int64_t rank = 0; rank < rankCount; ++rank) {
      RankPart &part = parts.emplace_back();
      std::optional<int64_t> position = layout.mesh().positionOf(rank);
      part.data = position ? locate(t, rank) : nullptr;
      if (!part.data)
        continue;
      layout::Coordinate coordinate = layout.mesh().coordinate(*position);
      part.bytes =
          layout::localElements(layout, tensor.shape, coordinate) * elementBytes(tensor.element);
      part.region = layout::localRegion(layout, tensor.shape, coordinate);
      std::vector<Box> boxes;
      for (const Piece &piece : part.region.pieces)
        boxes.push_back(piece.box);
      part.first = seen.insert(boxes).second;
    }
  }
}

std::vector<size_t> RunTensors::withRole(TensorRole role) const {
  std::vector<size_t> result;
  for (size_t t = 0; t < source->tensors.size(); ++t)
    if (source->tensors[t].role == role)
      result.push_back(t);
  return result;
}

//===----------------------------------------------------------------------===//
// First values
//===----------------------------------------------------------------------===//

namespace {

template <typename Real>
void drawPart(Real *out, const Tensor &tensor, const LocalRegion &region, uint64_t seed) {
  const Initializer &i = tensor.initializer;
  bool normal = i.kind == InitializerKind::Normal;
  Real scale = static_cast<Real>(normal ? i.b : i.b - i.a), shift = static_cast<Real>(i.a);
  for (const Piece &piece : region.pieces)
    fillRandomBox(out + piece.localOffset, tensor.shape, piece.box.offset, piece.box.size,
                  region.strides, normal ? Distribution::normal : Distribution::uniform,
                  {i.draw, 0, seed}, scale, shift);
}

template <typename Number> void fillElements(std::byte *out, int64_t bytes, double value) {
  std::fill_n(reinterpret_cast<Number *>(out), bytes / static_cast<int64_t>(sizeof(Number)),
              static_cast<Number>(value));
}

void fillPart(std::byte *out, ElementType element, int64_t bytes, double value) {
  switch (element) {
  case ElementType::F64:
    return fillElements<double>(out, bytes, value);
  case ElementType::F32:
    return fillElements<float>(out, bytes, value);
  case ElementType::BF16:
  case ElementType::F16: {
    float single = static_cast<float>(value);
    uint16_t half;
    convertFromFloat(&half, element, &single, 1);
    std::fill_n(reinterpret_cast<uint16_t *>(out), bytes / 2, half);
    return;
  }
  case ElementType::I64:
    return fillElements<int64_t>(out, bytes, value);
  case ElementType::I32:
    return fillElements<int32_t>(out, bytes, value);
  case ElementType::I16:
    return fillElements<int16_t>(out, bytes, value);
  default:
    return fillElements<int8_t>(out, bytes, value);
  }
}

} // namespace

Status RunTensors::initializePart(const Tensor &tensor, const RankPart &part, uint64_t seed) const {
  switch (tensor.initializer.kind) {
  case InitializerKind::None:
  case InitializerKind::File:
    return Status::success();
  case InitializerKind::Fill:
    fillPart(part.data, tensor.element, part.bytes, tensor.initializer.a);
    return Status::success();
  case InitializerKind::Data:
    copyFromGlobal(reinterpret_cast<uint8_t *>(part.data), tensor.initializer.data.data(),
                   part.region, tensor.shape, elementBytes(tensor.element));
    return Status::success();
  default:
    break;
  }
  if (tensor.element == ElementType::F32) {
    drawPart(reinterpret_cast<float *>(part.data), tensor, part.region, seed);
  } else if (tensor.element == ElementType::F64) {
    drawPart(reinterpret_cast<double *>(part.data), tensor, part.region, seed);
  } else if (tensor.element == ElementType::BF16 || tensor.element == ElementType::F16) {
    std::vector<float> values(static_cast<size_t>(part.bytes / 2));
    drawPart(values.data(), tensor, part.region, seed);
    convertFromFloat(part.data, tensor.element, values.data(), part.bytes / 2);
  } else {
    return Status::error(fmt::format("tensor {}: no random numbers of type {}", tensor.name,
                                     elementName(tensor.element)));
  }
  return Status::success();
}

Status RunTensors::initialize(uint64_t seed) const {
  for (size_t t = 0; t < source->tensors.size(); ++t)
    for (int64_t rank = 0; rank < rankCount; ++rank)
      if (part(t, rank).data)
        if (Status status = initializePart(source->tensors[t], part(t, rank), seed); !status.ok())
          return status;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Status RunTensors::load(const std::string &path) const {
  StatusOr<SafeTensorsReader> reader = SafeTensorsReader::open(path);
  if (!reader.ok())
    return reader.status();
  std::set<std::string> known;
  const Tensor *found = nullptr, *missing = nullptr; // of the state
  for (size_t t = 0; t < source->tensors.size(); ++t) {
    const Tensor &tensor = source->tensors[t];
    if (tensor.role != TensorRole::Parameter && tensor.role != TensorRole::State)
      continue;
    known.insert(tensor.name);
    const StoredTensor *stored = reader->find(tensor.name);
    if (!stored && tensor.role == TensorRole::Parameter)
      return Status::error(fmt::format("{}: parameter {} is missing", path, tensor.name));
    if (tensor.role == TensorRole::State)
      (stored ? found : missing) = &tensor;
    if (!stored)
      continue;
    if (stored->shape != tensor.shape || stored->element != tensor.element)
      return Status::error(fmt::format("{}: tensor {} is {} {}, the model's is {} {}", path,
                                       tensor.name, fmt::join(stored->shape, "x"),
                                       elementName(stored->element), fmt::join(tensor.shape, "x"),
                                       elementName(tensor.element)));
  }
  if (found && missing)
    return Status::error(
        fmt::format("{}: has {}, but {} is missing", path, found->name, missing->name));
  for (const StoredTensor &stored : reader->list())
    if (!known.count(stored.name))
      return Status::error(fmt::format("{}: the model has no tensor {}", path, stored.name));
  // Everything has been checked: nothing is half-loaded.
  for (size_t t = 0; t < source->tensors.size(); ++t)
    if (const StoredTensor *stored = reader->find(source->tensors[t].name))
      for (int64_t rank = 0; rank < rankCount; ++rank)
        if (part(t, rank).data)
          reader->read(*stored, part(t, rank).region, part(t, rank).data);
  return Status::success();
}

StatusOr<std::vector<StoredTensor>> RunTensors::describe(const std::vector<size_t> &tensors) const {
  std::vector<StoredTensor> result;
  for (size_t t : tensors) {
    const Tensor &tensor = source->tensors[t];
    if (layouts->layouts[tensor.layout].partial())
      return Status::error(
          fmt::format("tensor {} is partial: it has no value that could be saved", tensor.name));
    result.push_back({tensor.name, tensor.element, tensor.shape});
  }
  return result;
}

std::vector<size_t> RunTensors::withRoles(const std::vector<TensorRole> &roles) const {
  std::vector<size_t> chosen;
  for (size_t t = 0; t < source->tensors.size(); ++t)
    if (std::find(roles.begin(), roles.end(), source->tensors[t].role) != roles.end())
      chosen.push_back(t);
  return chosen;
}

StatusOr<SafeTensorsWriter> RunTensors::startFile(const std::string &path,
                                                  const std::vector<size_t> &chosen) const {
  StatusOr<std::vector<StoredTensor>> entries = describe(chosen);
  if (!entries.ok())
    return entries.status();
  // PyTorch's loaders ask for this entry.
  return SafeTensorsWriter::create(path, std::move(*entries), {{"format", "pt"}});
}

Status RunTensors::checkSave(const std::string &path, const std::vector<TensorRole> &roles) const {
  return startFile(path, withRoles(roles)).status();
}

Status RunTensors::save(const std::string &path, const std::vector<TensorRole> &roles) const {
  std::vector<size_t> chosen = withRoles(roles);
  StatusOr<SafeTensorsWriter> writer = startFile(path, chosen);
  if (!writer.ok())
    return writer.status();
  for (size_t i = 0; i < chosen.size(); ++i)
    for (int64_t rank = 0; rank < rankCount; ++rank)
      if (const RankPart &held = part(chosen[i], rank); held.data && held.first)
        writer->write(i, held.region, held.data);
  return writer->commit();
}
