//===- Steps.h - How each op enters a random program ----------------------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_STEPS_H
#define VESCALE_TESTS_DIFFERENTIAL_STEPS_H

#include "tests/differential/ProgramWriter.h"

namespace vescale::analysis {

struct ProgramStep {
  /// The op that the step writes; it writes further ones only where they are supported.
  std::string op;
  std::function<void(ProgramWriter &)> write;
};

// One a family.
void addElementwiseSteps(std::vector<ProgramStep> &steps);
void addShapeSteps(std::vector<ProgramStep> &steps);
void addReducingSteps(std::vector<ProgramStep> &steps);
void addWindowSteps(std::vector<ProgramStep> &steps);
void addLayerSteps(std::vector<ProgramStep> &steps);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_STEPS_H
