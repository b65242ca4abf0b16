//===- RandomPlacement.cpp - Random legal layouts for a program -----------------------------===//

#include "tests/differential/RandomPlacement.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/RuleCheck.h"
#include "dialects/dist/Wishes.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace vescale::analysis {
namespace {

using layout::Cut;
using layout::Layout;
using layout::Mesh;
using layout::Reduction;
using layout::Shape;
using layout::SubAxis;

Shape shapeOf(Type type) {
  auto shape = cast<RankedTensorType>(type).getShape();
  return Shape(shape.begin(), shape.end());
}

/// All axes of a mesh in random order; sometimes an axis of size 4 comes as two halves.
std::vector<SubAxis> randomAxes(const Mesh &mesh, Choice &choice) {
  std::vector<SubAxis> axes;
  for (int axis = 0; axis < mesh.rank(); ++axis) {
    if (mesh.axisSize(axis) == 4 && choice.percent(25)) {
      axes.push_back({axis, 1, 2});
      axes.push_back({axis, 2, 2});
    } else {
      axes.push_back({axis, 1, mesh.axisSize(axis)});
    }
  }
  for (size_t i = axes.size(); i > 1; --i)
    std::swap(axes[i - 1], axes[choice.below(i)]);
  return axes;
}

/// A cut by this axis, sometimes interleaved or in blocks.
Cut randomCut(const SubAxis &axis, Choice &choice) {
  Cut cut{axis, 1, 1};
  if (choice.percent(10))
    cut.interleave = choice.between(2, 3);
  else if (choice.percent(10))
    cut.block = choice.between(2, 3);
  return cut;
}

/// A share of `elements` for each index of an axis, some of them 0.
layout::RunLengths randomUnits(int64_t size, int64_t elements, Choice &choice) {
  std::vector<int64_t> ends{elements};
  for (int64_t index = 1; index < size; ++index)
    ends.push_back(choice.between(0, elements));
  std::sort(ends.begin(), ends.end());
  std::vector<int64_t> units;
  for (int64_t end : ends)
    units.push_back(end - (units.empty() ? 0 : ends[units.size() - 1]));
  if (elements == 0)
    units.back() = 1;
  return layout::RunLengths(units);
}

class Placer {
public:
  Placer(const Mesh &mesh, Choice &choice) : mesh(mesh), choice(choice) {}

  LogicalResult placeBlock(Block &block);
  Layout randomLayout(Type type);
  void require(OpOperand &operand, const Layout &layout);

private:
  LogicalResult placeOp(Operation *op, dist::IndexingRuleOpInterface ruled);
  LogicalResult placeRegions(Operation *op);
  std::optional<dist::OpLayouts> tryCuts(Operation *op, const dist::IndexingRule &rule);
  dist::OpCuts randomCuts(const dist::IndexingRule &rule);
  bool legal(Operation *op, const dist::OpLayouts &layouts);

  const Mesh &mesh;
  Choice &choice;
};

/// Whether a reduction is defined on the elements of a type.
bool fits(const Layout &layout, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  ScopedDiagnosticHandler silent(type.getContext(), [](Diagnostic &) { return success(); });
  return succeeded(dist::LayoutAttr::get(type.getContext(), layout)
                       .verifyEncoding(tensor.getShape(), tensor.getElementType(), [&] {
                         return emitError(UnknownLoc::get(type.getContext()));
                       }));
}

Layout Placer::randomLayout(Type type) {
  Shape shape = shapeOf(type);
  std::vector<Reduction> reductions{Reduction::sum, Reduction::max, Reduction::min};
  if (cast<RankedTensorType>(type).getElementType().isInteger())
    reductions.insert(reductions.end(), {Reduction::bitAnd, Reduction::bitOr});
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::vector<layout::Dim> dims(shape.size());
    layout::Partial partial{choice.of(reductions), {}};
    std::optional<layout::Ragged> ragged;
    for (const SubAxis &axis : randomAxes(mesh, choice)) {
      if (choice.percent(15)) {
        partial.axes.push_back(axis);
      } else if (!shape.empty() && !ragged && choice.percent(8)) {
        ragged = layout::Ragged{axis, static_cast<int>(choice.between(1, shape.size())), {}};
      } else if (!shape.empty() && choice.percent(60)) {
        dims[choice.below(shape.size())].push_back(randomCut(axis, choice));
      }
    }
    if (ragged) {
      int64_t elements = std::accumulate(shape.begin(), shape.begin() + ragged->dims, int64_t(1),
                                         std::multiplies<>());
      for (const Cut &cut : dims[0])
        elements /= cut.axis.size;
      ragged->units = randomUnits(ragged->axis.size, elements, choice);
    }
    std::optional<layout::Partial> reduced;
    if (!partial.axes.empty())
      reduced = partial;
    layout::StatusOr<Layout> layout = Layout::get(mesh, dims, reduced, ragged);
    if (layout.ok() && fits(*layout, type))
      return *layout;
  }
  return Layout::replicated(mesh, static_cast<int>(shape.size()));
}

