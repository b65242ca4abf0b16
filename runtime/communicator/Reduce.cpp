//===- Reduce.cpp - Contributions of ranks, reduced in their order --------===//

#include "runtime/communicator/Reduce.h"
#include "runtime/library/Convert.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace vescale::runtime;
using vescale::layout::Reduction;

namespace {

/// Integers wrap around: they are computed without a sign.
template <class T, bool integer = std::is_integral_v<T>> struct Wrapping {
  using Type = T;
};
template <class T> struct Wrapping<T, true> {
  using Type = uint64_t;
};

struct Sum {
  template <class T> static T apply(T a, T b) {
    using Type = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<Type>(a) + static_cast<Type>(b));
  }
};
struct Product {
  template <class T> static T apply(T a, T b) {
    using Type = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<Type>(a) * static_cast<Type>(b));
  }
};
// Not-a-numbers win: a != a holds for them only.
struct Maximum {
  template <class T> static T apply(T a, T b) { return a > b || a != a ? a : b; }
};
struct Minimum {
  template <class T> static T apply(T a, T b) { return a < b || a != a ? a : b; }
};
struct And {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a | b); }
};

/// Elements that are accumulated at a time: they stay in the first-level cache.
constexpr int64_t chunk = 512;

template <class T>
void load(T *out, const std::byte *from, int64_t offset, int64_t start, int64_t stride,
          int64_t count) {
  const T *in = reinterpret_cast<const T *>(from) + offset + start * stride;
  if (stride == 1)
    std::memcpy(out, in, count * sizeof(T));
  else
    for (int64_t i = 0; i < count; ++i)
      out[i] = in[i * stride];
}

template <class T>
void store(std::byte *to, const T *in, int64_t start, int64_t stride, int64_t count) {
  T *out = reinterpret_cast<T *>(to) + start * stride;
  if (stride == 1)
    std::memcpy(out, in, count * sizeof(T));
  else
    for (int64_t i = 0; i < count; ++i)
      out[i * stride] = in[i];
}

/// One contribution, contiguous: a copy.
bool copied(std::byte *target, int64_t targetStride, const std::byte *source, int64_t sourceStride,
            int64_t contributionCount, int64_t bytes) {
  if (contributionCount > 1 || targetStride != 1 || sourceStride != 1)
    return false;
  std::memcpy(target, source, bytes);
  return true;
}

template <class T, class Op>
void reduce(std::byte *target, int64_t targetStride, const std::byte *const *contributions,
            int64_t sourceOffset, int64_t sourceStride, int64_t contributionCount, int64_t count) {
  if (copied(target, targetStride, contributions[0] + sourceOffset * sizeof(T), sourceStride,
             contributionCount, count * sizeof(T)))
    return;
  T sum[chunk], next[chunk];
  for (int64_t start = 0; start < count; start += chunk) {
    int64_t size = std::min(chunk, count - start);
    load(sum, contributions[0], sourceOffset, start, sourceStride, size);
    for (int64_t k = 1; k < contributionCount; ++k) {
      load(next, contributions[k], sourceOffset, start, sourceStride, size);
      for (int64_t i = 0; i < size; ++i)
        sum[i] = Op::apply(sum[i], next[i]);
    }
    store(target, sum, start, targetStride, size);
  }
}

template <ElementType type, class Op>
void reduceHalf(std::byte *target, int64_t targetStride, const std::byte *const *contributions,
                int64_t sourceOffset, int64_t sourceStride, int64_t contributionCount,
                int64_t count) {
  if (copied(target, targetStride, contributions[0] + sourceOffset * sizeof(uint16_t), sourceStride,
             contributionCount, count * sizeof(uint16_t)))
    return;
  uint16_t raw[chunk];
  float sum[chunk], next[chunk];
  for (int64_t start = 0; start < count; start += chunk) {
    int64_t size = std::min(chunk, count - start);
    load(raw, contributions[0], sourceOffset, start, sourceStride, size);
    if (contributionCount > 1) {
      convertToFloat(sum, raw, type, size);
      for (int64_t k = 1; k < contributionCount; ++k) {
        load(raw, contributions[k], sourceOffset, start, sourceStride, size);
        convertToFloat(next, raw, type, size);
        for (int64_t i = 0; i < size; ++i)
          sum[i] = Op::apply(sum[i], next[i]);
      }
      convertFromFloat(raw, type, sum, size);
    }
    store(target, raw, start, targetStride, size);
  }
}

