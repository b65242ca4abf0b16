//===- ModelFile.h - a model that was read from a file ----------*- C++ -*-===//

#ifndef VESCALE_COMPILER_DRIVER_MODELFILE_H
#define VESCALE_COMPILER_DRIVER_MODELFILE_H

#include "compiler/driver/Diagnostics.h"
#include "compiler/pipelines/Stages.h"
#include "layout/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vescale {

/// A module and all that it needs to live: its context, with every dialect and pass that the compiler has, the text it
/// was read from, and what was said about it.
class ModelFile {
public:
  ModelFile();
  ~ModelFile();

  /// Reads the module. The message says where the text is wrong.
  layout::Status read(const std::string &path);

  mlir::ModuleOp module() { return *content; }

  /// The stage that the module has not been through: a training step is not differentiated again, and a placed one
  /// keeps its layouts. Fails where the file does not fit what is asked: a plan for a program that is placed already.
  layout::StatusOr<std::string> firstStage(const std::string &plan, bool trainingGiven);

  /// The stages from `first` on. Without a plan and a mesh in the module, it is for one device.
  std::vector<Stage> stagesFrom(const std::string &first, const StageOptions &options);

  /// The errors so far; `what` where there are none.
  layout::Status failed(const std::string &what) const;

private:
  std::string path;
  std::unique_ptr<mlir::MLIRContext> context;
  llvm::SourceMgr sources;
  std::unique_ptr<DiagnosticCollector> diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> content;
};

} // namespace vescale

#endif // VESCALE_COMPILER_DRIVER_MODELFILE_H