/// A ragged cut of leading dims of some operand or result, where the op allows it.
std::optional<dist::RaggedFactors> randomRagged(const dist::IndexingRule &rule, const SubAxis &axis,
                                                Choice &choice) {
  std::vector<dist::TensorFactors> tensors(rule.operands.begin(), rule.operands.end());
  tensors.insert(tensors.end(), rule.results.begin(), rule.results.end());
  const dist::TensorFactors &tensor = choice.of(tensors);
  if (tensor.dims.empty())
    return std::nullopt;
  auto factors = rule.raggedFactors(tensor, static_cast<int>(choice.between(1, tensor.dims.size())));
  if (!factors)
    return std::nullopt;
  int64_t elements = 1;
  for (int factor : *factors)
    elements *= rule.factors[factor].size;
  return dist::RaggedFactors{*factors, axis, randomUnits(axis.size, elements, choice)};
}

dist::OpCuts Placer::randomCuts(const dist::IndexingRule &rule) {
  dist::OpCuts cuts;
  cuts.cuts.resize(rule.factors.size());
  std::vector<int> cuttable;
  for (size_t f = 0; f < rule.factors.size(); ++f)
    if (rule.factors[f].kind == dist::FactorKind::parallel ||
        rule.factors[f].kind == dist::FactorKind::reduced)
      cuttable.push_back(static_cast<int>(f));
  for (const SubAxis &axis : randomAxes(mesh, choice)) {
    if (!rule.passes.empty() && choice.percent(20)) {
      const dist::PartialPass &pass = rule.passes[choice.below(rule.passes.size())];
      dist::PartialOperands partial{axis, pass.operandReduction, pass.operands};
      cuts.partials.push_back(partial);
    } else if (!cuts.ragged && choice.percent(8)) {
      cuts.ragged = randomRagged(rule, axis, choice);
    } else if (!cuttable.empty() && choice.percent(70)) {
      cuts.cuts[choice.of(cuttable)].push_back(randomCut(axis, choice));
    }
  }
  return cuts;
}

bool Placer::legal(Operation *op, const dist::OpLayouts &layouts) {
  for (auto [type, layout] : llvm::zip(op->getOperandTypes(), layouts.operands))
    if (isa<RankedTensorType>(type) && !fits(layout, type))
      return false;
  for (auto [type, layout] : llvm::zip(op->getResultTypes(), layouts.results))
    if (isa<RankedTensorType>(type) && !fits(layout, type))
      return false;
  return true;
}

std::optional<dist::OpLayouts> Placer::tryCuts(Operation *op, const dist::IndexingRule &rule) {
  layout::StatusOr<dist::OpCuts> cuts = randomCuts(rule);
  if (choice.percent(40)) {
    std::vector<std::optional<Layout>> operands;
    for (Value operand : op->getOperands()) {
      const Layout *layout = dist::getLayout(operand);
      operands.push_back(layout ? std::optional<Layout>(*layout) : std::nullopt);
    }
    cuts =
        dist::cutsOf(rule, mesh, operands, std::vector<std::optional<Layout>>(op->getNumResults()));
    if (!cuts.ok())
      return std::nullopt;
  }
  layout::StatusOr<dist::OpLayouts> layouts = dist::layoutsOf(rule, mesh, *cuts);
  if (!layouts.ok() || !legal(op, *layouts))
    return std::nullopt;
  return *layouts;
}

void Placer::require(OpOperand &operand, const Layout &layout) {
  auto type = dist::withLayout(cast<RankedTensorType>(operand.get().getType()), layout);
  if (type == operand.get().getType())
    return;
  OpBuilder builder(operand.getOwner());
  operand.set(
      builder.create<dist::RedistributeOp>(operand.getOwner()->getLoc(), type, operand.get()));
}

LogicalResult Placer::placeOp(Operation *op, dist::IndexingRuleOpInterface ruled) {
  dist::IndexingRule rule = ruled.getIndexingRule();
  std::optional<dist::OpLayouts> layouts;
  for (int attempt = 0; attempt < 12 && !layouts; ++attempt)
    layouts = tryCuts(op, rule);
  if (!layouts) {
    dist::OpCuts whole;
    whole.cuts.resize(rule.factors.size());
    layout::StatusOr<dist::OpLayouts> replicated = dist::layoutsOf(rule, mesh, whole);
    if (!replicated.ok())
      return op->emitOpError() << "cannot be replicated: " << replicated.message();
    layouts = *replicated;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      require(operand, layouts->operands[operand.getOperandNumber()]);
  for (OpResult result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      result.setType(dist::withLayout(type, layouts->results[result.getResultNumber()]));
  return success();
}

/// Arguments of the body have the types of the operands; a carried value has one type from the
/// initial value to the result.
LogicalResult Placer::placeRegions(Operation *op) {
  Block &body = op->getRegion(0).front();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    require(operand, randomLayout(operand.get().getType()));
    body.getArgument(operand.getOperandNumber()).setType(operand.get().getType());
  }
  for (Operation &inner : llvm::make_early_inc_range(body.without_terminator())) {
    auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(&inner);
    if (!ruled)
      return inner.emitOpError("states no indexing rule");
    if (failed(placeOp(&inner, ruled)))
      return failure();
  }
  bool carried = isa<vs::RepeatOp>(op);
  for (OpOperand &yielded : body.getTerminator()->getOpOperands()) {
    unsigned number = yielded.getOperandNumber();
    if (carried)
      if (const Layout *layout = dist::getLayout(op->getOperand(number)))
        require(yielded, *layout);
    op->getResult(number).setType(yielded.get().getType());
  }
  return success();
}

/// Whether the host writes the argument as a number of the step.
bool isScalar(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto role = function ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                               vs::VsDialect::roleAttributeName)
                       : StringAttr();
  return role && role.getValue() == vs::scalarRole;
}

