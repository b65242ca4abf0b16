#include "layout/Mesh.h"

#include "layout/Hash.h"
#include "layout/Parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace vescale::layout {

Mesh::Mesh() : Mesh(std::make_shared<const Storage>()) {}

StatusOr<Mesh> Mesh::parse(std::string_view text) { return parseMesh(text); }

/// Names are printed between quotes and are never escaped.
static bool isAxisName(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c >= ' ' && c != '"' && c != '\\' && c != 127;
  });
}

StatusOr<Mesh> Mesh::get(std::vector<Axis> axes, std::vector<int64_t> deviceIds) {
  constexpr int64_t mostDevices = int64_t(1) << 62;
  auto storage = std::make_shared<Storage>();
  for (size_t i = 0; i < axes.size(); ++i) {
    const Axis &axis = axes[i];
    if (!isAxisName(axis.name))
      return Status::error(fmt::format("mesh axis {} has no printable name", i));
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axis.name)
        return Status::error(fmt::format("mesh axis \"{}\" is declared twice", axis.name));
    if (axis.size < 1)
      return Status::error(
          fmt::format("mesh axis \"{}\" has size {}; a size is at least 1", axis.name, axis.size));
    if (storage->numDevices > mostDevices / axis.size)
      return Status::error(
          fmt::format("mesh axis \"{}\" of size {} makes the mesh larger than 2^62 devices",
                      axis.name, axis.size));
    storage->numDevices *= axis.size;
  }
  storage->strides.resize(axes.size());
  int64_t stride = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    storage->strides[i] = stride;
    stride *= axes[i].size;
  }

  if (!deviceIds.empty()) {
    if (static_cast<int64_t>(deviceIds.size()) != storage->numDevices)
      return Status::error(fmt::format("device_ids lists {} devices, but the mesh has {}",
                                       deviceIds.size(), storage->numDevices));
    bool inOrder = true;
    for (size_t p = 0; p < deviceIds.size(); ++p) {
      if (deviceIds[p] < 0)
        return Status::error(fmt::format("device_ids has the negative id {}", deviceIds[p]));
      inOrder &= deviceIds[p] == static_cast<int64_t>(p);
      storage->positions.emplace_back(deviceIds[p], static_cast<int64_t>(p));
    }
    std::sort(storage->positions.begin(), storage->positions.end());
    for (size_t p = 1; p < storage->positions.size(); ++p)
      if (storage->positions[p].first == storage->positions[p - 1].first)
        return Status::error(
            fmt::format("device_ids has device {} twice", storage->positions[p].first));
    if (inOrder) {
      deviceIds.clear();
      storage->positions.clear();
    }
  }

  size_t hash = axes.size();
  for (const Axis &axis : axes)
    hash = combineHash(combineHash(hash, std::hash<std::string>()(axis.name)), axis.size);
  for (int64_t id : deviceIds)
    hash = combineHash(hash, id);
  storage->hash = hash;
  storage->axes = std::move(axes);
  storage->deviceIds = std::move(deviceIds);
  return Mesh(std::shared_ptr<const Storage>(std::move(storage)));
}

std::optional<int> Mesh::axisIndex(std::string_view name) const {
  for (int i = 0; i < rank(); ++i)
    if (axis(i).name == name)
      return i;
  return std::nullopt;
}

Coordinate Mesh::coordinate(int64_t position) const {
  Coordinate result(rank());
  for (int i = rank(); i-- > 0;) {
    result[i] = position % axisSize(i);
    position /= axisSize(i);
  }
  return result;
}

int64_t Mesh::position(const Coordinate &coordinate) const {
  int64_t result = 0;
  for (int i = 0; i < rank(); ++i)
    result = result * axisSize(i) + coordinate[i];
  return result;
}

std::optional<int64_t> Mesh::positionOf(int64_t deviceId) const {
  if (storage->deviceIds.empty()) {
    if (deviceId < 0 || deviceId >= numDevices())
      return std::nullopt;
    return deviceId;
  }
  auto found = std::lower_bound(storage->positions.begin(), storage->positions.end(),
                                std::make_pair(deviceId, int64_t(0)));
  if (found == storage->positions.end() || found->first != deviceId)
    return std::nullopt;
  return found->second;
}

bool Mesh::operator==(const Mesh &other) const {
  return storage == other.storage ||
         (hash() == other.hash() && axes() == other.axes() && deviceIds() == other.deviceIds());
}

std::string Mesh::str() const {
  std::string text = "[";
  for (int i = 0; i < rank(); ++i)
    text += fmt::format("{}\"{}\" = {}", i ? ", " : "", axis(i).name, axis(i).size);
  text += "]";
  if (!deviceIds().empty())
    text += fmt::format(", device_ids = [{}]", fmt::join(deviceIds(), ", "));
  return text;
}

} // namespace vescale::layout
