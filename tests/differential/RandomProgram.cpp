//===- RandomProgram.cpp - Random programs of vs --------------------------------------------===//

#include "tests/differential/RandomProgram.h"

#include "tests/differential/ProgramWriter.h"
#include "tests/differential/Steps.h"

namespace vescale::analysis {

std::string randomProgram(Choice &choice, int ops,
                          const std::function<bool(const std::string &)> &supported) {
  static const std::vector<ProgramStep> steps = [] {
    std::vector<ProgramStep> all;
    addElementwiseSteps(all);
    addShapeSteps(all);
    addReducingSteps(all);
    addLayerSteps(all);
    return all;
  }();
  ProgramWriter writer(choice, supported);
  for (int written = 0, attempts = 0; written < ops && attempts < 20 * ops; ++attempts) {
    const ProgramStep &step = choice.of(steps);
    if (!writer.supports(step.op))
      continue;
    step.write(writer);
    ++written;
  }
  return writer.finish();
}

} // namespace vescale::analysis
