//===- ByteCountsTest.cpp - bytes by op, against a list of numbers ---------===//

#include "passes/comm/ByteCounts.h"

#include "gtest/gtest.h"

#include <random>

namespace {

TEST(ByteCounts, agreesWithAListOfNumbers) {
  std::mt19937 random(7);
  auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int count : {1, 2, 3, 7, 8, 33, 100}) {
    vescale::ByteCounts counts(count);
    std::vector<int64_t> expected(count, 0);
    for (int change = 0; change < 300; ++change) {
      int begin = below(count), end = below(count);
      // Half of the ranges are empty because they end before they begin.
      int64_t bytes = below(200) - 80;
      counts.add(begin, end, bytes);
      for (int op = begin; op <= end; ++op)
        expected[op] += bytes;
      int first = below(count), last = below(count);
      int64_t limit = expected[below(count)] + below(3) - 1;
      int found = -1;
      for (int op = first; op <= last; ++op)
        if (expected[op] > limit)
          found = op;
      ASSERT_EQ(counts.lastAbove(first, last, limit), found)
          << count << " ops, change " << change << ", from " << first << " to " << last << " above " << limit;
    }
  }
}

} // namespace
