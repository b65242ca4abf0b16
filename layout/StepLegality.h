//===- StepLegality.h - What one step of a redistribution may do ----------------------------===//
//
// A redistribution is a chain of steps. What a step does follows from the layouts before and after
// it; this file says which pairs each kind of step connects.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_STEPLEGALITY_H
#define VESCALE_LAYOUT_STEPLEGALITY_H

#include "layout/Layout.h"
#include "layout/StepKind.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vescale::layout {

/// Fails, with the dim or axis and the rule that is broken, unless one step of this kind turns a
/// tensor of `shape` laid out as `from` into one laid out as `to`. Both must be legal for the shape.
/// A step that changes nothing is refused.
Status checkStep(StepKind kind, const Layout &from, const Layout &to, const Shape &shape);

/// The axes that a legal step moves data along, as whole as possible, in mesh order: those that
/// leave, enter or change their place. For an exchange: every axis that cuts or is partial on
/// either side; nothing where the meshes differ.
std::vector<SubAxis> stepAxes(StepKind kind, const Layout &from, const Layout &to,
                              const Shape &shape);

/// The minor cuts of `longer` that follow those of `shorter`, both cuts of a dim of length n;
/// nothing unless the cuts of `shorter` are the major ones of `longer`. Axes are split where this
/// changes no region: of `{"x"}` with "x" of size 4, over an even length, `{"x":(1)2}` leaves
/// `{"x":(2)2}`.
std::optional<Dim> cutsAfter(const Dim &longer, const Dim &shorter, int64_t n);

} // namespace vescale::layout

#endif
