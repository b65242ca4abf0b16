//===- Communicator.h - What ranks do together ----------------------------===//
#ifndef VESCALE_RUNTIME_COMMUNICATOR_COMMUNICATOR_H
#define VESCALE_RUNTIME_COMMUNICATOR_COMMUNICATOR_H

#include "layout/Layout.h"
#include "layout/Status.h"
#include "runtime/device/Device.h"

#include <string>

namespace vescale::runtime {

/// A collective as one rank takes part in it: it turns its part of the tensor under `source` into
/// its part under `target`.
struct CollectiveCall {
  uint32_t id = 0;
  CollectiveKind kind = CollectiveKind::AllReduce;
  layout::Layout source, target;
  layout::Shape shape;
  ElementType element = ElementType::F32;
  /// Without address where the rank is not in the layout's mesh.
  AccessRange input, output;
};

/// Connects ranks. Collectives are prepared for each rank of this process and then connected, once;
/// after that their commands are enqueued like others. Ranks meet at an id, so ranks must enqueue
/// the commands of all ids in orders that agree.
class Communicator {
public:
  virtual ~Communicator() = default;

  /// Prepares the part of `rank`, on its device; the command will be enqueued on `stream`.
  virtual layout::StatusOr<CommandId> prepare(int64_t rank, Device &device, StreamId stream,
                                              CollectiveCall call) = 0;

  /// After all were prepared: finds peers and what each gets from whom. Fails where the layouts
  /// cannot be changed into one another, or where input and output of a call overlap in bytes that
  /// a peer reads.
  virtual layout::Status connect() = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_COMMUNICATOR_COMMUNICATOR_H
