//===- Evaluation.h - What an op of one device means ----------------------------------------===//
//
// Each family of ops states the meaning of its ops in a file of its own, as simple loops over the
// elements of plain tensors, and adds them to a table under their names.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_EVALUATION_H
#define VESCALE_ANALYSIS_INTERPRETER_EVALUATION_H

#include "analysis/interpreter/Tensor.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace vescale::analysis {

using Operands = llvm::ArrayRef<const Tensor *>;
using Results = llvm::FailureOr<llvm::SmallVector<Tensor>>;
/// Computes the results of an op from its operands; fails with an error at the op.
using Evaluate = Results (*)(mlir::Operation *op, Operands operands);

/// The meaning of each op, by its name.
class EvaluationTable {
public:
  template <class Op, Results (*evaluate)(Op, Operands)> void add() {
    table[Op::getOperationName()] = [](mlir::Operation *op, Operands operands) {
      return evaluate(llvm::cast<Op>(op), operands);
    };
  }
  void add(llvm::StringRef name, Evaluate evaluate) { table[name] = evaluate; }

  /// Null where the table does not have the op.
  Evaluate lookup(llvm::StringRef name) const { return table.lookup(name); }

  /// All ops of vs but those with regions, and the arithmetic on indices in local forms.
  static const EvaluationTable &get();

private:
  llvm::StringMap<Evaluate> table;
};

// One a family.
void addCreation(EvaluationTable &table);
void addElementwise(EvaluationTable &table);
void addContraction(EvaluationTable &table);
void addReduction(EvaluationTable &table);
void addShape(EvaluationTable &table);
void addIndexing(EvaluationTable &table);
void addState(EvaluationTable &table);
void addLayers(EvaluationTable &table);
void addAttention(EvaluationTable &table);
void addConvolution(EvaluationTable &table);
void addIndexArithmetic(EvaluationTable &table);

/// The element type of a tensor type, an index type or a generator; nothing for other types.
std::optional<ElementType> elementTypeOf(mlir::Type type);
/// A tensor of zeros of this type, which has an element type. A layout of the type is ignored.
Tensor zerosOf(mlir::Type type);
inline Tensor zerosOf(mlir::Value value) { return zerosOf(value.getType()); }

inline Results one(Tensor result) {
  llvm::SmallVector<Tensor> results;
  results.push_back(std::move(result));
  return results;
}

/// A tensor as (outer, size of the dim, inner), so that element (o, i, n) stands at
/// (o * size + i) * inner + n.
struct Along {
  Along(const Shape &shape, int64_t dim) : size(shape[dim]) {
    for (int64_t d = 0; d < dim; ++d)
      outer *= shape[d];
    for (size_t d = dim + 1; d < shape.size(); ++d)
      inner *= shape[d];
  }
  int64_t at(int64_t o, int64_t i, int64_t n) const { return (o * size + i) * inner + n; }
  int64_t outer = 1, size, inner = 1;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_EVALUATION_H
