//===- PlanOrigin.h - Which line of a plan asks for a tensor's layout ------------------------===//

#ifndef VESCALE_ANALYSIS_PLAN_PLANORIGIN_H
#define VESCALE_ANALYSIS_PLAN_PLANORIGIN_H

#include "analysis/plan/PlanFile.h"

#include <string>

namespace vescale::analysis {

/// The sections of a plan that lay tensors out.
enum class PlanSection { parameters, values, gradients, optimizerState };

/// The ending of the name of a gradient's tag, and the name before it; empty where there is none.
std::string parameterOfGradient(const std::string &name);

/// What of a section asks for the layout of a tensor: `plan.json:7: parameters "h\\.w": [R, S(0)]`. With
/// `further`, what asks that it be cut further ("also-cut-by"). A gradient is named after its parameter.
/// Empty where nothing asks.
std::string originOf(const PlanFile &plan, PlanSection section, const std::string &name,
                     bool further = false);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PLAN_PLANORIGIN_H
