//===- CountModel.cpp - The schedule of the count model --------------------===//

#include "tests/unit/runtime/CountModel.h"

#include "tests/unit/runtime/TestSchedules.h"

using namespace vescale::runtime;
using namespace vescale::runtime::test;

std::vector<uint8_t> vescale::runtime::test::compileCountModel(const CountVariant &variant) {
  ScheduleBuilder b("dp=" + std::to_string(variant.ranks));
  for (const char *name : {"clear", "differentiate", "update", "hang"})
    b.kernel(name);
  b.schedule.kernelsChecksum = countChecksum;
  b.schedule.predictedStepSeconds = 0.5;
  b.useClass(0);
  int64_t localTokens = countRows / variant.microBatches / variant.ranks * countSequence;
  uint32_t stream = b.stream("compute");
  uint32_t tokens = b.buffer(localTokens * 4), weights = b.buffer(countBytes * 4),
           velocity = b.buffer(countBytes * 4), partial = b.buffer(countBytes * 4),
           gradient = b.buffer(countBytes * 4), partialLoss = b.buffer(4), loss = b.buffer(4),
           rate = b.buffer(4);
  uint32_t whole = b.layout("[{}]"), partialWhole = b.layout("[{}], partial = [sum: \"dp\"]"),
           scalar = b.layout("[]"), partialScalar = b.layout("[], partial = [sum: \"dp\"]"),
           cut = b.layout("[{\"dp\"}, {}]");
  uint32_t batch =
      b.tensor("tokens", TensorRole::Batch, {countRows / variant.microBatches, countSequence},
               ElementType::I32, cut, tokens);
  b.schedule.tensors[batch].vocabulary = countBytes;
  uint32_t parameter =
      b.tensor("logits", TensorRole::Parameter, {countBytes}, ElementType::F32, whole, weights);
  if (variant.fromFile)
    b.schedule.tensors[parameter].initializer.kind = InitializerKind::File;
  b.tensor("logits.velocity", TensorRole::State, {countBytes}, ElementType::F32, whole, velocity);
  uint32_t gradientTensor =
      b.tensor("logits", TensorRole::Gradient, {countBytes}, ElementType::F32, whole, gradient);
  uint32_t lossTensor = b.tensor("loss", TensorRole::Metric, {}, ElementType::F32,
                                 variant.wholeLoss ? scalar : partialScalar, loss);
  uint32_t count = b.scalar({ScalarKind::Constant, 1, localTokens, none, {}, 0, 0});

  b.emit(stream, ScalarUpdate{HostScalar::LearningRate, ElementType::F32}, {b.write(rate)});
  if (variant.hangs)
    b.emit(stream, LaunchKernel{3, {}, 1, 1}, {b.write(rate)});
  b.emit(stream, LaunchKernel{0, {}, 1, 1}, {b.write(partial), b.write(partialLoss)});
  b.emit(stream, LoopBegin{static_cast<uint32_t>(variant.microBatches)});
  b.emit(stream, HostInput{batch}, {b.write(tokens)});
  b.emit(stream, LaunchKernel{1, {count}, 1, 1},
         {b.read(tokens), b.read(weights), b.update(partial), b.update(partialLoss)},
         "cross entropy");
  b.emit(stream, LoopEnd{});
  b.emit(
      stream,
      Collective{CollectiveKind::AllReduce, 0, partialWhole, whole, {countBytes}, ElementType::F32},
      {b.read(partial), b.write(gradient)});
  b.emit(stream,
         Collective{CollectiveKind::AllReduce, 1, partialScalar, scalar, {}, ElementType::F32},
         {b.read(partialLoss), b.write(loss)});
  if (variant.gradients)
    b.emit(stream, HostOutput{gradientTensor}, {b.read(gradient)});
  if (variant.givesLoss)
    b.emit(stream, HostOutput{lossTensor}, {b.read(loss)});
  b.emit(stream, LaunchKernel{2, {}, 1, 1},
         {b.read(gradient), b.read(rate), b.update(weights), b.update(velocity)});
  if (variant.evaluates) {
    // The same without an update. Buffers lie where the step's do, so the weights do.
    b.schedule.functions = {"step", "evaluate"};
    b.useClass(1);
    b.program().streams = b.schedule.programs[0].streams;
    b.program().buffers = b.schedule.programs[0].buffers;
    b.program().scalars = b.schedule.programs[0].scalars;
    b.program().arenaBytes = b.schedule.programs[0].arenaBytes;
    b.place(batch, tokens);
    b.place(parameter, weights);
    b.place(lossTensor, loss);
    b.emit(stream, LaunchKernel{0, {}, 1, 1}, {b.write(partial), b.write(partialLoss)});
    b.emit(stream, LoopBegin{static_cast<uint32_t>(variant.microBatches)});
    b.emit(stream, HostInput{batch}, {b.write(tokens)});
    b.emit(stream, LaunchKernel{1, {count}, 1, 1},
           {b.read(tokens), b.read(weights), b.update(partial), b.update(partialLoss)},
           "evaluation");
    b.emit(stream, LoopEnd{});
    b.emit(stream,
           Collective{CollectiveKind::AllReduce, 2, partialScalar, scalar, {}, ElementType::F32},
           {b.read(partialLoss), b.write(loss)});
    b.emit(stream, HostOutput{lossTensor}, {b.read(loss)});
  }
  return encodeSchedule(b.schedule);
}
