//===- ContractionOps.cpp - Sums of products ------------------------------------------===//

#include "dialects/vs/ContractionOps.h"

#include "dialects/vs/Assembly.h"
#include "dialects/vs/Verification.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace vescale::vs;

#define GET_OP_CLASSES
#include "dialects/vs/ContractionOps.cpp.inc"

void VsDialect::registerContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/vs/ContractionOps.cpp.inc"
      >();
}

void EinsumOp::build(OpBuilder &builder, OperationState &state, StringRef spec, Value lhs,
                     Value rhs, Type elementType) {
  std::string error;
  std::optional<EinsumSpec> parsed = EinsumSpec::parse(spec, error);
  auto lhsType = cast<RankedTensorType>(lhs.getType());
  auto rhsType = cast<RankedTensorType>(rhs.getType());
  SmallVector<int64_t> shape;
  for (char letter : parsed->out) {
    size_t dim = parsed->lhs.find(letter);
    shape.push_back(dim != std::string::npos ? lhsType.getDimSize(dim)
                                             : rhsType.getDimSize(parsed->rhs.find(letter)));
  }
  if (!elementType)
    elementType = lhsType.getElementType();
  build(builder, state, RankedTensorType::get(shape, elementType), spec, lhs, rhs);
}

EinsumSpec EinsumOp::getEinsumSpec() {
  std::string error;
  return *EinsumSpec::parse(getSpec(), error);
}

ParseResult EinsumOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr spec;
  return failure(parser.parseAttribute(spec, "spec", result.attributes) ||
                 parseOperation(parser, result));
}

void EinsumOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSpecAttr();
  printOperation(printer, *this, {"spec"});
}

/// Checks that `tensor` has one dim per letter of `letters` and the sizes that `sizes` has seen.
static LogicalResult checkLetters(EinsumOp op, NamedValue tensor, StringRef letters,
                                  llvm::SmallDenseMap<char, std::pair<int64_t, StringRef>> &sizes) {
  if (tensor.rank() != int64_t(letters.size()))
    return op.emitOpError() << tensor.name << " has rank " << tensor.rank() << ", but spec has "
                            << letters.size() << " letters \"" << letters << "\" for it";
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    auto [seen, isNew] = sizes.try_emplace(letter, tensor.shape()[dim], tensor.name);
    if (!isNew && seen->second.first != tensor.shape()[dim])
      return op.emitOpError() << tensor.name << " has size " << tensor.shape()[dim] << " in dim "
                              << dim << " \"" << StringRef(&letter, 1) << "\", but "
                              << seen->second.second << " has " << seen->second.first;
  }
  return success();
}

LogicalResult EinsumOp::verify() {
  std::string error;
  std::optional<EinsumSpec> spec = EinsumSpec::parse(getSpec(), error);
  if (!spec)
    return emitOpError() << "spec " << getSpecAttr() << " " << error;
  NamedValue lhs{"lhs", getLhs()}, rhs{"rhs", getRhs()}, result{"result", getResult()};
  llvm::SmallDenseMap<char, std::pair<int64_t, StringRef>> sizes;
  if (failed(checkLetters(*this, lhs, spec->lhs, sizes)) ||
      failed(checkLetters(*this, rhs, spec->rhs, sizes)) ||
      failed(checkLetters(*this, result, spec->out, sizes)) ||
      failed(checkSameElementType(*this, rhs, lhs)))
    return failure();
  Type elementType = lhs.elementType();
  bool isNarrowFloat = isa<FloatType>(elementType) && elementType.getIntOrFloatBitWidth() < 32;
  if (isNarrowFloat && result.elementType().isF32())
    return success();
  return checkSameElementType(*this, result, lhs);
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

static LogicalResult checkGroupedMatmul(Operation *op, NamedValue x, NamedValue weight,
                                        NamedValue counts, NamedValue y) {
  if (failed(checkRank(op, x, 2)) || failed(checkRank(op, weight, 3)) ||
      failed(checkRank(op, counts, 1)) || failed(checkRank(op, y, 2)) ||
      failed(checkShape(op, counts, weight.shape()[0], ("one per expert of " + weight.name).str())))
    return failure();
  if (x.shape()[1] != weight.shape()[2])
    return op->emitOpError() << "x has size " << x.shape()[1] << " in dim 1, but " << weight.name
                             << " has " << weight.shape()[2] << " in dim 2, its input size";
  return failure(
      failed(checkShape(op, y, {x.shape()[0], weight.shape()[1]}, "tokens by output size")) ||
      failed(checkSameElementType(op, weight, x)) || failed(checkSameElementType(op, y, x)));
}

LogicalResult GroupedMatmulOp::verify() {
  return checkGroupedMatmul(*this, {"x", getX()}, {"weight", getWeight()},
                            {"tokens_per_expert", getTokensPerExpert()}, {"y", getY()});
}

LogicalResult GroupedMatmulWeightGradientOp::verify() {
  return checkGroupedMatmul(*this, {"x", getX()}, {"weight_gradient", getWeightGradient()},
                            {"tokens_per_expert", getTokensPerExpert()},
                            {"gradient", getGradient()});
}
