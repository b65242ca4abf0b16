//===- ProgramReduction.cpp - The small part of a program that still fails ------------------===//

#include "tests/differential/ProgramReduction.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/Wishes.h"
#include "dialects/vs/StepAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/raw_ostream.h"

#include <regex>
#include <set>

using namespace mlir;

namespace vescale::analysis {
namespace {

class Reducer {
public:
  Reducer(ModuleOp module, const std::function<bool(ModuleOp)> &fails, int trials)
      : best(module.clone()), fails(fails), trials(trials) {}

  OwningOpRef<ModuleOp> run() {
    bool smaller = true;
    while (smaller && trials > 0) {
      smaller = dropFunctions();
      smaller |= dropResults();
      smaller |= dropOps();
      smaller |= dropWishes();
      smaller |= dropAxes();
      smaller |= shrinkDims();
    }
    return std::move(best);
  }

private:
  /// Keeps the candidate if it is legal and still fails.
  bool keep(OwningOpRef<ModuleOp> candidate) {
    if (!candidate || trials <= 0)
      return false;
    for (auto function : candidate->getOps<func::FuncOp>())
      tidy(function);
    {
      ScopedDiagnosticHandler silent(candidate->getContext(), [](Diagnostic &) { return success(); });
      if (failed(verify(*candidate)))
        return false;
      --trials;
      if (!fails(*candidate))
        return false;
    }
    best = std::move(candidate);
    return true;
  }

  static SmallVector<func::FuncOp> functions(ModuleOp module) {
    return SmallVector<func::FuncOp>(module.getOps<func::FuncOp>());
  }

  /// Ops of functions in program order; positions are the same in every copy.
  static SmallVector<Operation *> ops(ModuleOp module) {
    SmallVector<Operation *> result;
    for (func::FuncOp function : functions(module))
      for (Operation &op : function.getBody().front().without_terminator())
        result.push_back(&op);
    return result;
  }

  /// Erases what nothing uses: ops, arguments, and redistributions that change nothing.
  static void tidy(func::FuncOp function) {
    Block &body = function.getBody().front();
    SmallVector<Operation *> ops;
    for (Operation &op : body.without_terminator())
      ops.push_back(&op);
    for (Operation *op : llvm::reverse(ops)) {
      if (isa<dist::RedistributeOp>(op) && op->getOperand(0).getType() == op->getResult(0).getType())
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      if (op->use_empty())
        op->erase();
    }
    for (unsigned number = function.getNumArguments(); number-- > 0;) {
      bool replaced = false;
      for (unsigned result = 0; result < function.getNumResults(); ++result)
        if (auto alias = function.getResultAttrOfType<IntegerAttr>(result, vs::aliasesAttributeName))
          replaced |= alias.getInt() == number;
      if (!replaced && function.getArgument(number).use_empty())
        eraseArgument(function, number);
    }
  }

  static void eraseArgument(func::FuncOp function, unsigned number) {
    llvm::BitVector erased(function.getNumArguments());
    erased.set(number);
    function.eraseArguments(erased);
    Builder builder(function.getContext());
    for (unsigned result = 0; result < function.getNumResults(); ++result)
      if (auto alias = function.getResultAttrOfType<IntegerAttr>(result, vs::aliasesAttributeName))
        if (alias.getInt() > number)
          function.setResultAttr(result, vs::aliasesAttributeName,
                                 builder.getI64IntegerAttr(alias.getInt() - 1));
  }

  bool dropFunctions() {
    bool smaller = false;
    for (size_t number = functions(*best).size(); number-- > 0 && functions(*best).size() > 1;) {
      OwningOpRef<ModuleOp> candidate = best->clone();
      functions(*candidate)[number].erase();
      smaller |= keep(std::move(candidate));
    }
    return smaller;
  }

  bool dropResults() {
    bool smaller = false;
    for (size_t f = 0; f < functions(*best).size(); ++f)
      for (unsigned result = functions(*best)[f].getNumResults(); result-- > 0;) {
        OwningOpRef<ModuleOp> candidate = best->clone();
        func::FuncOp function = functions(*candidate)[f];
        llvm::BitVector erased(function.getNumResults());
        erased.set(result);
        function.getBody().front().getTerminator()->eraseOperand(result);
        function.eraseResults(erased);
        smaller |= keep(std::move(candidate));
      }
    return smaller;
  }

  /// Replaces the results of each op by an operand, or by new arguments.
  bool dropOps() {
    bool smaller = false;
    for (size_t number = ops(*best).size(); number-- > 0;) {
      if (number >= ops(*best).size())
        continue;
      OwningOpRef<ModuleOp> candidate = best->clone();
      Operation *op = ops(*candidate)[number];
      bool replaced = op->getNumResults() > 0;
      for (Value result : op->getResults()) {
        auto same = llvm::find_if(op->getOperands(), [&](Value operand) {
          return operand.getType() == result.getType();
        });
        if (same == op->getOperands().end())
          replaced = false;
        else
          result.replaceAllUsesWith(*same);
      }
      if (replaced && keep(std::move(candidate))) {
        smaller = true;
        continue;
      }
      candidate = best->clone();
      op = ops(*candidate)[number];
      auto function = cast<func::FuncOp>(op->getParentOp());
      for (Value result : op->getResults()) {
        if (result.use_empty() || !isa<RankedTensorType>(result.getType()))
          continue;
        unsigned position = function.getNumArguments();
        function.insertArgument(position, result.getType(), {}, op->getLoc());
        result.replaceAllUsesWith(function.getArgument(position));
      }
      smaller |= keep(std::move(candidate));
    }
    return smaller;
  }

