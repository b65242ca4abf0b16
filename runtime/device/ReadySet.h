//===- ReadySet.h - A lock-free set of small numbers ----------------------===//
#ifndef VESCALE_RUNTIME_DEVICE_READYSET_H
#define VESCALE_RUNTIME_DEVICE_READYSET_H

#include <atomic>
#include <cstdint>
#include <memory>

namespace vescale::runtime {

/// Numbers below a fixed size; each is in the set or not. Any thread may insert and take.
class ReadySet {
public:
  void reset(uint32_t size) {
    count = size;
    words = std::make_unique<std::atomic<uint64_t>[]>((size + 63) / 64);
    for (uint32_t w = 0; w < (size + 63) / 64; ++w)
      words[w].store(0);
  }

  uint32_t size() const { return count; }

  void insert(uint32_t number) { words[number / 64].fetch_or(bit(number)); }
  void erase(uint32_t number) { words[number / 64].fetch_and(~bit(number)); }
  /// Takes out this number; false where it is not in the set.
  bool takeThis(uint32_t number) {
    return (words[number / 64].fetch_and(~bit(number)) & bit(number)) != 0;
  }

  /// Takes out the first number at or after `start`, cyclically. False where the set is empty.
  bool take(uint32_t start, uint32_t &number) {
    return find(start, number, [this](uint32_t candidate) {
      return (words[candidate / 64].fetch_and(~bit(candidate)) & bit(candidate)) != 0;
    });
  }
  /// The same number without taking it out.
  bool peek(uint32_t start, uint32_t &number) const {
    return find(start, number, [](uint32_t) { return true; });
  }

private:
  static uint64_t bit(uint32_t number) { return uint64_t(1) << number % 64; }

  template <class Accept> bool find(uint32_t start, uint32_t &number, Accept accept) const {
    uint32_t size = (count + 63) / 64;
    if (size == 0)
      return false;
    uint32_t first = start / 64;
    // The first word twice: from `start` on, and at the end what stands before it.
    for (uint32_t i = 0; i <= size; ++i) {
      uint32_t w = (first + i) % size;
      uint64_t mask = i == 0 ? ~uint64_t(0) << start % 64 : ~uint64_t(0);
      for (uint64_t word = words[w].load() & mask; word != 0; word &= word - 1) {
        number = w * 64 + static_cast<uint32_t>(__builtin_ctzll(word));
        if (accept(number))
          return true;
      }
    }
    return false;
  }

  uint32_t count = 0;
  std::unique_ptr<std::atomic<uint64_t>[]> words;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DEVICE_READYSET_H
