//===- Redistribution.h - The cheapest way from one layout to another ------------------------===//
//
// A plan is the shortest path through layouts under the steps of StepKind.h, over all axes at once.
// Even plain cuts are searched over prime sub-axes; where a cut is uneven, interleaved,
// in blocks or ragged, its axis moves as a whole. Between two meshes, the last step is an exchange.
//
// Without link costs the price of a plan is the sum over its steps of what the busiest device
// receives, then the number of launches; with them it is the predicted seconds. At equal price
// collectives are preferred to exchange.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_REDISTRIBUTION_H
#define VESCALE_LAYOUT_REDISTRIBUTION_H

#include "layout/Layout.h"
#include "layout/LinkCost.h"
#include "layout/StepKind.h"

#include <memory>
#include <string>
#include <vector>

namespace vescale::layout {

/// One step of a plan. Its input has the layout after the step before it.
struct Step {
  StepKind kind = StepKind::slice;
  /// The layout after the step.
  Layout after;
  /// The axes that the step moves data along; see stepAxes in StepLegality.h.
  std::vector<SubAxis> axes;
  /// What the busiest device receives, rounded up to whole bytes.
  int64_t bytes = 0;
  /// 1 where devices communicate, else 0.
  int launches = 0;
  /// Predicted time; 0 where no link costs are known.
  double seconds = 0;
};

struct RedistributionOptions {
  /// Nothing: minimise bytes, then launches.
  std::shared_ptr<const LinkCosts> links;
  /// Do not use exchange. Only possible on one mesh.
  bool collectivesOnly = false;
  /// How many layouts the search may look at before it returns the best plan it has, with the gap
  /// that it leaves. By default it takes some milliseconds.
  int searchLimit = 5000;
};

/// An immutable plan; copies share their state.
class Plan {
public:
  struct Contents {
    std::vector<Step> steps;
    int64_t bytes = 0;
    int launches = 0;
    double seconds = 0;
    int64_t lowerBoundBytes = 0;
    bool searchCutShort = false;
    double gap = 0;
    std::string runnerUp;
  };

  Plan() : contents(std::make_shared<const Contents>()) {}
  explicit Plan(Contents contents)
      : contents(std::make_shared<const Contents>(std::move(contents))) {}

  /// Empty where the two layouts are equal.
  const std::vector<Step> &steps() const { return contents->steps; }
  /// The sum over the steps of what the busiest device of each receives.
  int64_t bytes() const { return contents->bytes; }
  int launches() const { return contents->launches; }
  /// Predicted time under the link costs; 0 without them.
  double seconds() const { return contents->seconds; }
  /// No plan can have fewer bytes: over devices, the most bytes of a target region that a device
  /// does not hold. With a pending reduction it holds nothing of it. If the target is partial, a
  /// plan can spread contributions so that it needs fewer; then its own bytes.
  int64_t lowerBoundBytes() const { return contents->lowerBoundBytes; }
  /// True where the search did not look at every layout that could be on a cheaper path, because
  /// it reached its limit.
  bool searchCutShort() const { return contents->searchCutShort; }
  /// No plan costs less than 1 - gap times this one: seconds with link costs, else bytes. 0 where
  /// the search ended; then no plan with this price has fewer launches either.
  double gap() const { return contents->gap; }
  /// The best alternative and why it lost, as one sentence; empty where there is none.
  const std::string &runnerUp() const { return contents->runnerUp; }

private:
  std::shared_ptr<const Contents> contents;
};

/// The cheapest plan that takes a tensor of this shape, with elements of `elementBytes` bytes, from
/// one layout to another. Fails where a layout is not legal for the shape, where the ranks differ,
/// and where `collectivesOnly` meets two meshes. Plans are remembered for the life of the process;
/// may be called from several threads.
StatusOr<Plan> planRedistribution(const Layout &from, const Layout &to, const Shape &shape,
                                  int64_t elementBytes, const RedistributionOptions &options = {});

/// Forgets all plans; for measurements of first plans.
void forgetRedistributionPlans();

} // namespace vescale::layout

#endif
