//===- LayoutCells.cpp - Each op, each factor of its rule, each kind of layout --------------===//

#include "tests/unit/vs/rules/LayoutCells.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/VsDialect.h"
#include "dialects/vs/rules/Rules.h"
#include "layout/Legality.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"

#include <fmt/format.h>

#include <algorithm>

using namespace mlir;
using vescale::dist::IndexingRule;
using vescale::dist::OpCuts;
using vescale::dist::OpLayouts;

namespace vescale::rulecoverage {

void registerDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, func::FuncDialect, dist::DistDialect, vs::VsDialect>();
  vs::registerIndexingRules(registry);
}

OwningOpRef<ModuleOp> readSamples(MLIRContext &context) {
  return parseSourceFile<ModuleOp>("tests/unit/vs/rules/samples.mlir", &context);
}

Operation *sampledOp(func::FuncOp sample) { return &sample.getBody().front().front(); }

const char *name(LayoutKind kind) {
  static constexpr const char *names[numLayoutKinds] = {
      "whole", "even", "uneven", "empty", "partial", "interleaved", "block", "sub-axis", "ragged"};
  return names[static_cast<int>(kind)];
}

layout::StatusOr<OpLayouts> layoutsOf(Operation *op, const IndexingRule &rule,
                                      const layout::Mesh &mesh, const OpCuts &cuts) {
  layout::StatusOr<OpLayouts> layouts = dist::layoutsOf(rule, mesh, cuts);
  if (!layouts.ok())
    return layouts;
  auto check = [](const auto &values, const std::vector<layout::Layout> &given) {
    for (auto [value, layout] : llvm::zip(values, given))
      if (auto tensor = dyn_cast<RankedTensorType>(value.getType())) {
        layout::Status legal = layout::checkLegal(
            layout, layout::Shape(tensor.getShape().begin(), tensor.getShape().end()));
        if (!legal.ok())
          return legal;
      }
    return layout::Status();
  };
  if (layout::Status legal = check(op->getOperands(), layouts->operands); !legal.ok())
    return legal;
  if (layout::Status legal = check(op->getResults(), layouts->results); !legal.ok())
    return legal;
  return layouts;
}

namespace {

layout::Mesh meshOf(int64_t cutting) { return *layout::Mesh::get({{"a", cutting}, {"b", 2}}); }

/// The smallest size of an axis above 1 for which `wanted` holds; 0 where there is none.
int64_t smallestAxis(int64_t limit, function_ref<bool(int64_t)> wanted) {
  for (int64_t size = 2; size <= limit; ++size)
    if (wanted(size))
      return size;
  return 0;
}

/// One way of cutting a factor; without a mesh where its size has none.
struct FactorCut {
  std::optional<layout::Mesh> mesh;
  layout::Cut cut;
};

FactorCut cutOf(int64_t n, LayoutKind kind) {
  auto whole = [](int64_t axis, int64_t interleave = 1, int64_t block = 1) {
    return FactorCut{meshOf(axis), {{0, 1, axis}, interleave, block}};
  };
  auto evenly = [&](int64_t size) { return n % size == 0; };
  auto shortly = [&](int64_t size) {
    int64_t chunk = (n + size - 1) / size;
    return n % size != 0 && (size - 1) * chunk < n;
  };
  int64_t axis = 0;
  switch (kind) {
  case LayoutKind::even:
  case LayoutKind::partial:
    axis = smallestAxis(n, evenly);
    return axis ? whole(axis) : FactorCut();
  case LayoutKind::uneven:
    axis = smallestAxis(n, shortly);
    return axis ? whole(axis) : FactorCut();
  case LayoutKind::empty:
    return whole(n + 1);
  case LayoutKind::interleaved:
    return n % 4 == 0 ? whole(2, 2) : FactorCut();
  case LayoutKind::block:
    return n > 3 ? whole(2, 1, 3) : FactorCut();
  case LayoutKind::subAxis:
    return FactorCut{meshOf(4), {{0, 1, 2}, 1, 1}};
  case LayoutKind::whole:
  case LayoutKind::ragged:
    break;
  }
  return FactorCut();
}

/// Tries cuts; what is accepted, or the last refusal, goes to the cell.
void tryCuts(Operation *op, const IndexingRule &rule, const OpCuts &cuts, Cell &cell) {
  layout::StatusOr<OpLayouts> layouts = layoutsOf(op, rule, cell.mesh, cuts);
  if (layouts.ok())
    cell.accepted.push_back(*layouts);
  else
    cell.refusal = layouts.message();
}

/// Whether values of this type can be joined so: bits of real numbers cannot.
bool hasReduction(Type type, layout::Reduction reduction) {
  bool bitwise = reduction == layout::Reduction::bitAnd || reduction == layout::Reduction::bitOr;
  return !bitwise || !isa<FloatType>(cast<RankedTensorType>(type).getElementType());
}

/// The factor is cut by "a" while operands are partial over "b", in each way that passes.
void tryPartial(Operation *op, const IndexingRule &rule, OpCuts cuts, Cell &cell) {
  cell.refusal = "no operand may be partial";
  for (const dist::PartialPass &pass : rule.passes) {
    if (!hasReduction(op->getOperand(pass.operands.front()).getType(), pass.operandReduction))
      continue;
    cuts.partials = {{{1, 1, 2}, pass.operandReduction, pass.operands}};
    tryCuts(op, rule, cuts, cell);
  }
}

/// A ragged cut of the dims up to the one that has the factor, in the first tensor that allows it.
void tryRagged(Operation *op, const IndexingRule &rule, int factor, OpCuts cuts, Cell &cell) {
  cell.refusal = "the op does not keep flattened dims together";
  for (ArrayRef<dist::TensorFactors> tensors :
       {ArrayRef<dist::TensorFactors>(rule.results), ArrayRef<dist::TensorFactors>(rule.operands)})
    for (const dist::TensorFactors &tensor : tensors)
      for (size_t dim = 0; dim < tensor.dims.size(); ++dim) {
        if (!llvm::is_contained(tensor.dims[dim], factor) || !cell.accepted.empty())
          continue;
        std::optional<llvm::SmallVector<int, 4>> flat =
            rule.raggedFactors(tensor, static_cast<int>(dim) + 1);
        if (!flat)
          continue;
        int64_t length = 1;
        for (int part : *flat)
          length *= rule.factors[part].size;
        cuts.ragged = dist::RaggedFactors{
            *flat, {0, 1, 3}, layout::RunLengths(std::vector<int64_t>{1, 0, length - 1})};
        tryCuts(op, rule, cuts, cell);
      }
}

Cell cellOf(Operation *op, const IndexingRule &rule, int factor, LayoutKind kind) {
  Cell cell;
  cell.factor = factor;
  cell.kind = kind;
  cell.mesh = meshOf(3);
  OpCuts cuts;
  cuts.cuts.resize(rule.factors.size());
  if (kind == LayoutKind::whole) {
    tryCuts(op, rule, cuts, cell);
    return cell;
  }
  if (kind == LayoutKind::ragged) {
    tryRagged(op, rule, factor, cuts, cell);
    return cell;
  }
  int64_t size = rule.factors[factor].size;
  FactorCut cut = cutOf(size, kind);
  if (!cut.mesh) {
    cell.refusal = fmt::format("{} elements have no such cut", size);
    return cell;
  }
  cell.mesh = *cut.mesh;
  cuts.cuts[factor] = {cut.cut};
  if (kind == LayoutKind::partial)
    tryPartial(op, rule, cuts, cell);
  else
    tryCuts(op, rule, cuts, cell);
  return cell;
}

} // namespace

