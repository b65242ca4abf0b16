//===- Redistribution.cpp - The cheapest way from one layout to another ----------------------===//
//
// Two tables remember plans: one by everything that was asked, and behind it one by pattern, where
// a shape is only what it has in common with the mesh: the powers of its primes that divide each
// dim.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/Redistribution.h"

#include "layout/Hash.h"
#include "layout/Legality.h"
#include "layout/redistribution/Draft.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace vescale::layout {

using redistribution::Draft;

namespace {

struct Question {
  Layout from, to;
  /// The shape, or what counts of it.
  Shape shape;
  int64_t elementBytes;
  bool collectivesOnly;
  int searchLimit;
  std::shared_ptr<const LinkCosts> links;

  bool operator==(const Question &other) const {
    bool sameLinks = links == other.links || (links && other.links && *links == *other.links);
    return sameLinks && elementBytes == other.elementBytes &&
           collectivesOnly == other.collectivesOnly && searchLimit == other.searchLimit &&
           shape == other.shape && from == other.from && to == other.to;
  }
};

struct QuestionHash {
  size_t operator()(const Question &question) const {
    size_t seed = combineHash(question.from.hash(), question.to.hash());
    for (int64_t size : question.shape)
      seed = combineHash(seed, size);
    seed = combineHash(seed, question.elementBytes * 2 + question.collectivesOnly);
    return question.links ? combineHash(seed, question.links->hash()) : seed;
  }
};

struct Memory {
  std::shared_mutex mutex;
  std::unordered_map<Question, Plan, QuestionHash> plans;
  std::unordered_map<Question, std::shared_ptr<const Draft>, QuestionHash> patterns;
};

Memory &memory() {
  static Memory *plans = new Memory;
  return *plans;
}

/// For each dim the part of its size that is made of primes of the mesh, as far as the mesh has
/// them: two sizes with the same part allow the same even cuts.
Shape pattern(const Mesh &mesh, const Shape &shape) {
  Shape result(shape.size(), 1);
  std::vector<SubAxis> primes;
  for (int axis = 0; axis < mesh.rank(); ++axis)
    for (const SubAxis &part : primeFactors(wholeAxis(mesh, axis)))
      primes.push_back(part);
  for (size_t d = 0; d < shape.size(); ++d)
    for (const SubAxis &part : primes)
      if (shape[d] / result[d] % part.size == 0)
        result[d] *= part.size;
  return result;
}

Status check(const Layout &from, const Layout &to, const Shape &shape, int64_t elementBytes,
             const RedistributionOptions &options) {
  if (elementBytes < 1)
    return Status::error(fmt::format("element size {} must be positive", elementBytes));
  if (auto legal = checkLegal(from, shape); !legal.ok())
    return Status::error("from: " + legal.message());
  if (auto legal = checkLegal(to, shape); !legal.ok())
    return Status::error("to: " + legal.message());
  if (options.collectivesOnly && from.mesh() != to.mesh())
    return Status::error(fmt::format("collectives stay on one mesh, and this goes from {} to {}",
                                     from.mesh().str(), to.mesh().str()));
  return Status::success();
}

Plan plan(const Layout &from, const Layout &to, const Shape &shape, int64_t elementBytes,
          const RedistributionOptions &options) {
  if (from == to)
    return Plan();
  int64_t elements = elementCount(shape);
  Memory &known = memory();
  Question question{
      from,   to, pattern(from.mesh(), shape), 0, options.collectivesOnly, options.searchLimit,
      nullptr};
  bool mayShare = !options.links && elements > 0;
  if (mayShare) {
    std::shared_lock lock(known.mutex);
    auto found = known.patterns.find(question);
    if (found != known.patterns.end())
      return fillIn(*found->second, elements, elementBytes);
  }
  Draft draft = redistribution::draftPlan(from, to, shape, elementBytes, options);
  if (mayShare && draft.isProportional) {
    std::unique_lock lock(known.mutex);
    known.patterns.emplace(std::move(question), std::make_shared<const Draft>(draft));
  }
  return fillIn(draft, elements, elementBytes);
}

} // namespace

StatusOr<Plan> planRedistribution(const Layout &from, const Layout &to, const Shape &shape,
                                  int64_t elementBytes, const RedistributionOptions &options) {
  Memory &known = memory();
  Question question{
      from, to, shape, elementBytes, options.collectivesOnly, options.searchLimit, options.links};
  {
    std::shared_lock lock(known.mutex);
    auto found = known.plans.find(question);
    if (found != known.plans.end())
      return found->second;
  }
  if (auto valid = check(from, to, shape, elementBytes, options); !valid.ok())
    return valid;
  Plan result = plan(from, to, shape, elementBytes, options);
  std::unique_lock lock(known.mutex);
  known.plans.emplace(std::move(question), result);
  return result;
}

void forgetRedistributionPlans() {
  Memory &known = memory();
  std::unique_lock lock(known.mutex);
  known.plans.clear();
  known.patterns.clear();
}

} // namespace vescale::layout
