//===- Registration.h - Dialects and passes of all tools -----------------------------------===//

#ifndef VESCALE_COMPILER_REGISTRATION_H
#define VESCALE_COMPILER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace vescale {

/// Registers the dialects that a module may contain anywhere on its way: our own and those of
/// MLIR that the stages use. One by one, since registering all of MLIR costs minutes of build.
void registerVescaleDialects(mlir::DialectRegistry &registry);

/// Registers the passes and pipelines under their command-line names.
void registerVescalePasses();

} // namespace vescale

#endif // VESCALE_COMPILER_REGISTRATION_H
