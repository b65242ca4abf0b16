//===- Propagate.cpp - Spreads wishes over the program ---------------------------------------===//

#include "analysis/provenance/Provenance.h"
#include "analysis/provenance/ValueNames.h"
#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"
#include "layout/Legality.h"
#include "passes/placement/ConstantSplitting.h"
#include "passes/placement/LayoutWriting.h"
#include "passes/placement/Passes.h"
#include "passes/placement/PlacementAttributes.h"
#include "passes/placement/Propagation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_PROPAGATE
#include "passes/placement/Passes.h.inc"

namespace {

class PropagatePass : public impl::PropagateBase<PropagatePass> {
public:
  using PropagateBase::PropagateBase;

  void runOnOperation() override;

private:
  LogicalResult findMesh();
  LogicalResult propagate(func::FuncOp function);
  void seed(func::FuncOp function, PropagationGraph &graph, Propagation &propagation);
  LogicalResult cutFurther(func::FuncOp function, PropagationGraph &graph,
                           Propagation &propagation);
  LogicalResult write(func::FuncOp function, PropagationGraph &graph, Propagation &propagation);
  void record(func::FuncOp function, PropagationGraph &graph, Propagation &propagation);

  std::optional<layout::Mesh> mesh;
  std::optional<MovePrices> prices;
  /// Layouts of arguments by role and name, from functions already done.
  std::map<std::pair<std::string, std::string>, layout::Layout> named;
  analysis::Provenance decisions;
};

/// The role and name of an argument, empty where it has none.
std::pair<std::string, std::string> nameOf(func::FuncOp function, unsigned argument) {
  auto text = [&](StringRef attribute) {
    auto value = function.getArgAttrOfType<StringAttr>(argument, attribute);
    return value ? value.str() : std::string();
  };
  return {text(vs::VsDialect::roleAttributeName), text(vs::VsDialect::nameAttributeName)};
}

bool hasAliases(func::FuncOp function) {
  for (unsigned result = 0; result < function.getNumResults(); ++result)
    if (function.getResultAttr(result, vs::aliasesAttributeName))
      return true;
  return false;
}

LogicalResult PropagatePass::findMesh() {
  Operation *first = nullptr;
  WalkResult walked = getOperation().walk([&](Operation *op) {
    auto meet = [&](Attribute attribute) {
      auto wish = dyn_cast_if_present<dist::WishAttr>(attribute);
      if (!wish)
        return success();
      if (!mesh) {
        mesh = wish.getWish().mesh();
        first = op;
      } else if (*mesh != wish.getWish().mesh()) {
        InFlightDiagnostic error = op->emitError() << "asks for a layout on mesh "
                                                   << wish.getWish().mesh().str()
                                                   << " where another wish is on " << mesh->str();
        error.attachNote(first->getLoc()) << "the other wish";
        return LogicalResult(error);
      }
      return success();
    };
    if (auto constrain = dyn_cast<dist::ConstrainOp>(op))
      return failed(meet(constrain.getWish())) ? WalkResult::interrupt() : WalkResult::advance();
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (failed(meet(function.getArgAttr(i, wishAttributeName))))
          return WalkResult::interrupt();
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        if (failed(meet(function.getResultAttr(i, wishAttributeName))))
          return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  if (mesh)
    return success();
  auto attribute = getOperation()->getAttrOfType<dist::MeshAttr>(meshAttributeName);
  if (!attribute)
    return emitError(getOperation().getLoc())
           << "no mesh: apply a plan, or give the module a " << meshAttributeName;
  mesh = attribute.getMesh();
  return success();
}

/// A layout that another function has decided, asked for in the rounds in which `own` asks.
layout::Wish asDecided(const layout::Layout &layout, dist::WishAttr own) {
  std::vector<layout::DimFreedom> freedoms(layout.rank());
  for (int dim = 0; own && dim < layout.rank(); ++dim)
    if (!layout.dim(dim).empty())
      freedoms[dim].priority = own.getWish().freedom(dim).priority;
  return *layout::Wish::get(layout, freedoms);
}

void PropagatePass::seed(func::FuncOp function, PropagationGraph &graph,
                         Propagation &propagation) {
  auto wish = [&](int tensor, Attribute attribute) {
    if (auto wished = dyn_cast_if_present<dist::WishAttr>(attribute); wished && tensor >= 0)
      propagation.wish(tensor, wished.getWish());
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    int tensor = graph.tensorOf(argument);
    Attribute own = function.getArgAttr(number, wishAttributeName);
    auto known = named.find(nameOf(function, number));
    // A batch of several micro-batches has another rank than that of an evaluation.
    if (tensor >= 0 && known != named.end() &&
        known->second.rank() == static_cast<int>(graph.tensors[tensor].shape.size()))
      propagation.wish(tensor, asDecided(known->second, dyn_cast_if_present<dist::WishAttr>(own)));
    wish(tensor, own);
  }
  for (unsigned result = 0; result < function.getNumResults(); ++result)
    wish(graph.results[result], function.getResultAttr(result, wishAttributeName));
  function.walk([&](dist::ConstrainOp constrain) {
    wish(graph.tensorOf(constrain.getResult()), constrain.getWish());
  });
}

LogicalResult PropagatePass::cutFurther(func::FuncOp function, PropagationGraph &graph,
                                        Propagation &propagation) {
  bool any = false;
  auto cut = [&](int tensor, ArrayAttr axes, Location location) -> LogicalResult {
    SmallVector<int> indices;
    for (StringRef name : axes.getAsValueRange<StringAttr>()) {
      std::optional<int> index = mesh->axisIndex(name);
      if (!index)
        return emitError(location) << alsoCutByAttributeName << ": mesh " << mesh->str()
                                   << " has no axis \"" << name << "\"";
      indices.push_back(*index);
    }
    any = true;
    // A scalar has no dim to cut, and needs none.
    (void)propagation.cutFurther(tensor, indices);
    return success();
  };
  // What is not cut further stays as it is, or else the further cuts would spread to it.
  for (BlockArgument argument : function.getArguments())
    if (int tensor = graph.tensorOf(argument); tensor >= 0)
      if (!function.getArgAttr(argument.getArgNumber(), alsoCutByAttributeName))
        graph.tensors[tensor].closed.set();
  for (BlockArgument argument : function.getArguments())
    if (auto axes = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                         alsoCutByAttributeName))
      if (int tensor = graph.tensorOf(argument); tensor >= 0)
        if (failed(cut(tensor, axes, argument.getLoc())))
          return failure();
  WalkResult walked = function.getBody().walk([&](Operation *op) {
    if (auto axes = op->getAttrOfType<ArrayAttr>(alsoCutByAttributeName))
      for (Value result : op->getResults())
        if (int tensor = graph.tensorOf(result); tensor >= 0)
          if (failed(cut(tensor, axes, op->getLoc())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  if (any)
    propagation.runAgain();
  return success();
}

/// Puts redistributions where the layouts that an edge joins differ.
void joinEdges(func::FuncOp function) {
  auto join = [](OpOperand &source, Type type) {
    OpBuilder builder(source.getOwner());
    source.set(redistributed(builder, source.getOwner()->getLoc(), source.get(), type));
  };
  function.walk([&](dist::DataFlowOpInterface op) {
    for (const dist::DataFlowEdge &edge : op.getDataFlowEdges())
      for (OpOperand *source : edge.sources)
        join(*source, edge.targets.front().getType());
  });
  Operation *end = function.getBody().front().getTerminator();
  for (auto [operand, type] : llvm::zip(end->getOpOperands(), function.getResultTypes()))
    join(operand, type);
}

/// Ops that only spoke to propagation become redistributions, or nothing.
void dropHints(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<dist::ConstrainOp, dist::BarrierOp, dist::GroupOp>(op))
      return;
    OpBuilder builder(op);
    Value value =
        redistributed(builder, op->getLoc(), op->getOperand(0), op->getResult(0).getType());
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  });
}

LogicalResult PropagatePass::write(func::FuncOp function, PropagationGraph &graph,
                                   Propagation &propagation) {
  for (size_t tensor = 0; tensor < graph.tensors.size(); ++tensor) {
    Value value = graph.values[tensor];
    if (!value)
      continue;
    ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
    layout::Layout layout = propagation.layoutOf(static_cast<int>(tensor));
    if (layout::Status legal =
            layout::checkLegal(layout, layout::Shape(shape.begin(), shape.end()));
        !legal.ok())
      return emitError(value.getLoc())
             << "propagation gives a tensor the layout " << layout.str() << ": " << legal.message();
  }
  for (BlockArgument argument : function.getArguments())
    if (int tensor = graph.tensorOf(argument); tensor >= 0) {
      auto name = nameOf(function, argument.getArgNumber());
      if (!name.second.empty())
        named.try_emplace(name, propagation.layoutOf(tensor));
    }
  writeLayouts(
      function,
      [&](Value value) -> std::optional<layout::Layout> {
        int tensor = graph.tensorOf(value);
        return tensor < 0 ? std::nullopt : std::optional(propagation.layoutOf(tensor));
      },
      [&](unsigned result) -> std::optional<layout::Layout> {
        int tensor = graph.results[result];
        return tensor < 0 ? std::nullopt : std::optional(propagation.layoutOf(tensor));
      });
  dropHints(function);
  joinEdges(function);
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.removeArgAttr(i, wishAttributeName);
    function.removeArgAttr(i, alsoCutByAttributeName);
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    function.removeResultAttr(i, StringAttr::get(&getContext(), wishAttributeName));
  function.walk([](Operation *op) { op->removeAttr(alsoCutByAttributeName); });
  return success();
}

/// The names of the axes by which a dim is cut now and was not before.
std::vector<std::string> freshAxes(const layout::Mesh &mesh, const layout::Dim &before,
                                   const layout::Dim &after) {
  std::vector<std::string> names;
  for (const layout::Cut &cut : after) {
    const std::string &name = mesh.axis(cut.axis.axis).name;
    bool known = llvm::any_of(before, [&](const layout::Cut &old) {
      return old.axis.axis == cut.axis.axis;
    });
    if (!known && !llvm::is_contained(names, name))
      names.push_back(name);
  }
  return names;
}

/// Where a node's other tensors have what it gave to `dim` of a tensor: the one that it learned from
/// if that has the factor, else one that is cut alike. Returns the tensor and its dim, or -1 twice.
std::pair<int, int> sourceOf(const GraphNode &node, const PropagationDecision &decision, int dim,
                             llvm::ArrayRef<std::vector<layout::Dim>> dims) {
  auto position = llvm::find(node.tensors, decision.tensor) - node.tensors.begin();
  const auto &factors = node.factorsOf(static_cast<int>(position)).dims[dim];
  std::pair<int, int> best = {decision.source, -1};
  for (size_t other = 0; other < node.tensors.size(); ++other) {
    int tensor = node.tensors[other];
    if (tensor < 0 || tensor == decision.tensor)
      continue;
    const auto &otherDims = node.factorsOf(static_cast<int>(other)).dims;
    for (int d = 0; d < static_cast<int>(otherDims.size()); ++d) {
      bool shares = llvm::any_of(otherDims[d], [&](int factor) {
        return llvm::is_contained(factors, factor);
      });
      bool cutAlike = shares && llvm::any_of(dims[tensor][d], [&](const layout::Cut &cut) {
        return llvm::any_of(decision.dims[dim], [&](const layout::Cut &mine) {
          return mine.axis.axis == cut.axis.axis;
        });
      });
      if (cutAlike && (tensor == decision.source || best.second < 0))
        best = {tensor, d};
    }
  }
  return best;
}

void PropagatePass::record(func::FuncOp function, PropagationGraph &graph,
                           Propagation &propagation) {
  std::vector<std::vector<layout::Dim>> dims;
  for (const TensorState &tensor : graph.tensors)
    dims.emplace_back(tensor.dims.size());
  for (const PropagationDecision &decision : propagation.decisions()) {
    analysis::LayoutDecision record;
    record.function = function.getName().str();
    record.value = analysis::describe(function, graph.values[decision.tensor]);
    record.layout = layout::Layout::fromChecked(*mesh, decision.dims).str();
    record.round = decision.round;
    record.step = decision.step;
    record.strategy = decision.further                                     ? "further"
                      : decision.strategy == PropagationStrategy::basic ? "basic"
                                                                        : "aggressive";
    std::vector<layout::Dim> before = std::move(dims[decision.tensor]);
    dims[decision.tensor] = decision.dims;
    for (size_t dim = 0; dim < decision.dims.size(); ++dim) {
      record.axes = freshAxes(*mesh, before[dim], decision.dims[dim]);
      if (record.axes.empty())
        continue;
      record.dim = static_cast<int>(dim);
      if (decision.node >= 0) {
        const GraphNode &node = graph.nodes[decision.node];
        auto [source, sourceDim] = sourceOf(node, decision, record.dim, dims);
        record.source = source < 0 ? "" : analysis::describe(function, graph.values[source]);
        record.sourceDim = sourceDim;
        record.through = node.op ? analysis::describe(node.op) : "";
      }
      decisions.record(record);
    }
  }
}

LogicalResult PropagatePass::propagate(func::FuncOp function) {
  splitConstants(function);
  FailureOr<PropagationGraph> graph = PropagationGraph::ofFunction(function);
  if (failed(graph))
    return failure();
  Propagation propagation(*graph, *mesh, {subAxes, aggressive, &*prices});
  seed(function, *graph, propagation);
  propagation.run();
  if (failed(cutFurther(function, *graph, propagation)))
    return failure();
  decided += propagation.decisions().size();
  visited += propagation.visits();
  if (!provenance.empty())
    record(function, *graph, propagation);
  return write(function, *graph, propagation);
}

void PropagatePass::runOnOperation() {
  if (failed(findMesh()))
    return signalPassFailure();
  layout::StatusOr<analysis::CostModel> costs = analysis::CostModel::read(cluster);
  if (!costs.ok()) {
    emitError(getOperation().getLoc()) << costs.message();
    return signalPassFailure();
  }
  prices.emplace(*costs);
  std::vector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  std::stable_partition(functions.begin(), functions.end(), hasAliases);
  for (func::FuncOp function : functions)
    if (failed(propagate(function)))
      return signalPassFailure();
  getOperation()->setAttr(meshAttributeName, dist::MeshAttr::get(&getContext(), *mesh));
  if (provenance.empty())
    return;
  std::error_code error;
  llvm::raw_fd_ostream file(provenance, error);
  file << decisions.json();
  file.close();
  if (error || file.has_error()) {
    emitError(getOperation().getLoc()) << provenance << ": cannot write the record of decisions";
    return signalPassFailure();
  }
}

} // namespace
} // namespace vescale
