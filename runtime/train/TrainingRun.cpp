#include "runtime/train/TrainingRun.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/format/Decode.h"
#include "runtime/format/Describe.h"
#include "runtime/trace/Trace.h"
#include "runtime/train/Progress.h"
#include "runtime/train/Watchdog.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// What --save writes.
const std::vector<TensorRole> savedRoles = {TensorRole::Parameter, TensorRole::State};

/// A stream's records of more commands than this are cut to the latest.
constexpr uint64_t longestTrace = uint64_t(1) << 20;

uint32_t commandsPerStep(const Schedule &schedule) {
  uint64_t most = 1;
  for (const Program &program : schedule.programs)
    for (uint64_t entries : entriesByStream(program))
      most = std::max(most, entries);
  return static_cast<uint32_t>(std::min(most, longestTrace));
}

const char *category(const Operation &operation) {
  if (std::holds_alternative<Collective>(operation))
    return "collective";
  if (std::holds_alternative<Copy>(operation))
    return "gpu_memcpy";
  if (std::holds_alternative<LaunchKernel>(operation) ||
      std::holds_alternative<MatMul>(operation) || std::holds_alternative<Attention>(operation))
    return "kernel";
  return "user_annotation";
}

} // namespace

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

Status TrainingRun::openData(const Schedule &schedule) {
  TokenType type =
      options.tokens.empty() ? usualTokenType(options.data) : *parseTokenType(options.tokens);
  StatusOr<Tokens> tokens = Tokens::open(options.data, type, host->vocabulary());
  if (!tokens.ok())
    return tokens.status();
  int64_t count = tokens->size();
  double fraction = options.validateEvery > 0 ? options.validationFraction : 0;
  if (options.validateEvery > 0 && fraction == 0)
    return Status::error(
        "--validate-every needs data for validation: --validation-part must be above 0");
  if (host->sequence() == 0)
    return Status::error("the schedule reads no rows of tokens");
  StatusOr<Batches> opened = Batches::create(std::make_shared<Tokens>(std::move(*tokens)),
                                             host->sequence(), options.seed, fraction);
  if (!opened.ok())
    return opened.status();
  batches = std::move(*opened);
  return printLine(fmt::format("{} tokens from {}; {} tokens a step in rows of {}", count,
                               options.data, host->tokensPerStep(), host->sequence()));
}

