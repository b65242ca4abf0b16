//===- SubAxisTest.cpp - The algebra of sub-axes against what devices see --------------------===//
//
// Each law is checked on every pair of sub-axes of small axes against the indices of all devices,
// never against another formula.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/SubAxis.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace vescale::layout;

namespace {

Mesh meshOf(int64_t n) { return *Mesh::get({{"x", n}, {"y", 2}}); }

std::vector<SubAxis> allParts(int64_t n, int axis = 0) {
  std::vector<SubAxis> parts;
  for (int64_t pre = 1; pre <= n; ++pre)
    for (int64_t size = 1; pre * size <= n; ++size)
      if (n % (pre * size) == 0)
        parts.push_back({axis, pre, size});
  return parts;
}

/// The index of every device along a part, by the definition.
std::vector<int64_t> indices(int64_t n, const SubAxis &part) {
  std::vector<int64_t> result;
  for (int64_t c = 0; c < n; ++c)
    result.push_back(c / (n / (part.pre * part.size)) % part.size);
  return result;
}

/// True where the two indices take every pair of values equally often.
bool independent(int64_t n, const SubAxis &a, const SubAxis &b) {
  std::map<std::pair<int64_t, int64_t>, int64_t> count;
  std::vector<int64_t> first = indices(n, a), second = indices(n, b);
  for (int64_t c = 0; c < n; ++c)
    ++count[{first[c], second[c]}];
  for (const auto &[pair, times] : count)
    if (times * a.size * b.size != n)
      return false;
  return true;
}

/// True where some way to write the axis as digits, major to minor, has the two parts as different
/// groups of digits. Independence is not enough: modulo 3 and modulo 2 of an axis of 6 are
/// independent, but they are not digits of one way to count.
bool separateDigits(int64_t n, const SubAxis &a, const SubAxis &b, std::vector<int64_t> borders) {
  if (borders.back() == n) {
    auto has = [&](int64_t border) {
      return std::count(borders.begin(), borders.end(), border) > 0;
    };
    return has(a.pre) && has(a.end()) && has(b.pre) && has(b.end()) &&
           (a.end() <= b.pre || b.end() <= a.pre);
  }
  int64_t last = borders.back();
  for (int64_t next = 2 * last; next <= n; next += last)
    if (n % next == 0) {
      borders.push_back(next);
      if (separateDigits(n, a, b, borders))
        return true;
      borders.pop_back();
    }
  return false;
}

/// True where the index along `whole` determines the one along `part`.
bool determines(int64_t n, const SubAxis &whole, const SubAxis &part) {
  std::map<int64_t, int64_t> known;
  std::vector<int64_t> first = indices(n, whole), second = indices(n, part);
  for (int64_t c = 0; c < n; ++c)
    if (known.emplace(first[c], second[c]).first->second != second[c])
      return false;
  return true;
}

template <class Law> void forEachPair(Law &&law) {
  for (int64_t n : {1, 2, 4, 6, 8, 12, 16, 18, 24, 36})
    for (const SubAxis &a : allParts(n))
      for (const SubAxis &b : allParts(n)) {
        SCOPED_TRACE(str(meshOf(n), a) + " and " + str(meshOf(n), b) + " of " + std::to_string(n));
        law(n, a, b);
      }
}

TEST(SubAxis, indexAlongIsTheDefinitionAndCanBeSet) {
  for (int64_t n : {1, 6, 12, 36})
    for (const SubAxis &part : allParts(n)) {
      std::vector<int64_t> expected = indices(n, part);
      for (int64_t c = 0; c < n; ++c) {
        Coordinate coordinate = {c, 1};
        EXPECT_EQ(indexAlong(meshOf(n), part, coordinate), expected[c]);
        for (int64_t index = 0; index < part.size; ++index) {
          Coordinate moved = coordinate;
          setIndexAlong(meshOf(n), part, index, moved);
          EXPECT_EQ(indexAlong(meshOf(n), part, moved), index);
          EXPECT_EQ(moved[1], 1);
          for (const SubAxis &other : unusedParts(meshOf(n), 0, {part}))
            EXPECT_EQ(indexAlong(meshOf(n), other, moved),
                      indexAlong(meshOf(n), other, coordinate));
        }
      }
    }
}

TEST(SubAxis, partsOverlapUnlessTheyAreDifferentDigits) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    EXPECT_EQ(overlaps(a, b), overlaps(b, a));
    if (a.size > 1 && b.size > 1) {
      EXPECT_EQ(overlaps(a, b), !separateDigits(n, a, b, {1}));
      EXPECT_TRUE(overlaps(a, b) || independent(n, a, b));
    }
  });
  EXPECT_FALSE(overlaps({0, 1, 4}, {1, 1, 4}));
  EXPECT_TRUE(overlaps({0, 1, 1}, {0, 1, 1})) << "an axis of size 1 is used once like any other";
}

