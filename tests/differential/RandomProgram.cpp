//===- RandomProgram.cpp - Random programs of vs --------------------------------------------===//

#include "tests/differential/RandomProgram.h"

#include "tests/differential/ProgramWriter.h"
#include "tests/differential/Steps.h"

namespace vescale::analysis {

static ProgramWriter writeOps(Choice &choice, int ops, bool isModel,
                              const std::function<bool(const std::string &)> &supported) {
  static const std::vector<ProgramStep> steps = [] {
    std::vector<ProgramStep> all;
    addElementwiseSteps(all);
    addShapeSteps(all);
    addReducingSteps(all);
    addWindowSteps(all);
    addLayerSteps(all);
    return all;
  }();
  ProgramWriter writer(choice, supported);
  writer.isModel = isModel;
  for (int written = 0, attempts = 0; written < ops && attempts < 20 * ops; ++attempts) {
    const ProgramStep &step = choice.of(steps);
    if (!writer.supports(step.op))
      continue;
    step.write(writer);
    ++written;
  }
  return writer;
}

std::string randomProgram(Choice &choice, int ops,
                          const std::function<bool(const std::string &)> &supported) {
  return writeOps(choice, ops, /*isModel=*/false, supported).finishProgram();
}

std::string randomModel(Choice &choice, int ops,
                        const std::function<bool(const std::string &)> &supported) {
  return writeOps(choice, ops, /*isModel=*/true, supported).finishModel();
}

} // namespace vescale::analysis
