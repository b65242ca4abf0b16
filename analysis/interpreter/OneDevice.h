//===- OneDevice.h - A distributed program as one device sees it ----------------------------===//

#ifndef VESCALE_ANALYSIS_INTERPRETER_ONEDEVICE_H
#define VESCALE_ANALYSIS_INTERPRETER_ONEDEVICE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace vescale::analysis {

/// Removes all layouts from the types of a function, and with them the steps and redistributions,
/// which then change nothing. What remains is the meaning of the program.
void removeLayouts(mlir::func::FuncOp function);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_INTERPRETER_ONEDEVICE_H
