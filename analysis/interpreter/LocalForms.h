//===- LocalForms.h - The local forms of ops, built once -----------------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_LOCALFORMS_H
#define VESCALE_ANALYSIS_INTERPRETER_LOCALFORMS_H

#include "layout/Mesh.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace vescale::analysis {

/// An op as one device computes it: the block's arguments are the op's local operands, and it has
/// no terminator.
struct LocalForm {
  mlir::Block *block;
  llvm::SmallVector<mlir::Value> results;
};

/// Devices whose local shapes are equal share a form, which differs among them by
/// `dist.axis_index` only.
class LocalForms {
public:
  /// The form for the device at `coordinate`; fails with an error at the op where it has none, or
  /// where the one that it builds does not verify. The op must live as long as this object.
  mlir::FailureOr<const LocalForm *> get(mlir::Operation *op, const layout::Coordinate &coordinate);

private:
  using Key = std::pair<mlir::Operation *, std::vector<const void *>>;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::map<Key, LocalForm> forms;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_LOCALFORMS_H
