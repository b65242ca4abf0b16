//===- Verify.cpp - What a schedule must satisfy before it runs -----------===//

#include "runtime/format/Verify.h"
#include "layout/Legality.h"
#include "runtime/format/CollectiveOrder.h"
#include "runtime/format/Describe.h"
#include "runtime/format/Races.h"
#include "runtime/format/VerifyProgram.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <tuple>

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
    if (c >= schedule.numClasses())
      return Status::error(
          fmt::format("the class map names class {}, there are {}", c, schedule.numClasses()));
  return Status();
}

Status verifyInitializer(const Tensor &tensor, int64_t elements) {
  const Initializer &i = tensor.initializer;
  bool stored = tensor.isKept();
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
    return Status::error(fmt::format("has buffers in {} of {} programs", tensor.buffers.size(),
                                     schedule.programs.size()));
  for (size_t p = 0; p < tensor.buffers.size(); ++p)
    if (tensor.buffers[p] != none && tensor.buffers[p] >= schedule.programs[p].buffers.size())
      return Status::error(fmt::format("is in buffer {} of {}, which has {}", tensor.buffers[p],
                                       programName(schedule, p),
                                       schedule.programs[p].buffers.size()));
  return verifyInitializer(tensor, elements);
}

Status verifyTensors(const Schedule &schedule, const ResolvedLayouts &resolved) {
  // Tensors that are not kept may share a name with one of another function.
  std::set<std::tuple<size_t, TensorRole, std::string>> names;
  for (size_t t = 0; t < schedule.tensors.size(); ++t) {
    const Tensor &tensor = schedule.tensors[t];
    if (Status status = verifyTensor(schedule, resolved, tensor); !status.ok())
      return Status::error(fmt::format("tensor {} ({}) of shape [{}]: {}", t, tensor.name,
                                       fmt::join(tensor.shape, ", "), status.message()));
    bool found = false;
    for (size_t function = 0; function < schedule.functions.size(); ++function) {
      if (!hasTensor(schedule, function, tensor))
        continue;
      if (tensor.isKept() && found)
        continue;
      found = true;
      if (!names.insert({tensor.isKept() ? 0 : function, tensor.role, tensor.name}).second)
        return Status::error(fmt::format("there are two tensors {} of one role", tensor.name));
    }
    if (!found)
      return Status::error(fmt::format("tensor {} ({}) is in no program", t, tensor.name));
  }
  return Status();
}

Status verifyFunctions(const Schedule &schedule) {
  if (schedule.functions.empty())
    return Status::error("the schedule has no function");
  if (schedule.programs.empty())
    return Status::error("the schedule has no program");
  if (schedule.programs.size() % schedule.functions.size() != 0)
    return Status::error(fmt::format("{} programs cannot be those of {} functions",
                                     schedule.programs.size(), schedule.functions.size()));
  std::set<std::string> names;
  for (const std::string &name : schedule.functions)
    if (name.empty() || !names.insert(name).second)
      return Status::error(fmt::format("there are two functions \"{}\", or it has no name", name));
  return Status();
}

/// Bytes of the arena that a class keeps for a tensor between runs.
struct KeptBytes {
  uint64_t begin = 0, end = 0;
  size_t tensor = 0;
};

/// The kept tensors of a class, by their first byte. Fails where the functions disagree.
Status collectKept(const Schedule &schedule, size_t rankClass, std::vector<KeptBytes> &kept) {
  for (size_t t = 0; t < schedule.tensors.size(); ++t) {
    const Tensor &tensor = schedule.tensors[t];
    std::optional<KeptBytes> place;
    for (size_t f = 0; tensor.isKept() && f < schedule.functions.size(); ++f) {
      size_t p = schedule.programIndex(f, rankClass);
      if (tensor.buffers[p] == none)
        continue;
      const Buffer &buffer = schedule.programs[p].buffers[tensor.buffers[p]];
      KeptBytes here{buffer.offset, buffer.offset + buffer.bytes, t};
      if (place && (place->begin != here.begin || place->end != here.end))
        return Status::error(fmt::format(
            "tensor {} ({}) is kept in bytes [{}, {}) of the arena, but {} has it in [{}, {})", t,
            tensor.name, place->begin, place->end, programName(schedule, p), here.begin, here.end));
      place = here;
    }
    if (place && place->begin < place->end)
      kept.push_back(*place);
  }
  std::sort(kept.begin(), kept.end(),
            [](const KeptBytes &a, const KeptBytes &b) { return a.begin < b.begin; });
  for (size_t k = 1; k < kept.size(); ++k)
    if (kept[k].begin < kept[k - 1].end)
      return Status::error(fmt::format(
          "tensors {} and {} are both kept in bytes [{}, {}) of the arena of class {}",
          schedule.tensors[kept[k - 1].tensor].name, schedule.tensors[kept[k].tensor].name,
          kept[k].begin, std::min(kept[k - 1].end, kept[k].end), rankClass));
  return Status();
}

