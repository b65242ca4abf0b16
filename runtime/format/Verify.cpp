//===- Verify.cpp - What a schedule must satisfy before it runs -----------===//

#include "runtime/format/Verify.h"
#include "layout/Legality.h"
#include "runtime/format/CollectiveOrder.h"
#include "runtime/format/Describe.h"
#include "runtime/format/Races.h"
#include "runtime/format/VerifyProgram.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

Status verifyClassMap(const Schedule &schedule, const vescale::layout::Mesh &mesh) {
  const ClassMap &map = schedule.classMap;
  if (map.axes.size() != static_cast<size_t>(mesh.rank()))
    return Status::error(
        fmt::format("the class map has {} axes, the mesh {}", map.axes.size(), mesh.rank()));
  std::vector<int64_t> kinds;
  for (size_t a = 0; a < map.axes.size(); ++a) {
    const AxisKinds &axis = map.axes[a];
    if (axis.lengths.size() != axis.kinds.size())
      return Status::error(fmt::format("axis {} of the class map has {} lengths and {} kinds", a,
                                       axis.lengths.size(), axis.kinds.size()));
    uint64_t sum = 0;
    for (uint32_t length : axis.lengths)
      sum += length;
    if (sum != static_cast<uint64_t>(mesh.axisSize(a)))
      return Status::error(fmt::format("axis {} of the class map covers {} of {} coordinates", a,
                                       sum, mesh.axisSize(a)));
    uint64_t count = 0;
    for (uint32_t kind : axis.kinds)
      count = std::max<uint64_t>(count, uint64_t(kind) + 1);
    if (count > axis.kinds.size())
      return Status::error(fmt::format("axis {} of the class map has a kind {} but only {} runs", a,
                                       count - 1, axis.kinds.size()));
    kinds.push_back(static_cast<int64_t>(count));
  }
  int64_t entries;
  if (!checkedProduct(kinds, entries) || static_cast<size_t>(entries) != map.classes.size())
    return Status::error(fmt::format("the class map has {} entries for kinds of [{}]",
                                     map.classes.size(), fmt::join(kinds, ", ")));
  for (uint32_t c : map.classes)
    if (c >= schedule.programs.size())
      return Status::error(
          fmt::format("the class map names class {}, there are {}", c, schedule.programs.size()));
  return Status();
}

Status verifyInitializer(const Tensor &tensor, int64_t elements) {
  const Initializer &i = tensor.initializer;
  bool stored = tensor.role == TensorRole::Parameter || tensor.role == TensorRole::State ||
                tensor.role == TensorRole::Constant;
  if (stored != (i.kind != InitializerKind::None))
    return Status::error(stored ? "has no initial value"
                                : "has an initial value, but no step "
                                  "keeps it");
  if (!std::isfinite(i.a) || !std::isfinite(i.b))
    return Status::error(fmt::format("is initialised with {} and {}", i.a, i.b));
  if (i.kind == InitializerKind::Data &&
      i.data.size() != static_cast<uint64_t>(elements) * elementBytes(tensor.element))
    return Status::error(fmt::format("has {} bytes of data for {} elements of {}", i.data.size(),
                                     elements, elementName(tensor.element)));
  return Status();
}

Status verifyTensor(const Schedule &schedule, const ResolvedLayouts &resolved,
                    const Tensor &tensor) {
  if (tensor.name.empty())
    return Status::error("has no name");
  int64_t elements;
  if (!checkedProduct(tensor.shape, elements) || elements > (int64_t(1) << 56))
    return Status::error("its shape is negative or too large");
  if (tensor.layout >= resolved.layouts.size())
    return Status::error(
        fmt::format("has layout {}, there are {}", tensor.layout, resolved.layouts.size()));
  if (Status status = checkLegal(resolved.layouts[tensor.layout], tensor.shape); !status.ok())
    return status;
  if (tensor.buffers.size() != schedule.programs.size())
    return Status::error(fmt::format("has buffers in {} of {} classes", tensor.buffers.size(),
                                     schedule.programs.size()));
  for (size_t c = 0; c < tensor.buffers.size(); ++c)
    if (tensor.buffers[c] != none && tensor.buffers[c] >= schedule.programs[c].buffers.size())
      return Status::error(fmt::format("is in buffer {} of class {}, which has {}",
                                       tensor.buffers[c], c, schedule.programs[c].buffers.size()));
  return verifyInitializer(tensor, elements);
}