LogicalResult Placer::placeBlock(Block &block) {
  for (BlockArgument argument : block.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      argument.setType(dist::withLayout(
          type, isScalar(argument) ? Layout::replicated(mesh, 0) : randomLayout(type)));
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (auto ruled = dyn_cast<dist::IndexingRuleOpInterface>(&op)) {
      if (failed(placeOp(&op, ruled)))
        return failure();
    } else if (op.getNumRegions() == 1) {
      if (failed(placeRegions(&op)))
        return failure();
    } else {
      return op.emitOpError("states no indexing rule");
    }
  }
  return success();
}

} // namespace

Mesh randomMesh(Choice &choice, int64_t devices) {
  std::vector<layout::Axis> axes;
  int64_t count = 1;
  for (int64_t axis = choice.between(1, 3); axis > 0; --axis) {
    int64_t size = choice.between(1, 4);
    if (count * size > devices)
      continue;
    axes.push_back({std::string(1, static_cast<char>('x' + axes.size())), size});
    count *= size;
  }
  std::vector<int64_t> ids;
  if (choice.percent(20)) {
    ids.resize(count);
    std::iota(ids.rbegin(), ids.rend(), 0);
  }
  return *Mesh::get(axes, ids);
}

LogicalResult placeRandomly(func::FuncOp function, const Mesh &mesh, Choice &choice) {
  Block &body = function.getBody().front();
  Placer placer(mesh, choice);
  if (failed(placer.placeBlock(body)))
    return failure();
  // What replaces an argument is laid out as it is, and what the host reads is no partial value.
  for (OpOperand &result : body.getTerminator()->getOpOperands())
    if (function.getResultAttr(result.getOperandNumber(), vs::VsDialect::nameAttributeName))
      placer.require(result, Layout::replicated(mesh, dist::getLayout(result.get())->rank()));
  for (OpOperand &result : body.getTerminator()->getOpOperands())
    if (auto alias = function.getResultAttrOfType<IntegerAttr>(result.getOperandNumber(),
                                                               vs::aliasesAttributeName))
      placer.require(result, *dist::getLayout(function.getArgument(alias.getInt())));
  function.setType(FunctionType::get(function.getContext(), body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  return success();
}

void wishRandomly(func::FuncOp function, const Mesh &mesh, Choice &choice) {
  Placer placer(mesh, choice);
  bool isStep = llvm::any_of(llvm::seq<unsigned>(0, function.getNumResults()), [&](unsigned result) {
    return function.getResultAttr(result, vs::VsDialect::nameAttributeName) != nullptr;
  });
  auto wish = [&](Type type) -> dist::WishAttr {
    Layout layout = placer.randomLayout(type);
    // What the host reads by a name cannot be partial.
    if (layout.partial() && (isStep || choice.percent(80)))
      return nullptr;
    std::vector<layout::DimFreedom> freedoms(layout.rank());
    for (layout::DimFreedom &freedom : freedoms) {
      freedom.open = choice.percent(50);
      if (choice.percent(30))
        freedom.priority = choice.below(3);
    }
    std::vector<SubAxis> replicated;
    for (const SubAxis &axis : layout.unusedAxes())
      if (choice.percent(20))
        replicated.push_back(axis);
    layout::StatusOr<layout::Wish> made = layout::Wish::get(layout, freedoms, replicated);
    return made.ok() ? dist::WishAttr::get(function.getContext(), *made) : nullptr;
  };
  Block &body = function.getBody().front();
  for (BlockArgument argument : body.getArguments())
    if (isa<RankedTensorType>(argument.getType()) && !isScalar(argument) && choice.percent(60))
      if (dist::WishAttr attribute = wish(argument.getType()))
        function.setArgAttr(argument.getArgNumber(), dist::wishAttributeName, attribute);
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    for (OpResult result : op.getResults())
      if (isa<RankedTensorType>(result.getType()) && choice.percent(15))
        if (dist::WishAttr attribute = wish(result.getType())) {
          OpBuilder builder(op.getContext());
          builder.setInsertionPointAfter(&op);
          auto constrained = builder.create<dist::ConstrainOp>(function.getLoc(), result.getType(), result,
                                                               attribute);
          result.replaceAllUsesExcept(constrained.getResult(), constrained);
        }
}

} // namespace vescale::analysis