std::vector<Cell> cellsOf(Operation *op) {
  IndexingRule rule = cast<dist::IndexingRuleOpInterface>(op).getIndexingRule();
  std::vector<Cell> cells;
  for (int factor = 0; factor < static_cast<int>(rule.factors.size()); ++factor)
    if (rule.factors[factor].size > 1)
      for (int kind = 0; kind < numLayoutKinds; ++kind)
        cells.push_back(cellOf(op, rule, factor, static_cast<LayoutKind>(kind)));
  return cells;
}

namespace {

/// Random cuts of random factors over three axes.
class RandomCuts {
public:
  RandomCuts(Operation *op, const IndexingRule &rule, std::mt19937 &random)
      : op(op), rule(rule), random(random) {
    std::vector<layout::Axis> axes;
    for (const char *name : {"x", "y", "z"})
      axes.push_back({name, 1 + pick(4)});
    mesh = *layout::Mesh::get(axes);
    cuts.cuts.resize(rule.factors.size());
    std::vector<int> order = {0, 1, 2};
    std::shuffle(order.begin(), order.end(), random);
    for (int axis : order)
      use(axis);
  }

  layout::Mesh mesh;
  OpCuts cuts;

private:
  int64_t pick(int64_t count) { return static_cast<int64_t>(random() % count); }

  void use(int axis) {
    layout::SubAxis part{axis, 1, mesh.axes()[axis].size};
    if (pick(4) == 0 && !rule.passes.empty()) {
      const dist::PartialPass &pass = rule.passes[pick(rule.passes.size())];
      if (hasReduction(op->getOperand(pass.operands.front()).getType(), pass.operandReduction))
        cuts.partials.push_back({part, pass.operandReduction, pass.operands});
      return;
    }
    if (pick(5) == 0 || rule.factors.empty())
      return;
    layout::Dim &dim = cuts.cuts[pick(rule.factors.size())];
    layout::Cut cut{part, 1, 1};
    if (int64_t form = pick(6); form == 0)
      cut.interleave = 2;
    else if (form == 1)
      cut.block = 2 + pick(2);
    dim.push_back(cut);
  }

  Operation *op;
  const IndexingRule &rule;
  std::mt19937 &random;
};

} // namespace

std::vector<RandomLayouts> randomLayouts(Operation *op, std::mt19937 &random, int count) {
  IndexingRule rule = cast<dist::IndexingRuleOpInterface>(op).getIndexingRule();
  std::vector<RandomLayouts> drawn;
  for (int round = 0; round < 10 * count && static_cast<int>(drawn.size()) < count; ++round) {
    RandomCuts cuts(op, rule, random);
    layout::StatusOr<OpLayouts> layouts = layoutsOf(op, rule, cuts.mesh, cuts.cuts);
    if (layouts.ok())
      drawn.push_back({cuts.mesh, *layouts});
  }
  return drawn;
}

OwningOpRef<ModuleOp> placed(Operation *op, const OpLayouts &layouts) {
  auto laidOut = [](TypeRange types, const std::vector<layout::Layout> &given) {
    SmallVector<Type> result;
    for (auto [type, layout] : llvm::zip(types, given)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      result.push_back(tensor ? Type(dist::withLayout(tensor, layout)) : type);
    }
    return result;
  };
  SmallVector<Type> inputs = laidOut(op->getOperandTypes(), layouts.operands);
  SmallVector<Type> outputs = laidOut(op->getResultTypes(), layouts.results);
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto function =
      builder.create<func::FuncOp>(op->getLoc(), "main", builder.getFunctionType(inputs, outputs));
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> results =
      dist::cloneLocal(op, builder, ValueRange(function.getArguments()), outputs);
  builder.create<func::ReturnOp>(op->getLoc(), results);
  return module;
}

} // namespace vescale::rulecoverage
