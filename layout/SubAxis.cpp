#include "layout/SubAxis.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

namespace vescale::layout {

Status checkSubAxis(const Mesh &mesh, const SubAxis &part) {
  if (part.axis < 0 || part.axis >= mesh.rank())
    return Status::error(
        fmt::format("axis number {} is not an axis of the mesh {}", part.axis, mesh.str()));
  const Axis &axis = mesh.axis(part.axis);
  int64_t end;
  if (part.pre < 1 || part.size < 1 || __builtin_mul_overflow(part.pre, part.size, &end) ||
      axis.size % end != 0)
    return Status::error(fmt::format(
        "sub-axis \"{}\":({}){} does not divide the axis: {} * {} is not a factor of its size {}",
        axis.name, part.pre, part.size, part.pre, part.size, axis.size));
  return Status::success();
}

void setIndexAlong(const Mesh &mesh, const SubAxis &part, int64_t index, Coordinate &coordinate) {
  coordinate[part.axis] += (index - indexAlong(mesh, part, coordinate)) * indexStride(mesh, part);
}

bool overlaps(const SubAxis &a, const SubAxis &b) {
  if (a.axis != b.axis)
    return false;
  if (a == b)
    return true;
  return b.pre % a.end() != 0 && a.pre % b.end() != 0;
}

bool contains(const SubAxis &whole, const SubAxis &part) {
  return whole.axis == part.axis && part.pre % whole.pre == 0 && whole.end() % part.end() == 0;
}

bool isPrefix(const SubAxis &part, const SubAxis &whole) {
  return part.axis == whole.axis && part.pre == whole.pre && whole.size % part.size == 0;
}

std::optional<SubAxis> commonPrefix(const SubAxis &a, const SubAxis &b) {
  if (a.axis != b.axis || a.pre != b.pre)
    return std::nullopt;
  int64_t size = std::gcd(a.size, b.size);
  if (size == 1)
    return std::nullopt;
  return SubAxis{a.axis, a.pre, size};
}

std::optional<SubAxis> prefixWithout(const SubAxis &part, const SubAxis &other) {
  if (!overlaps(part, other))
    return part;
  // What may stay ends, in whole factors, before `other` begins.
  if (other.pre % part.pre != 0)
    return std::nullopt;
  int64_t size = std::gcd(part.size, other.pre / part.pre);
  if (size == 1)
    return std::nullopt;
  return SubAxis{part.axis, part.pre, size};
}

std::vector<SubAxis> difference(const SubAxis &part, const SubAxis &inner) {
  assert(contains(part, inner) && "only a contained part can be taken away");
  std::vector<SubAxis> result;
  if (inner.pre != part.pre)
    result.push_back({part.axis, part.pre, inner.pre / part.pre});
  if (inner.end() != part.end())
    result.push_back({part.axis, inner.end(), part.end() / inner.end()});
  return result;
}

SubAxis merge(const SubAxis &major, const SubAxis &minor) {
  assert(canMerge(major, minor) && "the parts do not follow one another");
  return {major.axis, major.pre, major.size * minor.size};
}

std::optional<std::pair<SubAxis, SubAxis>> split(const SubAxis &part, int64_t majorSize) {
  if (majorSize < 1 || part.size % majorSize != 0)
    return std::nullopt;
  return std::make_pair(SubAxis{part.axis, part.pre, majorSize},
                        SubAxis{part.axis, part.pre * majorSize, part.size / majorSize});
}

static std::vector<int64_t> primesOf(int64_t n) {
  std::vector<int64_t> primes;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p)
      primes.push_back(p);
  if (n > 1)
    primes.push_back(n);
  return primes;
}

static std::vector<SubAxis> partsOfSizes(const SubAxis &part, const std::vector<int64_t> &sizes) {
  std::vector<SubAxis> result;
  int64_t pre = part.pre;
  for (int64_t size : sizes) {
    result.push_back({part.axis, pre, size});
    pre *= size;
  }
  return result;
}

std::vector<SubAxis> primeFactors(const SubAxis &part) {
  return partsOfSizes(part, primesOf(part.size));
}

std::vector<std::vector<SubAxis>> primeOrders(const SubAxis &part) {
  std::vector<int64_t> primes = primesOf(part.size);
  std::vector<std::vector<SubAxis>> orders;
  do
    orders.push_back(partsOfSizes(part, primes));
  while (std::next_permutation(primes.begin(), primes.end()));
  return orders;
}

std::vector<SubAxis> unusedParts(const Mesh &mesh, int axis, const std::vector<SubAxis> &used) {
  std::vector<SubAxis> here;
  for (const SubAxis &part : used)
    if (part.axis == axis && part.size > 1)
      here.push_back(part);
  std::sort(here.begin(), here.end());
  std::vector<SubAxis> result;
  int64_t done = 1;
  for (const SubAxis &part : here) {
    if (part.pre != done)
      result.push_back({axis, done, part.pre / done});
    done = part.end();
  }
  if (done != mesh.axisSize(axis))
    result.push_back({axis, done, mesh.axisSize(axis) / done});
  return result;
}

std::optional<std::vector<SubAxis>> refine(const std::vector<SubAxis> &parts,
                                           const std::vector<SubAxis> &others) {
  std::vector<SubAxis> result;
  for (const SubAxis &part : parts) {
    std::vector<int64_t> borders = {part.pre, part.end()};
    for (const SubAxis &other : others) {
      if (!overlaps(part, other))
        continue;
      for (int64_t border : {other.pre, other.end()})
        if (border > part.pre && border < part.end())
          borders.push_back(border);
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    if (borders.size() == 1) { // a part of size 1
      result.push_back(part);
      continue;
    }
    for (size_t i = 1; i < borders.size(); ++i) {
      if (borders[i] % borders[i - 1] != 0)
        return std::nullopt;
      result.push_back({part.axis, borders[i - 1], borders[i] / borders[i - 1]});
    }
  }
  // A refined part is inside or outside every other; anything else shares a fraction of a factor.
  for (const SubAxis &part : result)
    for (const SubAxis &other : others)
      if (overlaps(part, other) && !contains(other, part))
        return std::nullopt;
  return result;
}

std::string str(const Mesh &mesh, const SubAxis &part) {
  const std::string &name = mesh.axis(part.axis).name;
  if (isWhole(mesh, part))
    return fmt::format("\"{}\"", name);
  return fmt::format("\"{}\":({}){}", name, part.pre, part.size);
}

} // namespace vescale::layout