/// A function leaves alone what others keep.
Status verifyKept(const Schedule &schedule, size_t rankClass) {
  std::vector<KeptBytes> kept;
  if (Status status = collectKept(schedule, rankClass, kept); !status.ok())
    return status;
  for (size_t f = 0; f < schedule.functions.size(); ++f) {
    size_t p = schedule.programIndex(f, rankClass);
    const Program &program = schedule.programs[p];
    if (program.streams != schedule.programs[rankClass].streams)
      return Status::error(fmt::format("{} has other streams than {}", programName(schedule, p),
                                       programName(schedule, rankClass)));
    for (size_t i = 0; i < program.instructions.size(); ++i)
      for (const Operand &operand : program.instructions[i].operands) {
        uint64_t begin = program.buffers[operand.buffer].offset + operand.offset;
        uint64_t end = begin + operand.bytes;
        auto it = std::upper_bound(kept.begin(), kept.end(), begin,
                                   [](uint64_t at, const KeptBytes &k) { return at < k.end; });
        for (; operand.writes() && it != kept.end() && it->begin < end; ++it)
          if (const Tensor &tensor = schedule.tensors[it->tensor]; tensor.buffers[p] == none)
            return Status::error(fmt::format(
                "{} writes bytes [{}, {}) of the arena, where tensor {} is kept, which this "
                "function does not have",
                describe(schedule, p, i), begin, end, tensor.name));
      }
  }
  return Status();
}

/// The shapes that layouts are applied to by instructions and scalars.
Status verifyLayoutUses(const Schedule &schedule, const ResolvedLayouts &resolved) {
  for (size_t p = 0; p < schedule.programs.size(); ++p) {
    const Program &program = schedule.programs[p];
    for (size_t s = 0; s < program.scalars.size(); ++s) {
      const Scalar &scalar = program.scalars[s];
      if (scalar.kind != ScalarKind::RegionStart)
        continue;
      int64_t elements;
      if (!checkedProduct(scalar.shape, elements))
        return Status::error(fmt::format("{}: the shape of scalar {} is negative or too large",
                                         programName(schedule, p), s));
      if (Status status = checkLegal(resolved.layouts[scalar.layout], scalar.shape); !status.ok())
        return Status::error(fmt::format("{}: scalar {}: {}", programName(schedule, p), s,
                                         status.message()));
    }
    for (size_t i = 0; i < program.instructions.size(); ++i)
      if (const auto *o = std::get_if<Collective>(&program.instructions[i].operation))
        for (uint32_t layout : {o->source, o->target})
          if (Status status = checkLegal(resolved.layouts[layout], o->shape); !status.ok())
            return Status::error(describe(schedule, p, i) + ": " + status.message());
  }
  return Status();
}

Status verifyRanks(const Schedule &schedule, const ResolvedLayouts &resolved) {
  std::vector<std::vector<bool>> members(schedule.numClasses(),
                                         std::vector<bool>(resolved.meshes.size()));
  std::vector<int64_t> representative(schedule.numClasses(), -1);
  std::vector<uint32_t> classes(resolved.ranks());
  for (int64_t rank = resolved.ranks() - 1; rank >= 0; --rank) {
    classes[rank] = classOf(schedule, resolved, rank);
    representative[classes[rank]] = rank;
  }
  for (size_t m = 0; m < resolved.meshes.size(); ++m)
    for (int64_t p = 0; p < resolved.meshes[m].numDevices(); ++p)
      members[classes[resolved.meshes[m].deviceId(p)]][m] = true;
  for (size_t c = 0; c < schedule.numClasses(); ++c) {
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
  if (Status status = verifyFunctions(schedule); !status.ok())
    return status;
  if (Status status = verifyClassMap(schedule, resolved->meshes[0]); !status.ok())
    return status;
  if (Status status = verifyTensors(schedule, *resolved); !status.ok())
    return status;
  for (size_t p = 0; p < schedule.programs.size(); ++p)
    if (Status status = verifyProgram(schedule, p); !status.ok())
      return status;
  for (size_t c = 0; c < schedule.numClasses(); ++c)
    if (Status status = verifyKept(schedule, c); !status.ok())
      return status;
  if (Status status = verifyLayoutUses(schedule, *resolved); !status.ok())
    return status;
  if (!options.acceptRaces)
    for (size_t p = 0; p < schedule.programs.size(); ++p)
      if (Status status = checkRaces(schedule, p); !status.ok())
        return status;
  return verifyRanks(schedule, *resolved);
}
