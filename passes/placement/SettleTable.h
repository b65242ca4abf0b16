//===- SettleTable.h - Who needs which value where, and what that costs ------------------------===//
//
// The side table of settling. A *unit* is an op (or a component of one that shares no factor with
// the others), an edge of data flow, or a redistribution that stays as it is; its *option* says in
// which layouts it takes its operands and gives its results. A value costs the redistributions
// from the layout in which its producer gives it to those in which its users take it; what several
// users need alike is made once. All in seconds, with a grain more for each redistribution and for
// each result that stays partial, so that equal prices have an order.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_PASSES_PLACEMENT_SETTLETABLE_H
#define VESCALE_PASSES_PLACEMENT_SETTLETABLE_H

#include "passes/placement/OptionMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace vescale {

struct SettleUnit {
  mlir::Operation *op = nullptr;
  /// Null for edges and for redistributions that stay.
  std::shared_ptr<const SettleRule> rule;
  /// An edge joins all its values in one layout.
  bool isEdge = false;
  /// Values, -1 for what is not a tensor.
  llvm::SmallVector<int, 4> operands, results;
  /// The numbers of the op's operands and results that they are.
  llvm::SmallVector<int, 4> operandNumbers, resultNumbers;
  /// How often the unit runs in one run of the function.
  double runs = 1;
  const SettleOption *option = nullptr;

  size_t size() const { return operands.size() + results.size(); }
  int value(size_t position) const {
    return position < operands.size() ? operands[position] : results[position - operands.size()];
  }
};

struct SettleValue {
  mlir::Value value;
  int shape = 0;
  int64_t elementBytes = 4;
  /// An argument of the function: each use makes its own copy.
  bool isArgument = false;
  bool isParameter = false;
  /// The layout in which it is given, and the one that propagation wants.
  int given = -1, wanted = -1;
  /// The layouts in which it is taken, how often, and the runs of the most frequent user.
  struct Taken {
    int layout;
    int count;
    double runs;
  };
  llvm::SmallVector<Taken, 2> taken;
  /// Units that give or take it.
  llvm::SmallVector<int, 4> units;
  int producer = -1;
  double price = 0;
};

/// The moves of one value: each a layout that is made from another one, in an order in which
/// sources come first.
struct ValueMove {
  int from, to;
};

class SettleTable {
public:
  SettleTable(mlir::func::FuncOp function, OptionMemory &options)
      : function(function), options(options), prices(options.prices) {}

  /// Fails, with an error at the op, where an op with tensors states no rule.
  mlir::LogicalResult build();

  std::vector<SettleUnit> units;
  std::vector<SettleValue> values;

  int valueOf(mlir::Value value) const;
  /// Gives a unit an option; returns by how much the price of everything grows.
  double assign(int unit, const SettleOption *option);
  /// The redistributions of a value, by which its price is the sum.
  std::vector<ValueMove> movesOf(const SettleValue &value) const;
  /// The price of everything.
  double total() const;

  mlir::func::FuncOp function;
  OptionMemory &options;
  MovePrices &prices;

private:
  int addValue(mlir::Value value);
  mlir::LogicalResult addBlock(mlir::Block &block, double runs);
  mlir::LogicalResult addOp(mlir::Operation *op, double runs);
  void addUnit(SettleUnit unit);
  /// A use in a layout that is given from outside.
  void addFixedUse(mlir::Value value, mlir::Type type);
  double priceOf(const SettleValue &value, std::vector<ValueMove> *moves) const;

  llvm::DenseMap<mlir::Value, int> numbers;
};

} // namespace vescale

#endif // VESCALE_PASSES_PLACEMENT_SETTLETABLE_H
