//===- Executor.cpp - Runs a schedule, step by step -----------------------===//

#include "runtime/executor/Executor.h"
#include "runtime/format/Decode.h"
#include "runtime/format/Describe.h"

#include <algorithm>
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

  programs.resize(content.functions.size() * ranks());
  for (int64_t rank = 0; rank < ranks(); ++rank)
    if (Status status = prepareRank(rank, image, options); !status.ok())
      return status;
  if (Status status = communicator.connect(); !status.ok())
    return status;
  pool->start();
  return Status();
}

Status Executor::prepareRank(int64_t rank, const KernelImage &image,
                             const ExecutorOptions &options) {
  uint32_t rankClass = classOf(content, layouts, rank);
  devices.push_back(std::make_unique<CpuDevice>(
      *pool, options.threadsPerRank,
      [this, rank](uint32_t instruction) { return describeInstruction(rank, instruction); }));
  CpuDevice &device = *devices.back();
  if (Status status = device.allocateArena(arenaBytes(rank)); !status.ok())
    return Status::error(fmt::format("rank {}: {}", rank, status.message()));
  // All functions run on the same streams, whose queues hold the longest of them.
  const std::vector<std::string> &streams = content.programs[rankClass].streams;
  std::vector<uint64_t> entries(streams.size(), 0);
  for (size_t function = 0; function < content.functions.size(); ++function) {
    std::vector<uint64_t> own =
        entriesByStream(content.programs[content.programIndex(function, rankClass)]);
    for (size_t s = 0; s < streams.size(); ++s)
      entries[s] = std::max(entries[s], own[s]);
  }
  for (size_t s = 0; s < streams.size(); ++s)
    device.createStream(fmt::format("{} of rank {}", streams[s], rank), entries[s]);
  for (size_t function = 0; function < content.functions.size(); ++function) {
    auto &program = programs[function * ranks() + rank] = std::make_unique<RankProgram>();
    BindContext context{content, layouts, rank, device, communicator, image.kernels, options.input,
                        options.output, content.programIndex(function, rankClass),
                        firstInstruction(function, rankClass)};
    if (Status status = program->bind(context); !status.ok())
      return status;
  }
  return Status();
}

Executor::~Executor() = default;

uint64_t Executor::arenaBytes(int64_t rank) const {
  uint32_t rankClass = classOf(content, layouts, rank);
  uint64_t bytes = 0;
  for (size_t function = 0; function < content.functions.size(); ++function)
    bytes =
        std::max(bytes, content.programs[content.programIndex(function, rankClass)].arenaBytes);
  return bytes;
}

uint32_t Executor::firstInstruction(size_t function, uint32_t rankClass) const {
  size_t first = 0;
  for (size_t f = 0; f < function; ++f)
    first += content.programs[content.programIndex(f, rankClass)].instructions.size();
  return static_cast<uint32_t>(first);
}

std::string Executor::describeInstruction(int64_t rank, uint32_t instruction) const {
  uint32_t rankClass = classOf(content, layouts, rank);
  size_t function = content.functions.size() - 1;
  while (firstInstruction(function, rankClass) > instruction)
    --function;
  return fmt::format("rank {}: {}", rank,
                     describe(content, content.programIndex(function, rankClass),
                              instruction - firstInstruction(function, rankClass)));
}

Status Executor::run(uint32_t function, const StepScalars &scalars) {
  if (!broken.ok())
    return broken;
  pool->begin(scalars);
  std::unique_ptr<RankProgram> *first = &programs[function * ranks()];
  for (int64_t rank = 0; rank < ranks(); ++rank)
    first[rank]->restart();
  // A rank whose queue is full does not hold up the others, on which it may depend.
  bool complete = false, atRest = false;
  while (!complete && !pool->failed()) {
    complete = true;
    bool progress = false;
    for (int64_t rank = 0; rank < ranks(); ++rank)
      complete &= first[rank]->walk(*devices[rank], progress);
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
  uint32_t rankClass = classOf(content, layouts, rank);
  for (size_t function = 0; function < content.functions.size(); ++function) {
    size_t program = content.programIndex(function, rankClass);
    uint32_t buffer = content.tensors[tensor].buffers[program];
    if (buffer != none)
      return devices[rank]->arena() + content.programs[program].buffers[buffer].offset;
  }
  return nullptr;
}

uint32_t Executor::findTensor(TensorRole role, const std::string &name) const {
  for (uint32_t t = 0; t < content.tensors.size(); ++t)
    if (content.tensors[t].role == role && content.tensors[t].name == name)
      return t;
  return none;
}

std::vector<StreamTrace> Executor::trace(uint32_t function) const {
  std::vector<StreamTrace> result;
  for (int64_t rank = 0; rank < ranks(); ++rank) {
    uint32_t rankClass = classOf(content, layouts, rank);
    const Program &program = content.programs[content.programIndex(function, rankClass)];
    uint32_t first = firstInstruction(function, rankClass);
    for (uint32_t s = 0; s < program.streams.size(); ++s) {
      StreamTrace trace{rank, program.streams[s], {}};
      for (TraceRecord record : devices[rank]->stream(s).trace())
        if (record.instruction >= first &&
            record.instruction - first < program.instructions.size()) {
          record.instruction -= first;
          trace.records.push_back(record);
        }
      result.push_back(std::move(trace));
    }
  }
  return result;
}
