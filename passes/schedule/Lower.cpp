//===- Lower.cpp - one program for each class of devices ------------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/Passes.h"

#include "passes/memory/DeviceClasses.h"
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
    func::FuncOp function = findFunction(module);
    if (!function || failed(lower(module, function)))
      signalPassFailure();
  }

private:
  func::FuncOp findFunction(ModuleOp module) {
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    if (functions.size() == 1)
      return functions[0];
    for (func::FuncOp function : functions)
      if (function.getSymName() == functionName)
        return function;
    module.emitError() << "there is no function @" << functionName.getValue() << " among " << functions.size();
    return nullptr;
  }

  LogicalResult lower(ModuleOp module, func::FuncOp function) {
    FailureOr<layout::RankClasses> classes = findDeviceClasses(function);
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
    FailureOr<TensorTable> tensors = buildTensorTable(function, builder);
    if (failed(tensors))
      return failure();
    CollectiveIds ids = numberCollectives(function);
    for (auto [number, one] : llvm::enumerate(classes->classes())) {
      FailureOr<sched::ProgramOp> program =
          ProgramBuilder(function, one.representative, *tensors, ids, kernels).build(builder, number);
      if (failed(program))
        return failure();
      program->walk([&](sched::InstructionOpInterface) { ++numInstructions; });
    }
    numClasses += classes->size();
    numKernels += kernels.size();
    function.erase();
    return success();
  }
};

} // namespace
} // namespace vescale
