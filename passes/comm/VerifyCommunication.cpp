//===- VerifyCommunication.cpp - Checks what the communication stage promises -------------===//
//
// See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "passes/comm/Passes.h"
#include "passes/fusion/KernelKind.h"

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
    sent.clear();
    received.clear();
    WalkResult walked = walkOutsideGroups(getOperation(), [&](Operation *op) {
      if (isa<dist::RedistributeOp>(op)) {
        op->emitOpError("is left: every redistribution must have become steps");
        return WalkResult::interrupt();
      }
      if (auto send = dyn_cast<dist::SendOp>(op))
        return failed(noteSend(send)) ? WalkResult::interrupt() : WalkResult::advance();
      if (auto receive = dyn_cast<dist::RecvOp>(op))
        received.push_back(receive);
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

  LogicalResult noteSend(dist::SendOp send) {
    if (send.getId() && sent.insert({*send.getId(), send}).second)
      return success();
    return send.emitOpError("needs an id that no other send has");
  }

  /// Each id has one sender and one receiver of one type.
  LogicalResult verifyPeers() {
    llvm::DenseSet<int64_t> matched;
    for (dist::RecvOp receive : received) {
      auto *send = receive.getId() ? sent.find(*receive.getId()) : sent.end();
      if (send == sent.end() || !matched.insert(send->first).second)
        return receive.emitOpError("has no send of its id");
      auto type = cast<RankedTensorType>(receive.getType());
      auto sentType = cast<RankedTensorType>(send->second.getOperand().getType());
      if (type.getShape() != sentType.getShape() || type.getElementType() != sentType.getElementType())
        return receive.emitOpError() << "receives " << type << ", sent is " << sentType;
    }
    for (auto [id, send] : sent)
      if (!matched.contains(id))
        return send.emitOpError("has no receive of its id");
    return success();
  }

  llvm::DenseMap<int64_t, dist::StepOpInterface> ids;
  llvm::MapVector<int64_t, dist::SendOp> sent;
  SmallVector<dist::RecvOp> received;
};

} // namespace
} // namespace vescale
