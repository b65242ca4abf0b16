//===- Propagation.h - The rounds in which layouts spread --------------------------------------===//
//
// Three nested loops, after Shardy (openxla/shardy, propagation documents):
//
//   user priorities   one round per distinct priority, smaller first. Until its round, a dim is
//                     empty and closed, and its axes must not be used by the tensor otherwise.
//   op priorities     five steps, each to a fixpoint before the next: pass-through ops whose
//                     operands have one use; all pass-through ops; parallel factors of every op,
//                     broadcasts only backward; all factors, broadcasts only backward; everything.
//   strategies        basic to a fixpoint, then aggressive.
//
// A worklist runs a node again only after one of its tensors changed, so the time is linear in the
// number of ops times the number of changes a tensor can have, which the mesh's axes bound, not
// its size.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_PROPAGATION_H
#define VESCALE_PASSES_PLACEMENT_PROPAGATION_H

#include "layout/Wish.h"
#include "passes/placement/PropagationGraph.h"

#include <map>
#include <set>

namespace vescale {

struct PropagationOptions {
  /// Whether axes may be split where a dim straddles factors or two tensors want parts.
  bool subAxes = true;
  /// Whether the aggressive strategy follows the basic one.
  bool aggressive = true;
  /// By what conflicts between factors are decided; null: by the sizes of tensors alone.
  MovePrices *prices = nullptr;
};

/// One change of a tensor, for `explain`: where it came from and when.
struct PropagationDecision {
  int tensor = -1;
  /// The tensor that it was learned from; -1 for a wish.
  int source = -1;
  /// The node that passed it on; -1 for a wish.
  int node = -1;
  /// The user priority; the last round, of dims without one, has none.
  std::optional<int64_t> round;
  /// The step of op priorities, from 0.
  int step = 0;
  PropagationStrategy strategy = PropagationStrategy::basic;
  /// The dims after the change.
  std::vector<layout::Dim> dims;
  /// Whether cutFurther made it.
  bool further = false;
};

class Propagation {
public:
  Propagation(PropagationGraph &graph, layout::Mesh mesh, PropagationOptions options = {});

  /// Lays out a tensor as a wish asks. The first wish of a tensor holds.
  void wish(int tensor, const layout::Wish &wish);

  /// Runs all rounds.
  void run();

  /// Cuts a tensor further by whole axes that it does not use yet, each where it leaves shards of
  /// one size if some dim allows that, else on the longest dim. Returns whether all axes found a
  /// place.
  bool cutFurther(int tensor, llvm::ArrayRef<int> axes);

  /// Runs the last round once more, after cutFurther.
  void runAgain() { runRound(std::nullopt); }

  /// The layout that a tensor has come to.
  layout::Layout layoutOf(int tensor) const;

  const std::vector<PropagationDecision> &decisions() const { return history; }
  /// How often a node was looked at.
  int64_t visits() const { return visitCount; }

private:
  struct Pending {
    int tensor, dim;
    layout::Dim cuts;
    bool closed;
  };
  /// What a node may do in a step.
  std::optional<PropagationStep> permitted(const GraphNode &node, int step) const;
  void runRound(std::optional<int64_t> priority);
  void restore(std::optional<int64_t> priority);
  void runToFixpoint(std::optional<int64_t> priority, int step, PropagationStrategy strategy);
  void changed(int tensor);
  /// Ragged cuts pass through elementwise ops, onto tensors that nothing else cuts.
  void spreadRagged();

  PropagationGraph &graph;
  layout::Mesh mesh;
  PropagationOptions options;
  /// Dims that wait for their round. The last round has the largest key.
  std::map<int64_t, std::vector<Pending>> pending;
  std::vector<bool> wished;
  std::map<int, layout::Partial> partials;
  std::map<int, layout::Ragged> raggeds;
  std::vector<PropagationDecision> history;
  /// Counts the changes of each tensor.
  std::vector<int64_t> versions;
  /// For each strategy and node, the sum of versions when it last ran, and what it might do then.
  struct LastRun {
    int64_t versions = -1;
    bool forward = false, backward = false, allFactors = false;
  };
  std::vector<LastRun> lastRuns[2];
  int64_t visitCount = 0;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_PROPAGATION_H