template <class T> ReduceFunction realFunction(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum:
    return reduce<T, Sum>;
  case Reduction::prod:
    return reduce<T, Product>;
  case Reduction::max:
    return reduce<T, Maximum>;
  case Reduction::min:
    return reduce<T, Minimum>;
  default:
    return nullptr;
  }
}

template <class T> ReduceFunction integerFunction(Reduction reduction) {
  switch (reduction) {
  case Reduction::bitAnd:
    return reduce<T, And>;
  case Reduction::bitOr:
    return reduce<T, Or>;
  default:
    return realFunction<T>(reduction);
  }
}

template <ElementType type> ReduceFunction halfFunction(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum:
    return reduceHalf<type, Sum>;
  case Reduction::prod:
    return reduceHalf<type, Product>;
  case Reduction::max:
    return reduceHalf<type, Maximum>;
  case Reduction::min:
    return reduceHalf<type, Minimum>;
  default:
    return nullptr;
  }
}

template <class T> void fill(std::byte *target, int64_t count, T value) {
  std::fill_n(reinterpret_cast<T *>(target), count, value);
}

template <class T> T integerIdentity(Reduction reduction) {
  switch (reduction) {
  case Reduction::max:
    return std::numeric_limits<T>::min();
  case Reduction::min:
    return std::numeric_limits<T>::max();
  case Reduction::prod:
    return 1;
  case Reduction::bitAnd:
    return static_cast<T>(~T(0));
  default:
    return 0;
  }
}

template <class T> T realIdentity(Reduction reduction) {
  switch (reduction) {
  case Reduction::max:
    return -std::numeric_limits<T>::infinity();
  case Reduction::min:
    return std::numeric_limits<T>::infinity();
  case Reduction::prod:
    return 1;
  default:
    return 0;
  }
}

} // namespace

ReduceFunction vescale::runtime::reduceFunction(Reduction reduction, ElementType type) {
  switch (type) {
  case ElementType::F64:
    return realFunction<double>(reduction);
  case ElementType::F32:
    return realFunction<float>(reduction);
  case ElementType::BF16:
    return halfFunction<ElementType::BF16>(reduction);
  case ElementType::F16:
    return halfFunction<ElementType::F16>(reduction);
  case ElementType::I64:
    return integerFunction<int64_t>(reduction);
  case ElementType::I32:
    return integerFunction<int32_t>(reduction);
  case ElementType::I16:
    return integerFunction<int16_t>(reduction);
  case ElementType::I8:
    return integerFunction<int8_t>(reduction);
  case ElementType::UI8:
    return integerFunction<uint8_t>(reduction);
  case ElementType::I1:
    // A sum of truth values would not be one.
    if (reduction == Reduction::sum)
      return nullptr;
    return integerFunction<uint8_t>(reduction);
  }
  return nullptr;
}

void vescale::runtime::fillIdentity(std::byte *target, int64_t count, Reduction reduction,
                                    ElementType type) {
  switch (type) {
  case ElementType::F64:
    return fill(target, count, realIdentity<double>(reduction));
  case ElementType::F32:
    return fill(target, count, realIdentity<float>(reduction));
  case ElementType::BF16:
  case ElementType::F16: {
    float value = realIdentity<float>(reduction);
    uint16_t raw;
    convertFromFloat(&raw, type, &value, 1);
    return fill(target, count, raw);
  }
  case ElementType::I64:
    return fill(target, count, integerIdentity<int64_t>(reduction));
  case ElementType::I32:
    return fill(target, count, integerIdentity<int32_t>(reduction));
  case ElementType::I16:
    return fill(target, count, integerIdentity<int16_t>(reduction));
  case ElementType::I8:
    return fill(target, count, integerIdentity<int8_t>(reduction));
  case ElementType::UI8:
    return fill(target, count, integerIdentity<uint8_t>(reduction));
  case ElementType::I1:
    return fill(target, count, static_cast<uint8_t>(integerIdentity<uint8_t>(reduction) & 1));
  }
}
