#include "layout/Transfer.h"

#include "layout/Cutting.h"
#include "layout/Legality.h"
#include "layout/Region.h"
#include "layout/ShardMatch.h"

#include <algorithm>

namespace vescale::layout {

std::vector<CopyDim> copyDims(const std::vector<int64_t> &size,
                              const std::vector<int64_t> &sourceStrides,
                              const std::vector<int64_t> &targetStrides) {
  std::vector<CopyDim> dims;
  for (size_t d = 0; d < size.size(); ++d) {
    if (size[d] == 1)
      continue;
    CopyDim next{size[d], sourceStrides[d], targetStrides[d]};
    if (!dims.empty() && dims.back().sourceStride == next.size * next.sourceStride &&
        dims.back().targetStride == next.size * next.targetStride)
      next.size *= dims.back().size, dims.pop_back();
    dims.push_back(next);
  }
  return dims;
}

int64_t Reception::missingElements() const {
  int64_t count = 0;
  for (const BoxCopy &copy : copies)
    if (copy.sourceDevice != targetDevice)
      count += copy.elements();
  return count;
}

static bool containedInAny(const SubAxis &part, const std::vector<SubAxis> &wholes) {
  return std::any_of(wholes.begin(), wholes.end(),
                     [&](const SubAxis &whole) { return contains(whole, part); });
}

/// The parts of `axes` that no member of `others` contains. Where the two cannot be told apart in
/// whole factors, all of `axes`.
static std::vector<SubAxis> partsOutside(const std::vector<SubAxis> &axes,
                                         const std::vector<SubAxis> &others) {
  auto refined = refine(axes, others);
  if (!refined)
    return axes;
  std::vector<SubAxis> result;
  for (const SubAxis &part : *refined)
    if (!containedInAny(part, others))
      result.push_back(part);
  return result;
}

StatusOr<Transfer> Transfer::get(Layout from, Layout to, Shape shape) {
  for (const Layout *layout : {&from, &to}) {
    Status legal = checkLegal(*layout, shape);
    if (!legal.ok())
      return Status::error((layout == &from ? "source layout: " : "target layout: ") +
                           legal.message());
  }
  return Transfer(std::move(from), std::move(to), std::move(shape));
}

Transfer::Transfer(Layout from, Layout to, Shape shape)
    : source(std::move(from)), target(std::move(to)), globalShape(std::move(shape)),
      sameMesh(source.mesh() == target.mesh()) {
  std::vector<SubAxis> pending, wanted;
  if (source.partial())
    pending = source.partial()->axes;
  if (target.partial())
    wanted = target.partial()->axes;
  // Only a reduction of the same kind on the same devices can stay pending, and only where the two
  // sides are made of common digits.
  bool mayStay = sameMesh && source.partial() && target.partial() &&
                 source.partial()->reduction == target.partial()->reduction &&
                 refine(pending, wanted);
  reduced = mayStay ? partsOutside(pending, wanted) : pending;
  std::vector<SubAxis> fresh = mayStay ? partsOutside(wanted, pending) : wanted;
  std::vector<SubAxis> cutting = source.shardingAxes();
  auto refined = sameMesh ? refine(fresh, cutting) : std::nullopt;
  for (const SubAxis &part : refined ? *refined : fresh)
    (refined && containedInAny(part, cutting) ? freshCut : freshReplicated).push_back(part);
  sourceReplicas = source.unusedAxes();
  targetReplicas = target.unusedAxes();
}

/// Where the receiver stands in the source mesh; anywhere for a stranger.
Coordinate Transfer::holderSide(int64_t targetPosition) const {
  if (sameMesh)
    return source.mesh().coordinate(targetPosition);
  return source.mesh().coordinate(
      source.mesh().positionOf(target.mesh().deviceId(targetPosition)).value_or(0));
}

bool Transfer::isStranger(int64_t targetPosition) const {
  return !sameMesh && !source.mesh().positionOf(target.mesh().deviceId(targetPosition));
}

static bool isPlain(const Dim &dim) {
  return std::all_of(dim.begin(), dim.end(), [](const Cut &cut) { return cut.interleave == 1; });
}

/// The number of the piece of a plain dim of length n that has the element.
static int64_t pieceOf(const Dim &dim, int64_t n, int64_t element) {
  int64_t number = 0;
  for (const Cut &cut : dim) {
    int64_t length = std::max<int64_t>(chunkLength(n, cut.axis.size, cut.block), 1);
    int64_t index = element / length;
    number = number * cut.axis.size + index;
    n = std::min(length, n - index * length);
    element -= index * length;
  }
  return number;
}

/// Lets `holder`, one of the replicas of a shard, be the one whose turn the receiver is: all that
/// want a part of the shard are numbered, dim by dim.
void Transfer::takeTurn(const Coordinate &receiver, Coordinate &holder) const {
  const Mesh &mesh = target.mesh();
  int64_t number = 0;
  auto count = [&](int64_t index, int64_t of) { number = number * of + index; };
  for (int d = 0; d < target.rank(); ++d) {
    int64_t own = 0, pieces = 1;
    for (const Cut &cut : target.dim(d)) {
      own = own * cut.axis.size + indexAlong(mesh, cut.axis, receiver);
      pieces *= cut.axis.size;
    }
    if (!isPlain(source.dim(d)) || !isPlain(target.dim(d))) {
      count(own, pieces);
      continue;
    }
    Interval shard = dimInterval(source, globalShape, d, holder);
    int64_t first = pieceOf(target.dim(d), globalShape[d], shard.begin);
    int64_t last = pieceOf(target.dim(d), globalShape[d], std::max(shard.end - 1, shard.begin));
    count(std::clamp(own, first, last) - first, last - first + 1);
  }
  if (const auto &ragged = target.ragged())
    count(indexAlong(mesh, ragged->axis, receiver), ragged->axis.size);
  for (const SubAxis &part : targetReplicas)
    count(indexAlong(mesh, part, receiver), part.size);
  for (const SubAxis &part : sourceReplicas) {
    setIndexAlong(source.mesh(), part, number % part.size, holder);
    number /= part.size;
  }
}

/// True where the receiver is the one that keeps what `holder`'s shard contains, along the axes
/// that become partial.
bool Transfer::keeps(const Coordinate &receiver, const Coordinate &holder) const {
  const Mesh &mesh = target.mesh();
  for (const SubAxis &part : freshReplicated)
    if (indexAlong(mesh, part, receiver) != 0)
      return false;
  for (const SubAxis &part : freshCut)
    if (indexAlong(mesh, part, receiver) != indexAlong(mesh, part, holder))
      return false;
  return true;
}

std::vector<BoxCopy> Transfer::copiesTo(int64_t targetPosition, const Coordinate *only) const {
  const Mesh &mesh = source.mesh();
  Coordinate receiver = target.mesh().coordinate(targetPosition);
  Coordinate side = holderSide(targetPosition);
  bool stranger = isStranger(targetPosition);
  std::vector<SubAxis> sharding = source.shardingAxes();
  int64_t onlyPosition = only ? mesh.position(*only) : -1;
  LocalRegion wanted = localRegion(target, globalShape, receiver);

  std::vector<BoxCopy> copies;
  for (const Piece &piece : wanted.pieces)
    matchShards(source, globalShape, piece.box, only, [&](const ShardMatch &match) {
      Coordinate holder = side;
      for (size_t i = 0; i < sharding.size(); ++i)
        setIndexAlong(mesh, sharding[i], match.indices[i], holder);
      if (!keeps(receiver, holder))
        return;
      if (stranger)
        takeTurn(receiver, holder);
      BoxCopy copy;
      copy.box = match.box;
      copy.sourceOffset = match.localOffset;
      copy.targetOffset = piece.localOffset;
      for (size_t d = 0; d < globalShape.size(); ++d)
        copy.targetOffset += (match.box.offset[d] - piece.box.offset[d]) * wanted.strides[d];
      copy.dims = copyDims(match.box.size, match.strides, wanted.strides);

      // Contributions in ascending order: the reduced parts count like digits, the last fastest.
      for (const SubAxis &part : reduced)
        setIndexAlong(mesh, part, 0, holder);
      while (true) {
        copy.source = mesh.position(holder);
        copy.sourceDevice = mesh.deviceId(copy.source);
        if (!only || copy.source == onlyPosition)
          copies.push_back(copy);
        copy.accumulate = true;
        size_t digit = reduced.size();
        while (digit-- > 0) {
          int64_t index = indexAlong(mesh, reduced[digit], holder) + 1;
          bool carry = index == reduced[digit].size;
          setIndexAlong(mesh, reduced[digit], carry ? 0 : index, holder);
          if (!carry)
            break;
        }
        if (digit == static_cast<size_t>(-1))
          break;
      }
    });
  std::stable_sort(copies.begin(), copies.end(),
                   [](const BoxCopy &a, const BoxCopy &b) { return a.source < b.source; });
  return copies;
}

Reception Transfer::receive(int64_t targetPosition) const {
  Reception reception;
  reception.target = targetPosition;
  reception.targetDevice = target.mesh().deviceId(targetPosition);
  reception.localElements =
      localElements(target, globalShape, target.mesh().coordinate(targetPosition));
  reception.copies = copiesTo(targetPosition, nullptr);
  int64_t stored = 0;
  for (const BoxCopy &copy : reception.copies) {
    if (copy.accumulate)
      reception.reduction = source.partial()->reduction;
    else
      stored += copy.elements();
  }
  if (stored < reception.localElements)
    reception.fill = target.partial()->reduction;
  return reception;
}

std::vector<Dispatch> Transfer::send(int64_t sourcePosition) const {
  const Mesh &mesh = target.mesh();
  Coordinate own = source.mesh().coordinate(sourcePosition);
  // On one mesh, a receiver agrees with its holders wherever the source neither cuts nor reduces.
  std::vector<SubAxis> moving = source.shardingAxes();
  moving.insert(moving.end(), reduced.begin(), reduced.end());
  std::vector<SubAxis> agreeing;
  if (sameMesh)
    for (int axis = 0; axis < mesh.rank(); ++axis)
      for (const SubAxis &part : unusedParts(mesh, axis, moving))
        agreeing.push_back(part);

  std::vector<SubAxis> sharding = target.shardingAxes(), free;
  for (int axis = 0; axis < mesh.rank(); ++axis)
    for (const SubAxis &part : unusedParts(mesh, axis, sharding))
      free.push_back(part);
  // Where parts of 2 and of 3 share a factor of 6, digits cannot be compared one by one: then all
  // receivers of a box are tried, and copiesTo keeps the right ones.
  auto refined = refine(free, agreeing);
  if (refined)
    free = std::move(*refined);
  else
    agreeing.clear();

  std::vector<int64_t> receivers;
  for (const Piece &piece : localRegion(source, globalShape, own).pieces)
    matchShards(target, globalShape, piece.box, nullptr, [&](const ShardMatch &match) {
      Coordinate first = sameMesh ? own : Coordinate(mesh.rank(), 0);
      for (size_t i = 0; i < sharding.size(); ++i)
        setIndexAlong(mesh, sharding[i], match.indices[i], first);
      for (const SubAxis &part : agreeing)
        if (indexAlong(mesh, part, first) != indexAlong(mesh, part, own))
          return;
      size_t begin = receivers.size();
      for (const SubAxis &part : free)
        if (!containedInAny(part, agreeing))
          setIndexAlong(mesh, part, 0, first);
      receivers.push_back(mesh.position(first));
      for (const SubAxis &part : free) {
        if (containedInAny(part, agreeing))
          continue;
        int64_t stride = mesh.axisStride(part.axis) * indexStride(mesh, part);
        size_t end = receivers.size();
        for (int64_t index = 1; index < part.size; ++index)
          for (size_t i = begin; i < end; ++i)
            receivers.push_back(receivers[i] + index * stride);
      }
    });
  std::sort(receivers.begin(), receivers.end());
  receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());

  std::vector<Dispatch> dispatches;
  for (int64_t receiver : receivers)
    for (BoxCopy &copy : copiesTo(receiver, &own))
      dispatches.push_back({receiver, mesh.deviceId(receiver), std::move(copy)});
  return dispatches;
}

} // namespace vescale::layout
