//===- JointSettling.h - Options of all units, cheapest together --------------------------------===//
//
//   1. In order, each unit takes what is cheapest for it alone, given what its operands have become
//      and where propagation wants its results.
//   2. Units at a redistribution are looked at again, backward and forward in turn. A trial gives
//      one another option; then its neighbours, and theirs, may each follow once: take the
//      layouts that they now meet. The cheapest prefix of such a chain is kept if it lowers the
//      price of everything; else nothing changed. After Fiduccia and Mattheyses, "A linear-time
//      heuristic for improving network partitions" (1982).
//
// So two gradients of one weight become partial together because one reduction then serves both,
// and a reduction moves in front of a normalisation whose weights' gradients it would else take
// along. Chains are short and a trial that failed is not repeated where a layer repeats, so the
// time is linear in ops.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_JOINTSETTLING_H
#define VESCALE_PASSES_PLACEMENT_JOINTSETTLING_H

#include "passes/placement/SettleTable.h"

#include <unordered_set>

namespace vescale {

class JointSettling {
public:
  explicit JointSettling(SettleTable &table) : table(table) {}

  /// Step 1.
  void chooseAlone();
  /// Step 2. No option may decompose an op.
  void improve();

  /// Trials that lowered the price.
  int64_t improvements = 0;

private:
  using Chain = llvm::SmallVector<std::pair<int, const SettleOption *>, 8>;

  const SettleOption *alone(const SettleUnit &unit) const;
  std::vector<const SettleOption *> optionsOf(const SettleUnit &unit) const;
  bool isAtMove(const SettleUnit &unit) const;
  bool tryToImprove(int unit);
  /// Lets the neighbours of `unit` follow it; the chain holds what units had before.
  double follow(int unit, Chain &chain, double change, double goal, size_t &bestLength,
                double &best);
  /// What the outcome of a trial depends on, as far as one unit further.
  std::vector<int64_t> surroundings(int unit) const;

  struct WordsHash {
    size_t operator()(const std::vector<int64_t> &words) const;
  };

  SettleTable &table;
  std::unordered_set<std::vector<int64_t>, WordsHash> failed;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_JOINTSETTLING_H
