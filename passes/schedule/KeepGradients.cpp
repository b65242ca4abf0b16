//===- KeepGradients.cpp - hands gradients out to the host ----------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/Passes.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_KEEPGRADIENTSPASS
#include "passes/schedule/Passes.h.inc"

namespace {

/// The tagged value in a layout that has a global value: a partial sum, which the plan leaves to the optimizer to add
/// up, in the layout of the parameter.
Value wholeGradient(vs::TagOp tag, BlockArgument parameter) {
  Value gradient = tag.getResult();
  const layout::Layout *layout = dist::getLayout(gradient);
  if (!layout || !layout->partial())
    return gradient;
  OpBuilder builder(tag->getContext());
  builder.setInsertionPointAfter(tag);
  return builder.create<dist::RedistributeOp>(tag.getLoc(), parameter.getType(), gradient);
}

struct KeepGradientsPass : impl::KeepGradientsPassBase<KeepGradientsPass> {
  using KeepGradientsPassBase::KeepGradientsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Block &block = function.getBody().front();
    Operation *terminator = block.getTerminator();
    SmallVector<Value> results(terminator->getOperands());
    SmallVector<Type> types(function.getResultTypes());
    SmallVector<DictionaryAttr> attributes;
    for (unsigned number = 0; number < types.size(); ++number)
      attributes.push_back(function.getResultAttrDict(number));
    Builder builder(function.getContext());
    llvm::StringMap<BlockArgument> parameters;
    for (BlockArgument argument : function.getArguments())
      if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), vs::VsDialect::nameAttributeName))
        parameters[name] = argument;
    llvm::StringSet<> seen;
    // Only what is computed once can be handed out: tags in loops stay where they are.
    for (auto tag : llvm::make_early_inc_range(block.getOps<vs::TagOp>())) {
      StringRef name = tag.getName();
      if (!name.consume_back(vs::gradientSuffix))
        continue;
      if (!seen.insert(name).second) {
        tag.emitOpError() << "is the second gradient of " << name;
        return signalPassFailure();
      }
      BlockArgument parameter = parameters.lookup(name);
      if (!parameter) {
        tag.emitOpError() << "is the gradient of '" << name << "', which is no argument";
        return signalPassFailure();
      }
      Value gradient = wholeGradient(tag, parameter);
      results.push_back(gradient);
      types.push_back(gradient.getType());
      attributes.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr(vs::VsDialect::nameAttributeName, builder.getStringAttr(name)),
           builder.getNamedAttr(vs::VsDialect::roleAttributeName, builder.getStringAttr("gradient"))}));
      ++numGradients;
    }
    terminator->setOperands(results);
    function.setType(builder.getFunctionType(function.getArgumentTypes(), types));
    function.setAllResultAttrs(attributes);
  }
};

} // namespace
} // namespace vescale
