//===- StructureOps.cpp - Names, regions and groups -----------------------------------===//

#include "dialects/vs/StructureOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/StructureOps.cpp.inc"

void VsDialect::registerStructureOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/StructureOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Assembly of regions
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of a region, each with the operand that it stands for.
struct Bindings {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
};
} // namespace

/// Parses `(%argument = %operand : type, ...)`.
static ParseResult parseBindings(OpAsmParser &parser, Bindings &bindings) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument &argument = bindings.arguments.emplace_back();
    return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                   parser.parseOperand(bindings.operands.emplace_back()) ||
                   parser.parseColonType(argument.type));
  });
}

static void printBindings(OpAsmPrinter &printer, ValueRange arguments, ValueRange operands) {
  printer << '(';
  llvm::interleaveComma(llvm::zip_equal(arguments, operands), printer.getStream(), [&](auto pair) {
    auto [argument, operand] = pair;
    printer << argument << " = " << operand << " : " << operand.getType();
  });
  printer << ')';
}

/// Parses `-> (types) attributes {K} { body }` and resolves the operands.
static ParseResult parseBody(OpAsmParser &parser, Bindings &bindings, OperationState &result) {
  for (auto [operand, argument] : llvm::zip_equal(bindings.operands, bindings.arguments))
    if (parser.resolveOperand(operand, argument.type, result.operands))
      return failure();
  return failure(parser.parseOptionalArrowTypeList(result.types) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), bindings.arguments,
                                    /*enableNameShadowing=*/true));
}

static void printBody(OpAsmPrinter &printer, Operation *op, ArrayRef<StringRef> elided) {
  printer.printOptionalArrowTypeList(op->getResultTypes());
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), elided);
  printer << ' ';
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
}

static ParseResult parseRegionOp(OpAsmParser &parser, OperationState &result) {
  Bindings bindings;
  return failure(parseBindings(parser, bindings) || parseBody(parser, bindings, result));
}

static void printRegionOp(OpAsmPrinter &printer, Operation *op) {
  printer << ' ';
  printBindings(printer, op->getRegion(0).getArguments(), op->getOperands());
  printBody(printer, op, {});
}

ParseResult RecomputeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseRegionOp(parser, result);
}

void RecomputeOp::print(OpAsmPrinter &printer) { printRegionOp(printer, *this); }

ParseResult FusedOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseRegionOp(parser, result);
}

void FusedOp::print(OpAsmPrinter &printer) { printRegionOp(printer, *this); }

// vs.repeat 12 (%a = %x : T) invariant (%b = %w : T) -> (T) { ... }
ParseResult RepeatOp::parse(OpAsmParser &parser, OperationState &result) {
  int64_t count;
  Bindings bindings;
  if (parser.parseInteger(count) || parseBindings(parser, bindings))
    return failure();
  result.addAttribute("count", parser.getBuilder().getI64IntegerAttr(count));
  int32_t carried = bindings.operands.size();
  if (succeeded(parser.parseOptionalKeyword("invariant")) && parseBindings(parser, bindings))
    return failure();
  int32_t invariants = bindings.operands.size() - carried;
  result.getOrAddProperties<Properties>().operandSegmentSizes = {carried, invariants};
  return parseBody(parser, bindings, result);
}

void RepeatOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCount() << ' ';
  ValueRange arguments = getBody().getArguments();
  size_t carried = getInitial().size();
  printBindings(printer, arguments.take_front(carried), getInitial());
  if (!getInvariants().empty()) {
    printer << " invariant ";
    printBindings(printer, arguments.drop_front(carried), getInvariants());
  }
  printBody(printer, *this, {"count", getOperandSegmentSizesAttrName()});
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult TagOp::verify() {
  if (getName().empty())
    return emitOpError() << "name must not be empty";
  return success();
}

/// Checks that `actual` are the types of `expected`, layouts included: values pass unchanged.
static LogicalResult checkBinding(Operation *op, StringRef actualName, TypeRange actual,
                                  StringRef expectedName, TypeRange expected) {
  if (actual.size() != expected.size())
    return op->emitOpError() << "has " << actual.size() << " " << actualName << ", but "
                             << expected.size() << " " << expectedName;
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(actual, expected))) {
    auto [actualType, expectedType] = pair;
    if (actualType != expectedType)
      return op->emitOpError() << "has type " << actualType << " at #" << index << " of the "
                               << actualName << ", but " << expectedType << " at the "
                               << expectedName;
  }
  return success();
}

static LogicalResult checkArguments(Operation *op) {
  return checkBinding(op, "body arguments", op->getRegion(0).getArgumentTypes(), "operands",
                      op->getOperandTypes());
}

/// Checks what the body yields, if it ends in a yield (otherwise the block's own check fails).
static LogicalResult checkYielded(Operation *op, StringRef expectedName, TypeRange expected) {
  Block &body = op->getRegion(0).front();
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op->emitOpError() << "the body must end in vs.yield";
  return checkBinding(op, "yielded values", yield.getOperandTypes(), expectedName, expected);
}

static LogicalResult verifyRegion(Operation *op) {
  return failure(failed(checkArguments(op)) ||
                 failed(checkYielded(op, "results", op->getResultTypes())));
}

LogicalResult RecomputeOp::verify() { return verifyRegion(*this); }

LogicalResult FusedOp::verify() { return verifyRegion(*this); }

LogicalResult RepeatOp::verify() {
  return failure(failed(checkAtLeast(*this, "count", getCount(), 0)) ||
                 failed(checkArguments(*this)) ||
                 failed(checkYielded(*this, "carried values", getInitial().getTypes())) ||
                 failed(checkBinding(*this, "results", getResultTypes(), "carried values",
                                     getInitial().getTypes())));
}
