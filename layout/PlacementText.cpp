//===- PlacementText.cpp - Reads the per-axis notation ---------------------------------------===//
#include "layout/LayoutText.h"
#include "layout/Parse.h"
#include "layout/Placement.h"

#include <fmt/format.h>

namespace vescale::layout {

namespace {

using Kind = Placement::Kind;

struct Spelling {
  std::string_view shortName, longName;
  Kind kind;
};

constexpr Spelling spellings[] = {
    {"R", "Replicate", Kind::replicate},      {"S", "Shard", Kind::shard},
    {"P", "Partial", Kind::partial},          {"IS", "InterleavedShard", Kind::interleavedShard},
    {"RS", "RaggedShard", Kind::raggedShard},
};

} // namespace

/// PyTorch also names its arguments: `Shard(dim=0)`.
static bool scanArgumentName(TextScanner &scanner, std::string_view name) {
  return !scanner.consumeWord(name) || scanner.expect('=', "after the name of an argument");
}

static bool scanReduction(TextScanner &scanner, Reduction &reduction) {
  if (scanner.peek(')'))
    return true; // sum
  int start = scanner.column();
  std::string name;
  if (!scanArgumentName(scanner, "reduce_op") || !scanner.word(name, "a reduction"))
    return false;
  if (name == "avg" || name == "mean")
    return scanner.fail(start, fmt::format("Partial({}): {}", name, meanRefusal()));
  std::optional<Reduction> known = reductionNamed(name == "product" ? "prod" : name);
  if (!known)
    return scanner.fail(start, fmt::format("unknown reduction `{}`: known are sum, max, min, prod, "
                                           "and, or",
                                           name));
  reduction = *known;
  return true;
}

static bool scanRaggedArguments(TextScanner &scanner, Placement &placement) {
  if (!scanArgumentName(scanner, "dims"))
    return false;
  int start = scanner.column();
  RunLengths dims;
  if (!scanner.expect('(', "before the dims of a ragged shard") || !scanner.units(')', dims))
    return false;
  // The smallest and the size are looked at first, so that a huge run is never written out.
  bool prefix = dims.smallest() == 0 && dims.size() < 1 << 16;
  if (prefix)
    for (int64_t d = 0; d < dims.size(); ++d)
      prefix &= dims[d] == d;
  if (!prefix)
    return scanner.fail(start, fmt::format("a ragged shard flattens the first dims; ({}) is not 0, "
                                           "1, ...",
                                           dims.str()));
  placement.raggedDims = static_cast<int>(dims.size());
  return scanner.expect(',', "between the dims and the units") &&
         scanArgumentName(scanner, "local_units") && scanner.expect('(', "before the units") &&
         scanner.units(')', placement.units);
}

static bool scanArguments(TextScanner &scanner, Placement &placement) {
  switch (placement.kind) {
  case Kind::replicate:
    return true;
  case Kind::partial:
    return scanReduction(scanner, placement.reduction);
  case Kind::shard:
    return scanArgumentName(scanner, "dim") && scanner.integer(placement.dim, "a dim");
  case Kind::interleavedShard:
    return scanArgumentName(scanner, "dim") && scanner.integer(placement.dim, "a dim") &&
           scanner.expect(',', "between the dim and the number of interleaved parts") &&
           scanArgumentName(scanner, "interleaved_size") &&
           scanner.integer(placement.interleave, "the number of interleaved parts");
  case Kind::raggedShard:
    return scanRaggedArguments(scanner, placement);
  }
  return false;
}

static bool scanPlacement(TextScanner &scanner, Placement &placement) {
  int start = scanner.column();
  std::string name;
  if (!scanner.word(name, "a placement"))
    return false;
  for (const Spelling &spelling : spellings) {
    if (name != spelling.shortName && name != spelling.longName)
      continue;
    placement.kind = spelling.kind;
    bool bare = placement.kind == Kind::replicate || placement.kind == Kind::partial;
    if (bare && !scanner.peek('('))
      return true;
    return scanner.expect('(', "behind a placement") && scanArguments(scanner, placement) &&
           scanner.expect(')', "after the arguments of a placement");
  }
  return scanner.fail(
      start, fmt::format("unknown placement `{}`: known are R, S(d), P(op), IS(d, k), RS(dims, "
                         "units) and their long forms",
                         name));
}

StatusOr<Placements> parsePlacements(std::string_view text) {
  TextScanner scanner(text);
  Placements placements;
  if (!scanner.expect('[', "before the placements"))
    return scanner.status();
  if (!scanner.peek(']'))
    do {
      placements.emplace_back();
      if (!scanPlacement(scanner, placements.back()))
        return scanner.status();
    } while (scanner.consume(','));
  if (!scanner.expect(']', "after the placements") || !scanner.expectEnd())
    return scanner.status();
  return placements;
}

StatusOr<Layout> parseLayoutOrPlacements(const Mesh &mesh, int rank, std::string_view text) {
  TextScanner scanner(text);
  bool dims = scanner.consume('[') && (scanner.peek('{') || (scanner.peek(']') && rank == 0));
  if (dims)
    return parseLayout(mesh, text);
  StatusOr<Placements> placements = parsePlacements(text);
  if (!placements.ok())
    return placements.status();
  return layoutOf(mesh, rank, *placements);
}

} // namespace vescale::layout
