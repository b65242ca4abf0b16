//===- Accesses.cpp - What instructions touch -----------------------------===//
//
// The assembly of accesses is `(read %a, write %b[0, 64], update %c)`, where `[offset, bytes]` is a
// part of the buffer.
//
//===----------------------------------------------------------------------===//

#include "dialects/sched/SchedOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::sched;

#include "dialects/sched/InstructionInterface.cpp.inc"

static const char *accessName(int32_t access) {
  return access == read ? "read" : access == write ? "write" : "update";
}

static ParseResult parseAccesses(OpAsmParser &parser,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &buffers,
                                 DenseI32ArrayAttr &access, DenseI64ArrayAttr &ranges) {
  SmallVector<int32_t> accesses;
  SmallVector<int64_t> parts;
  bool anyPart = false;
  auto parseOne = [&]() -> ParseResult {
    StringRef keyword;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    if (keyword != "read" && keyword != "write" && keyword != "update")
      return parser.emitError(location, "expected 'read', 'write' or 'update'");
    accesses.push_back(keyword == "read" ? read : keyword == "write" ? write : update);
    int64_t offset = 0, bytes = -1;
    if (parser.parseOperand(buffers.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalLSquare())) {
      anyPart = true;
      if (parser.parseInteger(offset) || parser.parseComma() || parser.parseInteger(bytes) ||
          parser.parseRSquare())
        return failure();
    }
    parts.push_back(offset);
    parts.push_back(bytes);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  access = parser.getBuilder().getDenseI32ArrayAttr(accesses);
  if (anyPart)
    ranges = parser.getBuilder().getDenseI64ArrayAttr(parts);
  return success();
}

static void printAccesses(OpAsmPrinter &printer, Operation *, OperandRange buffers,
                          DenseI32ArrayAttr access, DenseI64ArrayAttr ranges) {
  printer << '(';
  for (unsigned i = 0; i < buffers.size(); ++i) {
    printer << (i ? ", " : "") << accessName(access[i]) << ' ' << buffers[i];
    if (ranges && (ranges[2 * i] != 0 || ranges[2 * i + 1] != -1))
      printer << '[' << ranges[2 * i] << ", " << ranges[2 * i + 1] << ']';
  }
  printer << ')';
}

#define GET_OP_CLASSES
#include "dialects/sched/SchedOps.cpp.inc"

ArenaRange vescale::sched::operandRange(InstructionOpInterface instruction, unsigned index) {
  auto buffer = instruction.getBuffers()[index].getDefiningOp<BufferOp>();
  int64_t offset = 0, bytes = -1;
  if (std::optional<ArrayRef<int64_t>> ranges = instruction.getRanges()) {
    offset = (*ranges)[2 * index];
    bytes = (*ranges)[2 * index + 1];
  }
  int64_t begin = buffer.getOffset() + offset;
  int64_t end = bytes < 0 ? buffer.getOffset() + buffer.getBytes() : begin + bytes;
  return {begin, end};
}
