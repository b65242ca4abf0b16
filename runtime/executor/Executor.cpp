//===- Executor.cpp - Runs a schedule, step by step -----------------------===//

#include "runtime/executor/Executor.h"
#include "runtime/format/Decode.h"
#include "runtime/format/Describe.h"

#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

StatusOr<std::unique_ptr<Executor>> Executor::create(const uint8_t *file, uint64_t size,
                                                     const KernelImage &image,
                                                     const ExecutorOptions &options) {
  StatusOr<Schedule> decoded = decodeSchedule(file, size);
  if (!decoded.ok())
    return decoded.status();
  if (Status status = verifySchedule(*decoded, {options.acceptRaces}); !status.ok())
    return status;
  std::unique_ptr<Executor> executor(new Executor(std::move(*decoded)));
  if (Status status = executor->prepare(image, options); !status.ok())
    return status;
  return executor;
}

Status Executor::prepare(const KernelImage &image, const ExecutorOptions &options) {
  if (content.target != "cpu")
    return Status::error(
        fmt::format("the schedule is for {}, this executor runs cpu", content.target));
  if (image.count != content.kernels.size() || image.checksum != content.kernelsChecksum)
    return Status::error(fmt::format(
        "the kernels are not those of the schedule: {} with checksum {:016x}, the schedule has {} "
        "with {:016x}",
        image.count, image.checksum, content.kernels.size(), content.kernelsChecksum));
  StatusOr<ResolvedLayouts> resolved = resolveLayouts(content);
  if (!resolved.ok())
    return resolved.status();
  layouts = std::move(*resolved);
  for (int64_t rank = 0; rank < ranks(); ++rank)
    if (Status status = checkRank(content, layouts, rank); !status.ok())
      return status;

  WorkerPoolOptions poolOptions;
  poolOptions.workers = options.workers;
  poolOptions.randomOrder = options.randomOrder;
  poolOptions.seed = options.randomSeed;
  poolOptions.traceCapacity = options.traceCapacity;
  // In random order the pool decides what runs when, so one worker serves all streams.
  poolOptions.workerPerStream &= !options.randomOrder;
  pool = std::make_unique<WorkerPool>(poolOptions);

  for (int64_t rank = 0; rank < ranks(); ++rank) {
    uint32_t programClass = classOf(content, layouts, rank);
    devices.push_back(std::make_unique<CpuDevice>(
        *pool, options.threadsPerRank, [this, rank, programClass](uint32_t instruction) {
          return fmt::format("rank {}: {}", rank, describe(content, programClass, instruction));
        }));
    if (Status status = devices.back()->allocateArena(content.programs[programClass].arenaBytes);
        !status.ok())
      return Status::error(fmt::format("rank {}: {}", rank, status.message()));
    programs.push_back(std::make_unique<RankProgram>());
    BindContext context{content,      layouts,       rank,          *devices.back(),
                        communicator, image.kernels, options.input, options.output};
    if (Status status = programs.back()->bind(context); !status.ok())
      return status;
  }
  if (Status status = communicator.connect(); !status.ok())
    return status;
  pool->start();
  return Status();
}

Executor::~Executor() = default;

uint64_t Executor::arenaBytes(int64_t rank) const {
  return content.programs[classOf(content, layouts, rank)].arenaBytes;
}

Status Executor::runStep(const StepScalars &scalars) {
  if (!broken.ok())
    return broken;
  pool->begin(scalars);
  for (std::unique_ptr<RankProgram> &program : programs)
    program->restart();
  // A rank whose queue is full does not hold up the others, on which it may depend.
  bool complete = false, atRest = false;
  while (!complete && !pool->failed()) {
    complete = true;
    bool progress = false;
    for (size_t rank = 0; rank < programs.size(); ++rank)
      complete &= programs[rank]->walk(*devices[rank], progress);
    if (complete)
      break;
    if (atRest && !progress)
      pool->fail(pool->deadlock());
    atRest = pool->waitForSpace();
  }
  broken = pool->finish();
  return broken;
}

std::byte *Executor::tensorData(uint32_t tensor, int64_t rank) const {
  uint32_t programClass = classOf(content, layouts, rank);
  uint32_t buffer = content.tensors[tensor].buffers[programClass];
  if (buffer == none)
    return nullptr;
  return devices[rank]->arena() + content.programs[programClass].buffers[buffer].offset;
}

uint32_t Executor::findTensor(TensorRole role, const std::string &name) const {
  for (uint32_t t = 0; t < content.tensors.size(); ++t)
    if (content.tensors[t].role == role && content.tensors[t].name == name)
      return t;
  return none;
}

std::vector<StreamTrace> Executor::trace() const {
  std::vector<StreamTrace> result;
  for (int64_t rank = 0; rank < ranks(); ++rank) {
    const Program &program = content.programs[classOf(content, layouts, rank)];
    for (uint32_t s = 0; s < program.streams.size(); ++s)
      result.push_back({rank, program.streams[s], devices[rank]->stream(s).trace()});
  }
  return result;
}
