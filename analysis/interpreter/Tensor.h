//===- Tensor.h - Values that the interpreter computes with ---------------------------------===//
//
// Simple on purpose: a shape, an element type, and one number for each element in row-major order.
// Reals are held in double precision whatever their type; integers are exact.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_TENSOR_H
#define VESCALE_ANALYSIS_INTERPRETER_TENSOR_H

#include "layout/Layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vescale::analysis {

using layout::Shape;

/// `index` and `rng` are the types of values that are no tensors: an index is a scalar, a random
/// generator the two integers (seed, step).
enum class ElementType {
  f64,
  f32,
  bf16,
  f16,
  f8E4M3FN,
  f8E5M2,
  i64,
  i32,
  i16,
  i8,
  ui8,
  i1,
  index,
  rng
};

bool isReal(ElementType type);
std::string str(ElementType type);
/// The integer modulo the width of the type, as the type reads its bits.
int64_t wrapped(ElementType type, int64_t number);
/// The nearest number of a real type, halves to even.
double rounded(ElementType type, double number);
/// The least and largest integer of the type.
int64_t lowest(ElementType type);
int64_t highest(ElementType type);

class Tensor {
public:
  /// The scalar 0 of type f64.
  Tensor() : Tensor(ElementType::f64, {}) {}
  /// All elements are 0.
  Tensor(ElementType type, Shape shape);

  static Tensor index(int64_t value);
  static Tensor generator(uint64_t seed, uint32_t step);

  ElementType type() const { return elementType; }
  bool isReal() const { return analysis::isReal(elementType); }
  const Shape &shape() const { return sizes; }
  int rank() const { return static_cast<int>(sizes.size()); }
  int64_t size(int64_t dim) const { return sizes[dim]; }
  int64_t elements() const { return count; }

  /// The element at a row-major position: as a double, and of integer types exactly.
  double real(int64_t i) const { return isReal() ? reals[i] : static_cast<double>(integers[i]); }
  int64_t integer(int64_t i) const { return integers[i]; }
  /// For real types only.
  void setReal(int64_t i, double value) { reals[i] = value; }
  /// For integer types only; wraps to the width of the type.
  void setInteger(int64_t i, int64_t value) { integers[i] = wrapped(elementType, value); }
  /// Element `from` of a tensor of the same element type.
  void copyElement(int64_t i, const Tensor &other, int64_t from) {
    if (isReal())
      reals[i] = other.reals[from];
    else
      integers[i] = other.integers[from];
  }
  /// Converts `value` to the type: integers as they are truncated to.
  void setNumber(int64_t i, double value);
  void fill(double value);

  /// Rounds all elements of a real tensor to its type.
  void roundToType();

  /// The same elements under another shape with as many elements.
  Tensor reshaped(Shape shape) const;

  /// Whether element i is element j of the other; NaNs are one value.
  bool sameElement(int64_t i, const Tensor &other, int64_t j) const;
  /// Whether types, shapes and all elements are the same.
  bool operator==(const Tensor &other) const;

  /// One element, with all its digits.
  std::string text(int64_t i) const;

private:
  ElementType elementType;
  Shape sizes;
  int64_t count;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

/// The row-major position of an index.
int64_t position(const Shape &shape, const std::vector<int64_t> &index);
/// The index at a row-major position.
std::vector<int64_t> indexAt(const Shape &shape, int64_t position);
/// `[1, 0, 3]`.
std::string indexText(const Shape &shape, int64_t position);

/// Calls `visit(index, position)` for every index of the shape in row-major order.
template <class Visit> void forEachIndex(const Shape &shape, Visit &&visit) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    visit(const_cast<const std::vector<int64_t> &>(index), i);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

/// A largest difference between two tensors and its place.
struct Difference {
  /// |a - b| / max(1, |b|); infinite where exactly one is NaN, or both are infinite but not equal.
  double size = 0;
  int64_t element = 0;
};
/// The tensors have one shape.
Difference largestDifference(const Tensor &a, const Tensor &b);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_TENSOR_H
