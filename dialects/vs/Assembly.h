//===- Assembly.h - The assembly that all ops of vs share ----------------------------------===//
//
//   vs.op OPERANDS {ATTRIBUTES} : TYPES
//
// TYPES is one type where all operands and the only result have it (or where there is no operand),
// `T -> R` for one operand and one result, `(T, ...) -> (R, ...)` otherwise. In ATTRIBUTES a list of
// integers is written in brackets.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_ASSEMBLY_H
#define VESCALE_DIALECTS_VS_ASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace vescale::vs {

/// Parses operands, attributes and types, everything after the op's name.
mlir::ParseResult parseOperation(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// Prints operands, attributes but those in `elided`, and types.
void printOperation(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    llvm::ArrayRef<llvm::StringRef> elided = {});

/// Parses an optional attribute dictionary and stores bracketed lists as i64 arrays.
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// Prints all attributes but those in `elided`; nothing if there are none.
void printAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     llvm::ArrayRef<llvm::StringRef> elided);

/// Parses `: TYPES`, and resolves `operands`, which start at `location`.
mlir::ParseResult
parseTypes(mlir::OpAsmParser &parser,
           llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands, llvm::SMLoc location,
           mlir::OperationState &result);

/// Prints ` : TYPES`.
void printTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op);

/// Parses `[0, 1]`.
mlir::ParseResult parseIntegers(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &integers);

/// Parses the keyword of an enumeration into the attribute `name`: the `mean` of `vs.reduce mean`.
template <typename EnumAttr, typename Enum>
mlir::ParseResult parseEnum(mlir::OpAsmParser &parser, mlir::OperationState &result,
                            llvm::StringRef name,
                            std::optional<Enum> (*symbolize)(llvm::StringRef)) {
  llvm::StringRef keyword;
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return mlir::failure();
  std::optional<Enum> value = symbolize(keyword);
  if (!value)
    return parser.emitError(location) << "'" << keyword << "' is not a " << name << " of "
                                      << result.name;
  result.addAttribute(name, EnumAttr::get(parser.getContext(), *value));
  return mlir::success();
}

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_ASSEMBLY_H
