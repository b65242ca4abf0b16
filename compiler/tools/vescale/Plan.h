/// `vescale plan` and `vescale explain`: what a plan makes of a model, and why.
#ifndef VESCALE_COMPILER_TOOLS_VESCALE_PLAN_H
#define VESCALE_COMPILER_TOOLS_VESCALE_PLAN_H

#include <CLI/CLI.hpp>

namespace vescale {
struct PlanOptions;
}

namespace vescale::tools {

void addPlan(CLI::App &app);
void addExplain(CLI::App &app);

/// The arguments that both have: the model, --plan and --cluster.
void addPlanArguments(CLI::App &command, PlanOptions &options);

} // namespace vescale::tools

#endif // VESCALE_COMPILER_TOOLS_VESCALE_PLAN_H
