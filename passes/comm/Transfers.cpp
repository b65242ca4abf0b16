//===- Transfers.cpp - The steps of a block that send, and what they depend on ------------===//

#include "passes/comm/Transfers.h"

#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/LayoutTypes.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

using namespace mlir;

namespace vescale {
namespace {

bool isWait(Operation &op) {
  return op.getNumOperands() == 1 && isa<dist::FutureType>(op.getOperand(0).getType());
}

bool isTransfer(Operation &op) {
  auto step = dyn_cast<dist::StepOpInterface>(op);
  return step && !layout::isLocal(step.getStepKind());
}

/// The values that hold the result of pair `number`.
SmallVector<Value, 1> resultsOf(dist::StepOpInterface step, unsigned number) {
  Value result = step->getResult(number);
  if (!isa<dist::FutureType>(result.getType()))
    return {result};
  SmallVector<Value, 1> values;
  for (Operation *wait : result.getUsers())
    values.push_back(wait->getResult(0));
  return values;
}

} // namespace

Transfers::Transfers(Block &block) {
  DenseMap<Operation *, int> opIndex, transferIndex;
  for (Operation &op : block) {
    if (isTransfer(op)) {
      transferIndex[&op] = static_cast<int>(all.size());
      all.push_back({cast<dist::StepOpInterface>(op), {}, 0, {}, 0});
    } else if (!isWait(op)) {
      opIndex[&op] = static_cast<int>(ops.size());
      ops.push_back(&op);
    }
  }
  neededByOp.resize(ops.size());
  afterOp.resize(ops.size());
  afterTransfer.resize(all.size());

  // What a value comes from: a transfer where it is one's result.
  auto transferOf = [&](Value value) -> int {
    Operation *producer = value.getDefiningOp();
    if (producer && producer->getBlock() == &block && isWait(*producer))
      producer = producer->getOperand(0).getDefiningOp();
    auto it = transferIndex.find(producer);
    return it == transferIndex.end() ? -1 : it->second;
  };
  for (auto [number, transfer] : llvm::enumerate(all)) {
    llvm::SmallSetVector<std::pair<int, int>, 4> inputs;
    for (Value before : transfer.step.getBefore()) {
      if (int other = transferOf(before); other >= 0)
        inputs.insert({1, other});
      else if (auto it = opIndex.find(before.getDefiningOp()); it != opIndex.end())
        inputs.insert({0, it->second});
    }
    transfer.inputs = static_cast<int>(inputs.size());
    for (auto [isTransferInput, index] : inputs)
      (isTransferInput != 0 ? afterTransfer : afterOp)[index].push_back(static_cast<int>(number));
    for (unsigned pair = 0; pair < transfer.step->getNumResults(); ++pair)
      transfer.results.push_back(resultsOf(transfer.step, pair));
  }
  // From the end, so that the needs of later transfers are known.
  for (int number = static_cast<int>(all.size()); number-- > 0;) {
    Transfer &transfer = all[number];
    int last = static_cast<int>(ops.size()) - 1;
    llvm::SmallSetVector<int, 4> users;
    for (auto &values : transfer.results) {
      int need = last;
      for (Value value : values)
        for (Operation *user : value.getUsers()) {
          Operation *here = block.findAncestorOpInBlock(*user);
          if (auto it = opIndex.find(here); it != opIndex.end()) {
            users.insert(it->second);
            need = std::min(need, it->second);
          } else if (auto other = transferIndex.find(here); other != transferIndex.end()) {
            need = std::min(need, all[other->second].need);
          }
        }
      transfer.needs.push_back(need);
    }
    transfer.need = *std::min_element(transfer.needs.begin(), transfer.needs.end());
    for (int user : users)
      neededByOp[user].push_back(number);
  }
  for (auto &needed : neededByOp)
    llvm::sort(needed, [&](int a, int b) {
      return std::make_pair(all[a].need, a) < std::make_pair(all[b].need, b);
    });

  using Key = std::tuple<int, std::string, std::string, std::vector<int64_t>>;
  std::map<Key, int> known;
  for (const Transfer &transfer : all) {
    dist::StepOpInterface step = transfer.step;
    std::vector<int64_t> axes;
    for (const layout::SubAxis &axis : dist::stepAxes(step))
      axes.insert(axes.end(), {axis.axis, axis.pre, axis.size});
    std::string element;
    llvm::raw_string_ostream(element) << getElementTypeOrSelf(step.getBefore()[0]);
    Key key{static_cast<int>(step.getStepKind()), dist::getLayout(step.getBefore()[0])->mesh().str(), element, axes};
    keys.push_back(known.try_emplace(key, static_cast<int>(known.size())).first->second);
  }
  keyCount = static_cast<int>(known.size());
}

} // namespace vescale
