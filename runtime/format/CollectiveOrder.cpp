//===- CollectiveOrder.cpp - Collectives match between rank classes -------===//

#include "runtime/format/CollectiveOrder.h"
#include "runtime/format/Describe.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

using namespace vescale::runtime;
using vescale::layout::Status;

namespace {

/// A collective where it stands in a program.
struct Site {
  const Collective *collective;
  uint32_t instruction;
  std::vector<uint32_t> loops;  // LoopBegin instructions around it, outermost first
  std::vector<uint32_t> counts; // and how often they run
};

std::vector<Site> sites(const Program &program) {
  std::vector<Site> result;
  std::vector<uint32_t> loops, counts;
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Operation &operation = program.instructions[i].operation;
    if (const auto *loop = std::get_if<LoopBegin>(&operation)) {
      loops.push_back(i);
      counts.push_back(loop->count);
    } else if (std::holds_alternative<LoopEnd>(operation)) {
      loops.pop_back();
      counts.pop_back();
    } else if (const auto *collective = std::get_if<Collective>(&operation)) {
      result.push_back({collective, i, loops, counts});
    }
  }
  return result;
}

/// How many loops two sites of one program share.
size_t sharedLoops(const Site &a, const Site &b) {
  size_t depth = 0;
  while (depth < std::min(a.loops.size(), b.loops.size()) && a.loops[depth] == b.loops[depth])
    ++depth;
  return depth;
}

bool sameOperation(const Collective &a, const Collective &b) {
  return a.kind == b.kind && a.source == b.source && a.target == b.target && a.shape == b.shape &&
         a.element == b.element;
}

class Matcher {
public:
  Matcher(const Schedule &schedule, const std::vector<std::vector<bool>> &members, size_t function)
      : schedule(schedule), members(members), function(function) {}

  Status check();

private:
  std::string name(size_t c, const Site &site) const {
    return describe(schedule, schedule.programIndex(function, c), site.instruction);
  }
  Status collect();
  Status comparePair(size_t a, size_t b) const;
  Status checkPresence() const;
  Status checkAcyclic() const;

  const Schedule &schedule;
  const std::vector<std::vector<bool>> &members;
  size_t function;
  std::vector<std::vector<Site>> programs; // by class
  std::vector<std::unordered_map<uint32_t, size_t>> positions; // id -> index in programs[c]
};

Status Matcher::collect() {
  for (size_t c = 0; c < schedule.numClasses(); ++c) {
    programs.push_back(sites(schedule.programs[schedule.programIndex(function, c)]));
    positions.emplace_back();
    for (size_t i = 0; i < programs[c].size(); ++i) {
      auto [it, inserted] = positions[c].emplace(programs[c][i].collective->id, i);
      if (!inserted)
        return Status::error(fmt::format("{} has the collective id {} of {}",
                                         name(c, programs[c][i]), it->first,
                                         name(c, programs[c][it->second])));
    }
  }
  return Status();
}

Status Matcher::comparePair(size_t a, size_t b) const {
  const Site *previousA = nullptr, *previousB = nullptr;
  for (const Site &siteA : programs[a]) {
    auto found = positions[b].find(siteA.collective->id);
    if (found == positions[b].end())
      continue;
    const Site &siteB = programs[b][found->second];
    if (!sameOperation(*siteA.collective, *siteB.collective))
      return Status::error(fmt::format(
          "{} and {} are the same collective, id {}, but differ in kind, layouts, shape or type",
          name(a, siteA), name(b, siteB), siteA.collective->id));
    if (siteA.counts != siteB.counts)
      return Status::error(fmt::format(
          "{} and {} are the same collective, id {}, but run in loops of [{}] and of [{}]",
          name(a, siteA), name(b, siteB), siteA.collective->id, fmt::join(siteA.counts, ", "),
          fmt::join(siteB.counts, ", ")));
    if (previousA) {
      if (siteB.instruction < previousB->instruction)
        return Status::error(fmt::format("class {} issues collective {} before {}, class {} after "
                                         "it: {} and {} would wait for each other",
                                         a, previousA->collective->id, siteA.collective->id, b,
                                         name(a, *previousA), name(b, siteB)));
      if (sharedLoops(*previousA, siteA) != sharedLoops(*previousB, siteB))
        return Status::error(fmt::format("the collectives {} and {} share {} loops in class {} and "
                                         "{} in class {}",
                                         previousA->collective->id, siteA.collective->id,
                                         sharedLoops(*previousA, siteA), a,
                                         sharedLoops(*previousB, siteB), b));
    }
    previousA = &siteA;
    previousB = &siteB;
  }
  return Status();
}

