#include "runtime/library/MatMulKernel.h"

#include "runtime/library/Convert.h"
#include "runtime/library/OpenBlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// A part with less work than this costs more to hand to a worker than to compute.
constexpr double smallestPart = 2e5;

constexpr int64_t limit = smallProductLimit;

/// Panels of half-precision inputs that are converted at once: 1.25 MiB with the accumulator, for a
/// second-level cache.
constexpr int64_t panelRows = 256, panelColumns = 256, panelDepth = 512;

int64_t batchCount(const MatMul &shape) {
  int64_t count = 1;
  for (int64_t size : shape.batch)
    count *= size;
  return count;
}

/// The calling thread's scratch memory for `count` elements; grows once and is kept.
template <typename Real> Real *threadScratch(size_t count) {
  thread_local std::unique_ptr<Real[]> memory;
  thread_local size_t capacity = 0;
  if (capacity < count) {
    memory.reset(new Real[count]);
    capacity = count;
  }
  return memory.get();
}

bool isHalf(ElementType type) { return type == ElementType::BF16 || type == ElementType::F16; }

Status checkMatrix(const char *name, const Matrix &matrix, size_t batchRank, int64_t rows,
                   int64_t columns) {
  if (matrix.batchStrides.size() != batchRank)
    return Status::error(fmt::format("matmul: operand {} has {} batch strides for {} batch dims",
                                     name, matrix.batchStrides.size(), batchRank));
  int64_t stored = matrix.transposed ? rows : columns, lines = matrix.transposed ? columns : rows;
  if (lines > 1 && matrix.leading < stored)
    return Status::error(
        fmt::format("matmul: operand {} has leading dimension {}, shorter than its rows of {}",
                    name, matrix.leading, stored));
  return Status::success();
}

/// Whether the batch elements of the output are disjoint: sorted by stride, each dim steps over all
/// smaller ones.
bool outputsAreDisjoint(const MatMul &shape) {
  if (batchCount(shape) == 0 || shape.m == 0 || shape.n == 0)
    return true;
  std::vector<std::pair<int64_t, int64_t>> dims; // stride, size
  for (size_t d = 0; d < shape.batch.size(); ++d)
    dims.push_back({std::llabs(shape.c.batchStrides[d]), shape.batch[d]});
  int64_t rows = shape.c.transposed ? shape.n : shape.m,
          columns = shape.c.transposed ? shape.m : shape.n;
  dims.push_back({shape.c.leading, rows});
  dims.push_back({1, columns});
  std::sort(dims.begin(), dims.end());
  int64_t span = 1;
  for (auto [stride, size] : dims) {
    if (size == 1)
      continue;
    if (stride < span)
      return false;
    span = stride * (size - 1) + span;
  }
  return true;
}

} // namespace

StatusOr<MatMulKernel> MatMulKernel::prepare(const MatMul &description, int workers) {
  MatMul shape = description;
  for (int64_t size : shape.batch)
    if (size < 0)
      return Status::error(fmt::format("matmul: negative batch size {}", size));
  constexpr int64_t largest = int64_t(1) << 31;
  if (shape.m < 0 || shape.n < 0 || shape.k < 0 || shape.m >= largest || shape.n >= largest ||
      shape.k >= largest)
    return Status::error(
        fmt::format("matmul: sizes {} x {} x {} are out of range", shape.m, shape.n, shape.k));
  bool same = shape.input == shape.output;
  bool real = same && (shape.input == ElementType::F32 || shape.input == ElementType::F64);
  bool half = isHalf(shape.input) && (same || shape.output == ElementType::F32);
  if (!real && !half)
    return Status::error(fmt::format("matmul: no product {} -> {}", elementName(shape.input),
                                     elementName(shape.output)));
  for (Status status : {checkMatrix("a", shape.a, shape.batch.size(), shape.m, shape.k),
                        checkMatrix("b", shape.b, shape.batch.size(), shape.k, shape.n),
                        checkMatrix("c", shape.c, shape.batch.size(), shape.m, shape.n)})
    if (!status.ok())
      return status;
  if (!outputsAreDisjoint(shape))
    return Status::error("matmul: batch elements of operand c overlap");
  for (const Matrix *matrix : {&shape.a, &shape.b, &shape.c})
    if (matrix->leading >= largest)
      return Status::error(
          fmt::format("matmul: leading dimension {} is out of range", matrix->leading));

  // A transposed result is the product of the transposed operands in the other order.
  if (shape.c.transposed) {
    std::swap(shape.a, shape.b);
    std::swap(shape.m, shape.n);
    for (Matrix *matrix : {&shape.a, &shape.b, &shape.c})
      matrix->transposed = !matrix->transposed;
  }
  bool swapped = description.c.transposed;

  MatMulKernel kernel(std::move(shape));
  kernel.swapped = swapped;
  const MatMul &s = kernel.shape;
  bool small = real && s.k > 0 && s.k <= limit && (s.m <= limit || s.n <= limit) && s.alpha == 1 &&
               (s.beta == 0 || s.beta == 1);
  kernel.path = half ? Path::half : small ? Path::small : Path::blas;
  if (kernel.path == Path::small && s.input == ElementType::F32)
    kernel.prepareSmall(kernel.smallFloat);
  if (kernel.path == Path::small && s.input == ElementType::F64)
    kernel.prepareSmall(kernel.smallDouble);
  kernel.divide(std::max(workers, 1));
  return kernel;
}

