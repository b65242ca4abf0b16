//===- StageCheck.h - Each stage's result against one device --------------------------------===//
//
// A *base* is a module before some stage of the compiler: a model, a training step with wishes, or
// a program with layouts. What its functions compute on one device, without any layout, is what
// every later stage must compute on all ranks.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_STAGECHECK_H
#define VESCALE_TESTS_DIFFERENTIAL_STAGECHECK_H

#include "compiler/pipelines/Stages.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vescale::analysis {

/// The first stage that fails, or whose result computes something else.
struct StageFailure {
  /// "layouts" where the base itself already does.
  std::string stage;
  /// From the base to the stage's result.
  std::string pipeline;
  /// The values that differ, or the error.
  std::string text;
  /// Whether numbers differ; otherwise a pass fails, or its result has no meaning.
  bool isDifference = false;
  /// By how much.
  double size = 0;
};

struct StageCheckOptions {
  uint64_t seed = 0;
  /// Of values that are inexact, relative to 1 or the largest element.
  double tolerance = 1e-9;
  /// The same in functions with f32 values, whose constants are rounded to f32 where layers are
  /// decomposed, and for schedules, which compute in the declared types.
  double singleTolerance = 1e-4;
  /// Compares each stage's result; otherwise the last one's alone, and each one's where it differs.
  bool eachStage = true;
};

/// Compares programs of one meaning, in any layouts, with what one device computes.
class StageChecker {
public:
  explicit StageChecker(const StageCheckOptions &options);
  ~StageChecker();

  /// Evaluates the program's functions on one device, without the layouts that it may have.
  std::optional<StageFailure> setProgram(mlir::ModuleOp program);

  /// Runs the stages on a copy of the base, one after another, and compares; where the base has
  /// layouts, it is compared first. Results are inexact where the op of the program that computes
  /// them has the attribute `inexact`, or its function has; all others must be equal.
  std::optional<StageFailure> check(mlir::ModuleOp base, const std::vector<Stage> &stages);

  /// How many schedules were executed and compared.
  int64_t executions() const;

private:
  class State;
  std::unique_ptr<State> state;
};

/// A checker's answer for a base that is its own program.
std::optional<StageFailure> checkStages(mlir::ModuleOp base, const std::vector<Stage> &stages,
                                        const StageCheckOptions &options);

/// Whether two failures are of one kind: of the same stage, and the same error up to numbers and
/// names, or differences of which both or neither are mere rounding.
bool isSameKind(const StageFailure &a, const StageFailure &b);

/// Runs passes on a module; the text of the errors where that fails. The module is verified after
/// each pass, or after the last one alone.
std::optional<std::string> runPipeline(mlir::ModuleOp module, const std::string &pipeline,
                                       bool verifiesEachPass = true);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_STAGECHECK_H
