//===- KeptArguments.cpp - what stays in memory between functions ---------===//

#include "passes/memory/KeptArguments.h"

#include "dialects/vs/VsDialect.h"

using namespace mlir;

namespace vescale {

std::optional<KeptName> keptName(func::FuncOp function, unsigned argument) {
  auto role = function.getArgAttrOfType<StringAttr>(argument, vs::VsDialect::roleAttributeName);
  auto name = function.getArgAttrOfType<StringAttr>(argument, vs::VsDialect::nameAttributeName);
  if (!role || !name || (role.getValue() != vs::parameterRole && role.getValue() != vs::stateRole))
    return std::nullopt;
  return KeptName(role.getValue() == vs::stateRole, name.str());
}

SmallVector<func::FuncOp> definedFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  return functions;
}

} // namespace vescale
