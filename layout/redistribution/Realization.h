//===- Realization.h - A path of layouts that follows a way of patterns ----------------------===//
//
// A cheap way of patterns with a permutation is mostly the way of some path of layouts: behind the
// permutation the axes may have any names, so that those of the target can be given in the end. So
// a good path is found among few layouts.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_REALIZATION_H
#define VESCALE_LAYOUT_REDISTRIBUTION_REALIZATION_H

#include "layout/redistribution/Patterns.h"
#include "layout/redistribution/Search.h"

namespace vescale::layout::redistribution {

/// A path from the start of the space to its goal by a cheap way of the patterns with a
/// permutation. The result has no path where none was found after a few hundred steps: because of
/// the axes that no permutation moves.
SearchResult realizePatterns(const Space &space, const Pricing &pricing, const Patterns &patterns);

} // namespace vescale::layout::redistribution

#endif