Status Matcher::checkPresence() const {
  for (size_t c = 0; c < programs.size(); ++c)
    for (const Site &site : programs[c])
      for (size_t other = 0; other < programs.size(); ++other) {
        const Collective &o = *site.collective;
        uint32_t from = schedule.layouts[o.source].mesh, to = schedule.layouts[o.target].mesh;
        if ((members[other][from] || members[other][to]) && !positions[other].count(o.id))
          return Status::error(fmt::format("{} (collective {}) has ranks of class {} for peers, "
                                           "but class {} does not issue it",
                                           name(c, site), o.id, other, other));
      }
  return Status();
}

/// Kahn's algorithm on the union of the programs' orders.
Status Matcher::checkAcyclic() const {
  std::unordered_map<uint32_t, std::vector<uint32_t>> later;
  std::unordered_map<uint32_t, size_t> pending;
  for (const std::vector<Site> &program : programs)
    for (size_t i = 0; i < program.size(); ++i) {
      pending.emplace(program[i].collective->id, 0);
      if (i > 0) {
        later[program[i - 1].collective->id].push_back(program[i].collective->id);
        ++pending[program[i].collective->id];
      }
    }
  std::vector<uint32_t> ready;
  for (auto [id, count] : pending)
    if (count == 0)
      ready.push_back(id);
  size_t done = 0;
  for (; !ready.empty(); ++done) {
    uint32_t id = ready.back();
    ready.pop_back();
    for (uint32_t next : later[id])
      if (--pending[next] == 0)
        ready.push_back(next);
  }
  if (done == pending.size())
    return Status();
  std::vector<uint32_t> stuck;
  for (auto [id, count] : pending)
    if (count > 0)
      stuck.push_back(id);
  std::sort(stuck.begin(), stuck.end());
  return Status::error(fmt::format("the classes' orders of collectives form a cycle: no order of "
                                   "the ids {} agrees with all of them",
                                   fmt::join(stuck, ", ")));
}

Status Matcher::check() {
  if (Status status = collect(); !status.ok())
    return status;
  for (size_t a = 0; a < programs.size(); ++a)
    for (size_t b = a + 1; b < programs.size(); ++b)
      if (Status status = comparePair(a, b); !status.ok())
        return status;
  if (Status status = checkPresence(); !status.ok())
    return status;
  return checkAcyclic();
}

} // namespace

/// The host runs functions one after the other; an id is of one of them, so that the parts of a
/// collective find one another by it.
static Status checkFunctions(const Schedule &schedule) {
  std::unordered_map<uint32_t, std::pair<size_t, uint32_t>> first; // id -> program, instruction
  size_t classes = schedule.numClasses();
  for (size_t p = 0; p < schedule.programs.size(); ++p)
    for (const Site &site : sites(schedule.programs[p])) {
      auto [it, isNew] = first.emplace(site.collective->id, std::pair(p, site.instruction));
      if (!isNew && it->second.first / classes != p / classes)
        return Status::error(fmt::format("{} has the collective id {} of {}",
                                         describe(schedule, p, site.instruction), it->first,
                                         describe(schedule, it->second.first, it->second.second)));
    }
  return Status();
}

Status vescale::runtime::checkCollectiveOrder(const Schedule &schedule,
                                              const std::vector<std::vector<bool>> &members) {
  for (size_t function = 0; function < schedule.functions.size(); ++function)
    if (Status status = Matcher(schedule, members, function).check(); !status.ok())
      return status;
  return checkFunctions(schedule);
}
