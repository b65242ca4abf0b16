//===- DistOps.h - Ops of the dist dialect -------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_DISTOPS_H
#define VESCALE_DIALECTS_DIST_DISTOPS_H

#include "dialects/dist/DistAttributes.h"
#include "dialects/dist/DistDialect.h"
#include "dialects/dist/IndexingRuleInterface.h"
#include "dialects/dist/StepInterface.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace vescale::dist {

/// What sends and receives act on: the messages between pipeline stages.
struct ChannelResource : mlir::SideEffects::Resource::Base<ChannelResource> {
  llvm::StringRef getName() final { return "dist.channel"; }
};

} // namespace vescale::dist

#define GET_OP_CLASSES
#include "dialects/dist/DistOps.h.inc"

#endif // VESCALE_DIALECTS_DIST_DISTOPS_H
