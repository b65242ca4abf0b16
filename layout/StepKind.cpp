#include "layout/StepKind.h"

namespace vescale::layout {

namespace {

struct Name {
  StepKind kind;
  std::string_view name;
};

constexpr Name stepNames[] = {
    {StepKind::slice, "slice"},
    {StepKind::allGather, "all_gather"},
    {StepKind::allToAll, "all_to_all"},
    {StepKind::permute, "permute"},
    {StepKind::reduceScatter, "reduce_scatter"},
    {StepKind::allReduce, "all_reduce"},
    {StepKind::toPartial, "to_partial"},
    {StepKind::exchange, "exchange"},
};

} // namespace

std::string_view str(StepKind kind) {
  for (const Name &entry : stepNames)
    if (entry.kind == kind)
      return entry.name;
  return "";
}

std::optional<StepKind> stepKindNamed(std::string_view name) {
  for (const Name &entry : stepNames)
    if (entry.name == name)
      return entry.kind;
  return std::nullopt;
}

} // namespace vescale::layout
