//===- MatMulKernel.h - Matrix products of a schedule -----------------------===//
//
// A MatMul instruction, prepared once when the schedule is loaded and then run part by part on the
// executor's own workers. Small products go to libxsmm, large ones to OpenBLAS, products of
// half-precision inputs are computed in f32 on converted panels. Neither library uses threads of
// its own.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_LIBRARY_MATMULKERNEL_H
#define VESCALE_RUNTIME_LIBRARY_MATMULKERNEL_H

#include "layout/Status.h"
#include "runtime/format/Schedule.h"
#include "runtime/library/SmallProduct.h"

#include <cstdint>
#include <vector>

namespace vescale::runtime {

/// c = alpha * a * b + beta * c for every batch index. With beta = 0, c is not read, so that it may
/// hold anything.
///
/// Types: f32 -> f32, f64 -> f64, and bf16 or f16 -> the same type or f32, accumulated in f32. A
/// batch stride of 0 in `a` or `b` broadcasts. `c` must not overlap `a` or `b`, and its batch
/// elements must not overlap each other.
class MatMulKernel {
public:
  /// Checks the description and divides the work into about `workers` parts, or fewer where parts
  /// would be tiny. Errors: types outside the list above, negative sizes, a leading dimension
  /// shorter than a row, batch strides of `c` that make its matrices overlap.
  static layout::StatusOr<MatMulKernel> prepare(const MatMul &description, int workers);

  /// Number of parts. Parts write disjoint elements of c and may run concurrently, in any order.
  int64_t parts() const { return static_cast<int64_t>(tiles.size()); }

  /// Runs parts [begin, end). Pointers are to the first element of each tensor. Does not allocate,
  /// except for one buffer per thread when that thread first meets a transposed small or a
  /// half-precision product.
  void run(int64_t begin, int64_t end, const void *a, const void *b, void *c) const;

  /// Floating-point operations of the whole product: 2 * batch * m * n * k.
  double operations() const;

private:
  struct Tile {
    int64_t batchBegin, batchEnd, rowBegin, rowEnd, columnBegin, columnEnd;
  };
  struct BatchOffsets {
    int64_t a, b, c;
  };
  /// One product shape of the small path: full or last block of rows by full or last block of
  /// columns.
  template <typename Real> struct SmallKernels { SmallProduct<Real> product[2][2]; };
  enum class Path { small, blas, half };

  explicit MatMulKernel(MatMul description) : shape(std::move(description)) {}

  void divide(int workers);
  template <typename Real> void prepareSmall(SmallKernels<Real> &kernels) const;
  BatchOffsets offsets(int64_t batch) const;
  template <typename Real>
  void runSmall(const Tile &tile, const SmallKernels<Real> &kernels, const Real *a, const Real *b,
                Real *c) const;
  template <typename Real>
  void runBlas(const Tile &tile, const Real *a, const Real *b, Real *c) const;
  void runHalf(const Tile &tile, const char *a, const char *b, char *c) const;
  template <typename Real>
  void runTile(const Tile &tile, const SmallKernels<Real> &kernels, const void *a, const void *b,
               void *c) const;

  MatMul shape;         ///< With c not transposed.
  bool swapped = false; ///< Whether a and b changed places to make it so.
  Path path = Path::blas;
  std::vector<Tile> tiles;
  SmallKernels<float> smallFloat;
  SmallKernels<double> smallDouble;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_LIBRARY_MATMULKERNEL_H
