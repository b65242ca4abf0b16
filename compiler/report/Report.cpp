//===- Report.cpp - What a compiled program holds and sends ------------------------------------===//

#include "compiler/report/Report.h"

#include <algorithm>

namespace vescale {

std::vector<CollectiveGroup> Report::groups() const {
  std::vector<CollectiveGroup> groups;
  for (const CollectiveReport &one : collectives) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const CollectiveGroup &other) {
      return other.function == one.function && other.kind == one.kind && other.axes == one.axes;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), {one.function, one.kind, one.axes});
    group->count += one.runs;
    group->payloadBytes += one.runs * one.payloadBytes;
    group->bytes += one.runs * one.bytes;
    group->seconds += one.runs * one.seconds;
  }
  return groups;
}

int64_t Report::arenaBytes() const {
  int64_t bytes = 0;
  for (const MemoryReport &one : memory)
    bytes = std::max(bytes, one.arenaBytes);
  return bytes;
}

} // namespace vescale
