//===- Transfer.h - Who takes which box from whom to change a layout -------------------------===//
//
// For any two legal layouts of one shape, also on different meshes: for each device, which boxes of
// which devices it needs, and where each lies in both local arrays. An exchange sends these boxes;
// every other collective moves the same elements, so a communicator over shared memory can execute
// all of them from this table.
//
// Rules, the same on all devices, so that each can work out its own part alone:
//  * A holder of a box agrees with the receiver in every part of the source mesh along which the
//    source replicates. So a device that holds what it needs takes it from itself, a group gathers
//    among its own members, and replicas share the sending. Receivers that are not in the source
//    mesh take turns: of all that want a part of one shard, its replicas serve as many each, but
//    for one (exactly so for plain even cuts).
//  * Over axes along which the source is partial and the target is not, all contributions come, in
//    ascending order of source position: the first is stored, the others are reduced onto it.
//  * Along axes over which only the target is partial, exactly one device keeps each element: the
//    holder where the source cuts by the axis, coordinate 0 where it does not. The others hold the
//    identity of the target's reduction.
//
// Work for one device is proportional to what it receives or sends.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_TRANSFER_H
#define VESCALE_LAYOUT_TRANSFER_H

#include "layout/BoxCopy.h"
#include "layout/Layout.h"

#include <optional>
#include <vector>

namespace vescale::layout {

/// All that one device of the target mesh does to get its target shard.
struct Reception {
  /// The receiver: its position in the target mesh, and its device id.
  int64_t target = 0, targetDevice = 0;
  /// The size of the target's local array.
  int64_t localElements = 0;
  /// The reduction of copies that accumulate; nothing where none does.
  std::optional<Reduction> reduction;
  /// Set where the copies do not store every element: the local array starts as the identity of
  /// this reduction.
  std::optional<Reduction> fill;
  /// In ascending order of source position, so that contributions are reduced in rank order.
  std::vector<BoxCopy> copies;

  /// Elements that come from other devices; each contribution counts.
  int64_t missingElements() const;
};

/// One box that a device sends.
struct Dispatch {
  /// The receiver: its position in the target mesh, and its device id.
  int64_t target = 0, targetDevice = 0;
  BoxCopy copy;
};

class Transfer {
public:
  /// Fails where one of the layouts is not legal for the shape.
  static StatusOr<Transfer> get(Layout from, Layout to, Shape shape);

  const Layout &from() const { return source; }
  const Layout &to() const { return target; }
  const Shape &shape() const { return globalShape; }
  /// The parts over which contributions are reduced; see the rules above.
  const std::vector<SubAxis> &reducedAxes() const { return reduced; }
  /// The parts that become partial where the source cuts by them: the holder keeps.
  const std::vector<SubAxis> &keptAtHolder() const { return freshCut; }
  /// The parts that become partial where the source does not: coordinate 0 keeps.
  const std::vector<SubAxis> &keptAtFirst() const { return freshReplicated; }

  /// What the device at this position of the target mesh receives.
  Reception receive(int64_t targetPosition) const;
  /// What the device at this position of the source mesh sends, itself included: exactly the copies
  /// that have it as their source, by ascending target position and for each target in the order of
  /// its reception.
  std::vector<Dispatch> send(int64_t sourcePosition) const;

private:
  Transfer(Layout from, Layout to, Shape shape);

  Coordinate holderSide(int64_t targetPosition) const;
  bool isStranger(int64_t targetPosition) const;
  void takeTurn(const Coordinate &receiver, Coordinate &holder) const;
  std::vector<BoxCopy> copiesTo(int64_t targetPosition, const Coordinate *only) const;
  bool keeps(const Coordinate &receiver, const Coordinate &holder) const;

  Layout source, target;
  Shape globalShape;
  bool sameMesh;
  /// Of the source: the parts over which contributions are reduced.
  std::vector<SubAxis> reduced;
  /// Of the target: the parts that become partial, split into those that cut the source and others.
  std::vector<SubAxis> freshCut, freshReplicated;
  /// The parts along which each side holds alike.
  std::vector<SubAxis> sourceReplicas, targetReplicas;
};

} // namespace vescale::layout

#endif
