//===- Assembly.cpp - The assembly that all ops of vs share --------------------------------===//

#include "dialects/vs/Assembly.h"

#include "dialects/vs/NumberText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace vescale;

ParseResult vs::parseOperation(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc location = parser.getCurrentLocation();
  return failure(parser.parseOperandList(operands) || parseAttributes(parser, result) ||
                 parseTypes(parser, operands, location, result));
}

void vs::printOperation(OpAsmPrinter &printer, Operation *op, ArrayRef<StringRef> elided) {
  if (op->getNumOperands() > 0)
    printer << ' ' << op->getOperands();
  printAttributes(printer, op, elided);
  printTypes(printer, op);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// `list` as an i64 array where it holds integers only.
static DenseI64ArrayAttr asIntegers(ArrayAttr list) {
  SmallVector<int64_t> values;
  for (Attribute element : list) {
    auto integer = dyn_cast<IntegerAttr>(element);
    if (!integer || !integer.getType().isSignlessInteger(64))
      return {};
    values.push_back(integer.getInt());
  }
  return DenseI64ArrayAttr::get(list.getContext(), values);
}

ParseResult vs::parseAttributes(OpAsmParser &parser, OperationState &result) {
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  // The op's own lists are i64 arrays; attributes that passes attach stay what they are.
  for (StringAttr name : result.name.getAttributeNames())
    if (auto list = dyn_cast_or_null<ArrayAttr>(result.attributes.get(name)))
      if (DenseI64ArrayAttr integers = asIntegers(list))
        result.attributes.set(name, integers);
  return success();
}

/// `isOwn`: of an attribute that the op declares, whose type parsing knows.
static void printValue(OpAsmPrinter &printer, Attribute value, bool isOwn) {
  auto integer = dyn_cast<IntegerAttr>(value);
  auto number = dyn_cast<FloatAttr>(value);
  auto list = dyn_cast<DenseI64ArrayAttr>(value);
  if (list && isOwn) {
    printer << '[';
    llvm::interleaveComma(list.asArrayRef(), printer.getStream());
    printer << ']';
  } else if (number && number.getType().isF64() && number.getValue().isFinite()) {
    printer << vs::numberText(number.getValueAsDouble());
  } else if (integer && integer.getType().isSignlessInteger(64)) {
    printer.printAttributeWithoutType(value);
  } else {
    printer.printAttribute(value);
  }
}

void vs::printAttributes(OpAsmPrinter &printer, Operation *op, ArrayRef<StringRef> elided) {
  SmallVector<NamedAttribute> shown;
  for (NamedAttribute attribute : op->getAttrs())
    if (!llvm::is_contained(elided, attribute.getName().strref()))
      shown.push_back(attribute);
  if (shown.empty())
    return;
  printer << " {";
  llvm::interleaveComma(shown, printer.getStream(), [&](NamedAttribute attribute) {
    printer.printKeywordOrString(attribute.getName());
    if (isa<UnitAttr>(attribute.getValue()))
      return;
    printer << " = ";
    printValue(printer, attribute.getValue(),
               llvm::is_contained(op->getName().getAttributeNames(), attribute.getName()));
  });
  printer << '}';
}

ParseResult vs::parseIntegers(OpAsmParser &parser, DenseI64ArrayAttr &integers) {
  SmallVector<int64_t> values;
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  integers = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult vs::parseTypes(OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                           SMLoc location, OperationState &result) {
  Type type;
  if (parser.parseColonType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type)) {
    result.addTypes(function.getResults());
    return parser.resolveOperands(operands, function.getInputs(), location, result.operands);
  }
  SmallVector<Type> operandTypes(operands.size(), type);
  if (succeeded(parser.parseOptionalArrow())) {
    if (operands.size() != 1)
      return parser.emitError(location)
             << "has " << operands.size()
             << " operands: give all their types in parentheses before '->'";
    Type resultType;
    if (parser.parseType(resultType))
      return failure();
    result.addTypes(resultType);
  } else {
    result.addTypes(type);
  }
  return parser.resolveOperands(operands, operandTypes, location, result.operands);
}

void vs::printTypes(OpAsmPrinter &printer, Operation *op) {
  printer << " : ";
  if (op->getNumResults() == 1) {
    Type resultType = op->getResult(0).getType();
    if (llvm::all_equal(op->getOperandTypes()) &&
        (op->getNumOperands() == 0 || op->getOperand(0).getType() == resultType)) {
      printer << resultType;
      return;
    }
    if (op->getNumOperands() == 1) {
      printer << op->getOperand(0).getType() << " -> " << resultType;
      return;
    }
  }
  printer.printFunctionalType(op);
}
