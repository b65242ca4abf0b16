//===- VerifyCommunication.cpp - Checks what the communication stage promises -------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/comm/Passes.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/StepInterface.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_VERIFYCOMMUNICATIONPASS
#include "passes/comm/Passes.h.inc"

namespace {

struct VerifyCommunicationPass : impl::VerifyCommunicationPassBase<VerifyCommunicationPass> {
  using VerifyCommunicationPassBase::VerifyCommunicationPassBase;

  void runOnOperation() override {
    ids.clear();
    WalkResult walked = getOperation().walk([&](Operation *op) {
      if (isa<dist::RedistributeOp>(op)) {
        op->emitOpError("is left: every redistribution must have become steps");
        return WalkResult::interrupt();
      }
      auto step = dyn_cast<dist::StepOpInterface>(op);
      return step && failed(verifyStep(step)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walked.wasInterrupted() || failed(verifyPeers()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult verifyStep(dist::StepOpInterface step) {
    if (std::optional<int64_t> id = step.getStepId())
      if (auto [other, isNew] = ids.try_emplace(*id, step); !isNew) {
        InFlightDiagnostic diagnostic = step->emitOpError() << "has the id " << *id << " of another step";
        diagnostic.attachNote(other->second->getLoc()) << "the other step";
        return diagnostic;
      }
    if (layout::isLocal(step.getStepKind()))
      return success();
    for (OpResult result : step->getResults()) {
      if (!isa<dist::FutureType>(result.getType()))
        return step->emitOpError("sends and is not started: the other ops wait for the whole of it");
      if (result.use_empty())
        return step->emitOpError() << "is not waited for: result " << result.getResultNumber();
      for (Operation *user : result.getUsers()) {
        if (!isa<dist::WaitOp>(user)) {
          InFlightDiagnostic diagnostic = step->emitOpError()
                                          << "has a future, result " << result.getResultNumber()
                                          << ", that leaves the block or is used by others than waits";
          diagnostic.attachNote(user->getLoc()) << "by this op";
          return diagnostic;
        }
        if (user->getBlock() != step->getBlock())
          return user->emitOpError("waits in another block than the one that starts the step");
      }
    }
    return success();
  }

  /// Each id has one sender and one receiver of one type.
  LogicalResult verifyPeers() {
    llvm::MapVector<int64_t, Operation *> sent;
    WalkResult walked = getOperation().walk([&](dist::SendOp send) {
      if (!send.getId() || !sent.insert({*send.getId(), send}).second) {
        send.emitOpError("needs an id that no other send has");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    walked = getOperation().walk([&](dist::RecvOp receive) {
      auto *send = receive.getId() ? sent.find(*receive.getId()) : sent.end();
      if (send == sent.end()) {
        receive.emitOpError("has no send of its id");
        return WalkResult::interrupt();
      }
      auto type = cast<RankedTensorType>(receive.getType());
      auto sentType = cast<RankedTensorType>(send->second->getOperand(0).getType());
      if (type.getShape() != sentType.getShape() || type.getElementType() != sentType.getElementType()) {
        receive.emitOpError() << "receives " << type << ", sent is " << sentType;
        return WalkResult::interrupt();
      }
      sent.erase(send);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    if (!sent.empty())
      return sent.front().second->emitOpError("has no receive of its id");
    return success();
  }

  llvm::DenseMap<int64_t, dist::StepOpInterface> ids;
};

} // namespace
} // namespace vescale
