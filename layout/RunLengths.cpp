#include "layout/RunLengths.h"

#include "layout/Hash.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <iterator>

namespace vescale::layout {

static std::vector<RunLengths::Run> runsOf(const std::vector<int64_t> &values) {
  std::vector<RunLengths::Run> runs;
  for (int64_t value : values) {
    if (!runs.empty() && runs.back().value == value)
      ++runs.back().count;
    else
      runs.push_back({value, 1});
  }
  return runs;
}

RunLengths::RunLengths(const std::vector<int64_t> &values) : RunLengths(runsOf(values)) {}

RunLengths::RunLengths(const std::vector<Run> &runs) {
  auto made = std::make_shared<Storage>();
  auto add = [&](int64_t a, int64_t b) {
    int64_t sum = 0;
    made->overflows |= __builtin_add_overflow(a, b, &sum);
    return sum;
  };
  for (const Run &run : runs) {
    assert(run.count >= 0 && "a run cannot be shorter than empty");
    if (run.count == 0)
      continue;
    if (!made->runs.empty() && made->runs.back().value == run.value)
      made->runs.back().count = add(made->runs.back().count, run.count);
    else
      made->runs.push_back(run);
  }
  made->starts.push_back(0);
  made->sums.push_back(0);
  made->hash = made->runs.size();
  for (const Run &run : made->runs) {
    int64_t total = 0;
    made->overflows |= __builtin_mul_overflow(run.value, run.count, &total);
    made->starts.push_back(add(made->starts.back(), run.count));
    made->sums.push_back(add(made->sums.back(), total));
    made->smallest = made->starts.size() == 2 ? run.value : std::min(made->smallest, run.value);
    made->hash = combineHash(combineHash(made->hash, run.value), run.count);
  }
  storage = std::move(made);
}

size_t RunLengths::runOf(int64_t index) const {
  assert(index >= 0 && index < size() && "index outside the list");
  auto after = std::upper_bound(storage->starts.begin(), storage->starts.end(), index);
  return std::distance(storage->starts.begin(), after) - 1;
}

int64_t RunLengths::operator[](int64_t index) const { return runs()[runOf(index)].value; }

int64_t RunLengths::sumBefore(int64_t index) const {
  if (index == size())
    return sum();
  size_t run = runOf(index);
  return storage->sums[run] + (index - storage->starts[run]) * runs()[run].value;
}

int64_t RunLengths::indexAtSum(int64_t amount) const {
  assert(amount >= 0 && amount < sum() && "amount outside the sum");
  // Runs of value 0 have the same sum before and after, so the last run that starts at or before
  // the amount is never one of them.
  auto after = std::upper_bound(storage->sums.begin(), storage->sums.end(), amount);
  size_t run = std::distance(storage->sums.begin(), after) - 1;
  return storage->starts[run] + (amount - storage->sums[run]) / runs()[run].value;
}

std::vector<int64_t> RunLengths::values() const {
  std::vector<int64_t> result;
  result.reserve(size());
  for (const Run &run : runs())
    result.insert(result.end(), run.count, run.value);
  return result;
}

std::string RunLengths::str() const {
  constexpr int64_t shortList = 8;
  std::string text;
  auto append = [&](const std::string &item) { text += (text.empty() ? "" : ", ") + item; };
  for (const Run &run : runs()) {
    if (run.count > 1 && size() > shortList) {
      append(fmt::format("{} x {}", run.value, run.count));
      continue;
    }
    for (int64_t i = 0; i < run.count; ++i)
      append(std::to_string(run.value));
  }
  return text;
}

} // namespace vescale::layout
