//===- IterationSpace.cpp - the outer parallel loop of a fused group ------===//

#include "passes/codegen/IterationSpace.h"

#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/vs/VsTraits.h"
#include "passes/codegen/ElementInterface.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace vescale {
namespace {

/// A buffer that lives on the kernel's stack must stay far below a thread's stack size.
constexpr int64_t maxBufferBytes = 256 * 1024;

RankedTensorType tensorType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

/// Index values and 0-D tensors are the same for all elements.
bool isUniform(Value value) {
  RankedTensorType type = tensorType(value);
  return !type || type.getRank() == 0;
}

bool isPointwise(Operation *op, const dist::IndexingRule &rule) {
  if (!isa<ElementOpInterface>(op))
    return false;
  // The formula of any other op takes an index for each dim (a slice, random numbers).
  bool spreadsScalar = op->getNumOperands() == 1 && tensorType(op->getOperand(0)) && isUniform(op->getOperand(0));
  if (!op->hasTrait<vs::Elementwise>() && !matchPattern(op, m_Constant()) && !spreadsScalar)
    return false;
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)) && !constant.isSplat())
    return false;
  for (auto [operand, factors] : llvm::zip_equal(op->getOperands(), rule.operands))
    if (!isUniform(operand) && factors.dims != rule.results[0].dims)
      return false; // transpose of a square
  return llvm::all_of(rule.factors, [](const dist::Factor &f) { return f.kind == dist::FactorKind::parallel; });
}

/// Follows row dims from results to operands through indexing rules.
class RowDimMap {
public:
  RowDimMap(ArrayRef<Operation *> ops, OpFacts &facts) : ops(ops), facts(facts) {}

  /// Starts from `value` with its dims `dims`; a second, different assignment makes the value invalid.
  void assign(Value value, const RowDims &dims) {
    auto [it, inserted] = map.try_emplace(value, dims);
    if (!inserted && it->second != dims)
      invalid.insert(value);
  }

  void propagate() {
    for (Operation *op : llvm::reverse(ops))
      for (OpResult result : op->getResults()) {
        auto it = map.find(result);
        if (it == map.end())
          continue;
        RowDims dims = it->second;
        propagateThrough(op, result.getResultNumber(), dims, invalid.contains(result));
      }
  }

  /// The row dims of a value if they are unique and each row dim larger than 1 is one of them.
  std::optional<RowDims> get(Value value, ArrayRef<int64_t> rows) const {
    auto it = map.find(value);
    if (it == map.end() || invalid.contains(value))
      return std::nullopt;
    for (auto [row, size] : llvm::enumerate(rows))
      if (size != 1 && llvm::count(it->second, static_cast<int>(row)) != 1)
        return std::nullopt;
    return it->second;
  }

private:
  void propagateThrough(Operation *op, unsigned resultNumber, const RowDims &dims, bool bad) {
    const dist::IndexingRule *rule = facts.of(op).rule.get();
    llvm::SmallDenseMap<int, int> rowOfFactor;
    if (rule && !bad) {
      for (auto [dim, row] : llvm::enumerate(dims)) {
        if (row < 0)
          continue;
        int factor = singleFactor(*rule, rule->results[resultNumber].dims[dim]);
        if (factor < 0 || rule->factors[factor].kind != dist::FactorKind::parallel) {
          bad |= tensorType(op->getResult(resultNumber)).getDimSize(dim) != 1;
          continue;
        }
        rowOfFactor[factor] = row;
      }
    }
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      RankedTensorType type = tensorType(operand);
      if (!type)
        continue;
      RowDims operandDims(type.getRank(), -1);
      bool operandBad = bad || !rule;
      if (!operandBad)
        for (auto [dim, factors] : llvm::enumerate(rule->operands[number].dims))
          for (int factor : factors) {
            auto it = rowOfFactor.find(factor);
            if (it == rowOfFactor.end())
              continue;
            if (singleFactor(*rule, factors) == factor)
              operandDims[dim] = it->second;
            else
              operandBad = true;
          }
      assign(operand, operandDims);
      if (operandBad)
        invalid.insert(operand);
    }
  }

  /// The only factor of a dim that is larger than 1, or -1.
  static int singleFactor(const dist::IndexingRule &rule, ArrayRef<int> factors) {
    int found = -1;
    for (int factor : factors) {
      if (rule.factors[factor].size == 1)
        continue;
      if (found >= 0)
        return -1;
      found = factor;
    }
    return found;
  }

  ArrayRef<Operation *> ops;
  OpFacts &facts;
  llvm::DenseMap<Value, RowDims> map;
  llvm::DenseSet<Value> invalid;
};

