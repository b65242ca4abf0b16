//===- ModelBuilder.h - Models as vs IR, in few words -----------*- C++ -*-===//
//
// What model builders share: named arguments with roles, and ops whose types follow from their operands.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_COMPILER_MODELS_MODELBUILDER_H
#define VESCALE_COMPILER_MODELS_MODELBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace vescale {

/// Builds a module with one function `@loss`. First the arguments are declared, then, after beginBody(), the ops.
class ModelBuilder {
public:
  /// `type` is the element type of parameters and activations: "f32" or "f64".
  explicit ModelBuilder(const std::string &type);
  ~ModelBuilder();

  using Shape = std::vector<int64_t>;

  /// A batch of token numbers (i32) below `vocabulary` that starts `tokenOffset` tokens after the sample.
  void batch(const std::string &name, Shape shape, int64_t tokenOffset, int64_t vocabulary);
  /// A batch of numbers of the element type.
  void batchValues(const std::string &name, Shape shape);
  /// A batch of classes (i32) below `classes`.
  void batchLabels(const std::string &name, Shape shape, int64_t classes);
  /// A parameter that starts normally distributed and decays.
  void weight(const std::string &name, Shape shape, double deviation);
  /// Parameters that start as constants and do not decay.
  void zeros(const std::string &name, Shape shape);
  void ones(const std::string &name, Shape shape);
  void rng(const std::string &name);

  void beginBody();
  /// The argument of this name.
  mlir::Value operator[](const std::string &name) const;

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value gelu(mlir::Value x);
  mlir::Value silu(mlir::Value x);
  mlir::Value exp(mlir::Value x);
  mlir::Value cos(mlir::Value x);
  mlir::Value sin(mlir::Value x);
  /// Each element is its index along `dim`.
  mlir::Value iota(Shape shape, int64_t dim);
  /// All elements are `number`.
  mlir::Value number(Shape shape, double number);
  mlir::Value einsum(const std::string &spec, mlir::Value a, mlir::Value b);
  mlir::Value broadcast(mlir::Value x, Shape shape, std::vector<int64_t> dims);
  mlir::Value reshape(mlir::Value x, Shape shape);
  mlir::Value transpose(mlir::Value x, std::vector<int64_t> permutation);
  /// Indices [start, limit) of one dim.
  mlir::Value sliceDim(mlir::Value x, int64_t dim, int64_t start, int64_t limit);
  mlir::Value concat(std::vector<mlir::Value> parts, int64_t dim);
  /// Rows of a table at indices.
  mlir::Value take(mlir::Value table, mlir::Value indices);
  mlir::Value layerNorm(mlir::Value x, mlir::Value weight, mlir::Value bias);
  mlir::Value rmsNorm(mlir::Value x, mlir::Value weight);
  mlir::Value dropout(mlir::Value x, mlir::Value rng, double rate);
  /// Without dropout `rng` is null.
  mlir::Value attention(mlir::Value q, mlir::Value k, mlir::Value v, mlir::Value rng, double dropout,
                        bool causal = true);
  /// The mean over dims.
  mlir::Value mean(mlir::Value x, std::vector<int64_t> dims);
  mlir::Value tag(mlir::Value x, const std::string &name);
  mlir::Value meanCrossEntropy(mlir::Value logits, mlir::Value targets);

  static Shape shape(mlir::Value value);

  /// Ends the function with its loss, verifies the module and returns its text.
  std::string finish(mlir::Value loss);

private:
  struct Argument {
    std::string name;
    mlir::Type type;
    std::vector<mlir::NamedAttribute> attributes;
  };

  void declare(const std::string &name, mlir::Type type, llvm::StringRef role,
               std::vector<mlir::NamedAttribute> attributes = {});
  void parameter(const std::string &name, Shape shape, mlir::Attribute init, bool decays);

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::Type element;
  std::vector<Argument> arguments;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::StringMap<mlir::Value> values;
};

} // namespace vescale

#endif // VESCALE_COMPILER_MODELS_MODELBUILDER_H
