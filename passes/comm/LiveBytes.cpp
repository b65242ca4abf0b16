//===- LiveBytes.cpp - What lies in memory while the ops of a block run -------------------===//

#include "passes/comm/LiveBytes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace vescale {
namespace {

/// The most bytes that are live at once of storages whose positions in the function are given.
int64_t peakOf(ArrayRef<const Storage *> storages) {
  std::vector<std::pair<int64_t, int64_t>> events;
  for (const Storage *storage : storages) {
    events.push_back({storage->begin, storage->bytes});
    events.push_back({storage->end + 1, -storage->bytes});
  }
  llvm::sort(events);
  int64_t bytes = 0, peak = 0;
  for (auto [position, change] : events)
    peak = std::max(peak, bytes += change);
  return peak;
}

/// Until which op the operands of a transfer are live that stands before one op and is over before
/// another.
int readEnd(int before, int over) { return std::max(before, over - 1); }

} // namespace

LiveBytes::LiveBytes(Block &block, const Transfers &transfers, Storages &storages, int64_t budget)
    : transfers(transfers), resultLives(transfers.all.size()), operandLives(transfers.all.size()),
      live(transfers.ops.size()) {
  // What is computed in the memory of what it replaces takes none of its own.
  llvm::SmallSet<int, 16> free;
  for (const Replacement &replacement : storages.replacements())
    if (Storage *storage = storages.find(replacement.value))
      free.insert(storages.indexOf(*storage));

  DenseMap<int, int> lifeOf;
  DenseMap<Operation *, int> opIndex;
  for (auto [index, op] : llvm::enumerate(transfers.ops))
    opIndex[op] = static_cast<int>(index);
  std::vector<SmallVector<const Storage *>> inside(transfers.ops.size());
  SmallVector<const Storage *> all;
  for (Storage &storage : storages.all()) {
    int number = storages.indexOf(storage);
    Operation *producer = storage.root.getDefiningOp();
    if (!producer || storage.bytes == 0 || free.contains(number))
      continue;
    Operation *here = block.findAncestorOpInBlock(*producer);
    if (!here)
      continue;
    all.push_back(&storage);
    auto index = opIndex.find(here);
    if (here != producer) {
      inside[index->second].push_back(&storage);
      continue;
    }
    Life life;
    life.bytes = storage.bytes;
    life.begin = life.lastOp = index == opIndex.end() ? -1 : index->second;
    lifeOf[number] = static_cast<int>(lives.size());
    lives.push_back(life);
  }
  mostBytes = std::max(budget, peakOf(all));

  auto findLife = [&](Value value) -> int {
    Storage *storage = storages.find(value);
    auto it = storage ? lifeOf.find(storages.indexOf(*storage)) : lifeOf.end();
    return it == lifeOf.end() ? -1 : it->second;
  };
  for (auto [number, transfer] : llvm::enumerate(transfers.all)) {
    readUntil.push_back(readEnd(transfer.need, transfer.need));
    dist::StepOpInterface step = transfer.step;
    for (Value result : step->getResults())
      if (int life = findLife(result); life >= 0) {
        lives[life].begin = transfer.need;
        resultLives[number].push_back(life);
      }
    for (Value operand : step.getBefore())
      if (int life = findLife(operand); life >= 0) {
        operandLives[number].push_back(life);
        lives[life].readers.push_back(static_cast<int>(number));
      }
  }
  for (auto [index, op] : llvm::enumerate(transfers.ops))
    for (Value operand : op->getOperands())
      if (int life = findLife(operand); life >= 0)
        lives[life].lastOp = std::max(lives[life].lastOp, static_cast<int>(index));
  for (Life &life : lives) {
    life.end = endOf(life, {}, 0, 0);
    live.add(life.begin, life.end, life.bytes);
  }
  for (auto [index, storagesInside] : llvm::enumerate(inside))
    live.add(static_cast<int>(index), static_cast<int>(index), peakOf(storagesInside));
}

int LiveBytes::endOf(const Life &life, const Members &members, int before, int over) const {
  int end = std::max(life.lastOp, life.begin);
  for (int reader : life.readers)
    end = std::max(end, members.contains(reader)
                            ? readEnd(before, std::min(over, transfers.all[reader].need))
                            : readUntil[reader]);
  return end;
}

SmallVector<LiveBytes::Change> LiveBytes::changes(ArrayRef<int> members, int before, int over) const {
  SmallVector<Change> result;
  Members set(members.begin(), members.end());
  llvm::SmallSetVector<int, 8> operands;
  for (int member : members) {
    for (int life : resultLives[member])
      if (before < lives[life].begin)
        result.push_back({before, lives[life].begin - 1, lives[life].bytes});
    operands.insert(operandLives[member].begin(), operandLives[member].end());
  }
  for (int life : operands)
    if (int end = endOf(lives[life], set, before, over); end < lives[life].end)
      result.push_back({end + 1, lives[life].end, -lives[life].bytes});
  return result;
}

bool LiveBytes::allows(ArrayRef<int> members, int before, int over, int &after) const {
  SmallVector<Change> all = changes(members, before, over);
  int last = before;
  for (const Change &change : all)
    if (change.bytes > 0)
      last = std::max(last, change.end);
  // What is more from an op on, up to the next one.
  SmallVector<std::pair<int, int64_t>> steps;
  for (const Change &change : all) {
    steps.push_back({std::max(change.begin, before), change.bytes});
    steps.push_back({change.end + 1, -change.bytes});
  }
  llvm::sort(steps);
  int64_t more = 0;
  for (const auto &step : steps)
    more += step.second;
  // From the end, for the last op at which it is too much.
  int end = last;
  for (auto [begin, bytes] : llvm::reverse(steps)) {
    if (begin <= end && more > 0)
      if (int op = live.lastAbove(begin, end, mostBytes - more); op >= 0) {
        after = op + 1;
        return false;
      }
    end = std::min(end, begin - 1);
    more -= bytes;
  }
  return true;
}

void LiveBytes::place(ArrayRef<int> members, int before, int over) {
  for (const Change &change : changes(members, before, over))
    live.add(change.begin, change.end, change.bytes);
  for (int member : members) {
    readUntil[member] = readEnd(before, std::min(over, transfers.all[member].need));
    for (int life : resultLives[member])
      lives[life].begin = std::min(lives[life].begin, before);
  }
  for (int member : members)
    for (int life : operandLives[member])
      lives[life].end = endOf(lives[life], {}, 0, 0);
}

} // namespace vescale
