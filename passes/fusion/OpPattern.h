//===- OpPattern.h - what ops compute, as keys ------------------*- C++ -*-===//
//
// Layers repeat: what a pass finds out about an op or a group holds for all that are alike. A pattern is a list
// of words that two ops share only if they compute the same. It leaves out what equal layers differ in:
// locations, names, and the numbers of their random draws.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_FUSION_OPPATTERN_H
#define VESCALE_PASSES_FUSION_OPPATTERN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Hashing.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace vescale {

/// Types and attributes stand for themselves by their address, which is unique in a context.
using Pattern = std::vector<uintptr_t>;

struct PatternHash {
  size_t operator()(const Pattern &pattern) const { return llvm::hash_combine_range(pattern.begin(), pattern.end()); }
};

template <typename T> using PatternMap = std::unordered_map<Pattern, T, PatternHash>;

/// The name, attributes and types of an op without regions; not which values it takes.
Pattern patternOfOp(mlir::Operation *op);

struct GroupPattern {
  /// The ops of the group in their order, each as patternOfOp, with the values that they take.
  Pattern words;
  /// For each generator among the operands, in order, the smallest draw id of its users; `words` counts from it.
  llvm::SmallVector<int64_t, 1> firstDraws;
};

/// The pattern of an op with one region of one block, which takes the operands as arguments.
GroupPattern patternOfGroup(mlir::Operation *group);

/// The smallest draw id of a generator's users; 0 where none has one.
int64_t firstDrawOf(mlir::Value generator);

} // namespace vescale

#endif // VESCALE_PASSES_FUSION_OPPATTERN_H
