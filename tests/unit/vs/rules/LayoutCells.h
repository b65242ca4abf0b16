//===- LayoutCells.h - Each op, each factor of its rule, each kind of layout ----------------===//
//
// The cells of the coverage table: samples.mlir has every op of vs; each factor of a sample's rule
// is cut in each way that a layout can cut. A cell is a layout of all operands and results, or the
// refusal of the rule.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_TESTS_UNIT_VS_RULES_LAYOUTCELLS_H
#define VESCALE_TESTS_UNIT_VS_RULES_LAYOUTCELLS_H

#include "dialects/dist/RuleCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>
#include <string>
#include <vector>

namespace vescale::rulecoverage {

/// All that a tool or test of this folder needs to read samples.
void registerDialects(mlir::DialectRegistry &registry);

/// The samples; null, with a message on stderr, where they cannot be read.
mlir::OwningOpRef<mlir::ModuleOp> readSamples(mlir::MLIRContext &context);

/// The op that a sample is of; all its operands are arguments of the function.
mlir::Operation *sampledOp(mlir::func::FuncOp sample);

enum class LayoutKind { whole, even, uneven, empty, partial, interleaved, block, subAxis, ragged };
constexpr int numLayoutKinds = 9;
const char *name(LayoutKind kind);

/// A factor of a rule under one kind of cut.
struct Cell {
  int factor = 0;
  LayoutKind kind = LayoutKind::whole;
  layout::Mesh mesh;
  /// The layouts of the op, one for each way in which operands may be partial beside the cut.
  std::vector<dist::OpLayouts> accepted;
  /// Why there is none.
  std::string refusal;
};

/// The cells of the factors that have more than one element.
std::vector<Cell> cellsOf(mlir::Operation *op);

/// The layouts that follow from cuts, if they are legal for the op's shapes.
layout::StatusOr<dist::OpLayouts> layoutsOf(mlir::Operation *op, const dist::IndexingRule &rule,
                                            const layout::Mesh &mesh, const dist::OpCuts &cuts);

/// Layouts of an op on a mesh.
struct RandomLayouts {
  layout::Mesh mesh;
  dist::OpLayouts layouts;
};

/// Up to `count` layouts that the rule accepts: random axes of sizes 1 to 4, up to three, cut
/// random factors, plainly, interleaved or in blocks, or operands are partial over them.
std::vector<RandomLayouts> randomLayouts(mlir::Operation *op, std::mt19937 &random, int count);

/// A module with a function `main` of the op alone, its operands and results laid out so.
mlir::OwningOpRef<mlir::ModuleOp> placed(mlir::Operation *op, const dist::OpLayouts &layouts);

} // namespace vescale::rulecoverage

#endif // VESCALE_TESTS_UNIT_VS_RULES_LAYOUTCELLS_H
