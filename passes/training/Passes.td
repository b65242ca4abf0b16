//===- Passes.td - passes of the training stage --------------------------------------===//

#ifndef VESCALE_PASSES_TRAINING_PASSES_TD
#define VESCALE_PASSES_TRAINING_PASSES_TD

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"vs-differentiate", "::mlir::ModuleOp"> {
  let summary = "Adds a function that computes the loss and its gradients";
  let description = [{
    From the model's function `@loss(arguments) -> (loss, metrics...)` makes
    `@loss_and_gradients(arguments) -> (loss, metrics..., gradients...)` with one gradient for each parameter, in
    the order of the arguments, tagged with `<parameter's name>.gradient`. `@loss` stays.

    Steps: random ops get their draw ids in program order; the body is cloned; reverse mode visits its ops from the
    last to the first and lets each build its adjoint.

    Invariants: the gradient of a parameter has its shape and element type; contributions to one value are added in
    a fixed order. A parameter that the loss does not depend on gets zeros, and a remark.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"loss\"", "Name of the model's function">,
  ];
  let dependentDialects = ["::vescale::vs::VsDialect"];
  let statistics = [Statistic<"numAdjointOps", "adjoint-ops", "Number of ops of the backward pass">];
}

def BuildEvaluationPass : Pass<"vs-build-evaluation", "::mlir::ModuleOp"> {
  let summary = "Builds the function that evaluates the loss";
  let description = [{
    From the model's function `@loss(arguments) -> (loss, metrics...)` makes `@evaluate(parameters..., batch...) ->
    (loss, metrics...)`, which the host runs on data for validation: the same, except that ops that may draw random
    numbers are what they are in evaluation (RandomOpInterface: dropout drops nothing). A generator that nothing needs
    any more is no argument. `@loss` stays; the function's parameters are those of the training step by name.

    To be run before `vs-build-training-step`, which removes the model.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"loss\"", "Name of the model's function">,
  ];
  let dependentDialects = ["::vescale::vs::VsDialect"];
  let statistics = [Statistic<"numQuiet", "quiet-ops", "Ops that draw in training and do not in evaluation">];
}

def AccumulateGradientsPass : Pass<"vs-accumulate-gradients", "::mlir::ModuleOp"> {
  let summary = "Lets a step run over several micro-batches";
  let description = [{
    The model's batch becomes one of several micro-batches of a step. In `@loss_and_gradients`, batch arguments get a
    first dim that counts them (`vs.micro_batches`), and a `vs.repeat` runs the forward and backward pass on
    one micro-batch after the other. It carries the number of the run and the sums of the loss, of the metrics and of
    the gradients, which are divided by the number of micro-batches after it: where the loss is a mean over the rows of a micro-batch, the
    step is that of one batch of all rows. The tags of the gradients stand after the loop, so that they are reduced
    over devices there.

    A generator draws other numbers in each micro-batch, see `vs.repeat`. `@loss` stays, for the evaluation. To be run
    between `vs-differentiate` and `vs-build-training-step`; one micro-batch changes nothing.

    The number of micro-batches is that of the option, or else what the plan's `"accumulate"` says; both may be given
    where they agree.
  }];
  let options = [
    Option<"count", "count", "int64_t", "0", "Micro-batches of a step; 0: as the plan says, or one">,
    Option<"plan", "plan", "std::string", "\"\"", "The plan file; empty: none">,
    Option<"function", "function", "std::string", "\"loss\"", "Name of the model's function">,
  ];
  let dependentDialects = ["::vescale::vs::VsDialect"];
  let statistics = [Statistic<"numAccumulated", "accumulated", "Values that the loop sums up">];
}

def BuildTrainingStepPass : Pass<"vs-build-training-step", "::mlir::ModuleOp"> {
  let summary = "Builds one training step: gradients, clipping, optimizer";
  let description = [{
    From `@loss_and_gradients` makes `@step(parameters..., states..., batch..., rng, learning_rate, step) -> (new
    parameters..., new states..., loss, metrics..., gradient_norm)`. The model's function and `@loss_and_gradients` are
    removed: the step is what is compiled.

    New parameters and states carry `vs.aliases`, the number of the argument whose memory they take. States are
    named after their parameter: `<name>.m` and `<name>.v` (AdamW), `<name>.momentum` (SGD). The scalars
    `learning_rate` and `step` (counted from 1) are known at run time only.

    Weight decay applies to the parameters that say so (`vs.decay = true`) and to no others.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"loss\"", "Name of the model's function">,
    Option<"optimizer", "optimizer", "std::string", "\"adamw\"", "adamw or sgd">,
    Option<"beta1", "beta1", "double", "0.9", "Decay of the first moment (AdamW)">,
    Option<"beta2", "beta2", "double", "0.95", "Decay of the second moment (AdamW)">,
    Option<"epsilon", "epsilon", "double", "1e-8", "Added to the root of the second moment (AdamW)">,
    Option<"momentum", "momentum", "double", "0.0", "Momentum factor (SGD); 0 keeps no state">,
    Option<"weightDecay", "weight-decay", "double", "0.1", "Weight decay of parameters that decay">,
    Option<"maxGradientNorm", "max-gradient-norm", "double", "1.0",
           "Clip gradients to this global norm; 0 does not clip">,
  ];
  let dependentDialects = ["::vescale::vs::VsDialect"];
  let statistics = [Statistic<"numParameters", "parameters", "Number of trained parameters">];
}

#endif // VESCALE_PASSES_TRAINING_PASSES_TD
