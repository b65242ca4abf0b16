//===- Verify.h - What a schedule must satisfy before it runs -------------===//
//
// The runtime relies on everything that is checked here and checks none of it again, so that a
// damaged or hostile schedule is refused before anything was touched.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_FORMAT_VERIFY_H
#define VESCALE_RUNTIME_FORMAT_VERIFY_H

#include "layout/Layout.h"
#include "layout/Status.h"
#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// The meshes and layouts of a schedule, parsed.
struct ResolvedLayouts {
  std::vector<layout::Mesh> meshes;
  std::vector<layout::Layout> layouts;

  int64_t ranks() const { return meshes[0].numDevices(); }
  /// Coordinate of a rank on mesh 0.
  layout::Coordinate coordinate(int64_t rank) const {
    return meshes[0].coordinate(*meshes[0].positionOf(rank));
  }
};

/// Parses meshes and layouts; fails on bad text, a mesh with other devices than the ranks, a layout
/// of a mesh that does not exist.
layout::StatusOr<ResolvedLayouts> resolveLayouts(const Schedule &schedule);

/// The class of a rank; the map must have been verified.
uint32_t classOf(const Schedule &schedule, const ResolvedLayouts &resolved, int64_t rank);

/// Whether a class of the function has part of the tensor.
bool hasTensor(const Schedule &schedule, size_t function, const Tensor &tensor);

/// Checks for a rank what depends on its coordinate: buffers of tensors, and operands of
/// collectives, have the size of its region, and the scalars that name a box of its region have it.
layout::Status checkRank(const Schedule &schedule, const ResolvedLayouts &resolved, int64_t rank);

struct VerifyOptions {
  /// Skips the search for races: for tests that show what a race does.
  bool acceptRaces = false;
};

/// Checks a schedule: tables and layouts, the class map, each program (bounds, alignment, operands
/// of every operation, streams, events, loops, races), what the functions share (streams, bytes of
/// kept tensors), collectives that match between classes, and checkRank for the first rank of each class. Messages name the instruction, its source location,
/// and the numbers.
layout::Status verifySchedule(const Schedule &schedule, const VerifyOptions &options = {});

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_VERIFY_H
