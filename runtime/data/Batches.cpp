#include "runtime/data/Batches.h"

#include "runtime/random/Philox.h"

#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::LocalRegion;
using vescale::layout::Piece;
using vescale::layout::Shape;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// The draw that samples windows; programs number theirs from 0.
constexpr uint32_t windowDraw = 0xffffffffu;

/// A box of rows, one row after the other.
template <typename Integer>
Status fillPiece(Integer *out, const Piece &piece, const std::vector<int64_t> &strides,
                 const Shape &shape, const Batches &batches, const Tokens &tokens,
                 int64_t tokenOffset, Split split, uint64_t step, RowRange rows) {
  size_t rank = shape.size();
  for (int64_t extent : piece.box.size)
    if (extent == 0)
      return Status::success();
  std::vector<int64_t> index(rank, 0);
  std::vector<Integer> row(strides.back() == 1 ? 0 : piece.box.size.back());
  while (true) {
    int64_t globalRow = 0, local = piece.localOffset;
    for (size_t d = 0; d + 1 < rank; ++d) {
      globalRow = globalRow * shape[d] + piece.box.offset[d] + index[d];
      local += index[d] * strides[d];
    }
    int64_t first = batches.windowStart(split, step, rows.first + globalRow, rows.total) +
                    tokenOffset + piece.box.offset.back();
    Integer *target = row.empty() ? out + local : row.data();
    if (Status status = tokens.read(first, piece.box.size.back(), target); !status.ok())
      return status;
    for (size_t i = 0; i < row.size(); ++i)
      out[local + static_cast<int64_t>(i) * strides.back()] = row[i];
    int64_t d = static_cast<int64_t>(rank) - 2;
    while (d >= 0 && ++index[d] == piece.box.size[d])
      index[d--] = 0;
    if (d < 0)
      return Status::success();
  }
}

} // namespace

StatusOr<Batches> Batches::create(std::shared_ptr<const Tokens> tokens, int64_t sequence,
                                  uint64_t seed, double validationFraction) {
  Batches batches;
  int64_t size = tokens->size();
  batches.validationBegin =
      size - static_cast<int64_t>(static_cast<double>(size) * validationFraction);
  batches.sequence = sequence;
  batches.seed = seed;
  int64_t validation = size - batches.validationBegin;
  if (batches.validationBegin < sequence + 1)
    return Status::error(
        fmt::format("{}: {} tokens for training are too few for one window of {} + 1",
                    tokens->path(), batches.validationBegin, sequence));
  if (validationFraction > 0 && validation < sequence + 1)
    return Status::error(
        fmt::format("{}: {} tokens for validation are too few for one window of {} + 1",
                    tokens->path(), validation, sequence));
  batches.tokens = std::move(tokens);
  return batches;
}

int64_t Batches::windowStart(Split split, uint64_t step, int64_t row, int64_t rows) const {
  if (split == Split::validation) {
    int64_t windows = (tokens->size() - validationBegin - 1) / sequence;
    uint64_t window = (step * static_cast<uint64_t>(rows) + static_cast<uint64_t>(row)) %
                      static_cast<uint64_t>(windows);
    return validationBegin + static_cast<int64_t>(window) * sequence;
  }
  // 64 random bits times the number of starts, divided by 2^64: uniform to within 2^-64 * starts.
  RandomDraw draw{windowDraw, static_cast<uint32_t>(step), seed};
  uint64_t element = 2 * static_cast<uint64_t>(row);
  uint64_t bits =
      (static_cast<uint64_t>(randomBits(draw, element)) << 32) | randomBits(draw, element + 1);
  uint64_t starts = static_cast<uint64_t>(validationBegin - sequence);
  return static_cast<int64_t>((static_cast<unsigned __int128>(bits) * starts) >> 64);
}

Status Batches::fill(void *out, ElementType element, const LocalRegion &region, const Shape &shape,
                     int64_t tokenOffset, Split split, uint64_t step, RowRange rows) const {
  if (shape.empty() || shape.back() != sequence || tokenOffset < 0 || tokenOffset > 1)
    return Status::error(
        fmt::format("rows of {} tokens at offset {} do not come from windows of {} + 1 tokens",
                    shape.empty() ? 0 : shape.back(), tokenOffset, sequence));
  if (rows.total == 0) {
    rows.total = 1;
    for (size_t d = 0; d + 1 < shape.size(); ++d)
      rows.total *= shape[d];
  }
  for (const Piece &piece : region.pieces) {
    Status status = Status::success();
    if (element == ElementType::I32)
      status = fillPiece(static_cast<int32_t *>(out), piece, region.strides, shape, *this, *tokens,
                         tokenOffset, split, step, rows);
    else if (element == ElementType::I64)
      status = fillPiece(static_cast<int64_t *>(out), piece, region.strides, shape, *this, *tokens,
                         tokenOffset, split, step, rows);
    else
      status = Status::error(fmt::format("tokens are i32 or i64, not {}", elementName(element)));
    if (!status.ok())
      return status;
  }
  return Status::success();
}
