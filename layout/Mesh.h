//===- Mesh.h - Named axes over devices ------------------------------------------------------===//
//
// A mesh arranges devices along named axes. Position p counts coordinates row-major (the last axis
// fastest); position p is device deviceId(p), which is p unless the mesh lists device ids.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_MESH_H
#define VESCALE_LAYOUT_MESH_H

#include "layout/Status.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vescale::layout {

/// One named axis of a mesh.
struct Axis {
  std::string name;
  int64_t size = 1;

  bool operator==(const Axis &other) const { return size == other.size && name == other.name; }
  bool operator!=(const Axis &other) const { return !(*this == other); }
};

/// One index for each mesh axis, in mesh order.
using Coordinate = std::vector<int64_t>;

/// An immutable mesh; copies share their state.
class Mesh {
public:
  /// The mesh without axes: one device, device 0.
  Mesh();

  /// Fails on an empty or repeated axis name, a size below 1, more devices than 2^62, and device
  /// ids that are negative, repeated, or not one per device. An empty list of device ids means
  /// 0, 1, 2, ...; writing that list out makes an equal mesh.
  static StatusOr<Mesh> get(std::vector<Axis> axes, std::vector<int64_t> deviceIds = {});
  /// The same as parseMesh in layout/Parse.h.
  static StatusOr<Mesh> parse(std::string_view text);

  int rank() const { return static_cast<int>(storage->axes.size()); }
  const std::vector<Axis> &axes() const { return storage->axes; }
  const Axis &axis(int index) const { return storage->axes[index]; }
  int64_t axisSize(int index) const { return storage->axes[index].size; }
  int64_t numDevices() const { return storage->numDevices; }
  std::optional<int> axisIndex(std::string_view name) const;

  /// Positions between neighbours along an axis: the product of the sizes of the later axes.
  int64_t axisStride(int index) const { return storage->strides[index]; }
  Coordinate coordinate(int64_t position) const;
  int64_t position(const Coordinate &coordinate) const;
  int64_t coordinateAlong(int axis, int64_t position) const {
    return position / axisStride(axis) % axisSize(axis);
  }

  /// Empty where position p is device p.
  const std::vector<int64_t> &deviceIds() const { return storage->deviceIds; }
  int64_t deviceId(int64_t position) const {
    return storage->deviceIds.empty() ? position : storage->deviceIds[position];
  }
  /// The position of a device; nothing where the mesh does not contain it.
  std::optional<int64_t> positionOf(int64_t deviceId) const;

  bool operator==(const Mesh &other) const;
  bool operator!=(const Mesh &other) const { return !(*this == other); }
  size_t hash() const { return storage->hash; }

  /// `["dp" = 2, "tp" = 4]`, with `, device_ids = [3, 2, 1, 0]` where they are not in order.
  std::string str() const;

private:
  struct Storage {
    std::vector<Axis> axes;
    std::vector<int64_t> strides;
    std::vector<int64_t> deviceIds;
    /// (device id, position), sorted; empty where deviceIds is.
    std::vector<std::pair<int64_t, int64_t>> positions;
    int64_t numDevices = 1;
    size_t hash = 0;
  };

  explicit Mesh(std::shared_ptr<const Storage> storage) : storage(std::move(storage)) {}

  std::shared_ptr<const Storage> storage;
};

} // namespace vescale::layout

#endif
