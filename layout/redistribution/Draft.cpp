//===- Draft.cpp - A plan before its sizes are filled in -------------------------------------===//
//
// Large meshes have too many prime parts for a full search. Then the parts that the layouts
// themselves write are searched first; that path bounds the search over primes.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/redistribution/Draft.h"

#include "layout/Legality.h"
#include "layout/MostMissing.h"
#include "layout/StepLegality.h"
#include "layout/Transfer.h"
#include "layout/redistribution/Realization.h"
#include "layout/redistribution/Search.h"

#include <algorithm>
#include <cmath>

namespace vescale::layout::redistribution {

namespace {

/// Meshes with up to so many prime parts are searched over them at once.
constexpr int fewParts = 6;
/// States that the search for a runner-up looks at.
constexpr int runnerUpLimit = 300;

Link acrossMeshes(const Layout &from, const Layout &to, const RedistributionOptions &options) {
  Link result{0, 1e300};
  for (const Mesh &mesh : {from.mesh(), to.mesh()})
    for (const Link &link : options.links->links(mesh))
      result = slowest(result, link);
  return result;
}

class Drafting {
public:
  Drafting(const Layout &from, const Layout &to, const Shape &shape, int64_t elementBytes,
           const RedistributionOptions &options)
      : from(from), to(to), shape(shape), elementBytes(elementBytes), options(options) {
    if (options.links) {
      links = options.links->links(from.mesh());
      across = from.mesh() == to.mesh() ? Link() : acrossMeshes(from, to, options);
    }
  }

  Draft run() {
    draft.elements = elementCount(shape);
    auto primes = Space::get(from, to, shape, Granularity::prime);
    auto written = Space::get(from, to, shape, Granularity::written);
    // Uneven cuts take whole axes; beside them, others are taken apart only where there are few.
    if (primes && written && !primes->isEven() && partCount(*primes) > fewParts)
      primes = written;
    for (auto *each : {&primes, &written})
      if (*each) {
        (*each)->groupAlike(links);
        if (options.links)
          (*each)->letCutsJoinReductions();
      }
    const Space *space = primes ? &*primes : written ? &*written : nullptr;
    if (!space) {
      withoutSearch();
      return draft;
    }
    Pricing pricing(*space, links, across, elementBytes);
    draft.scale = pricing.scaling();
    draft.bound = pricing.missing(space->start());
    draft.isProportional = space->isEven() && !options.links && draft.elements > 0;
    Bounds bounds(*space, pricing, options.collectivesOnly);
    request.collectivesOnly = options.collectivesOnly;
    std::optional<Pricing> coarse;
    if (primes && written && partCount(*written) < partCount(*primes)) {
      coarse.emplace(*written, links, across, elementBytes);
      Bounds coarseBounds(*written, *coarse, options.collectivesOnly);
      trySearch(*written, *coarse, coarseBounds, Hint::none, options.searchLimit);
    } else {
      // Any path bounds what is worth following.
      trySearch(*space, pricing, bounds, Hint::mismatches, options.searchLimit / 20);
    }
    bounds.followPatterns(worthFollowing());
    bool realized = false;
    if (const Patterns *patterns = bounds.knownPatterns()) {
      collectives = realizePatterns(*space, pricing, *patterns);
      realized = collectives.path.has_value();
      consider(*space, pricing, collectives);
    }
    // Bounds in seconds are loose where links differ, so that fewer searches end.
    int limit = options.searchLimit / (pricing.linkClasses().size() > 1 ? 4 : 2);
    SearchResult exact = trySearch(*space, pricing, bounds, Hint::none, limit);
    draft.cutShort = exact.cutShort || !primes;
    if (exact.cutShort && !realized) {
      for (Hint hint : {Hint::patterns, Hint::mismatches, Hint::straight})
        trySearch(*space, pricing, bounds, hint, options.searchLimit / 10);
      if (options.links)
        tryPlanByBytes();
    }
    if (!request.beat)
      withoutSearch();
    else if (draft.steps.empty())
      draft.steps = steps(*bestSpace, *bestPricing, *best.path);
    if (draft.cutShort)
      leaveGap(primes ? exact.bound : pricing.boundCost(space->start()));
    return finished(*space, pricing);
  }

private:
  static int partCount(const Space &space) { return __builtin_popcountll(space.plainAtoms()); }

