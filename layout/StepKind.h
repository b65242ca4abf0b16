//===- StepKind.h - The steps of a redistribution --------------------------------------------===//
#ifndef VESCALE_LAYOUT_STEPKIND_H
#define VESCALE_LAYOUT_STEPKIND_H

#include <optional>
#include <string_view>

namespace vescale::layout {

enum class StepKind {
  /// Replicated axes start to cut dims. Local.
  slice,
  /// Minor cuts of dims are undone.
  allGather,
  /// Minor cuts of one dim become minor cuts of another.
  allToAll,
  /// Parts stay whole and change devices.
  permute,
  /// Partial axes start to cut dims.
  reduceScatter,
  /// Partial axes become replicated.
  allReduce,
  /// Replicated or cutting axes become partial. Local.
  toPartial,
  /// Anything to anything, as messages between devices.
  exchange,
};

/// True where no device sends anything.
inline bool isLocal(StepKind kind) {
  return kind == StepKind::slice || kind == StepKind::toPartial;
}

/// `slice`, `all_gather`, `all_to_all`, `permute`, `reduce_scatter`, `all_reduce`, `to_partial`,
/// `exchange`.
std::string_view str(StepKind kind);
/// The step of that name; nothing for any other word.
std::optional<StepKind> stepKindNamed(std::string_view name);

} // namespace vescale::layout

#endif
