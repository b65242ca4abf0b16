//===- Lower.cpp - one program for each class of devices ------------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/Passes.h"

#include "passes/memory/DeviceClasses.h"
#include "passes/memory/KeptArguments.h"
#include "passes/schedule/KernelLibrary.h"
#include "passes/schedule/ProgramBuilder.h"
#include "passes/schedule/TensorTable.h"

#include "dialects/dist/DistAttributes.h"
#include "runtime/format/ClassMap.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_LOWERPASS
#include "passes/schedule/Passes.h.inc"

namespace {

struct LowerPass : impl::LowerPassBase<LowerPass> {
  using LowerPassBase::LowerPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions = definedFunctions(module);
    if (failed(putFirst(module, functions)) || failed(lower(module, functions)))
      signalPassFailure();
  }

private:
  /// Makes the function that steps run the first.
  LogicalResult putFirst(ModuleOp module, SmallVectorImpl<func::FuncOp> &functions) {
    auto first = llvm::find_if(
        functions, [&](func::FuncOp function) { return function.getSymName() == functionName; });
    if (functions.size() == 1)
      return success();
    if (first == functions.end())
      return module.emitError() << "there is no function @" << functionName.getValue() << " among "
                                << functions.size();
    std::rotate(functions.begin(), first, std::next(first));
    return success();
  }

  LogicalResult lower(ModuleOp module, ArrayRef<func::FuncOp> functions) {
    func::FuncOp function = functions.front();
    FailureOr<layout::RankClasses> classes = findDeviceClasses(functions);
    if (failed(classes))
      return failure();
    OpBuilder builder(function);
    auto kernelModule = builder.create<ModuleOp>(module.getLoc(), kernelModuleName);
    KernelLibrary kernels(kernelModule);

    runtime::ClassMap map = runtime::classMapOf(*classes);
    auto integers = [&](const std::vector<uint32_t> &values) {
      return builder.getDenseI64ArrayAttr(SmallVector<int64_t>(values.begin(), values.end()));
    };
    SmallVector<Attribute> lengths, kinds;
    for (const runtime::AxisKinds &axis : map.axes) {
      lengths.push_back(integers(axis.lengths));
      kinds.push_back(integers(axis.kinds));
    }
    auto schedule = builder.create<sched::ScheduleOp>(
        function.getLoc(), function.getSymName(),
        dist::MeshAttr::get(builder.getContext(), classes->mesh()), "cpu", builder.getArrayAttr(lengths),
        builder.getArrayAttr(kinds), integers(map.classes), FloatAttr());
    builder.setInsertionPointToEnd(&schedule.getBody().emplaceBlock());
    TensorTableBuilder tensors(builder);
    CollectiveIds ids = numberCollectives(functions);
    for (func::FuncOp one : functions) {
      FailureOr<TensorTable> table = tensors.build(one);
      if (failed(table))
        return failure();
      for (auto [number, rankClass] : llvm::enumerate(classes->classes())) {
        FailureOr<sched::ProgramOp> program =
            ProgramBuilder(one, rankClass.representative, *table, ids, kernels).build(builder, number);
        if (failed(program))
          return failure();
        program->walk([&](sched::InstructionOpInterface) { ++numInstructions; });
      }
    }
    numClasses += classes->size();
    numKernels += kernels.size();
    for (func::FuncOp one : functions)
      one.erase();
    return success();
  }
};

} // namespace
} // namespace vescale
