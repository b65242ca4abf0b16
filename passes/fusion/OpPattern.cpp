//===- OpPattern.cpp - what ops compute, as keys --------------------------===//

#include "passes/fusion/OpPattern.h"

#include "dialects/vs/VsDialect.h"
#include "dialects/vs/VsInterfaces.h"

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

using namespace mlir;

namespace vescale {
namespace {

uintptr_t word(const void *unique) { return reinterpret_cast<uintptr_t>(unique); }

/// A view that keeps the type only names a value.
bool isName(Operation *op) {
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  return view && view.getViewSource().getType() == op->getResult(0).getType();
}

/// The attributes that matter, without the draw id.
DictionaryAttr attributesOf(Operation *op) {
  if (isName(op))
    return {};
  auto random = dyn_cast<vs::RandomOpInterface>(op);
  std::optional<int64_t> id = random ? random.drawId() : std::nullopt;
  if (!id)
    return op->getAttrDictionary();
  random.assignDrawId(0);
  DictionaryAttr attributes = op->getAttrDictionary();
  random.assignDrawId(*id);
  return attributes;
}

void append(Pattern &words, Operation *op) {
  words.push_back(word(op->getName().getAsOpaquePointer()));
  words.push_back(word(attributesOf(op).getAsOpaquePointer()));
  words.push_back(op->getNumOperands());
  for (Type type : op->getOperandTypes())
    words.push_back(word(type.getAsOpaquePointer()));
  for (Type type : op->getResultTypes())
    words.push_back(word(type.getAsOpaquePointer()));
}

} // namespace

Pattern patternOfOp(Operation *op) {
  Pattern words;
  append(words, op);
  return words;
}

int64_t firstDrawOf(Value generator) {
  std::optional<int64_t> first;
  for (Operation *user : generator.getUsers())
    if (auto random = dyn_cast<vs::RandomOpInterface>(user))
      if (std::optional<int64_t> id = random.drawId())
        first = std::min(first.value_or(*id), *id);
  return first.value_or(0);
}

GroupPattern patternOfGroup(Operation *group) {
  GroupPattern pattern;
  Block &body = group->getRegion(0).front();
  llvm::DenseMap<Value, uintptr_t> numbers;
  llvm::DenseMap<Value, int64_t> firstDraws;
  for (BlockArgument argument : body.getArguments()) {
    numbers[argument] = numbers.size();
    pattern.words.push_back(word(argument.getType().getAsOpaquePointer()));
    if (isa<vs::RngType>(argument.getType())) {
      pattern.firstDraws.push_back(firstDrawOf(argument));
      firstDraws[argument] = pattern.firstDraws.back();
    }
  }
  for (Operation &op : body) {
    append(pattern.words, &op);
    for (Value operand : op.getOperands())
      pattern.words.push_back(numbers.lookup(operand));
    for (Value result : op.getResults())
      numbers[result] = numbers.size();
    if (auto random = dyn_cast<vs::RandomOpInterface>(op))
      if (std::optional<int64_t> id = random.drawId())
        for (Value operand : op.getOperands())
          if (auto first = firstDraws.find(operand); first != firstDraws.end())
            pattern.words.push_back(*id - first->second);
  }
  return pattern;
}

} // namespace vescale
