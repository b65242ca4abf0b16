//===- FunctionAttributes.cpp - What the arguments of a model's function say ---------------===//
//
//   vs.role   "parameter", "state", "batch", "rng" or "scalar" (learning rate, number of the step)
//   vs.name   the qualified name, which plan files match and checkpoints store
//   vs.init   how a parameter starts: #vs.normal, #vs.uniform, #vs.zeros, #vs.ones, #vs.from_file
//   vs.decay  whether weight decay applies to a parameter: true or false
//   vs.token_offset  of a batch: its rows start this many tokens after the sample
//   vs.micro_batches of a batch: how many micro-batches its first dim counts
//
//===----------------------------------------------------------------------===//

#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace vescale::vs;

/// An error about attribute `name` of argument `index`.
static InFlightDiagnostic argumentError(Operation *op, unsigned index, StringRef name) {
  return op->emitOpError() << "argument #" << index << ": '" << name << "' ";
}

static LogicalResult verifyRole(FunctionOpInterface function, unsigned index, Attribute value) {
  auto role = dyn_cast<StringAttr>(value);
  if (!role || !llvm::is_contained({parameterRole, stateRole, batchRole, rngRole, scalarRole},
                                   role.getValue()))
    return argumentError(function, index, VsDialect::roleAttributeName)
           << "must be \"parameter\", \"state\", \"batch\", \"rng\" or \"scalar\", is " << value;
  Type type = function.getArgumentTypes()[index];
  if ((role.getValue() == rngRole) != isa<RngType>(type))
    return argumentError(function, index, VsDialect::roleAttributeName)
           << "is " << role << ", but the type is " << type << "; an !vs.rng has the role \"rng\" "
           << "and nothing else has it";
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (role.getValue() == scalarRole && (!tensor || tensor.getRank() != 0))
    return argumentError(function, index, VsDialect::roleAttributeName)
           << "is \"scalar\", but the type is " << type;
  return success();
}

/// Checks one name, and at the function's first name that no two arguments share one, so that the
/// whole function costs one walk over its arguments.
static LogicalResult verifyName(FunctionOpInterface function, unsigned index, Attribute value) {
  constexpr StringLiteral attributeName = VsDialect::nameAttributeName;
  auto name = dyn_cast<StringAttr>(value);
  if (!name || name.getValue().empty())
    return argumentError(function, index, attributeName)
           << "must be a string that is not empty, is " << value;
  for (unsigned earlier = 0; earlier < index; ++earlier)
    if (function.getArgAttr(earlier, attributeName))
      return success();
  DenseMap<Attribute, unsigned> owners;
  for (unsigned argument = index; argument < function.getNumArguments(); ++argument) {
    Attribute other = function.getArgAttr(argument, attributeName);
    if (!other)
      continue;
    auto [owner, isNew] = owners.try_emplace(other, argument);
    if (!isNew)
      return argumentError(function, argument, attributeName)
             << "is " << other << ", which is the name of argument #" << owner->second << " too";
  }
  return success();
}

/// Checks that an attribute about parameters stands at a parameter.
static LogicalResult verifyIsParameter(FunctionOpInterface function, unsigned index,
                                       StringRef name) {
  auto role = function.getArgAttrOfType<StringAttr>(index, VsDialect::roleAttributeName);
  if (role && role.getValue() == parameterRole)
    return success();
  InFlightDiagnostic diagnostic = argumentError(function, index, name);
  diagnostic << "is for arguments with vs.role = \"parameter\"; this one has ";
  if (role)
    diagnostic << "vs.role = " << role;
  else
    diagnostic << "no role";
  return diagnostic;
}

LogicalResult VsDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                                  unsigned argumentIndex, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError() << "'" << name << "' is for arguments of functions";
  if (name == roleAttributeName)
    return verifyRole(function, argumentIndex, value);
  if (name == nameAttributeName)
    return verifyName(function, argumentIndex, value);
  if (name == initAttributeName) {
    if (!isa<NormalAttr, UniformAttr, ZerosAttr, OnesAttr, FromFileAttr>(value))
      return argumentError(op, argumentIndex, name)
             << "must be #vs.normal, #vs.uniform, #vs.zeros, #vs.ones or #vs.from_file, is "
             << value;
    return verifyIsParameter(function, argumentIndex, name);
  }
  if (name == decayAttributeName) {
    if (!isa<BoolAttr>(value))
      return argumentError(op, argumentIndex, name) << "must be true or false, is " << value;
    return verifyIsParameter(function, argumentIndex, name);
  }
  if (name == tokenOffsetAttributeName) {
    if (!isa<IntegerAttr>(value))
      return argumentError(op, argumentIndex, name) << "must be an integer, is " << value;
    return success();
  }
  if (name == vocabularyAttributeName) {
    auto vocabulary = dyn_cast<IntegerAttr>(value);
    if (!vocabulary || vocabulary.getInt() < 1)
      return argumentError(op, argumentIndex, name) << "must be a positive integer, is " << value;
    return success();
  }
  if (name == microBatchesAttributeName) {
    auto count = dyn_cast<IntegerAttr>(value);
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[argumentIndex]);
    if (!count || !type || type.getRank() == 0 || type.getDimSize(0) != count.getInt())
      return argumentError(op, argumentIndex, name)
             << "must be the size of the first dim, is " << value << " for " << function.getArgumentTypes()[argumentIndex];
    return success();
  }
  return argumentError(op, argumentIndex, name)
         << "is unknown; arguments have vs.role, vs.name, vs.init, vs.decay, "
            "vs.token_offset, vs.vocabulary and vs.micro_batches";
}
