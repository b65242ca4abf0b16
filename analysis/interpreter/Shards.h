//===- Shards.h - A tensor as all devices of a mesh hold it ---------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_SHARDS_H
#define VESCALE_ANALYSIS_INTERPRETER_SHARDS_H

#include "analysis/interpreter/Tensor.h"

#include "layout/Layout.h"

namespace vescale::analysis {

/// One local tensor for each position of the mesh of `layout`; without a layout all devices hold
/// the same, and there is one tensor.
struct Sharded {
  const layout::Layout *layout = nullptr;
  std::vector<Tensor> shards;

  Sharded() = default;
  explicit Sharded(Tensor everywhere) { shards.push_back(std::move(everywhere)); }

  const Tensor &at(int64_t position) const { return layout ? shards[position] : shards[0]; }
};

/// The number that leaves others as they are under a reduction.
void fillIdentity(Tensor &tensor, layout::Reduction reduction);
/// Reduces element j of `other` onto element i.
void reduceElement(Tensor &tensor, int64_t i, layout::Reduction reduction, const Tensor &other,
                   int64_t j);

/// The parts of a global tensor that the devices hold. Along partial axes, coordinate 0 holds the
/// value and the others the identity of the reduction. The layout is legal for the shape and must
/// outlive the result; null means that all devices hold the whole.
Sharded cut(const Tensor &global, const layout::Layout *layout);

/// The global tensor of this shape. Fails where a shard has another shape than its layout says, or
/// devices that hold the same element do not agree; the message names them, the element and the
/// values. Contributions along partial axes are reduced in ascending order of coordinates.
layout::StatusOr<Tensor> rebuild(const Sharded &sharded, const Shape &shape);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_SHARDS_H