Status TrainingRun::prepare() {
  StatusOr<Schedule> schedule = decodeSchedule(image.schedule, image.scheduleSize);
  if (!schedule.ok())
    return schedule.status();
  if (Status status = verifySchedule(*schedule); !status.ok())
    return status;
  StatusOr<ResolvedLayouts> layouts = resolveLayouts(*schedule);
  if (!layouts.ok())
    return layouts.status();
  evaluation = schedule->findFunction(evaluationFunction);
  if (options.validateEvery > 0 && evaluation == none)
    return Status::error(fmt::format("--validate-every: the executable has no function \"{}\", it was compiled "
                                     "from a training step instead of a model",
                                     evaluationFunction));
  int64_t ranks = layouts->ranks();
  if (options.ranks != 0 && options.ranks != ranks)
    return Status::error(fmt::format(
        "compiled for {} ranks (mesh {}), not for {}: compile the model for another mesh", ranks,
        schedule->meshes[0], options.ranks));
  int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int threads = options.threadsPerRank > 0
                    ? options.threadsPerRank
                    : std::max(1, cores / static_cast<int>(std::min<int64_t>(ranks, cores)));
  if (Status status = printLine(fmt::format("{} ranks (mesh {}) with {} threads each, on {} cores",
                                            ranks, schedule->meshes[0], threads, cores));
      !status.ok())
    return status;

  StatusOr<HostSide> side = HostSide::create(*schedule, *layouts);
  if (!side.ok())
    return side.status();
  host = std::move(*side);
  if (!options.dumpGradients.empty() && !host->hasGradients())
    return Status::error(
        "--dump-gradients: the model was compiled without its gradients as outputs");
  if (Status status = openData(*schedule); !status.ok())
    return status;

  ExecutorOptions settings;
  settings.threadsPerRank = threads;
  settings.workers = static_cast<int>(std::min<int64_t>(ranks * threads, cores));
  settings.input = [this](const HostTransfer &transfer) { return host->input(transfer); };
  settings.output = [this](const HostTransfer &transfer) { return host->output(transfer); };
  settings.traceCapacity = options.trace.empty() ? 0 : commandsPerStep(*schedule);
  StatusOr<std::unique_ptr<Executor>> made =
      Executor::create(image.schedule, image.scheduleSize, image.kernels, settings);
  if (!made.ok())
    return made.status();
  executor = std::move(*made);
  for (int64_t rank = 0; rank < ranks; ++rank)
    plannedBytes += executor->arenaBytes(rank);

  // From here on all refer to the executor's own copy of the schedule.
  side = HostSide::create(executor->schedule(), executor->resolvedLayouts());
  if (!side.ok())
    return side.status();
  host = std::move(*side);
  tensors.emplace(
      executor->schedule(), executor->resolvedLayouts(),
      [&](uint32_t tensor, int64_t rank) { return executor->tensorData(tensor, rank); });
  host->setTensors(&*tensors);
  host->setBatches(&*batches);
  if (Status status = tensors->initialize(options.seed); !status.ok())
    return status;
  for (const Tensor &tensor : executor->schedule().tensors)
    if (tensor.initializer.kind == InitializerKind::File && options.load.empty())
      return Status::error(fmt::format(
          "tensor {} has no first value of its own: --load a file with it", tensor.name));
  if (!options.load.empty())
    if (Status status = tensors->load(options.load); !status.ok())
      return status;
  // A file that cannot be written is found before the work, not after it.
  if (!options.save.empty())
    if (Status status = tensors->checkSave(options.save, savedRoles); !status.ok())
      return status;
  if (!options.trace.empty())
    if (StatusOr<AtomicFile> file = AtomicFile::create(options.trace, 0); !file.ok())
      return file.status();
  if (!options.metrics.empty()) {
    StatusOr<Metrics> opened = Metrics::open(options.metrics);
    if (!opened.ok())
      return opened.status();
    metrics = std::move(*opened);
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Status TrainingRun::step(int64_t index, SafeTensorsWriter *gradients) {
  StepReport report;
  report.step = index + 1;
  report.steps = options.steps;
  report.learningRate = options.learningRate.at(index);
  report.tokens = host->tokensPerStep();
  report.predictedSeconds = executor->schedule().predictedStepSeconds;
  host->setSplit(Split::training, static_cast<uint64_t>(index));
  host->setGradients(gradients,
                     gradients ? tensors->withRole(TensorRole::Gradient) : std::vector<size_t>());
  Watchdog watchdog(options.timeoutSeconds, index + 1);
  auto begin = std::chrono::steady_clock::now();
  if (Status status = executor->runStep(scalars(index, report.learningRate)); !status.ok())
    return Status::error(fmt::format("step {}: {}", index + 1, status.message()));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.metrics = host->takeMetrics();
  report.plannedBytes = plannedBytes;
  report.usedBytes = peakMemory();
  if (Status status = printLine(progressLine(report)); !status.ok())
    return status;
  if (metrics)
    if (Status status = metrics->write(metricsOf(report)); !status.ok())
      return status;
  for (const auto &[name, value] : report.metrics)
    if (!std::isfinite(value))
      return Status::error(
          fmt::format("step {}: {} is {}: training has diverged; try a lower --lr", index + 1, name, value));
  return Status::success();
}

Status TrainingRun::train() {
  std::optional<SafeTensorsWriter> gradients;
  if (!options.dumpGradients.empty()) {
    StatusOr<std::vector<StoredTensor>> entries =
        tensors->describe(tensors->withRole(TensorRole::Gradient));
    if (!entries.ok())
      return entries.status();
    StatusOr<SafeTensorsWriter> writer =
        SafeTensorsWriter::create(options.dumpGradients, std::move(*entries));
    if (!writer.ok())
      return writer.status();
    gradients = std::move(*writer);
  }
  if (options.validateEvery > 0)
    if (Status status = validate(0); !status.ok())
      return status;
  for (int64_t index = 0; index < options.steps; ++index) {
    if (Status status = step(index, index == 0 && gradients ? &*gradients : nullptr); !status.ok())
      return status;
    if (index == 0 && gradients) {
      if (Status status = gradients->commit(); !status.ok())
        return status;
      if (Status status = printLine("gradients of step 1: " + options.dumpGradients); !status.ok())
        return status;
    }
    bool last = index + 1 == options.steps;
    if (last && !options.trace.empty())
      if (Status status = writeTimeline(); !status.ok())
        return status;
    if (options.validateEvery > 0 && ((index + 1) % options.validateEvery == 0 || last))
      if (Status status = validate(index + 1); !status.ok())
        return status;
  }
  if (!options.save.empty()) {
    if (Status status = tensors->save(options.save, savedRoles); !status.ok())
      return status;
    if (Status status = printLine("weights and optimizer state: " + options.save); !status.ok())
      return status;
  }
  return options.metrics.empty() ? Status::success() : printLine("metrics: " + options.metrics);
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

StatusOr<double> TrainingRun::validationLoss(int64_t batch, int64_t step) {
  host->setSplit(Split::validation, static_cast<uint64_t>(batch));
  Watchdog watchdog(options.timeoutSeconds, step);
  if (Status status = executor->run(evaluation, scalars(step, 0)); !status.ok())
    return Status::error(fmt::format("validation after step {}: {}", step, status.message()));
  auto values = host->takeMetrics();
  if (values.empty())
    return Status::error("--validate-every: the model has no metric to validate");
  return values.front().second;
}

/// The function that evaluates the loss changes no weights and no state.
Status TrainingRun::validate(int64_t afterSteps) {
  double sum = 0;
  for (int64_t batch = 0; batch < options.validationBatches; ++batch) {
    StatusOr<double> loss = validationLoss(batch, afterSteps);
    if (!loss.ok())
      return loss.status();
    sum += *loss;
  }
  double loss = sum / static_cast<double>(options.validationBatches);
  if (Status status =
          printLine(fmt::format("validation after step {}: loss {:.6g}", afterSteps, loss));
      !status.ok() || !metrics)
    return status;
  return metrics->write({{"step", static_cast<double>(afterSteps)}, {"validation_loss", loss}});
}

//===----------------------------------------------------------------------===//
// Timeline
//===----------------------------------------------------------------------===//

Status TrainingRun::writeTimeline() const {
  const Schedule &schedule = executor->schedule();
  std::vector<TraceEvent> events;
  std::vector<std::vector<std::string>> streams(static_cast<size_t>(executor->ranks()));
  for (const StreamTrace &trace : executor->trace()) {
    const Program &program =
        schedule.programs[classOf(schedule, executor->resolvedLayouts(), trace.rank)];
    std::vector<std::string> &names = streams[static_cast<size_t>(trace.rank)];
    for (const TraceRecord &record : trace.records) {
      // Streams with fewer commands than others have some of the step before.
      if (record.step + 1 != options.steps)
        continue;
      const Instruction &instruction = program.instructions[record.instruction];
      TraceEvent event;
      event.name = instruction.location != none ? schedule.locations[instruction.location].label
                                                : operationName(instruction.operation);
      event.category = category(instruction.operation);
      event.rank = trace.rank;
      event.stream = static_cast<int64_t>(names.size());
      event.begin = record.begin;
      event.end = record.end;
      event.arguments = {{"operation", operationName(instruction.operation)},
                         {"instruction", std::to_string(record.instruction)},
                         {"step", std::to_string(record.step + 1)}};
      events.push_back(std::move(event));
    }
    names.push_back(trace.stream);
  }
  if (Status status = writeTrace(options.trace, events, streams); !status.ok())
    return status;
  return printLine("timeline of the last step: " + options.trace);
}