TEST(SubAxis, aPartIsContainedWhereItsIndexFollows) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    if (b.size > 1) {
      EXPECT_EQ(contains(a, b), determines(n, a, b));
    }
  });
  EXPECT_FALSE(contains({0, 1, 4}, {1, 1, 2}));
}

TEST(SubAxis, prefixesAreTheMajorIndices) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    std::vector<int64_t> part = indices(n, a), whole = indices(n, b);
    bool major = b.size % a.size == 0;
    for (int64_t c = 0; c < n && major; ++c)
      major = part[c] == whole[c] / (b.size / a.size);
    if (a.size > 1) {
      EXPECT_EQ(isPrefix(a, b), major);
    }
    std::optional<SubAxis> common = commonPrefix(a, b);
    for (const SubAxis &other : allParts(n))
      if (other.size > 1 && isPrefix(other, a) && isPrefix(other, b)) {
        ASSERT_TRUE(common.has_value());
        EXPECT_TRUE(isPrefix(other, *common));
      }
    if (common) {
      EXPECT_TRUE(isPrefix(*common, a) && isPrefix(*common, b) && common->size > 1);
    }
  });
}

TEST(SubAxis, prefixWithoutIsTheLargestThatDoesNotOverlap) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    if (a.size == 1)
      return;
    std::optional<SubAxis> expected;
    for (const SubAxis &part : allParts(n))
      if (part.size > 1 && isPrefix(part, a) && !overlaps(part, b) &&
          (!expected || part.size > expected->size))
        expected = part;
    EXPECT_EQ(prefixWithout(a, b), expected);
  });
}

TEST(SubAxis, mergedPartsCountLikeDigits) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    if (!canMerge(a, b))
      return;
    SubAxis merged = merge(a, b);
    EXPECT_TRUE(checkSubAxis(meshOf(n), merged).ok());
    std::vector<int64_t> major = indices(n, a), minor = indices(n, b), both = indices(n, merged);
    for (int64_t c = 0; c < n; ++c)
      EXPECT_EQ(both[c], major[c] * b.size + minor[c]);
    EXPECT_EQ(split(merged, a.size), std::make_pair(a, b));
  });
  EXPECT_TRUE(canMerge({0, 1, 2}, {0, 2, 3}));
  EXPECT_FALSE(canMerge({0, 2, 3}, {0, 1, 2})) << "the order matters";
  EXPECT_FALSE(canMerge({0, 1, 2}, {1, 2, 2}));
  EXPECT_EQ(split({0, 1, 6}, 4), std::nullopt);
}