  /// What is worth looking for beside the path that is known: also one that is as cheap but has
  /// fewer local steps.
  std::optional<Cost> worthFollowing() const {
    std::optional<Cost> limit = request.beat;
    if (limit)
      ++limit->exchanges;
    return limit;
  }

  /// Searches for a better path than the best so far.
  SearchResult trySearch(const Space &space, const Pricing &pricing, const Bounds &bounds,
                         Hint hint, int limit) {
    SearchRequest next = request;
    next.hint = hint;
    next.limit = limit;
    next.beat = worthFollowing();
    SearchResult result = search(space, pricing, bounds, next);
    consider(space, pricing, result);
    return result;
  }

  void consider(const Space &space, const Pricing &pricing, const SearchResult &result) {
    if (result.path && (!request.beat || result.cost < *request.beat)) {
      request.beat = result.cost;
      best = result;
      bestSpace = &space;
      bestPricing = &pricing;
    }
  }

  /// The steps of a path, local steps of one kind joined, ending with exactly the target's writing.
  std::vector<DraftStep> steps(const Space &space, const Pricing &pricing,
                               const std::vector<PathStep> &path) const {
    std::vector<DraftStep> result;
    for (const PathStep &step : path) {
      Layout after = step.after ? space.layout(*step.after) : to;
      // Parts that merge evenly are one layout in two states.
      if (step.amount == 0 && after == (result.empty() ? from : result.back().after))
        continue;
      if (!result.empty() && result.back().kind == step.kind && isLocal(step.kind))
        result.back().after = after;
      else
        result.push_back({step.kind, after, {}, step.amount, pricing.seconds(step.cost)});
    }
    return written(std::move(result));
  }

  /// Lets the steps begin and end with the layouts as they were written. Where a step does not
  /// connect that writing, an exchange that moves nothing stands before or behind it.
  std::vector<DraftStep> written(std::vector<DraftStep> steps) const {
    auto relabel = [&](const Layout &before, const Layout &after) {
      StepKind kind = checkStep(StepKind::slice, before, after, shape).ok() ? StepKind::slice
                                                                            : StepKind::exchange;
      return DraftStep{kind, after, {}, 0, 0};
    };
    if (steps.empty()) {
      steps.push_back(relabel(from, to));
    } else if (steps.back().after != to) {
      const Layout &before = steps.size() > 1 ? steps[steps.size() - 2].after : from;
      if (checkStep(steps.back().kind, before, to, shape).ok())
        steps.back().after = to;
      else
        steps.push_back(relabel(steps.back().after, to));
    }
    if (!checkStep(steps.front().kind, from, steps.front().after, shape).ok())
      if (auto same = Space::get(from, to, shape, Granularity::prime))
        steps.insert(steps.begin(), relabel(from, same->layout(same->start())));
    const Layout *before = &from;
    for (DraftStep &step : steps) {
      step.axes = stepAxes(step.kind, *before, step.after, shape);
      before = &step.after;
    }
    return steps;
  }

  /// The plan that moves the fewest bytes may also be fast; each step takes the slowest of its
  /// links.
  void tryPlanByBytes() {
    RedistributionOptions plain = options;
    plain.links = nullptr;
    plain.searchLimit /= 10;
    std::vector<DraftStep> steps = draftPlan(from, to, shape, elementBytes, plain).steps;
    Cost cost;
    for (DraftStep &step : steps) {
      if (step.amount == 0)
        continue;
      Link link = step.axes.empty() ? across : links[step.axes.front().axis];
      for (const SubAxis &axis : step.axes)
        link = slowest(link, links[axis.axis]);
      step.seconds = link.latency +
                     static_cast<double>(step.amount) / draft.scale * elementBytes / link.bandwidth;
      cost.primary += static_cast<int64_t>(std::ceil(step.seconds * 1e12));
      ++cost.launches;
    }
    if (steps.empty() || (request.beat && !(cost < *request.beat)))
      return;
    request.beat = cost;
    draft.steps = std::move(steps);
  }