/// The analysis of one block for one candidate form.
class Finder {
public:
  Finder(ArrayRef<Operation *> ops, ArrayRef<Value> outputs, OpFacts &facts)
      : ops(ops), facts(facts), inside(ops.begin(), ops.end()), outputs(outputs.begin(), outputs.end()) {}

  std::optional<IterationSpace> find() {
    if (outputs.empty() || !collectMaterialized())
      return std::nullopt;
    if (std::optional<IterationSpace> space = tryFlat())
      return space;
    if (hasLeadingReduction())
      if (std::optional<IterationSpace> space = tryColumns())
        return space;
    int maxRows = INT_MAX;
    for (Value output : outputs)
      maxRows = std::min<int>(maxRows, tensorType(output).getRank());
    for (int numRows = maxRows; numRows >= 0; --numRows)
      if (std::optional<IterationSpace> space = tryRows(numRows))
        return space;
    return std::nullopt;
  }

private:
  /// Decides which values get a buffer; false where an op has none of the forms of this file.
  bool collectMaterialized() {
    for (Operation *op : ops) {
      bool onIndices = llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
      if (onIndices)
        continue; // Offset arithmetic.
      auto accumulation = dyn_cast<AccumulationOpInterface>(op);
      if (!accumulation && !isa<ElementOpInterface>(op))
        return false;
      // 0-D values of 0-D values are scalars of the kernel, not buffers.
      bool scalar = llvm::all_of(op->getOperands(), [](Value operand) {
        RankedTensorType type = tensorType(operand);
        return !type || type.getRank() == 0;
      });
      for (Value result : op->getResults()) {
        bool reused = !(scalar && tensorType(result).getRank() == 0) && !isCheap(result, [&](Operation *o) { return inside.contains(o); }) &&
                      !result.hasOneUse() && usedByTwo(result);
        if (outputs.contains(result) || accumulation || reused)
          materialized.insert(result);
      }
    }
    // An output that is an argument of the group is copied.
    for (Value output : outputs)
      materialized.insert(output);
    return true;
  }

