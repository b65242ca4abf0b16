//===- Programs.h - Parsing and running small modules ---------------------------------------===//

#ifndef VESCALE_TESTS_UNIT_ANALYSIS_PROGRAMS_H
#define VESCALE_TESTS_UNIT_ANALYSIS_PROGRAMS_H

#include "analysis/interpreter/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace vescale::analysis {

/// All dialects with rules, adjoints and decompositions; one for the whole test program.
mlir::MLIRContext &testContext();

/// Parses a module; fails the test, and returns null, where it is not legal.
mlir::OwningOpRef<mlir::ModuleOp> parseProgram(const std::string &text);

/// The function of that name; the program has it.
mlir::func::FuncOp functionNamed(mlir::ModuleOp module, llvm::StringRef name);

/// Runs a function; fails the test, and returns no tensors, where that fails.
std::vector<Tensor> runProgram(mlir::func::FuncOp function, const std::vector<Tensor> &arguments,
                               bool declaredTypes = false);

/// Runs @f of a module, and gives the error where that fails.
std::string errorOf(const std::string &text, const std::vector<Tensor> &arguments);

Tensor tensorOf(ElementType type, const Shape &shape, const std::vector<double> &numbers);

/// Arguments for a function: reals in [low, high), integers in [0, integersBelow).
std::vector<Tensor> randomArguments(mlir::func::FuncOp function, double low, double high,
                                    int64_t integersBelow, uint32_t seed);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_UNIT_ANALYSIS_PROGRAMS_H
