//===- Races.h - Accesses that nothing orders -----------------------------===//
//
// A race: two accesses to overlapping bytes of a rank's arena, one of them a write, of which
// neither happens before the other. Happens before: the order of a stream, and a wait after the
// record that it waits for. That a collective on one stream may order another stream by way of a
// peer is not counted: no library of collectives promises it.
//
// The check walks the program once in list order with a vector clock for each stream, keeping for
// every interval of the arena its last write and the last read of each stream (the algorithm of
// FastTrack, Flanagan and Freund, PLDI 2009). It finds a race if there is one. Loops are walked
// twice: an access of a third iteration is ordered like that of the second, one iteration later.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_FORMAT_RACES_H
#define VESCALE_RUNTIME_FORMAT_RACES_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// Fails on the first race of a program and names both instructions and the bytes. The program's
/// indices and loops must have been verified.
layout::Status checkRaces(const Schedule &schedule, size_t programNumber);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_RACES_H
