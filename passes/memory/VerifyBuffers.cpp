//===- VerifyBuffers.cpp - no two live values overlap in the arena --------===//
//
// Sweeps over the positions of the function. What is live is kept by offset, so that each value is
// compared with its neighbours only.
//
//===----------------------------------------------------------------------===//

#include "passes/memory/Passes.h"

#include "passes/memory/DeviceClasses.h"
#include "passes/memory/KeptArguments.h"
#include "passes/memory/Storage.h"

#include <map>

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_VERIFYBUFFERSPASS
#include "passes/memory/Passes.h.inc"

namespace {

struct VerifyBuffersPass : impl::VerifyBuffersPassBase<VerifyBuffersPass> {
  using VerifyBuffersPassBase::VerifyBuffersPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions = definedFunctions(getOperation());
    SmallVector<Storages, 2> storages;
    for (func::FuncOp function : functions) {
      FailureOr<layout::RankClasses> classes = findDeviceClasses(function);
      if (failed(classes))
        return signalPassFailure();
      FailureOr<Storages> own = Storages::get(function, *classes);
      if (failed(own) || failed(readOffsets(function, *own)) || failed(sweep(function, *own)))
        return signalPassFailure();
      storages.push_back(std::move(*own));
    }
    if (failed(verifyKept(functions, storages)))
      signalPassFailure();
  }

private:
  /// Checks that kept tensors lie at one place in all functions, and nothing else in functions without them.
  static LogicalResult verifyKept(MutableArrayRef<func::FuncOp> functions, MutableArrayRef<Storages> storages) {
    std::map<KeptName, Storage *> kept;
    for (auto [function, own] : llvm::zip_equal(functions, storages))
      for (BlockArgument argument : function.getArguments()) {
        std::optional<KeptName> name = keptName(function, argument.getArgNumber());
        Storage *storage = own.find(argument);
        if (!name || !storage)
          continue;
        auto [entry, isNew] = kept.try_emplace(*name, storage);
        if (!isNew && (entry->second->offset != storage->offset || entry->second->bytes != storage->bytes))
          return emitError(argument.getLoc())
                 << "\"" << name->second << "\" is kept between functions, but lies in " << storage->bytes
                 << " bytes at offset " << storage->offset << " in @" << function.getSymName() << " and in "
                 << entry->second->bytes << " bytes at offset " << entry->second->offset << " elsewhere";
      }
    for (auto [function, own] : llvm::zip_equal(functions, storages)) {
      // What this function has is compared with its other values by the sweep.
      std::map<KeptName, Storage *> others = kept;
      for (BlockArgument argument : function.getArguments())
        if (std::optional<KeptName> name = keptName(function, argument.getArgNumber()))
          others.erase(*name);
      std::map<int64_t, std::pair<Storage *, StringRef>> byOffset;
      for (auto &[name, storage] : others)
        if (storage->bytes > 0)
          byOffset[storage->offset] = {storage, name.second};
      for (Storage &storage : own.all()) {
        auto next = byOffset.upper_bound(storage.offset);
        auto overlapping = [&](auto it) {
          return it->first < storage.offset + storage.bytes && storage.offset < it->first + it->second.first->bytes;
        };
        auto found = next != byOffset.begin() && overlapping(std::prev(next)) ? std::prev(next) : next;
        if (storage.bytes > 0 && found != byOffset.end() && overlapping(found))
          return emitError(storage.root.getLoc())
                 << "a value of @" << function.getSymName() << " lies in bytes [" << storage.offset << ", "
                 << storage.offset + storage.bytes << ") of the arena, where \"" << found->second.second
                 << "\" is kept for other functions";
      }
    }
    return success();
  }

  static LogicalResult readOffsets(func::FuncOp function, Storages &storages) {
    auto arena = function->getAttrOfType<IntegerAttr>(arenaAttributeName);
    if (!arena)
      return function.emitError() << "has no " << arenaAttributeName << ": run sched-assign-buffers";
    for (Storage &storage : storages.all()) {
      FailureOr<int64_t> offset = assignedOffset(storage.root);
      if (failed(offset))
        return failure();
      storage.offset = *offset;
      if (*offset < 0 || *offset % 64 != 0 || *offset + storage.bytes > arena.getInt())
        return emitError(storage.root.getLoc())
               << "a value of " << storage.bytes << " bytes at offset " << *offset
               << " does not lie at a multiple of 64 in the arena of " << arena.getInt() << " bytes";
    }
    WalkResult checked = function.walk([&](Operation *op) {
      for (Value value : op->getResults())
        if (Storage *storage = storages.find(value)) {
          FailureOr<int64_t> offset = assignedOffset(value);
          if (failed(offset))
            return WalkResult::interrupt();
          if (*offset != storage->offset) {
            op->emitOpError() << "is a view of a value at offset " << storage->offset << ", but lies at "
                              << *offset;
            return WalkResult::interrupt();
          }
        }
      return WalkResult::advance();
    });
    return failure(checked.wasInterrupted());
  }

  /// Notes what lies in the memory of what it replaces, and lets arguments live to the end of the step unless
  /// they are replaced so. Fails where the old content is still needed.
  static LogicalResult bindReplacements(func::FuncOp function, Storages &storages) {
    for (const Replacement &replacement : storages.replacements()) {
      Storage *value = storages.find(replacement.value), *target = storages.find(replacement.target);
      if (value == target || value->offset != target->offset || value->bytes == 0)
        continue;
      if (!storages.canReplace(*value, *target, replacement)) {
        InFlightDiagnostic diagnostic = emitError(value->root.getLoc())
                                        << "is computed in the memory of a value that is still needed";
        diagnostic.attachNote(target->root.getLoc()) << "this value lies there";
        return diagnostic;
      }
      value->replaces = storages.indexOf(*target);
    }
    for (BlockArgument argument : function.getArguments())
      if (Storage *storage = storages.find(argument))
        storage->end = storages.end();
    return success();
  }

  static LogicalResult sweep(func::FuncOp function, Storages &storages) {
    if (failed(bindReplacements(function, storages)))
      return failure();
    std::map<int64_t, Storage *> live;
    std::multimap<int64_t, Storage *> ends;
    for (Storage &storage : storages.all()) {
      if (storage.bytes == 0 || storage.replaces >= 0)
        continue;
      while (!ends.empty() && ends.begin()->first < storage.begin) {
        live.erase(ends.begin()->second->offset);
        ends.erase(ends.begin());
      }
      auto next = live.lower_bound(storage.offset);
      Storage *above = next == live.end() ? nullptr : next->second;
      Storage *below = next == live.begin() ? nullptr : std::prev(next)->second;
      for (Storage *other : {above, below}) {
        if (!other || other->offset >= storage.offset + storage.bytes ||
            storage.offset >= other->offset + other->bytes)
          continue;
        InFlightDiagnostic diagnostic = emitError(storage.root.getLoc())
                                        << "bytes [" << storage.offset << ", "
                                        << storage.offset + storage.bytes
                                        << ") of the arena are still needed by another value";
        diagnostic.attachNote(other->root.getLoc())
            << "this value lies in [" << other->offset << ", " << other->offset + other->bytes << ")";
        return diagnostic;
      }
      live[storage.offset] = &storage;
      ends.insert({storage.end, &storage});
    }
    return success();
  }
};

} // namespace
} // namespace vescale
