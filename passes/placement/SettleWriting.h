//===- SettleWriting.h - What settling decided becomes types and redistributions -------------===//

#ifndef VESCALE_PASSES_PLACEMENT_SETTLEWRITING_H
#define VESCALE_PASSES_PLACEMENT_SETTLEWRITING_H

#include "passes/placement/SettleTable.h"

namespace vescale {

/// Writes the options of all units into the function: types of values, and redistributions in
/// front of the first use of each block that needs one. What arrives as an argument, a parameter
/// above all, is gathered anew by each use: to keep the gathered copy is a matter of memory, which
/// is not decided here. Returns the number of redistributions.
int64_t writeSettled(SettleTable &table);

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_SETTLEWRITING_H