  /// Whether two different ops use the value.
  static bool usedByTwo(Value value) {
    Operation *first = *value.getUsers().begin();
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return user != first; });
  }

  bool isAccumulation(Value value) const {
    return isa_and_nonnull<AccumulationOpInterface>(value.getDefiningOp());
  }

  std::optional<IterationSpace> tryFlat() {
    RankedTensorType type = tensorType(outputs[0]);
    auto sameShape = [&](Value value) {
      RankedTensorType other = tensorType(value);
      return other && other.getShape() == type.getShape();
    };
    auto sameShapeOrScalar = [&](Value value) { return isUniform(value) || sameShape(value); };
    if (type.getRank() == 0 || !llvm::all_of(outputs, sameShape))
      return std::nullopt;
    for (Operation *op : ops) {
      if (!facts.of(op).isPointwise || !llvm::all_of(op->getOperands(), sameShapeOrScalar) ||
          !llvm::all_of(op->getResults(), sameShapeOrScalar))
        return std::nullopt;
    }
    IterationSpace space;
    space.form = IterationSpace::Form::flat;
    space.rows = {type.getNumElements()};
    space.run = flatRun;
    space.materialized = materialized;
    for (Value value : materialized)
      space.rowDims[value] = RowDims(type.getRank(), 0);
    return space;
  }

  /// Whether a reduction keeps the last dim of its operand.
  bool hasLeadingReduction() const {
    for (Operation *op : ops)
      if (auto accumulation = dyn_cast<AccumulationOpInterface>(op)) {
        SmallVector<int64_t> dims = accumulation.getAccumulatedDims();
        int64_t rank = tensorType(op->getOperand(0)).getRank();
        if (!dims.empty() && dims.back() != rank - 1)
          return true;
      }
    return false;
  }

  std::optional<IterationSpace> tryColumns() {
    int64_t size = -1;
    RowDimMap map(ops, facts);
    for (Value output : outputs) {
      RankedTensorType type = tensorType(output);
      if (type.getRank() == 0 || (size >= 0 && type.getShape().back() != size))
        return std::nullopt;
      size = type.getShape().back();
      RowDims dims(type.getRank(), -1);
      dims.back() = 0;
      map.assign(output, dims);
    }
    IterationSpace space;
    space.form = IterationSpace::Form::columns;
    space.rows = {size};
    space.run = columnRun;
    return finish(space, map);
  }

  std::optional<IterationSpace> tryRows(int numRows) {
    IterationSpace space;
    space.form = IterationSpace::Form::rows;
    ArrayRef<int64_t> shape = tensorType(outputs[0]).getShape().take_front(numRows);
    space.rows.assign(shape.begin(), shape.end());
    RowDimMap map(ops, facts);
    for (Value output : outputs) {
      RankedTensorType type = tensorType(output);
      if (type.getShape().take_front(numRows) != shape)
        return std::nullopt;
      // Inner loops vectorise over what a row leaves of a value.
      bool hasInner = type.getRank() > numRows || isAccumulation(output);
      if (!hasInner && numRows > 0)
        return std::nullopt;
      RowDims dims(type.getRank(), -1);
      for (int dim = 0; dim < numRows; ++dim)
        dims[dim] = dim;
      map.assign(output, dims);
    }
    return finish(space, map);
  }

  std::optional<IterationSpace> finish(IterationSpace space, RowDimMap &map) {
    map.propagate();
    for (Value value : materialized) {
      std::optional<RowDims> dims = map.get(value, space.rows);
      if (!dims)
        return std::nullopt;
      int64_t bytes = tensorType(value).getElementTypeBitWidth() / 8 + 1;
      for (auto [dim, row] : llvm::enumerate(*dims)) {
        if (row < 0)
          bytes *= tensorType(value).getDimSize(dim);
        else if (space.form == IterationSpace::Form::columns)
          bytes *= space.run;
      }
      if (!outputs.contains(value) && bytes > maxBufferBytes)
        return std::nullopt;
      space.rowDims[value] = *dims;
    }
    space.materialized = materialized;
    return space;
  }

  ArrayRef<Operation *> ops;
  OpFacts &facts;
  llvm::DenseSet<Operation *> inside;
  llvm::SetVector<Value> outputs;
  llvm::SetVector<Value> materialized;
};

} // namespace

int64_t IterationSpace::extent() const {
  int64_t product = 1;
  for (int64_t size : rows)
    product *= size;
  return form == Form::rows ? product : (product + run - 1) / run;
}

bool isCheap(Value value, llvm::function_ref<bool(Operation *)> isInside) {
  Operation *op = value.getDefiningOp();
  if (!op || !isInside(op))
    return true;
  if (!isa<ElementOpInterface>(op))
    return false;
  Value source;
  for (Value operand : op->getOperands())
    if (tensorType(operand)) {
      if (source)
        return false;
      source = operand;
    }
  if (!source)
    return true;
  // An elementwise function keeps its operand's type; ops that move or convert elements change it.
  return tensorType(source) != tensorType(value) && isCheap(source, isInside);
}

const OpFacts::Fact &OpFacts::of(Operation *op) {
  auto [entry, isNew] = facts.try_emplace(op);
  Fact &fact = entry->second;
  if (isNew)
    if (auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(op)) {
      fact.rule = std::make_unique<dist::IndexingRule>(ruled.getIndexingRule());
      fact.isPointwise = isPointwise(op, *fact.rule);
    }
  return fact;
}

std::optional<IterationSpace> findIterationSpace(ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
                                                 OpFacts &facts) {
  return Finder(ops, outputs, facts).find();
}

std::optional<IterationSpace> findIterationSpace(ArrayRef<Operation *> ops, ArrayRef<Value> outputs) {
  OpFacts facts;
  return findIterationSpace(ops, outputs, facts);
}

} // namespace vescale