Status verifyTensors(const Schedule &schedule, const ResolvedLayouts &resolved) {
  std::set<std::pair<TensorRole, std::string>> names;
  for (size_t t = 0; t < schedule.tensors.size(); ++t) {
    const Tensor &tensor = schedule.tensors[t];
    if (Status status = verifyTensor(schedule, resolved, tensor); !status.ok())
      return Status::error(fmt::format("tensor {} ({}) of shape [{}]: {}", t, tensor.name,
                                       fmt::join(tensor.shape, ", "), status.message()));
    if (!names.insert({tensor.role, tensor.name}).second)
      return Status::error(fmt::format("there are two tensors {} of one role", tensor.name));
  }
  return Status();
}

/// The shapes that layouts are applied to by instructions and scalars.
Status verifyLayoutUses(const Schedule &schedule, const ResolvedLayouts &resolved) {
  for (size_t c = 0; c < schedule.programs.size(); ++c) {
    const Program &program = schedule.programs[c];
    for (size_t s = 0; s < program.scalars.size(); ++s) {
      const Scalar &scalar = program.scalars[s];
      if (scalar.kind != ScalarKind::RegionStart)
        continue;
      int64_t elements;
      if (!checkedProduct(scalar.shape, elements))
        return Status::error(fmt::format("class {}: the shape of scalar {} is negative or too "
                                         "large",
                                         c, s));
      if (Status status = checkLegal(resolved.layouts[scalar.layout], scalar.shape); !status.ok())
        return Status::error(fmt::format("class {}: scalar {}: {}", c, s, status.message()));
    }
    for (size_t i = 0; i < program.instructions.size(); ++i)
      if (const auto *o = std::get_if<Collective>(&program.instructions[i].operation))
        for (uint32_t layout : {o->source, o->target})
          if (Status status = checkLegal(resolved.layouts[layout], o->shape); !status.ok())
            return Status::error(describe(schedule, c, i) + ": " + status.message());
  }
  return Status();
}

Status verifyRanks(const Schedule &schedule, const ResolvedLayouts &resolved) {
  std::vector<std::vector<bool>> members(schedule.programs.size(),
                                         std::vector<bool>(resolved.meshes.size()));
  std::vector<int64_t> representative(schedule.programs.size(), -1);
  std::vector<uint32_t> classes(resolved.ranks());
  for (int64_t rank = resolved.ranks() - 1; rank >= 0; --rank) {
    classes[rank] = classOf(schedule, resolved, rank);
    representative[classes[rank]] = rank;
  }
  for (size_t m = 0; m < resolved.meshes.size(); ++m)
    for (int64_t p = 0; p < resolved.meshes[m].numDevices(); ++p)
      members[classes[resolved.meshes[m].deviceId(p)]][m] = true;
  for (size_t c = 0; c < schedule.programs.size(); ++c) {
    if (representative[c] < 0)
      return Status::error(fmt::format("class {} has no ranks", c));
    if (Status status = checkRank(schedule, resolved, representative[c]); !status.ok())
      return status;
  }
  return checkCollectiveOrder(schedule, members);
}

} // namespace

Status vescale::runtime::verifySchedule(const Schedule &schedule, const VerifyOptions &options) {
  StatusOr<ResolvedLayouts> resolved = resolveLayouts(schedule);
  if (!resolved.ok())
    return resolved.status();
  if (schedule.programs.empty())
    return Status::error("the schedule has no program");
  if (Status status = verifyClassMap(schedule, resolved->meshes[0]); !status.ok())
    return status;
  if (Status status = verifyTensors(schedule, *resolved); !status.ok())
    return status;
  for (size_t c = 0; c < schedule.programs.size(); ++c)
    if (Status status = verifyProgram(schedule, c); !status.ok())
      return status;
  if (Status status = verifyLayoutUses(schedule, *resolved); !status.ok())
    return status;
  if (!options.acceptRaces)
    for (size_t c = 0; c < schedule.programs.size(); ++c)
      if (Status status = checkRaces(schedule, c); !status.ok())
        return status;
  return verifyRanks(schedule, *resolved);
}