double MatMulKernel::operations() const {
  return 2.0 * static_cast<double>(batchCount(shape)) * static_cast<double>(shape.m) *
         static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

/// Cuts batches first; a batch that is shared by several workers is cut along its longer side, at
/// multiples of 64.
void MatMulKernel::divide(int workers) {
  int64_t batches = batchCount(shape);
  if (batches == 0 || shape.m == 0 || shape.n == 0)
    return;
  int64_t parts =
      std::clamp<int64_t>(static_cast<int64_t>(operations() / smallestPart), 1, workers);
  if (batches >= parts) {
    for (int64_t part = 0; part < parts; ++part)
      tiles.push_back(
          {batches * part / parts, batches * (part + 1) / parts, 0, shape.m, 0, shape.n});
    return;
  }
  constexpr int64_t grain = 64;
  bool cutRows = shape.m >= shape.n;
  int64_t extent = cutRows ? shape.m : shape.n;
  // The small path computes up to `limit` rows or columns as one block.
  int64_t grains = path == Path::small && extent <= limit ? 1 : (extent + grain - 1) / grain;
  int64_t pieces = std::min((parts + batches - 1) / batches, grains);
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t piece = 0; piece < pieces; ++piece) {
      int64_t begin = grains * piece / pieces * grain;
      int64_t end = piece + 1 == pieces ? extent : grains * (piece + 1) / pieces * grain;
      if (cutRows)
        tiles.push_back({batch, batch + 1, begin, end, 0, shape.n});
      else
        tiles.push_back({batch, batch + 1, 0, shape.m, begin, end});
    }
}

MatMulKernel::BatchOffsets MatMulKernel::offsets(int64_t batch) const {
  BatchOffsets result = {0, 0, 0};
  for (size_t d = shape.batch.size(); d-- > 0;) {
    int64_t index = batch % shape.batch[d];
    batch /= shape.batch[d];
    result.a += index * shape.a.batchStrides[d];
    result.b += index * shape.b.batchStrides[d];
    result.c += index * shape.c.batchStrides[d];
  }
  return result;
}

// The small path cuts a product into blocks of at most `limit` rows and columns. Tiles start at
// multiples of 64, so a tile's blocks are full ones of 64 and a last one of the matrix: blocks are
// 64 where the matrix is longer than the limit.

static int64_t smallBlock(int64_t extent) { return extent <= limit ? extent : 64; }

template <typename Real> void MatMulKernel::prepareSmall(SmallKernels<Real> &kernels) const {
  for (int lastRows = 0; lastRows < 2; ++lastRows)
    for (int lastColumns = 0; lastColumns < 2; ++lastColumns) {
      int64_t rowBlock = smallBlock(shape.m), columnBlock = smallBlock(shape.n);
      int64_t rows = lastRows ? shape.m % std::max<int64_t>(rowBlock, 1) : rowBlock;
      int64_t columns = lastColumns ? shape.n % std::max<int64_t>(columnBlock, 1) : columnBlock;
      if (rows == 0 || columns == 0)
        continue;
      kernels.product[lastRows][lastColumns] = SmallProduct<Real>(
          rows, columns, shape.k, std::max(shape.a.leading, shape.a.transposed ? rows : shape.k),
          shape.b.transposed ? columns : std::max(shape.b.leading, columns),
          std::max(shape.c.leading, columns), shape.a.transposed, shape.beta != 0);
    }
}

template <typename Real>
void MatMulKernel::runSmall(const Tile &tile, const SmallKernels<Real> &kernels, const Real *a,
                            const Real *b, Real *c) const {
  int64_t rowBlock = smallBlock(shape.m), columnBlock = smallBlock(shape.n);
  Real *packed = shape.b.transposed ? threadScratch<Real>(limit * limit) : nullptr;
  const Real *packedFrom = nullptr;
  for (int64_t batch = tile.batchBegin; batch < tile.batchEnd; ++batch) {
    BatchOffsets offset = offsets(batch);
    for (int64_t j = tile.columnBegin; j < tile.columnEnd; j += columnBlock) {
      int64_t columns = std::min(columnBlock, shape.n - j);
      const Real *right = b + offset.b + (shape.b.transposed ? j * shape.b.leading : j);
      if (packed) {
        // libxsmm has no code for a transposed right operand. A broadcast one is packed once.
        if (right != packedFrom)
          for (int64_t p = 0; p < shape.k; ++p)
            for (int64_t q = 0; q < columns; ++q)
              packed[p * columns + q] = right[q * shape.b.leading + p];
        packedFrom = right;
        right = packed;
      }
      for (int64_t i = tile.rowBegin; i < tile.rowEnd; i += rowBlock) {
        bool lastRows = shape.m - i < rowBlock, lastColumns = columns < columnBlock;
        const Real *left = a + offset.a + (shape.a.transposed ? i : i * shape.a.leading);
        kernels.product[lastRows][lastColumns](left, right, c + offset.c + i * shape.c.leading + j);
      }
    }
  }
}

