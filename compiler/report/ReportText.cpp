//===- ReportText.cpp - The report as tables -----------------------------------------------------===//

#include "compiler/report/Quantities.h"
#include "compiler/report/Report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vescale {

static std::string kindsText(const BytesByKind &kinds) {
  std::vector<std::pair<std::string, int64_t>> order(kinds.begin(), kinds.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto &a, const auto &b) { return a.second > b.second; });
  std::string text;
  for (const auto &[kind, bytes] : order)
    if (bytes > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind, bytesText(bytes));
  return text;
}

static std::string memoryText(const Report &report) {
  std::string text;
  for (const MemoryReport &memory : report.memory) {
    text += fmt::format("Memory of a device, @{}: {} planned\n", memory.function,
                        bytesText(memory.arenaBytes));
    text += fmt::format("  always   {}\n", kindsText(memory.persistent));
    if (std::string peak = kindsText(memory.atPeak); !peak.empty())
      text += fmt::format("  at peak  {}\n", peak);
  }
  return text;
}

static std::string groupsText(const Report &report) {
  std::vector<CollectiveGroup> groups = report.groups();
  if (groups.empty())
    return "Collectives of a step: none\n";
  bool timed = false;
  for (const CollectiveGroup &group : groups)
    timed |= group.seconds > 0;
  std::vector<std::string> headings = {"kind", "axes", ">count", ">tensor bytes",
                                       ">received by a device"};
  if (timed)
    headings.push_back(">predicted");
  std::string text;
  std::string function;
  // One table a function; groups come function by function.
  for (size_t begin = 0; begin < groups.size();) {
    TextTable table(headings);
    CollectiveGroup sum;
    size_t end = begin;
    for (; end < groups.size() && groups[end].function == groups[begin].function; ++end) {
      const CollectiveGroup &group = groups[end];
      table.add({group.kind, fmt::format("{}", fmt::join(group.axes, ", ")),
                 std::to_string(group.count), bytesText(group.payloadBytes),
                 bytesText(group.bytes), secondsText(group.seconds)});
      sum.count += group.count;
      sum.payloadBytes += group.payloadBytes;
      sum.bytes += group.bytes;
      sum.seconds += group.seconds;
    }
    if (end - begin > 1)
      table.add({"all", "", std::to_string(sum.count), bytesText(sum.payloadBytes),
                 bytesText(sum.bytes), secondsText(sum.seconds)});
    text += fmt::format("Collectives, @{}\n{}", groups[begin].function, table.str());
    begin = end;
  }
  return text;
}

std::string toSummary(const Report &report) { return memoryText(report) + groupsText(report); }

static std::string partsText(const TensorReport &tensor, int64_t devices) {
  std::string text;
  for (const LocalPart &part : tensor.parts)
    text += (text.empty() ? "" : ", ") + shapeText(part.shape) +
            (part.devices == devices ? "" : fmt::format(" on {}", part.devices));
  return text;
}

static std::string tensorsText(const Report &report) {
  std::string text;
  std::string function;
  TextTable table({"name", "role", "type", "shape", "layout", "a device holds", ">bytes"});
  auto finish = [&] {
    if (!table.empty())
      text += fmt::format("Tensors of @{}\n{}", function, table.str());
    table = TextTable({"name", "role", "type", "shape", "layout", "a device holds", ">bytes"});
  };
  for (const TensorReport &tensor : report.tensors) {
    if (tensor.function != function)
      finish();
    function = tensor.function;
    table.add({tensor.name, tensor.role, tensor.elementType, shapeText(tensor.shape),
               tensor.placements.empty() ? tensor.layout : tensor.placements,
               partsText(tensor, report.devices), bytesText(tensor.bytes)});
  }
  finish();
  return text;
}

static std::string collectivesText(const Report &report) {
  if (report.collectives.empty())
    return "";
  TextTable table({">id", "kind", "axes", "type", "shape", "for", ">received", ">predicted", "at"});
  for (const CollectiveReport &one : report.collectives)
    table.add({std::to_string(one.id), one.kind, fmt::format("{}", fmt::join(one.axes, ", ")),
               one.elementType, shapeText(one.shape),
               one.tensors > 1 ? fmt::format("{} and {} more", one.value, one.tensors - 1)
                               : one.value,
               bytesText(one.bytes), one.seconds > 0 ? secondsText(one.seconds) : "",
               one.location});
  return "Every collective\n" + table.str();
}

static std::string redistributionsText(const Report &report) {
  if (report.redistributions.empty())
    return "";
  std::string text = "Redistributions and their causes\n";
  for (const RedistributionReport &one : report.redistributions)
    text += fmt::format("  {:>4}  {} {} -> {}{}\n        {}: {}, {}{}\n        {}\n", one.number, one.value,
                        one.from, one.to, one.location.empty() ? "" : " at " + one.location,
                        one.steps.empty() ? "nothing to do" : fmt::format("{}", fmt::join(one.steps, ", ")),
                        bytesText(one.bytes), secondsText(one.seconds),
                        one.runs == 1 ? "" : fmt::format(", {} times", one.runs), one.cause);
  return "\n" + text;
}

std::string toText(const Report &report) {
  std::string header = report.mesh.empty()
                           ? std::string("One device\n")
                           : fmt::format("Mesh {}: {} devices\n", report.mesh, report.devices);
  return header + "\n" + tensorsText(report) + "\n" + memoryText(report) + "\n" +
         groupsText(report) + "\n" + collectivesText(report) + redistributionsText(report);
}

} // namespace vescale