  void leaveGap(const Cost &bound) {
    double price = 0;
    for (const DraftStep &step : draft.steps)
      price += options.links ? step.seconds * 1e12 : static_cast<double>(step.amount);
    draft.gap = price > 0 ? std::max(0.0, 1 - static_cast<double>(bound.primary) / price) : 0;
  }

  /// What always leads to the target: one exchange, or reducing, gathering and cutting.
  void withoutSearch() {
    draft.cutShort = true;
    draft.gap = 1;
    std::vector<DraftStep> result;
    if (!options.collectivesOnly) {
      result.push_back(priced(StepKind::exchange, from, to));
      draft.steps = written(std::move(result));
      return;
    }
    Layout at = from;
    auto go = [&](StepKind kind, const Layout &after) {
      if (at != after)
        result.push_back(priced(kind, at, after));
      at = after;
    };
    go(StepKind::allReduce,
       Layout::fromChecked(from.mesh(), from.dims(), std::nullopt, from.ragged()));
    go(StepKind::allGather, Layout::replicated(from.mesh(), from.rank()));
    go(StepKind::slice, Layout::fromChecked(to.mesh(), to.dims(), std::nullopt, to.ragged()));
    go(StepKind::toPartial, to);
    draft.steps = written(std::move(result));
  }

  DraftStep priced(StepKind kind, const Layout &before, const Layout &after) const {
    DraftStep step{kind, after, {}, 0, 0};
    if (kind == StepKind::exchange) {
      step.amount = mostReceived(*Transfer::get(before, after, shape));
    } else if (kind == StepKind::allGather) {
      step.amount = mostMissing(before, after, shape);
    } else if (kind == StepKind::allReduce) {
      int64_t n = 1;
      for (const SubAxis &axis : stepAxes(kind, before, after, shape))
        n *= axis.size;
      int64_t local = mostHeld(before, shape);
      step.amount = 2 * (local - local / n);
    }
    if (options.links && step.amount > 0) {
      Link link = acrossMeshes(from, to, options);
      step.seconds =
          link.latency + static_cast<double>(step.amount) * elementBytes / link.bandwidth;
    }
    step.amount *= draft.scale;
    return step;
  }

  Draft finished(const Space &space, const Pricing &pricing) {
    // Where the target is partial, contributions may be spread so that less moves than each device
    // misses.
    int64_t moved = 0;
    for (const DraftStep &step : draft.steps)
      moved += step.amount;
    draft.bound = std::min(draft.bound, moved);
    bool exchanges = std::any_of(draft.steps.begin(), draft.steps.end(), [](const DraftStep &step) {
      return step.kind == StepKind::exchange;
    });
    if (!exchanges) {
      int64_t amount = pricing.amountToTarget(space.start());
      Cost cost = pricing.cost(StepKind::exchange, amount, pricing.linkToTarget(space.start()));
      draft.runnerUp =
          std::vector<DraftStep>{{StepKind::exchange, to, {}, amount, pricing.seconds(cost)}};
      draft.runnerUpForbidden = options.collectivesOnly;
    } else if (space.goal()) {
      if (!collectives.path) {
        SearchRequest next;
        next.collectivesOnly = true;
        next.limit = runnerUpLimit;
        Bounds bounds(space, pricing, true);
        for (Hint hint : {Hint::none, Hint::mismatches}) {
          next.hint = hint;
          if (!collectives.path)
            collectives = search(space, pricing, bounds, next);
        }
      }
      if (collectives.path)
        draft.runnerUp = steps(space, pricing, *collectives.path);
    }
    return draft;
  }

  const Layout &from, &to;
  const Shape &shape;
  int64_t elementBytes;
  const RedistributionOptions &options;
  std::vector<Link> links;
  Link across;
  Draft draft;
  SearchRequest request;
  /// The cheapest path so far, if `request.beat` is its price, and where it was found.
  SearchResult best;
  /// A good path without an exchange, if one was found along the patterns.
  SearchResult collectives;
  const Space *bestSpace = nullptr;
  const Pricing *bestPricing = nullptr;
};

} // namespace

Draft draftPlan(const Layout &from, const Layout &to, const Shape &shape, int64_t elementBytes,
                const RedistributionOptions &options) {
  return Drafting(from, to, shape, elementBytes, options).run();
}

} // namespace vescale::layout::redistribution
