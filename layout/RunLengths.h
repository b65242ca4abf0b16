//===- RunLengths.h - Lists of integers with long runs ---------------------------------------===//
//
// Ragged units: one for each index of an axis, most of them equal to their neighbours. Stored,
// hashed and compared as runs, so a list over 16,384 devices costs what its runs cost.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_RUNLENGTHS_H
#define VESCALE_LAYOUT_RUNLENGTHS_H

#include "layout/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vescale::layout {

/// An immutable list; copies share their state. Neighbouring runs of one value are one run.
class RunLengths {
public:
  struct Run {
    int64_t value;
    int64_t count;
    bool operator==(const Run &other) const { return value == other.value && count == other.count; }
  };

  RunLengths() : RunLengths(std::vector<Run>()) {}
  explicit RunLengths(const std::vector<int64_t> &values);
  /// Runs of count 0 are dropped; counts must not be negative.
  explicit RunLengths(const std::vector<Run> &runs);

  const std::vector<Run> &runs() const { return storage->runs; }
  int64_t size() const { return storage->starts.back(); }
  /// The sum of all values; see overflows().
  int64_t sum() const { return storage->sums.back(); }
  /// True where the number of values or a partial sum does not fit in 63 bits; the list is then
  /// not usable.
  bool overflows() const { return storage->overflows; }
  /// The smallest value; 0 for an empty list.
  int64_t smallest() const { return storage->smallest; }

  /// The value at `index`, in logarithmic time of the number of runs.
  int64_t operator[](int64_t index) const;
  /// The sum of the values before `index`; index may be size().
  int64_t sumBefore(int64_t index) const;
  /// The index whose values cover `amount`: sumBefore(i) <= amount < sumBefore(i + 1). Requires
  /// values that are not negative and 0 <= amount < sum().
  int64_t indexAtSum(int64_t amount) const;

  std::vector<int64_t> values() const;

  bool operator==(const RunLengths &other) const {
    return storage == other.storage ||
           (storage->hash == other.storage->hash && runs() == other.runs());
  }
  bool operator!=(const RunLengths &other) const { return !(*this == other); }
  size_t hash() const { return storage->hash; }

  /// `5, 7, 0, 12`. Lists longer than eight print a run as `0 x 17`.
  std::string str() const;

private:
  struct Storage {
    std::vector<Run> runs;
    /// Of run r: its first index and the sum before it; one more entry for the end.
    std::vector<int64_t> starts, sums;
    int64_t smallest = 0;
    size_t hash = 0;
    bool overflows = false;
  };

  size_t runOf(int64_t index) const;

  std::shared_ptr<const Storage> storage;
};

} // namespace vescale::layout

#endif
