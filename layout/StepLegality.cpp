#include "layout/StepLegality.h"

#include "layout/Cutting.h"

#include <algorithm>
#include <fmt/format.h>

namespace vescale::layout {

namespace {

using Axes = std::vector<SubAxis>;

/// The two sets of axes written with the same parts, sorted, without parts of size 1. Nothing where
/// they share no common parts (2 and 3 in an axis of 6), so that they cannot be compared.
std::optional<std::pair<Axes, Axes>> inCommonParts(const Axes &a, const Axes &b) {
  auto left = refine(a, b), right = refine(b, a);
  if (!left || !right)
    return std::nullopt;
  for (Axes *axes : {&*left, &*right}) {
    axes->erase(std::remove_if(axes->begin(), axes->end(),
                               [](const SubAxis &axis) { return axis.size == 1; }),
                axes->end());
    std::sort(axes->begin(), axes->end());
  }
  return std::make_pair(*left, *right);
}

bool sameAxes(const Axes &a, const Axes &b) {
  auto parts = inCommonParts(a, b);
  return parts && parts->first == parts->second;
}

/// The axes of `all` that are not in `some`; nothing unless `all` contains `some`.
std::optional<Axes> without(const Axes &all, const Axes &some) {
  auto parts = inCommonParts(all, some);
  if (!parts ||
      !std::includes(parts->first.begin(), parts->first.end(), parts->second.begin(),
                     parts->second.end()))
    return std::nullopt;
  Axes rest;
  std::set_difference(parts->first.begin(), parts->first.end(), parts->second.begin(),
                      parts->second.end(), std::back_inserter(rest));
  return rest;
}

/// Neighbouring parts of one axis joined, parts of size 1 dropped; the order is kept.
Axes merged(const Axes &axes) {
  Axes result;
  for (const SubAxis &axis : axes) {
    if (axis.size == 1)
      continue;
    if (!result.empty() && canMerge(result.back(), axis))
      result.back() = merge(result.back(), axis);
    else
      result.push_back(axis);
  }
  return result;
}

Axes axesOf(const Dim &dim) {
  Axes axes;
  for (const Cut &cut : dim)
    axes.push_back(cut.axis);
  return axes;
}

Axes partialAxes(const Layout &layout) {
  return layout.partial() ? layout.partial()->axes : Axes();
}

std::string names(const Mesh &mesh, const Axes &axes) {
  std::vector<std::string> texts;
  for (const SubAxis &axis : axes)
    texts.push_back(str(mesh, axis));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

Status checkSamePartial(StepKind kind, const Layout &from, const Layout &to) {
  bool same = sameAxes(partialAxes(from), partialAxes(to)) &&
              (!from.partial() || !to.partial() ||
               from.partial()->reduction == to.partial()->reduction);
  if (same)
    return Status::success();
  auto text = [](const Layout &layout) {
    return layout.partial() ? str(layout.mesh(), *layout.partial()) : std::string("nothing");
  };
  return Status::error(fmt::format("{} must leave what the value is partial over: before it is {}, "
                                   "after it {}",
                                   str(kind), text(from), text(to)));
}

/// Where the value is partial before and after, it must be so with one reduction.
Status checkSameReduction(StepKind kind, const Layout &from, const Layout &to) {
  if (!from.partial() || !to.partial() || from.partial()->reduction == to.partial()->reduction)
    return Status::success();
  return Status::error(fmt::format("{} cannot turn a pending {} into a pending {}", str(kind),
                                   str(from.partial()->reduction), str(to.partial()->reduction)));
}

/// What `longer` cuts beyond `shorter`: the axes of the further cuts of all dims and of the ragged
/// part. `longerIs` names the longer side in the message.
StatusOr<Axes> furtherCuts(StepKind kind, const Layout &longer, const Layout &shorter,
                           const Shape &shape, const char *longerIs, const char *shorterIs) {
  Axes axes;
  for (int d = 0; d < longer.rank(); ++d) {
    std::optional<Dim> further = cutsAfter(longer.dim(d), shorter.dim(d), shape[d]);
    if (!further)
      return Status::error(fmt::format(
          "{}: the cuts {{{}}} of dim {} {} are not the major ones of {{{}}} {}", str(kind),
          str(shorter.mesh(), shorter.dim(d)), d, shorterIs, str(longer.mesh(), longer.dim(d)),
          longerIs));
    // A ragged part flattens what the cuts left of its dims, so those are not cut beneath it.
    if (!further->empty() && shorter.ragged() && d < std::max(1, shorter.ragged()->dims))
      return Status::error(fmt::format("{}: dim {} changes beneath the ragged part that flattens it",
                                       str(kind), d));
    for (const Cut &cut : *further)
      axes.push_back(cut.axis);
  }
  if (longer.ragged() == shorter.ragged())
    return axes;
  if (shorter.ragged())
    return Status::error(fmt::format("{}: the ragged part {} {} is not the one {}", str(kind),
                                     str(shorter.mesh(), *shorter.ragged()), shorterIs, longerIs));
  axes.push_back(longer.ragged()->axis);
  return axes;
}

Status checkAllToAll(const Layout &from, const Layout &to, const Shape &shape) {
  const Mesh &mesh = from.mesh();
  if (from.ragged() || to.ragged())
    return Status::error("all_to_all does not move axes of ragged layouts; an exchange does");
  struct Move {
    int dim;
    Axes axes;
  };
  std::vector<Move> lost, gained;
  for (int d = 0; d < from.rank(); ++d) {
    if (std::optional<Dim> loses = cutsAfter(from.dim(d), to.dim(d), shape[d])) {
      if (!loses->empty())
        lost.push_back({d, merged(axesOf(*loses))});
    } else if (std::optional<Dim> gains = cutsAfter(to.dim(d), from.dim(d), shape[d])) {
      gained.push_back({d, merged(axesOf(*gains))});
    } else {
      return Status::error(fmt::format(
          "all_to_all: dim {} neither keeps its cuts nor loses or gains minor ones: {{{}}} before, "
          "{{{}}} after",
          d, str(mesh, from.dim(d)), str(mesh, to.dim(d))));
    }
  }
  for (const Move &move : lost) {
    // The order may change on the way: each device sends to each other along all of the axes.
    auto fits = [&](const Move &other) { return sameAxes(other.axes, move.axes); };
    auto target = std::find_if(gained.begin(), gained.end(), fits);
    if (target == gained.end())
      return Status::error(fmt::format("all_to_all: dim {} loses cuts by {}, which no one dim gains",
                                       move.dim, names(mesh, move.axes)));
    gained.erase(target);
  }
  if (!gained.empty())
    return Status::error(fmt::format("all_to_all: dim {} gains cuts by {}, which no one dim loses",
                                     gained.front().dim, names(mesh, gained.front().axes)));
  return checkSamePartial(StepKind::allToAll, from, to);
}

/// What a dim's cuts look like when one forgets which axes they use: even plain cuts next to one
/// another act as one of the product of their sizes.
std::vector<Cut> withoutAxes(const Dim &dim, int64_t n) {
  std::vector<Cut> parts;
  std::optional<int64_t> length = n;
  bool joins = false;
  for (const Cut &cut : mergeCuts(dim, n)) {
    bool even = length && isEven(cut, *length);
    bool plain = even && cut.interleave == 1 && cut.block == 1;
    if (plain && joins)
      parts.back().axis.size *= cut.axis.size;
    else
      parts.push_back({SubAxis{0, 1, cut.axis.size}, cut.interleave, cut.block});
    joins = plain;
    length = even ? std::optional<int64_t>(*length / cut.axis.size) : std::nullopt;
  }
  return parts;
}

Status checkPermute(const Layout &from, const Layout &to, const Shape &shape) {
  const Mesh &mesh = from.mesh();
  if (from.ragged() || to.ragged())
    return Status::error("permute does not move parts of ragged layouts; an exchange does");
  for (int d = 0; d < from.rank(); ++d)
    if (withoutAxes(from.dim(d), shape[d]) != withoutAxes(to.dim(d), shape[d]))
      return Status::error(fmt::format(
          "permute: the cuts {{{}}} and {{{}}} do not make the same parts of dim {} of size {}",
          str(mesh, from.dim(d)), str(mesh, to.dim(d)), d, shape[d]));
  return checkSamePartial(StepKind::permute, from, to);
}

Status checkReduceScatter(const Layout &from, const Layout &to, const Shape &shape) {
  const Mesh &mesh = from.mesh();
  StatusOr<Axes> scattered =
      furtherCuts(StepKind::reduceScatter, to, from, shape, "after it", "before it");
  if (!scattered.ok())
    return scattered.status();
  std::optional<Axes> reduced = without(partialAxes(from), partialAxes(to));
  if (!reduced || !sameAxes(*reduced, *scattered))
    return Status::error(fmt::format(
        "reduce_scatter: the axes that start to cut, {}, are not those that cease to be partial "
        "between {} and {}",
        names(mesh, *scattered), names(mesh, partialAxes(from)), names(mesh, partialAxes(to))));
  return checkSameReduction(StepKind::reduceScatter, from, to);
}

Status checkAllReduce(const Layout &from, const Layout &to, const Shape &shape) {
  const Mesh &mesh = from.mesh();
  for (int d = 0; d < from.rank(); ++d)
    if (mergeCuts(from.dim(d), shape[d]) != mergeCuts(to.dim(d), shape[d]))
      return Status::error(fmt::format("all_reduce must leave the cuts of dim {}: {{{}}} before, "
                                       "{{{}}} after",
                                       d, str(mesh, from.dim(d)), str(mesh, to.dim(d))));
  if (from.ragged() != to.ragged())
    return Status::error("all_reduce must leave the ragged part");
  if (!without(partialAxes(from), partialAxes(to)))
    return Status::error(fmt::format("all_reduce: the value is partial over {} before, which does "
                                     "not contain {} after",
                                     names(mesh, partialAxes(from)), names(mesh, partialAxes(to))));
  return checkSameReduction(StepKind::allReduce, from, to);
}

Status checkToPartial(const Layout &from, const Layout &to, const Shape &shape) {
  const Mesh &mesh = from.mesh();
  StatusOr<Axes> givenUp =
      furtherCuts(StepKind::toPartial, from, to, shape, "before it", "after it");
  if (!givenUp.ok())
    return givenUp.status();
  std::optional<Axes> added = without(partialAxes(to), partialAxes(from));
  if (!added || !without(*added, *givenUp))
    return Status::error(fmt::format(
        "to_partial: the value must be partial after it over {}, over which it was partial, and "
        "over {}, whose cuts it gives up; it is over {}",
        names(mesh, partialAxes(from)), names(mesh, *givenUp), names(mesh, partialAxes(to))));
  return checkSameReduction(StepKind::toPartial, from, to);
}

} // namespace

std::optional<Dim> cutsAfter(const Dim &longer, const Dim &shorter, int64_t n) {
  Dim all = mergeCuts(longer, n), major = mergeCuts(shorter, n);
  // The length before cut i, as long as it is the same on all devices.
  std::optional<int64_t> length = n;
  Dim rest;
  for (size_t i = 0; i < major.size(); ++i) {
    if (i >= all.size())
      return std::nullopt;
    if (all[i] != major[i]) {
      // The last major cut may be by the major part of an axis.
      const Cut &cut = all[i], &part = major[i];
      bool splits = i + 1 == major.size() && length && cut.interleave == part.interleave &&
                    cut.block == part.block && isPrefix(part.axis, cut.axis) &&
                    canSplitCut(cut, part.axis.size, *length);
      if (!splits)
        return std::nullopt;
      rest.push_back({split(cut.axis, part.axis.size)->second, cut.interleave, cut.block});
      rest.insert(rest.end(), all.begin() + i + 1, all.end());
      return rest;
    }
    length = length && isEven(all[i], *length)
                 ? std::optional<int64_t>(*length / all[i].axis.size)
                 : std::nullopt;
  }
  rest.insert(rest.end(), all.begin() + major.size(), all.end());
  return rest;
}

Status checkStep(StepKind kind, const Layout &from, const Layout &to, const Shape &shape) {
  if (from == to)
    return Status::error(fmt::format("{} changes nothing: the layouts are equal", str(kind)));
  if (kind == StepKind::exchange)
    return Status::success();
  if (from.mesh() != to.mesh())
    return Status::error(
        fmt::format("{} stays on one mesh: it is {} before and {} after; an exchange crosses meshes",
                    str(kind), from.mesh().str(), to.mesh().str()));
  switch (kind) {
  case StepKind::slice:
  case StepKind::allGather: {
    bool slices = kind == StepKind::slice;
    StatusOr<Axes> axes = slices ? furtherCuts(kind, to, from, shape, "after it", "before it")
                                 : furtherCuts(kind, from, to, shape, "before it", "after it");
    return axes.ok() ? checkSamePartial(kind, from, to) : axes.status();
  }
  case StepKind::allToAll:
    return checkAllToAll(from, to, shape);
  case StepKind::permute:
    return checkPermute(from, to, shape);
  case StepKind::reduceScatter:
    return checkReduceScatter(from, to, shape);
  case StepKind::allReduce:
    return checkAllReduce(from, to, shape);
  case StepKind::toPartial:
    return checkToPartial(from, to, shape);
  case StepKind::exchange:
    break;
  }
  return Status::success();
}

std::vector<SubAxis> stepAxes(StepKind kind, const Layout &from, const Layout &to,
                              const Shape &shape) {
  Axes axes;
  if (from.mesh() != to.mesh())
    return axes;
  if (kind == StepKind::exchange || kind == StepKind::permute) {
    // Which parts of which axes move is a question of regions; these are all that can.
    Axes used = kind == StepKind::exchange ? from.usedAxes() : from.shardingAxes();
    Axes then = kind == StepKind::exchange ? to.usedAxes() : to.shardingAxes();
    auto left = refine(used, then), right = refine(then, used);
    axes = left && right ? *left : used;
    for (const SubAxis &axis : left && right ? *right : Axes())
      if (std::find(axes.begin(), axes.end(), axis) == axes.end())
        axes.push_back(axis);
  } else if (kind == StepKind::allReduce || kind == StepKind::reduceScatter) {
    axes = without(partialAxes(from), partialAxes(to)).value_or(Axes());
  } else if (kind == StepKind::toPartial) {
    axes = without(partialAxes(to), partialAxes(from)).value_or(Axes());
  } else {
    for (int d = 0; d < from.rank(); ++d) {
      auto loses = cutsAfter(from.dim(d), to.dim(d), shape[d]);
      auto gains = cutsAfter(to.dim(d), from.dim(d), shape[d]);
      for (const Cut &cut : kind == StepKind::slice ? gains.value_or(Dim())
                                                    : loses.value_or(Dim()))
        axes.push_back(cut.axis);
    }
    const Layout &cutting = kind == StepKind::slice ? to : from;
    if (from.ragged() != to.ragged() && cutting.ragged())
      axes.push_back(cutting.ragged()->axis);
  }
  std::sort(axes.begin(), axes.end());
  return merged(axes);
}

} // namespace vescale::layout