TEST(SubAxis, primesMergeBackInEveryOrder) {
  for (int64_t n : {1, 2, 12, 24, 30, 36, 128})
    for (const SubAxis &part : allParts(n)) {
      std::vector<std::vector<SubAxis>> orders = primeOrders(part);
      EXPECT_EQ(orders.front(), primeFactors(part));
      std::set<std::vector<SubAxis>> different(orders.begin(), orders.end());
      EXPECT_EQ(different.size(), orders.size());
      for (const std::vector<SubAxis> &order : orders) {
        SubAxis merged{0, part.pre, 1};
        for (const SubAxis &prime : order) {
          for (int64_t p = 2; p < prime.size; ++p)
            EXPECT_NE(prime.size % p, 0);
          merged = merge(merged, prime);
        }
        EXPECT_EQ(merged, part);
      }
    }
  EXPECT_EQ(primeOrders({0, 1, 6}).size(), 2u);
  EXPECT_EQ(primeOrders({0, 1, 12}).size(), 3u);
}

TEST(SubAxis, unusedPartsAndDifferenceCompleteAnAxis) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    if (!overlaps(a, b)) {
      int64_t product = a.size * b.size;
      std::vector<SubAxis> unused = unusedParts(meshOf(n), 0, {b, a});
      for (const SubAxis &part : unused) {
        // Parts of size 1 cover nothing and do not cut what is unused in two.
        EXPECT_FALSE(a.size > 1 && overlaps(part, a));
        EXPECT_FALSE(b.size > 1 && overlaps(part, b));
        product *= part.size;
      }
      EXPECT_EQ(product, n);
      for (size_t i = 1; i < unused.size(); ++i)
        EXPECT_FALSE(canMerge(unused[i - 1], unused[i])) << "parts are as large as possible";
    }
    if (contains(a, b)) {
      int64_t product = b.size;
      for (const SubAxis &part : difference(a, b)) {
        EXPECT_TRUE(contains(a, part) && !overlaps(part, b) && part.size > 1);
        product *= part.size;
      }
      EXPECT_EQ(product, a.size);
    }
  });
}

TEST(SubAxis, refinedPartsAreInsideOrOutside) {
  forEachPair([](int64_t n, const SubAxis &a, const SubAxis &b) {
    std::optional<std::vector<SubAxis>> parts = refine({a}, {b});
    if (a.size > 1 && b.size > 1) {
      EXPECT_EQ(parts.has_value(), refine({b}, {a}).has_value());
    }
    // Two parts have common digits exactly where some chain of factors has all four borders.
    std::set<int64_t> borders = {a.pre, a.end(), b.pre, b.end()};
    bool chain = true;
    for (auto it = borders.begin(); std::next(it) != borders.end(); ++it)
      chain &= *std::next(it) % *it == 0;
    if (chain && a.size > 1 && b.size > 1) {
      EXPECT_TRUE(parts.has_value());
    }
    if (!parts)
      return;
    SubAxis merged{0, a.pre, 1};
    for (const SubAxis &part : *parts) {
      EXPECT_TRUE(!overlaps(part, b) || contains(b, part));
      merged = merge(merged, part);
    }
    EXPECT_EQ(merged, a);
  });
  EXPECT_EQ(refine({{0, 1, 2}}, {{0, 1, 3}}), std::nullopt);
}

TEST(SubAxis, illegalPartsAreRefusedWithTheNumbers) {
  Mesh mesh = meshOf(4);
  EXPECT_EQ(checkSubAxis(mesh, {0, 1, 3}).message(),
            "sub-axis \"x\":(1)3 does not divide the axis: 1 * 3 is not a factor of its size 4");
  EXPECT_FALSE(checkSubAxis(mesh, {0, 2, 4}).ok());
  EXPECT_FALSE(checkSubAxis(mesh, {0, 0, 2}).ok());
  EXPECT_FALSE(checkSubAxis(mesh, {0, -2, -2}).ok());
  EXPECT_FALSE(checkSubAxis(mesh, {0, int64_t(1) << 62, 4}).ok());
  EXPECT_EQ(checkSubAxis(mesh, {2, 1, 1}).message(),
            "axis number 2 is not an axis of the mesh [\"x\" = 4, \"y\" = 2]");
}

} // namespace
