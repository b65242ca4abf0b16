//===- LayoutText.h - The text that layouts and wishes share ---------------------------------===//
#ifndef VESCALE_LAYOUT_LAYOUTTEXT_H
#define VESCALE_LAYOUT_LAYOUTTEXT_H

#include "layout/Layout.h"
#include "layout/TextScanner.h"

namespace vescale::layout {

/// `{"a", ?}p0`: the cuts, whether `?` ends them, and the priority.
struct DimText {
  Dim cuts;
  bool open = false;
  std::optional<int64_t> priority;
};

struct LayoutText {
  std::vector<DimText> dims;
  std::optional<Partial> partial;
  std::optional<Ragged> ragged;
  std::vector<SubAxis> replicated;
};

/// Reads `[dim, ...]` and the parts behind it, each at most once and in any order. What belongs to
/// wishes alone is refused unless `isWish`.
bool scanLayoutText(TextScanner &scanner, const Mesh &mesh, bool isWish, LayoutText &result);

/// Why a mean is no reduction, and what to write instead.
std::string meanRefusal();

} // namespace vescale::layout

#endif
