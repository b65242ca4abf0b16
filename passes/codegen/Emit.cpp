//===- Emit.cpp - writes the schedule file --------------------------------===//

#include "passes/codegen/Passes.h"

#include "passes/codegen/ScheduleEncoder.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace vescale {

#define GEN_PASS_DEF_EMITPASS
#include "passes/codegen/Passes.h.inc"

namespace {

struct EmitPass : impl::EmitPassBase<EmitPass> {
  using EmitPassBase::EmitPassBase;

  void runOnOperation() override {
    FailureOr<runtime::Schedule> schedule = encodeModule(getOperation());
    if (failed(schedule))
      return signalPassFailure();
    std::vector<uint8_t> bytes = runtime::encodeSchedule(*schedule);
    fileBytes += bytes.size();
    if (output.empty())
      return;
    std::error_code error;
    llvm::raw_fd_ostream file(output, error);
    if (!error)
      file.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    file.flush();
    if (error || file.has_error()) {
      getOperation().emitError() << "cannot write " << output.getValue() << ": "
                                 << (error ? error : file.error()).message();
      file.clear_error();
      signalPassFailure();
    }
  }
};

} // namespace
} // namespace vescale