  bool dropWishes() {
    bool smaller = false;
    for (size_t f = 0; f < functions(*best).size(); ++f)
      for (unsigned number = 0; number < functions(*best)[f].getNumArguments(); ++number) {
        if (!functions(*best)[f].getArgAttr(number, dist::wishAttributeName))
          continue;
        OwningOpRef<ModuleOp> candidate = best->clone();
        functions(*candidate)[f].removeArgAttr(number, dist::wishAttributeName);
        smaller |= keep(std::move(candidate));
      }
    return smaller;
  }

  static const layout::Mesh *meshOf(ModuleOp module) {
    auto attribute = module->getAttrOfType<dist::MeshAttr>("dist.mesh");
    return attribute ? &attribute.getMesh() : nullptr;
  }

  static layout::SubAxis renumbered(layout::SubAxis sub, int without) {
    sub.axis -= sub.axis > without;
    return sub;
  }

  static layout::Layout without(const layout::Layout &layout, int axis, const layout::Mesh &mesh) {
    std::vector<layout::Dim> dims;
    for (const layout::Dim &dim : layout.dims()) {
      layout::Dim kept;
      for (layout::Cut cut : dim)
        if (cut.axis.axis != axis) {
          cut.axis = renumbered(cut.axis, axis);
          kept.push_back(cut);
        }
      dims.push_back(kept);
    }
    std::optional<layout::Partial> partial;
    if (layout.partial()) {
      partial = layout::Partial{layout.partial()->reduction, {}};
      for (const layout::SubAxis &sub : layout.partial()->axes)
        if (sub.axis != axis)
          partial->axes.push_back(renumbered(sub, axis));
      if (partial->axes.empty())
        partial.reset();
    }
    std::optional<layout::Ragged> ragged = layout.ragged();
    if (ragged && ragged->axis.axis == axis)
      ragged.reset();
    if (ragged)
      ragged->axis = renumbered(ragged->axis, axis);
    layout::StatusOr<layout::Layout> result = layout::Layout::get(mesh, dims, partial, ragged);
    return result.ok() ? *result : layout::Layout::replicated(mesh, layout.rank());
  }

  static layout::Wish without(const layout::Wish &wish, int axis, const layout::Mesh &mesh) {
    std::vector<layout::SubAxis> replicated;
    for (const layout::SubAxis &sub : wish.replicated())
      if (sub.axis != axis)
        replicated.push_back(renumbered(sub, axis));
    layout::StatusOr<layout::Wish> result =
        layout::Wish::get(without(wish.asked(), axis, mesh), wish.freedoms(), replicated);
    return result.ok() ? *result : layout::Wish::open(mesh, wish.rank());
  }

  /// Removes one axis from the mesh, and from all layouts and wishes.
  bool dropAxes() {
    bool smaller = false;
    const layout::Mesh *mesh = meshOf(*best);
    for (int axis = mesh ? mesh->rank() - 1 : -1; axis >= 0; --axis) {
      std::vector<layout::Axis> axes = meshOf(*best)->axes();
      axes.erase(axes.begin() + axis);
      layout::Mesh rest = *layout::Mesh::get(axes);
      OwningOpRef<ModuleOp> candidate = best->clone();
      MLIRContext *context = candidate->getContext();
      AttrTypeReplacer replacer;
      replacer.addReplacement([&](dist::MeshAttr) { return dist::MeshAttr::get(context, rest); });
      replacer.addReplacement([&](dist::LayoutAttr layout) {
        return dist::LayoutAttr::get(context, without(layout.getLayout(), axis, rest));
      });
      replacer.addReplacement([&](dist::WishAttr wish) {
        return dist::WishAttr::get(context, without(wish.getWish(), axis, rest));
      });
      replacer.recursivelyReplaceElementsIn(*candidate, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                            /*replaceTypes=*/true);
      smaller |= keep(std::move(candidate));
    }
    return smaller;
  }

  /// Gives all dims of one size another, smaller size, in the text: attributes that depend on the
  /// size make most of these modules illegal, the others need no knowledge of ops.
  bool shrinkDims() {
    bool smaller = false;
    std::string text = print(*best);
    std::set<int64_t> sizes;
    std::regex dim("([<x])([0-9]+)(?=x)");
    for (std::sregex_iterator it(text.begin(), text.end(), dim), end; it != end; ++it)
      sizes.insert(std::stoll((*it)[2]));
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
      for (int64_t less : {int64_t(1), int64_t(2), int64_t(3), *size / 2, *size - 1}) {
        if (less >= *size || less < 1)
          continue;
        std::regex one("([<x])" + std::to_string(*size) + "(?=x)");
        ParserConfig config(best->getContext());
        OwningOpRef<ModuleOp> candidate;
        {
          ScopedDiagnosticHandler silent(best->getContext(), [](Diagnostic &) { return success(); });
          candidate = parseSourceString<ModuleOp>(
              std::regex_replace(print(*best), one, "$01" + std::to_string(less)), config);
        }
        if (keep(std::move(candidate))) {
          smaller = true;
          break;
        }
      }
    return smaller;
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, OpPrintingFlags().useLocalScope());
    return stream.str();
  }

  OwningOpRef<ModuleOp> best;
  const std::function<bool(ModuleOp)> &fails;
  int trials;
};

} // namespace

OwningOpRef<ModuleOp> reduceModule(ModuleOp module, const std::function<bool(ModuleOp)> &fails,
                                   int trials) {
  return Reducer(module, fails, trials).run();
}

} // namespace vescale::analysis
