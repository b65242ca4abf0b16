//===- Batches.h - Which tokens a training step sees -------------------------===//

#ifndef VESCALE_RUNTIME_DATA_BATCHES_H
#define VESCALE_RUNTIME_DATA_BATCHES_H

#include "layout/Region.h"
#include "layout/Status.h"
#include "runtime/data/Tokens.h"
#include "runtime/format/Schedule.h"

#include <cstdint>
#include <memory>

namespace vescale::runtime {

enum class Split { training, validation };

/// The rows of a tensor among those of a step: a micro-batch is a part.
struct RowRange {
  int64_t first = 0;
  int64_t total = 0; ///< Rows of the whole step; 0 where the tensor has them all.
};

/// Windows of `sequence + 1` consecutive tokens of a corpus. The last part of the corpus is for
/// validation.
///
/// Row r of training step s starts at a uniformly random place of the training part, by Philox from
/// (seed, s, r): the order depends on the seed and the step, and not on the mesh or on which rank
/// asks. Row r of validation round s continues, from round 0 on, through the validation part in
/// steps of `sequence`, and starts again at its end.
class Batches {
public:
  /// \param validationFraction in [0, 1): part of the corpus that is kept for validation; 0 keeps
  /// none. Errors: a part that is shorter than one window.
  static layout::StatusOr<Batches> create(std::shared_ptr<const Tokens> tokens, int64_t sequence,
                                          uint64_t seed, double validationFraction);

  /// First token of a row's window. Requires a validation part for Split::validation.
  /// \param rows of a step, all micro-batches together.
  int64_t windowStart(Split split, uint64_t step, int64_t row, int64_t rows) const;

  /// Fills a rank's part of a global tensor of token rows.
  ///
  /// \param out local storage, of type I32 or I64, that `region` describes.
  /// \param shape global (..., sequence): the leading dims count rows, row-major.
  /// \param tokenOffset 0 for inputs, 1 for the next tokens as targets.
  /// \param rows which rows of the step these are; by default all.
  layout::Status fill(void *out, ElementType element, const layout::LocalRegion &region,
                      const layout::Shape &shape, int64_t tokenOffset, Split split, uint64_t step,
                      RowRange rows = {}) const;

  bool hasValidation() const { return validationBegin < tokens->size(); }
  int64_t sequenceLength() const { return sequence; }

private:
  std::shared_ptr<const Tokens> tokens;
  int64_t sequence = 0;
  uint64_t seed = 0;
  int64_t validationBegin = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DATA_BATCHES_H
