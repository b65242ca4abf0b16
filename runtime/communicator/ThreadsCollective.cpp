//===- ThreadsCollective.cpp - One rank's part of a collective ------------===//

#include "runtime/communicator/ThreadsCollective.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::BoxCopy;
using vescale::layout::CopyDim;
using vescale::layout::Reception;
using vescale::layout::Reduction;
using vescale::layout::Status;

namespace {

/// Loops that a box may have around its innermost one.
constexpr size_t maximumLoops = 16;

bool sameTarget(const BoxCopy &copy, const BoxCopy &other) {
  return copy.targetOffset == other.targetOffset && copy.dims == other.dims;
}

/// Runs one box: its outer loops here, the innermost in the reduction.
void runBox(const ReducedBox &box, ReduceFunction reduce, int64_t elementSize) {
  int64_t contributions = static_cast<int64_t>(box.contributions.size());
  const std::byte *const *from = box.contributions.data();
  if (box.dims.empty()) {
    reduce(box.target, 1, from, 0, 1, contributions, 1);
    return;
  }
  const CopyDim &inner = box.dims.back();
  std::array<int64_t, maximumLoops> index{};
  int64_t source = 0, target = 0;
  while (true) {
    reduce(box.target + target * elementSize, inner.targetStride, from, source, inner.sourceStride,
           contributions, inner.size);
    size_t d = box.dims.size() - 1;
    while (d-- > 0) {
      source += box.dims[d].sourceStride;
      target += box.dims[d].targetStride;
      if (++index[d] < box.dims[d].size)
        break;
      source -= box.dims[d].size * box.dims[d].sourceStride;
      target -= box.dims[d].size * box.dims[d].targetStride;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

} // namespace

ThreadsCollective::ThreadsCollective(int64_t rank, CpuStream *stream, CollectiveCall given)
    : rank(rank), stream(stream), call(std::move(given)), elementSize(elementBytes(call.element)) {
  if (call.input.address)
    ranges.push_back(call.input);
  if (call.output.address)
    ranges.push_back(call.output);
}

Status ThreadsCollective::setReception(const Reception &reception,
                                       const std::map<int64_t, ThreadsCollective *> &parts) {
  localElements = reception.localElements;
  fill = reception.fill;
  // A single contribution is copied; which reduction then stands there does not matter, except that
  // the type must have it.
  Reduction reduction = reception.reduction.value_or(Reduction::max);
  reduce = reduceFunction(reduction, call.element);
  if (!reduce)
    return Status::error(fmt::format("collective {}: elements of type {} have no reduction {}",
                                     call.id, elementName(call.element), str(reduction)));
  std::vector<BoxCopy> stored; // the first copy of each box
  for (const BoxCopy &copy : reception.copies) {
    auto peer = parts.find(copy.sourceDevice);
    if (peer == parts.end() || !peer->second->call.input.address)
      return Status::error(fmt::format("collective {}: rank {} needs data of rank {}, which is not "
                                       "in this process or has no input",
                                       call.id, rank, copy.sourceDevice));
    if (copy.dims.size() > maximumLoops)
      return Status::error(fmt::format("collective {}: a box of {} loops, at most {} are possible",
                                       call.id, copy.dims.size(), maximumLoops));
    if (copy.sourceDevice != rank)
      peers.push_back(copy.sourceDevice);
    const std::byte *source = peer->second->call.input.address + copy.sourceOffset * elementSize;
    if (copy.accumulate) {
      auto first = std::find_if(stored.begin(), stored.end(),
                                [&](const BoxCopy &other) { return sameTarget(copy, other); });
      if (first == stored.end())
        return Status::error(fmt::format("collective {}: rank {} holds a contribution to rank {} "
                                         "in other boxes than the first contributor",
                                         call.id, copy.sourceDevice, rank));
      boxes[first - stored.begin()].contributions.push_back(source);
      continue;
    }
    stored.push_back(copy);
    boxes.push_back({{source}, call.output.address + copy.targetOffset * elementSize, copy.dims});
  }
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  return Status();
}

void ThreadsCollective::join(RankGroup &joined) {
  group = &joined;
  member = joined.join(rank, stream);
}

Status ThreadsCollective::choosePhases(const std::vector<ThreadsCollective *> &members) {
  auto contiguous = [&](const ThreadsCollective &other) {
    if (other.boxes.size() != 1 || other.localElements != localElements ||
        other.boxes[0].contributions.size() != members.size() ||
        other.boxes[0].target != other.call.output.address)
      return false;
    const std::vector<CopyDim> &dims = other.boxes[0].dims;
    if (localElements != 1 && (dims.size() != 1 || dims[0].size != localElements ||
                               dims[0].sourceStride != 1 || dims[0].targetStride != 1))
      return false;
    for (size_t m = 0; m < members.size(); ++m)
      if (other.boxes[0].contributions[m] != members[m]->call.input.address)
        return false;
    return true;
  };
  twoPhases = members.size() > 1 && !fill &&
              std::all_of(members.begin(), members.end(),
                          [&](ThreadsCollective *m) { return contiguous(*m); });
  if (twoPhases)
    for (const ThreadsCollective *m : members)
      outputs.push_back(m->call.output.address);
  else if (!peers.empty() && call.input.address == call.output.address && localElements > 0)
    return Status::error(fmt::format("collective {}: rank {} cannot reduce onto its input, as the "
                                     "ranks of its group do not reduce the same elements",
                                     call.id, rank));
  return Status();
}

/// The elements that a member reduces: whole cache lines, apart from the end.
std::pair<int64_t, int64_t> ThreadsCollective::part(size_t m) const {
  constexpr int64_t line = 64;
  int64_t lines = (localElements + line - 1) / line, count = static_cast<int64_t>(group->size());
  auto border = [&](int64_t i) { return std::min(lines * i / count * line, localElements); };
  return {border(static_cast<int64_t>(m)), border(static_cast<int64_t>(m) + 1)};
}

void ThreadsCollective::pull() const {
  if (fill)
    fillIdentity(call.output.address, localElements, *fill, call.element);
  for (const ReducedBox &box : boxes)
    // In place: an element that stays where it is.
    if (box.contributions.size() > 1 || box.contributions[0] != box.target)
      runBox(box, reduce, elementSize);
}

void ThreadsCollective::reducePart(CpuExecution &execution) const {
  auto [begin, end] = part(member);
  struct Context {
    const ThreadsCollective *self;
    int64_t begin;
  } context{this, begin};
  constexpr int64_t grain = 1 << 13;
  execution.forTiles(
      [](const void *pointer, int64_t tileBegin, int64_t tileEnd) {
        const auto &[self, start] = *static_cast<const Context *>(pointer);
        const ReducedBox &box = self->boxes[0];
        self->reduce(box.target + (start + tileBegin) * self->elementSize, 1,
                     box.contributions.data(), start + tileBegin, 1,
                     static_cast<int64_t>(box.contributions.size()), tileEnd - tileBegin);
      },
      &context, end - begin, grain);
}

void ThreadsCollective::gatherParts() const {
  for (size_t m = 0; m < outputs.size(); ++m) {
    auto [begin, end] = part(m);
    if (m != member && end > begin)
      std::memcpy(call.output.address + begin * elementSize, outputs[m] + begin * elementSize,
                  (end - begin) * elementSize);
  }
}

/// Arrives at the next meeting and says whether it is complete already.
bool ThreadsCollective::meet(CpuExecution &execution) {
  CommandProgress &progress = execution.progress();
  ++progress.phase;
  progress.ticket = group->arrive(member, execution);
  return group->complete(progress.ticket);
}

bool ThreadsCollective::canProceed(const CommandProgress &progress) const {
  return progress.phase == 0 || group->complete(progress.ticket);
}

bool ThreadsCollective::run(CpuExecution &execution) {
  const CommandProgress &progress = execution.progress();
  // Phase p: p meetings have been arrived at. Between them the work that needs the one before.
  if (progress.phase > 0 && !group->complete(progress.ticket))
    return false;
  if (progress.phase == 0 && !meet(execution))
    return false;
  if (progress.phase == 1) {
    if (twoPhases)
      reducePart(execution);
    else
      pull();
    if (!meet(execution))
      return false;
  }
  if (progress.phase == 2 && twoPhases) {
    gatherParts();
    if (!meet(execution))
      return false;
  }
  return true;
}

std::string ThreadsCollective::describeWait(const CommandProgress &progress) const {
  return fmt::format("{} in collective {}", group->missing(progress.ticket), call.id);
}
