//===- CollectiveOrder.h - Collectives match between rank classes ---------===//
#ifndef VESCALE_RUNTIME_FORMAT_COLLECTIVEORDER_H
#define VESCALE_RUNTIME_FORMAT_COLLECTIVEORDER_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// Checks for each function that the classes can meet at every collective: an id stands once in a
/// program, and in programs of one function only; classes that have it agree on its kind, layouts, shape and type and run it equally often in the same
/// nest of loops; and some order of all ids agrees with every program, so that no cycle of ranks
/// waits for one another. `members[c][m]` says whether class c has ranks in mesh m; a class with
/// ranks in a collective's mesh must have the collective. Indices and loops must have been
/// verified.
layout::Status checkCollectiveOrder(const Schedule &schedule,
                                    const std::vector<std::vector<bool>> &members);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_COLLECTIVEORDER_H
