//===- CollectMemory.cpp - What lies in a device's memory, and when ----------------------------===//
//
// Lifetimes are those by which the memory stage assigned offsets (passes/memory/Storage.h). A value
// that is computed in the memory of an argument needs none of its own. Kinds of the others:
//
//   gradients    of parameters: what a tag "<parameter>.gradient" names, steps before it included
//   activations  computed until the loss is known
//   temporaries  the rest: gradients of activations, and what the optimizer computes
//
//===-----------------------------------------------------------------------------------------===//

#include "compiler/report/CollectReport.h"

#include "dialects/dist/StepInterface.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"
#include "dialects/vs/VsDialect.h"
#include "passes/memory/DeviceClasses.h"
#include "passes/memory/Storage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace vescale {

static const char *persistentKind(func::FuncOp function, unsigned argument) {
  auto role =
      function.getArgAttrOfType<StringAttr>(argument, vs::VsDialect::roleAttributeName);
  StringRef name = role ? role.getValue() : "";
  return name == vs::parameterRole ? "parameters"
         : name == vs::stateRole   ? "states"
         : name == vs::batchRole   ? "batch"
                                   : "other inputs";
}

/// The storages of what leads by steps alone to a parameter's gradient.
static llvm::DenseSet<Storage *> gradientStorages(func::FuncOp function, Storages &storages) {
  llvm::DenseSet<Storage *> found;
  function.walk([&](vs::TagOp tag) {
    if (!tag.getName().ends_with(vs::gradientSuffix))
      return;
    for (Value value = tag.getOperand(); value; value = beforeStep(value))
      if (Storage *storage = storages.find(value))
        found.insert(storage);
    for (Operation *user : tag.getResult().getUsers())
      if (isa<dist::StepOpInterface>(user))
        for (Value result : user->getResults())
          if (Storage *storage = storages.find(result))
            found.insert(storage);
  });
  return found;
}

/// The position of the op that computes the loss, before any steps that reduce it; 0 where no
/// result is called so.
static int64_t lossPosition(func::FuncOp function, Storages &storages) {
  for (unsigned number = 0; number < function.getNumResults(); ++number) {
    auto name =
        function.getResultAttrOfType<StringAttr>(number, vs::VsDialect::nameAttributeName);
    bool onlyResult = function.getNumResults() == 1;
    if (!onlyResult && (!name || name.getValue() != "loss"))
      continue;
    Value value = function.getBody().front().getTerminator()->getOperand(number);
    while (true) {
      auto tag = value.getDefiningOp<vs::TagOp>();
      Value before = tag ? tag.getOperand() : beforeStep(value);
      if (!before)
        break;
      value = before;
    }
    if (Storage *storage = storages.find(value))
      return storage->begin;
  }
  return 0;
}

static LogicalResult describe(func::FuncOp function, Report &report) {
  auto arena = function->getAttrOfType<IntegerAttr>(arenaAttributeName);
  if (!arena)
    return success();
  FailureOr<layout::RankClasses> classes = findDeviceClasses(function);
  if (failed(classes))
    return failure();
  FailureOr<Storages> storages = Storages::get(function, *classes);
  if (failed(storages))
    return failure();

  MemoryReport memory;
  memory.function = function.getName().str();
  memory.arenaBytes = arena.getInt();
  int64_t persistent = 0;
  for (BlockArgument argument : function.getArguments())
    if (Storage *storage = storages->find(argument)) {
      memory.persistent[persistentKind(function, argument.getArgNumber())] += storage->bytes;
      persistent += storage->bytes;
    }

  // Changes of what is live, by position: what begins there, and what ends before it.
  llvm::DenseSet<Storage *> gradients = gradientStorages(function, *storages);
  int64_t loss = lossPosition(function, *storages);
  std::vector<BytesByKind> changes(storages->end() + 2);
  std::vector<Operation *> opAt(storages->end() + 2, nullptr);
  for (Storage &storage : storages->all()) {
    if (storage.isFunctionArgument())
      continue;
    FailureOr<int64_t> offset = assignedOffset(storage.root);
    if (failed(offset))
      return failure();
    if (*offset < persistent)
      continue;
    const char *kind = gradients.contains(&storage) ? "gradients"
                       : storage.begin <= loss      ? "activations"
                                                    : "temporaries";
    changes[storage.begin][kind] += storage.bytes;
    changes[storage.end + 1][kind] -= storage.bytes;
    opAt[storage.begin] = storage.root.getDefiningOp();
  }
  BytesByKind live;
  int64_t total = 0, most = -1;
  for (size_t position = 0; position < changes.size(); ++position) {
    for (const auto &[kind, bytes] : changes[position]) {
      live[kind] += bytes;
      total += bytes;
    }
    if (total <= most)
      continue;
    most = total;
    memory.atPeak = live;
    memory.peakLocation = opAt[position] ? locationText(opAt[position]->getLoc()) : "";
  }
  memory.neededBytes = persistent + std::max<int64_t>(most, 0);
  report.memory.push_back(std::move(memory));
  return success();
}

LogicalResult collectMemory(ModuleOp module, Report &report) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(describe(function, report)))
      return failure();
  return success();
}

FailureOr<Report> collectReport(ModuleOp module, const layout::LinkCosts *links) {
  Report report;
  collectTensors(module, report);
  collectCollectives(module, links, report);
  if (failed(collectMemory(module, report)))
    return failure();
  return report;
}

} // namespace vescale