template <typename Real>
void MatMulKernel::runBlas(const Tile &tile, const Real *a, const Real *b, Real *c) const {
  for (int64_t batch = tile.batchBegin; batch < tile.batchEnd; ++batch) {
    BatchOffsets offset = offsets(batch);
    productByOpenBlas(
        shape.a.transposed, shape.b.transposed, tile.rowEnd - tile.rowBegin,
        tile.columnEnd - tile.columnBegin, shape.k, static_cast<Real>(shape.alpha),
        a + offset.a + tile.rowBegin * (shape.a.transposed ? 1 : shape.a.leading), shape.a.leading,
        b + offset.b + tile.columnBegin * (shape.b.transposed ? shape.b.leading : 1),
        shape.b.leading, static_cast<Real>(shape.beta),
        c + offset.c + tile.rowBegin * shape.c.leading + tile.columnBegin, shape.c.leading);
  }
}

void MatMulKernel::runHalf(const Tile &tile, const char *a, const char *b, char *c) const {
  float *left = threadScratch<float>(panelRows * panelDepth + panelDepth * panelColumns +
                                     panelRows * panelColumns);
  float *right = left + panelRows * panelDepth;
  float *sums = right + panelDepth * panelColumns;
  int64_t inputBytes = elementBytes(shape.input), outputBytes = elementBytes(shape.output);
  // Converts `lines` stored rows of `length` elements into rows of the panel.
  auto convert = [&](float *panel, const char *base, const Matrix &matrix, int64_t element,
                     int64_t lines, int64_t length) {
    for (int64_t line = 0; line < lines; ++line)
      convertToFloat(panel + line * length, base + (element + line * matrix.leading) * inputBytes,
                     shape.input, length);
  };
  for (int64_t batch = tile.batchBegin; batch < tile.batchEnd; ++batch) {
    BatchOffsets offset = offsets(batch);
    for (int64_t i = tile.rowBegin; i < tile.rowEnd; i += panelRows)
      for (int64_t j = tile.columnBegin; j < tile.columnEnd; j += panelColumns) {
        int64_t rows = std::min(panelRows, tile.rowEnd - i),
                columns = std::min(panelColumns, tile.columnEnd - j);
        std::fill_n(sums, rows * columns, 0.0f);
        for (int64_t p = 0; p < shape.k; p += panelDepth) {
          int64_t depth = std::min(panelDepth, shape.k - p);
          if (shape.a.transposed)
            convert(left, a, shape.a, offset.a + p * shape.a.leading + i, depth, rows);
          else
            convert(left, a, shape.a, offset.a + i * shape.a.leading + p, rows, depth);
          if (shape.b.transposed)
            convert(right, b, shape.b, offset.b + j * shape.b.leading + p, columns, depth);
          else
            convert(right, b, shape.b, offset.b + p * shape.b.leading + j, depth, columns);
          productByOpenBlas(shape.a.transposed, shape.b.transposed, rows, columns, depth, 1.0f,
                            left, shape.a.transposed ? rows : depth, right,
                            shape.b.transposed ? depth : columns, 1.0f, sums, columns);
        }
        float alpha = static_cast<float>(shape.alpha), beta = static_cast<float>(shape.beta);
        for (int64_t row = 0; row < rows; ++row) {
          char *out = c + (offset.c + (i + row) * shape.c.leading + j) * outputBytes;
          float *sum = sums + row * columns;
          float *previous = left; // The panel is no longer needed.
          if (beta != 0)
            convertToFloat(previous, out, shape.output, columns);
          for (int64_t column = 0; column < columns; ++column)
            sum[column] =
                beta != 0 ? alpha * sum[column] + beta * previous[column] : alpha * sum[column];
          convertFromFloat(out, shape.output, sum, columns);
        }
      }
  }
}

template <typename Real>
void MatMulKernel::runTile(const Tile &tile, const SmallKernels<Real> &kernels, const void *a,
                           const void *b, void *c) const {
  const Real *left = static_cast<const Real *>(a), *right = static_cast<const Real *>(b);
  Real *out = static_cast<Real *>(c);
  if (path == Path::small)
    runSmall(tile, kernels, left, right, out);
  else
    runBlas(tile, left, right, out);
}

void MatMulKernel::run(int64_t begin, int64_t end, const void *a, const void *b, void *c) const {
  if (swapped)
    std::swap(a, b);
  for (int64_t part = begin; part < end; ++part) {
    if (path == Path::half)
      runHalf(tiles[part], static_cast<const char *>(a), static_cast<const char *>(b),
              static_cast<char *>(c));
    else if (shape.input == ElementType::F64)
      runTile(tiles[part], smallDouble, a, b, c);
    else
      runTile(tiles[part], smallFloat, a, b, c);
  }
}
