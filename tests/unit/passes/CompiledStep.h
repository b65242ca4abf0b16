//===- CompiledStep.h - a placed function as code that runs -----*- C++ -*-===//
//
// Takes a function with layouts through fusion, memory, schedule and codegen to machine code and a schedule, which
// the executor runs on all ranks of its mesh.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_TESTS_UNIT_PASSES_COMPILEDSTEP_H
#define VESCALE_TESTS_UNIT_PASSES_COMPILEDSTEP_H

#include "runtime/executor/Executor.h"

#include <memory>
#include <string>
#include <vector>

namespace vescale {

using Values = std::vector<float>;

/// A compiled step and the executor of its ranks. False where it could not be made: diagnostics say why.
class CompiledStep {
public:
  explicit CompiledStep(const std::string &source);

  explicit operator bool() const { return executor != nullptr; }

  /// Sets and reads the whole tensor of a role and name, in f32.
  void set(runtime::TensorRole role, const std::string &name, const Values &values);
  Values get(runtime::TensorRole role, const std::string &name);
  void run(int64_t step, double learningRate);

  size_t numPrograms = 0, numKernels = 0;
  /// Collectives that stand in a loop of the first program.
  size_t collectivesInLoops = 0;

private:
  void load(const std::string &object, const std::vector<std::string> &symbols);

  std::vector<vescale_kernel> kernels;
  std::unique_ptr<runtime::Executor> executor;
};

/// Numbers that look random and do not repeat.
Values sequence(size_t count, double scale, double phase);
void expectNear(const Values &actual, const Values &expected, double tolerance);

} // namespace vescale

#endif // VESCALE_TESTS_UNIT_PASSES_COMPILEDSTEP_H
