//===- ValueNames.cpp - What people call a value ------------------------------------------------===//

#include "analysis/provenance/ValueNames.h"

#include "dialects/dist/DistOps.h"
#include "dialects/vs/VsDialect.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace vescale::analysis {

std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << op->getName();
  if (auto number = op->getLoc()->findInstanceOf<NameLoc>();
      number && number.getName().getValue().starts_with("%"))
    stream << " " << number.getName().getValue();
  stream << " at ";
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    stream << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn();
  else
    stream << "an unknown place";
  return text;
}

std::string describe(func::FuncOp function, Value value) {
  if (!value)
    return "a result of " + function.getName().str();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::string number = "argument " + std::to_string(argument.getArgNumber());
    if (argument.getOwner()->getParentOp() != function)
      return number + " of " + describe(argument.getOwner()->getParentOp());
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      vs::VsDialect::nameAttributeName);
    return name ? name.str() : number;
  }
  auto result = cast<OpResult>(value);
  if (auto constrain = dyn_cast<dist::ConstrainOp>(result.getOwner()))
    return "the constraint on " + describe(function, constrain.getInput());
  if (auto name = result.getOwner()->getAttrOfType<StringAttr>("name"))
    return name.str();
  std::string text = describe(result.getOwner());
  return result.getOwner()->getNumResults() == 1
             ? text
             : "result " + std::to_string(result.getResultNumber()) + " of " + text;
}

void numberOps(func::FuncOp function) {
  int64_t number = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return;
    auto name = StringAttr::get(op->getContext(), "%" + Twine(number++));
    op->setLoc(NameLoc::get(name, op->getLoc()));
  });
}

} // namespace vescale::analysis
