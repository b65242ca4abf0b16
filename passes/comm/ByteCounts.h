//===- ByteCounts.h - A number for each op, changed and searched by ranges ------*- C++ -*-===//

#ifndef VESCALE_PASSES_COMM_BYTECOUNTS_H
#define VESCALE_PASSES_COMM_BYTECOUNTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vescale {

/// Bytes by op. Changes of a range and searches take the logarithm of the number of ops, however
/// long the range: a gradient lives from its layer to the end of the step.
///
/// A binary tree over the ops. A node holds the most of its half, without what was added to whole
/// ancestors of it.
class ByteCounts {
public:
  /// Zero for each of `count` ops.
  explicit ByteCounts(size_t count);

  /// Adds to the ops from `begin` to `end`, both included; nothing where `end` is before `begin`.
  void add(int begin, int end, int64_t bytes);
  /// The last op from `begin` to `end`, both included, that has more than `limit`, or -1.
  int lastAbove(int begin, int end, int64_t limit) const;

private:
  struct Node {
    /// The most below the node, with what was added to all of it.
    int64_t most = 0;
    int64_t added = 0;
  };

  void add(size_t node, int first, int last, int begin, int end, int64_t bytes);
  int lastAbove(size_t node, int first, int last, int begin, int end, int64_t limit) const;

  /// Leaves; a power of two.
  int width = 1;
  /// Children of node n are 2n and 2n + 1; the root is 1.
  std::vector<Node> nodes;
};

} // namespace vescale

#endif // VESCALE_PASSES_COMM_BYTECOUNTS_H
