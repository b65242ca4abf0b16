//===- Layouts.cpp - The meshes, layouts and rank classes of a schedule ---===//

#include "layout/Legality.h"
#include "layout/Parse.h"
#include "layout/Region.h"
#include "runtime/format/Describe.h"
#include "runtime/format/Verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace vescale::runtime;
using vescale::layout::Layout;
using vescale::layout::Mesh;
using vescale::layout::Shape;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// Ranks that one schedule can be for; far more than any machine has.
constexpr int64_t maximumRanks = int64_t(1) << 24;

/// Bytes of a tensor on a rank, or -1 where the rank is not in the layout's mesh.
int64_t localBytes(const Layout &layout, const Shape &shape, ElementType element, int64_t rank) {
  std::optional<int64_t> position = layout.mesh().positionOf(rank);
  if (!position)
    return -1;
  return vescale::layout::elementCount(
             vescale::layout::localShape(layout, shape, layout.mesh().coordinate(*position))) *
         elementBytes(element);
}

Status checkCollective(const Collective &o, const Instruction &instruction,
                       const ResolvedLayouts &resolved, int64_t rank) {
  int64_t input = localBytes(resolved.layouts[o.source], o.shape, o.element, rank);
  int64_t output = localBytes(resolved.layouts[o.target], o.shape, o.element, rank);
  std::vector<int64_t> expected;
  if (input >= 0)
    expected.push_back(input);
  if (output >= 0)
    expected.push_back(output);
  if (instruction.operands.size() != expected.size())
    return Status::error(fmt::format("has {} operands, rank {} has {} of input and output",
                                     instruction.operands.size(), rank, expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    if (instruction.operands[i].bytes != static_cast<uint64_t>(expected[i]))
      return Status::error(fmt::format("operand {} has {} bytes, the layout gives rank {} {} bytes",
                                       i, instruction.operands[i].bytes, rank, expected[i]));
  if (expected.size() == 1) {
    Access access = input >= 0 ? Access::Read : Access::Write;
    if (instruction.operands[0].access != access)
      return Status::error(
          fmt::format("rank {} has an {} only", rank, input >= 0 ? "input" : "output"));
  }
  return Status();
}

} // namespace

StatusOr<ResolvedLayouts> vescale::runtime::resolveLayouts(const Schedule &schedule) {
  ResolvedLayouts result;
  if (schedule.meshes.empty())
    return Status::error("the schedule has no mesh");
  for (size_t m = 0; m < schedule.meshes.size(); ++m) {
    StatusOr<Mesh> mesh = Mesh::parse(schedule.meshes[m]);
    if (!mesh.ok())
      return Status::error(fmt::format("mesh {}: {}", m, mesh.message()));
    int64_t ranks = m == 0 ? mesh->numDevices() : result.meshes[0].numDevices();
    if (mesh->numDevices() > maximumRanks)
      return Status::error(fmt::format("mesh {} has {} devices, at most {} are possible", m,
                                       mesh->numDevices(), maximumRanks));
    for (int64_t p = 0; p < mesh->numDevices(); ++p)
      if (mesh->deviceId(p) >= ranks)
        return Status::error(
            fmt::format("mesh {} has device {}, there are {} ranks", m, mesh->deviceId(p), ranks));
    result.meshes.push_back(*mesh);
  }
  for (size_t l = 0; l < schedule.layouts.size(); ++l) {
    const LayoutText &text = schedule.layouts[l];
    if (text.mesh >= result.meshes.size())
      return Status::error(
          fmt::format("layout {} is of mesh {}, there are {}", l, text.mesh, result.meshes.size()));
    StatusOr<Layout> layout = Layout::parse(result.meshes[text.mesh], text.text);
    if (!layout.ok())
      return Status::error(fmt::format("layout {} ({}): {}", l, text.text, layout.message()));
    result.layouts.push_back(*layout);
  }
  return result;
}

uint32_t vescale::runtime::classOf(const Schedule &schedule, const ResolvedLayouts &resolved,
                                   int64_t rank) {
  vescale::layout::Coordinate coordinate = resolved.coordinate(rank);
  size_t index = 0;
  for (size_t a = 0; a < schedule.classMap.axes.size(); ++a) {
    const AxisKinds &axis = schedule.classMap.axes[a];
    size_t kinds = 0;
    for (uint32_t kind : axis.kinds)
      kinds = std::max<size_t>(kinds, kind + 1);
    size_t run = 0;
    for (int64_t left = coordinate[a]; left >= axis.lengths[run]; ++run)
      left -= axis.lengths[run];
    index = index * kinds + axis.kinds[run];
  }
  return schedule.classMap.classes[index];
}

/// Checks a rank's buffers, scalars and collectives in one function.
static Status checkProgram(const Schedule &schedule, const ResolvedLayouts &resolved, int64_t rank,
                           size_t function, uint32_t rankClass) {
  size_t index = schedule.programIndex(function, rankClass);
  const Program &program = schedule.programs[index];
  for (const Tensor &tensor : schedule.tensors) {
    if (!hasTensor(schedule, function, tensor))
      continue;
    int64_t expected =
        localBytes(resolved.layouts[tensor.layout], tensor.shape, tensor.element, rank);
    uint32_t buffer = tensor.buffers[index];
    int64_t bytes = buffer == none ? -1 : static_cast<int64_t>(program.buffers[buffer].bytes);
    if (bytes != expected)
      return Status::error(fmt::format(
          "tensor {} of shape [{}]: layout {} gives rank {} {} bytes, {} has {}", tensor.name,
          fmt::join(tensor.shape, ", "), resolved.layouts[tensor.layout].str(), rank, expected,
          programName(schedule, index), bytes));
  }
  for (size_t s = 0; s < program.scalars.size(); ++s) {
    const Scalar &scalar = program.scalars[s];
    if (scalar.kind != ScalarKind::RegionStart)
      continue;
    const Layout &layout = resolved.layouts[scalar.layout];
    std::optional<int64_t> position = layout.mesh().positionOf(rank);
    if (!position)
      return Status::error(fmt::format("scalar {} of {} is the start of a region of layout {}, "
                                       "which rank {} has no part in",
                                       s, programName(schedule, index), scalar.layout, rank));
    // An empty region starts at 0 whatever the box; otherwise the box must be there.
    size_t boxes =
        vescale::layout::region(layout, scalar.shape, layout.mesh().coordinate(*position)).size();
    if (boxes > 0 && scalar.box >= boxes)
      return Status::error(fmt::format("scalar {} of {} is the start of box {}, rank {} has {}", s,
                                       programName(schedule, index), scalar.box, rank, boxes));
  }
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (const auto *collective = std::get_if<Collective>(&instruction.operation))
      if (Status status = checkCollective(*collective, instruction, resolved, rank); !status.ok())
        return Status::error(describe(schedule, index, i) + ": " + status.message());
  }
  return Status();
}

bool vescale::runtime::hasTensor(const Schedule &schedule, size_t function, const Tensor &tensor) {
  for (size_t c = 0; c < schedule.numClasses(); ++c)
    if (tensor.buffers[schedule.programIndex(function, c)] != none)
      return true;
  return false;
}

Status vescale::runtime::checkRank(const Schedule &schedule, const ResolvedLayouts &resolved,
                                   int64_t rank) {
  uint32_t rankClass = classOf(schedule, resolved, rank);
  for (size_t function = 0; function < schedule.functions.size(); ++function)
    if (Status status = checkProgram(schedule, resolved, rank, function, rankClass); !status.ok())
      return status;
  return Status();
}
