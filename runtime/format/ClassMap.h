//===- ClassMap.h - The map of rank classes that a schedule carries -------===//
#ifndef VESCALE_RUNTIME_FORMAT_CLASSMAP_H
#define VESCALE_RUNTIME_FORMAT_CLASSMAP_H

#include "layout/RankClass.h"
#include "runtime/format/Schedule.h"

namespace vescale::runtime {

/// The map from a rank's coordinate to its class, for the mesh of the classes. Axes that no uneven
/// cut touches take one run; the size of the others is that of their runs of equal coordinates.
ClassMap classMapOf(const layout::RankClasses &classes);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_CLASSMAP_H
