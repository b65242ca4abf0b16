//===- Choice.h - Reproducible choices ------------------------------------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_CHOICE_H
#define VESCALE_TESTS_DIFFERENTIAL_CHOICE_H

#include <cstdint>
#include <random>
#include <vector>

namespace vescale::analysis {

/// Choices that depend on the seed alone, with every standard library.
class Choice {
public:
  explicit Choice(uint64_t seed) : engine(seed) {}

  /// In [0, count).
  int64_t below(int64_t count) { return static_cast<int64_t>(engine() % uint64_t(count)); }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool percent(int64_t chance) { return below(100) < chance; }
  template <class T> const T &of(const std::vector<T> &items) {
    return items[below(static_cast<int64_t>(items.size()))];
  }

private:
  std::mt19937_64 engine;
};

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_CHOICE_H
