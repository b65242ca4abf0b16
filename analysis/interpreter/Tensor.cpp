//===- Tensor.cpp - Values that the interpreter computes with -------------------------------===//

#include "analysis/interpreter/Tensor.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace vescale::analysis {

bool isReal(ElementType type) { return type <= ElementType::f8E5M2; }

std::string str(ElementType type) {
  switch (type) {
  case ElementType::f64:
    return "f64";
  case ElementType::f32:
    return "f32";
  case ElementType::bf16:
    return "bf16";
  case ElementType::f16:
    return "f16";
  case ElementType::f8E4M3FN:
    return "f8E4M3FN";
  case ElementType::f8E5M2:
    return "f8E5M2";
  case ElementType::i64:
    return "i64";
  case ElementType::i32:
    return "i32";
  case ElementType::i16:
    return "i16";
  case ElementType::i8:
    return "i8";
  case ElementType::ui8:
    return "ui8";
  case ElementType::i1:
    return "i1";
  case ElementType::index:
    return "index";
  case ElementType::rng:
    return "rng";
  }
  return "";
}

int64_t wrapped(ElementType type, int64_t number) {
  switch (type) {
  case ElementType::i32:
    return static_cast<int32_t>(number);
  case ElementType::i16:
    return static_cast<int16_t>(number);
  case ElementType::i8:
    return static_cast<int8_t>(number);
  case ElementType::ui8:
    return static_cast<uint8_t>(number);
  case ElementType::i1:
    return number & 1;
  default:
    return number;
  }
}

static double through(const llvm::fltSemantics &semantics, double number) {
  llvm::APFloat value(number);
  bool lost;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

double rounded(ElementType type, double number) {
  switch (type) {
  case ElementType::f32:
    return static_cast<float>(number);
  case ElementType::bf16:
    return through(llvm::APFloat::BFloat(), number);
  case ElementType::f16:
    return through(llvm::APFloat::IEEEhalf(), number);
  case ElementType::f8E4M3FN:
    return through(llvm::APFloat::Float8E4M3FN(), number);
  case ElementType::f8E5M2:
    return through(llvm::APFloat::Float8E5M2(), number);
  default:
    return number;
  }
}

int64_t lowest(ElementType type) {
  switch (type) {
  case ElementType::i32:
    return std::numeric_limits<int32_t>::min();
  case ElementType::i16:
    return std::numeric_limits<int16_t>::min();
  case ElementType::i8:
    return std::numeric_limits<int8_t>::min();
  case ElementType::ui8:
  case ElementType::i1:
    return 0;
  default:
    return std::numeric_limits<int64_t>::min();
  }
}

int64_t highest(ElementType type) {
  switch (type) {
  case ElementType::i32:
    return std::numeric_limits<int32_t>::max();
  case ElementType::i16:
    return std::numeric_limits<int16_t>::max();
  case ElementType::i8:
    return std::numeric_limits<int8_t>::max();
  case ElementType::ui8:
    return 255;
  case ElementType::i1:
    return 1;
  default:
    return std::numeric_limits<int64_t>::max();
  }
}

Tensor::Tensor(ElementType type, Shape shape)
    : elementType(type), sizes(std::move(shape)), count(1) {
  for (int64_t size : sizes)
    count *= size;
  if (isReal())
    reals.assign(count, 0);
  else
    integers.assign(count, 0);
}

Tensor Tensor::index(int64_t value) {
  Tensor tensor(ElementType::index, {});
  tensor.integers[0] = value;
  return tensor;
}

Tensor Tensor::generator(uint64_t seed, uint32_t step) {
  Tensor tensor(ElementType::rng, {4});
  tensor.integers = {static_cast<int64_t>(seed), step, 1, 0};
  return tensor;
}

void Tensor::setNumber(int64_t i, double value) {
  if (isReal())
    reals[i] = value;
  else
    setInteger(i, static_cast<int64_t>(value));
}

void Tensor::fill(double value) {
  for (int64_t i = 0; i < count; ++i)
    setNumber(i, value);
}

void Tensor::roundToType() {
  for (double &element : reals)
    element = rounded(elementType, element);
}

Tensor Tensor::reshaped(Shape shape) const {
  Tensor result = *this;
  result.sizes = std::move(shape);
  return result;
}

bool Tensor::sameElement(int64_t i, const Tensor &other, int64_t j) const {
  if (!isReal())
    return integers[i] == other.integers[j];
  return reals[i] == other.reals[j] || (std::isnan(reals[i]) && std::isnan(other.reals[j]));
}

bool Tensor::operator==(const Tensor &other) const {
  if (elementType != other.elementType || sizes != other.sizes)
    return false;
  for (int64_t i = 0; i < count; ++i)
    if (!sameElement(i, other, i))
      return false;
  return true;
}

std::string Tensor::text(int64_t i) const {
  return isReal() ? fmt::format("{}", reals[i]) : fmt::format("{}", integers[i]);
}

int64_t position(const Shape &shape, const std::vector<int64_t> &index) {
  int64_t result = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    result = result * shape[d] + index[d];
  return result;
}

std::vector<int64_t> indexAt(const Shape &shape, int64_t position) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = position % shape[d];
    position /= shape[d];
  }
  return index;
}

std::string indexText(const Shape &shape, int64_t position) {
  return fmt::format("[{}]", fmt::join(indexAt(shape, position), ", "));
}

Difference largestDifference(const Tensor &a, const Tensor &b) {
  Difference largest;
  for (int64_t i = 0; i < a.elements(); ++i) {
    double x = a.real(i), y = b.real(i);
    bool equal = a.isReal() || b.isReal() ? x == y || (std::isnan(x) && std::isnan(y))
                                          : a.integer(i) == b.integer(i);
    if (equal)
      continue;
    double size = std::abs(x - y) / std::max(1.0, std::abs(y));
    // Integers too large for a double differ by at least the least positive one.
    if (size == 0)
      size = std::numeric_limits<double>::min();
    if (std::isnan(size) || std::isinf(y))
      size = std::numeric_limits<double>::infinity();
    if (size > largest.size)
      largest = {size, i};
  }
  return largest;
}

} // namespace vescale::analysis
