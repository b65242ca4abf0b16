//===- Explain.h - Answers about a planned program in plain sentences -----------------------------===//

#ifndef VESCALE_COMPILER_EXPLAIN_EXPLAIN_H
#define VESCALE_COMPILER_EXPLAIN_EXPLAIN_H

#include "compiler/driver/PlanProgram.h"

namespace vescale {

/// Why a tensor is laid out as it is, axis by axis back to the line of the plan, and where it moves.
/// `name` is that of a tag or an argument; a name that nothing has is an error with the nearest ones.
layout::StatusOr<std::string> explainValue(const PlannedProgram &program, const std::string &name);

/// The same of a parameter alone, with what each device holds of it.
layout::StatusOr<std::string> explainParameter(const PlannedProgram &program,
                                               const std::string &name);

/// Why a collective of the training step is there: what it costs, the redistribution that it comes
/// from, the decisions that met there, and what else could have been.
layout::StatusOr<std::string> explainCollective(const PlannedProgram &program, int64_t id);

} // namespace vescale

#endif // VESCALE_COMPILER_EXPLAIN_EXPLAIN_H
