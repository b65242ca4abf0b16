//===- Diagnostics.h - what the compiler says to a user ---------*- C++ -*-===//

#ifndef VESCALE_COMPILER_DRIVER_DIAGNOSTICS_H
#define VESCALE_COMPILER_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

#include <string>

namespace vescale {

/// Turns diagnostics into text: the place as `file:line:column`, the message, the line of the file with a mark below,
/// and notes likewise. What concerns a module as a whole, such as a plan, says no place, and lines that no screen holds
/// are left out. Errors are kept for the one message that a command ends with; warnings and remarks are printed.
class DiagnosticCollector {
public:
  DiagnosticCollector(mlir::MLIRContext *context, llvm::SourceMgr &sources);

  /// The errors so far, one after the other, without a line break at the end.
  const std::string &errors() const { return text; }

private:
  std::string describe(mlir::Diagnostic &diagnostic) const;

  llvm::SourceMgr &sources;
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace vescale

#endif // VESCALE_COMPILER_DRIVER_DIAGNOSTICS_H
