//===- AssignBuffers.cpp - gives each value its place in the arena --------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/memory/Passes.h"

#include "passes/memory/ArenaAllocator.h"
#include "passes/memory/DeviceClasses.h"
#include "passes/memory/KeptArguments.h"
#include "passes/memory/Storage.h"

#include "dialects/sched/SchedDialect.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/IR/Builders.h"

#include <map>
#include <numeric>

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_ASSIGNBUFFERSPASS
#include "passes/memory/Passes.h.inc"

namespace {

/// Arguments in the order in which they lie in the arena.
SmallVector<unsigned> argumentOrder(func::FuncOp function) {
  auto rank = [&](unsigned argument) {
    auto role = function.getArgAttrOfType<StringAttr>(argument, vs::VsDialect::roleAttributeName);
    StringRef name = role ? role.getValue() : "";
    return name == vs::parameterRole ? 0 : name == vs::stateRole ? 1 : name == vs::batchRole ? 2 : 3;
  };
  SmallVector<unsigned> order(function.getNumArguments());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
  return order;
}

struct AssignBuffersPass : impl::AssignBuffersPassBase<AssignBuffersPass> {
  using AssignBuffersPassBase::AssignBuffersPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<sched::SchedDialect>();
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions = definedFunctions(getOperation());
    SmallVector<Storages, 2> storages;
    for (func::FuncOp function : functions) {
      FailureOr<layout::RankClasses> classes = findDeviceClasses(function);
      if (failed(classes))
        return signalPassFailure();
      FailureOr<Storages> own = Storages::get(function, *classes);
      if (failed(own) || failed(checkAliases(function)) || failed(bindReplacements(*own)))
        return signalPassFailure();
      storages.push_back(std::move(*own));
    }
    FailureOr<int64_t> kept = placeKept(functions, storages);
    if (failed(kept))
      return signalPassFailure();
    persistentBytes += *kept;
    int64_t largest = 0;
    for (auto [function, own] : llvm::zip_equal(functions, storages)) {
      int64_t persistent = placeArguments(function, own, *kept);
      int64_t arena = placeOthers(own, persistent);
      largest = std::max(largest, arena);
      if (memoryBudget > 0 && arena > memoryBudget) {
        reportBudget(function, own, persistent, arena);
        return signalPassFailure();
      }
      write(function, own, arena);
    }
    arenaBytes += largest;
  }

private:
  /// Checks which argument each result replaces.
  static LogicalResult checkAliases(func::FuncOp function) {
    llvm::SmallDenseMap<int64_t, unsigned> resultOf;
    for (unsigned number = 0; number < function.getNumResults(); ++number) {
      auto alias = function.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName);
      if (!alias)
        continue;
      int64_t argument = alias.getInt();
      if (argument < 0 || argument >= function.getNumArguments())
        return function.emitError() << "result " << number << " aliases argument " << argument
                                    << ", there are " << function.getNumArguments();
      Type type = function.getArgumentTypes()[argument], resultType = function.getResultTypes()[number];
      if (type != resultType)
        return function.emitError() << "result " << number << " of type " << resultType
                                    << " aliases argument " << argument << " of another type, " << type;
      auto [first, isNew] = resultOf.try_emplace(argument, number);
      if (!isNew)
        return function.emitError() << "results " << first->second << " and " << number
                                    << " both alias argument " << argument;
    }
    return success();
  }

  /// Decides which values are computed in the memory of what they replace.
  LogicalResult bindReplacements(Storages &storages) {
    for (const Replacement &replacement : storages.replacements()) {
      Storage *value = storages.find(replacement.value), *target = storages.find(replacement.target);
      if (value == target)
        continue;
      if (storages.canReplace(*value, *target, replacement)) {
        value->replaces = storages.indexOf(*target);
        ++inPlace;
        continue;
      }
      // It is copied at the end of the block, where nothing may need what was there.
      if (llvm::is_contained(target->uses, replacement.position))
        return replacement.terminator->emitOpError()
               << "hands on what a copy replaces: a value of type " << replacement.target.getType();
      ++copied;
    }
    return success();
  }

  /// Places the parameters of all functions, then the states; returns the bytes of all of them.
  static FailureOr<int64_t> placeKept(MutableArrayRef<func::FuncOp> functions, MutableArrayRef<Storages> storages) {
    std::map<KeptName, Storage *> known;
    int64_t offset = 0;
    for (bool states : {false, true})
      for (auto [function, own] : llvm::zip_equal(functions, storages))
        for (BlockArgument argument : function.getArguments()) {
          std::optional<KeptName> name = keptName(function, argument.getArgNumber());
          Storage *storage = own.find(argument);
          if (!name || name->first != states || !storage)
            continue;
          auto [entry, isNew] = known.try_emplace(*name, storage);
          Storage &first = *entry->second;
          if (isNew) {
            storage->offset = offset;
            offset += storage->bytes;
            continue;
          }
          if (first.root.getType() != argument.getType()) {
            InFlightDiagnostic diagnostic = emitError(argument.getLoc())
                                            << "\"" << name->second << "\" is kept between functions, but is "
                                            << argument.getType() << " in @" << function.getSymName() << " and "
                                            << first.root.getType() << " elsewhere";
            diagnostic.attachNote(first.root.getLoc()) << "the other argument of this name";
            return diagnostic;
          }
          storage->offset = first.offset;
        }
    return offset;
  }

  static int64_t placeArguments(func::FuncOp function, Storages &storages, int64_t offset) {
    for (unsigned argument : argumentOrder(function))
      if (Storage *storage = storages.find(function.getArgument(argument)); storage && storage->offset < 0) {
        storage->offset = offset;
        offset += storage->bytes;
      }
    return offset;
  }

  /// Allocates in program order; storages are sorted by their begin already.
  static int64_t placeOthers(Storages &storages, int64_t persistent) {
    ArenaAllocator allocator(persistent);
    SmallVector<SmallVector<Storage *, 2>> releases(storages.end() + 1);
    int64_t released = 0;
    for (Storage &storage : storages.all()) {
      if (storage.offset >= 0)
        continue;
      if (storage.replaces >= 0) {
        storage.offset = storages.all()[storage.replaces].offset;
        continue;
      }
      for (; released < storage.begin; ++released)
        for (Storage *old : releases[released])
          allocator.release(old->offset, old->bytes);
      storage.offset = allocator.allocate(storage.bytes);
      releases[storage.end].push_back(&storage);
    }
    return allocator.size();
  }

  void reportBudget(func::FuncOp function, Storages &storages, int64_t persistent, int64_t arena) {
    SmallVector<Storage *> largest;
    for (Storage &storage : storages.all())
      if (!storage.isFunctionArgument() && storage.replaces < 0)
        largest.push_back(&storage);
    llvm::stable_sort(largest, [](Storage *a, Storage *b) { return a->bytes > b->bytes; });
    InFlightDiagnostic diagnostic =
        function.emitError() << "needs " << arena << " bytes on a device, the budget is " << memoryBudget.getValue()
                             << ": " << persistent << " for parameters, states and inputs, "
                             << arena - persistent << " for what the step computes; cut more tensors, "
                             << "recompute, or accumulate over smaller batches";
    for (Storage *storage : ArrayRef(largest).take_front(3))
      diagnostic.attachNote(storage->root.getLoc())
          << storage->bytes << " bytes for a value of type " << storage->root.getType()
          << ", needed over " << storage->end - storage->begin << " ops";
  }

  static void write(func::FuncOp function, Storages &storages, int64_t arena) {
    Builder builder(function.getContext());
    function->setAttr(arenaAttributeName, builder.getI64IntegerAttr(arena));
    for (BlockArgument argument : function.getArguments())
      if (Storage *storage = storages.find(argument))
        function.setArgAttr(argument.getArgNumber(), offsetAttributeName,
                            builder.getI64IntegerAttr(storage->offset));
    function.walk([&](Operation *op) {
      SmallVector<int64_t> offsets;
      bool any = false;
      for (Value value : op->getResults()) {
        Storage *storage = storages.find(value);
        offsets.push_back(storage ? storage->offset : -1);
        any |= storage != nullptr;
      }
      if (any)
        op->setAttr(offsetsAttributeName, builder.getDenseI64ArrayAttr(offsets));
    });
  }
};

} // namespace
} // namespace vescale
