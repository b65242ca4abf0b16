#include "runtime/train/HostSide.h"

#include "runtime/library/Convert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// The loops around each HostInput of a program, by tensor.
void findLoops(const Program &program, std::vector<std::vector<uint32_t>> &loops) {
  std::vector<uint32_t> open;
  for (const Instruction &instruction : program.instructions) {
    if (auto *begin = std::get_if<LoopBegin>(&instruction.operation))
      open.push_back(begin->count);
    else if (std::holds_alternative<LoopEnd>(instruction.operation))
      open.pop_back();
    else if (auto *input = std::get_if<HostInput>(&instruction.operation))
      loops[input->tensor] = open;
  }
}

int64_t product(const std::vector<uint32_t> &counts) {
  int64_t result = 1;
  for (uint32_t count : counts)
    result *= count;
  return result;
}

int64_t rowsOf(const Tensor &tensor) {
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < tensor.shape.size(); ++d)
    rows *= tensor.shape[d];
  return rows;
}

double scalarValue(const std::byte *data, ElementType element) {
  if (element == ElementType::F64) {
    double value;
    std::memcpy(&value, data, sizeof value);
    return value;
  }
  float value;
  convertToFloat(&value, data, element, 1);
  return value;
}

} // namespace

StatusOr<HostSide> HostSide::create(const Schedule &schedule, const ResolvedLayouts &layouts) {
  HostSide host;
  host.schedule = &schedule;
  host.loops.resize(schedule.tensors.size());
  host.gradientIndex.resize(schedule.tensors.size());
  for (size_t function = 0; function < schedule.functions.size(); ++function) {
    std::vector<bool> transferred(schedule.tensors.size(), false);
    for (size_t c = 0; c < schedule.numClasses(); ++c) {
      const Program &program = schedule.programs[schedule.programIndex(function, c)];
      findLoops(program, host.loops);
      for (const Instruction &instruction : program.instructions) {
        if (auto *input = std::get_if<HostInput>(&instruction.operation))
          transferred[input->tensor] = true;
        if (auto *output = std::get_if<HostOutput>(&instruction.operation)) {
          transferred[output->tensor] = true;
          host.gradientOutputs |= schedule.tensors[output->tensor].role == TensorRole::Gradient;
        }
      }
    }
    for (size_t t = 0; t < schedule.tensors.size(); ++t) {
      TensorRole role = schedule.tensors[t].role;
      if ((role == TensorRole::Batch || role == TensorRole::Metric) && !transferred[t] &&
          hasTensor(schedule, function, schedule.tensors[t]))
        return Status::error(fmt::format(
            "{} {} is never {} the host", role == TensorRole::Batch ? "batch" : "metric",
            schedule.tensors[t].name, role == TensorRole::Batch ? "taken from" : "given to"));
    }
  }
  const Tensor *rows = nullptr;
  for (size_t t = 0; t < schedule.tensors.size(); ++t) {
    const Tensor &tensor = schedule.tensors[t];
    if (tensor.role == TensorRole::Batch) {
      bool integers = tensor.element == ElementType::I32 || tensor.element == ElementType::I64;
      if (tensor.shape.empty() || !integers)
        return Status::error(
            fmt::format("batch {} of type {} with shape [{}] cannot be filled with rows of tokens",
                        tensor.name, elementName(tensor.element), fmt::join(tensor.shape, ", ")));
      if (rows && rows->shape.back() != tensor.shape.back())
        return Status::error(fmt::format("batches {} and {} have rows of {} and {} tokens",
                                         rows->name, tensor.name, rows->shape.back(),
                                         tensor.shape.back()));
      rows = &tensor;
      host.sequenceLength = tensor.shape.back();
      host.tokenBound = std::max(host.tokenBound, tensor.vocabulary);
      host.stepTokens =
          std::max(host.stepTokens, rowsOf(tensor) * tensor.shape.back() * product(host.loops[t]));
    }
    if (tensor.role == TensorRole::Metric) {
      int64_t elements = 1;
      for (int64_t size : tensor.shape)
        elements *= size;
      bool real = tensor.element == ElementType::F32 || tensor.element == ElementType::F64 ||
                  tensor.element == ElementType::BF16 || tensor.element == ElementType::F16;
      if (elements != 1 || !real || layouts.layouts[tensor.layout].partial())
        return Status::error(
            fmt::format("metric {} is no whole floating-point scalar", tensor.name));
      host.metrics.push_back({tensor.name, t});
    }
  }
  return host;
}

void HostSide::setGradients(const SafeTensorsWriter *writer, const std::vector<size_t> &indices) {
  gradients = writer;
  for (size_t i = 0; i < indices.size(); ++i)
    gradientIndex[indices[i]] = i;
}

Status HostSide::input(const HostTransfer &transfer) const {
  const Tensor &tensor = schedule->tensors[transfer.tensor];
  if (tensor.role != TensorRole::Batch)
    return Status::error(fmt::format("the host has no values for tensor {}", tensor.name));
  int64_t microBatch = 0;
  const std::vector<uint32_t> &counts = loops[transfer.tensor];
  for (size_t l = 0; l < counts.size(); ++l)
    microBatch = microBatch * counts[l] + transfer.iteration.loops[l];
  int64_t rows = rowsOf(tensor);
  return batches->fill(transfer.data, tensor.element,
                       tensors->part(transfer.tensor, transfer.rank).region, tensor.shape,
                       tensor.tokenOffset, split, splitStep,
                       {microBatch * rows, rows * product(counts)});
}

Status HostSide::output(const HostTransfer &transfer) {
  const RankPart &part = tensors->part(transfer.tensor, transfer.rank);
  if (!part.first)
    return Status::success();
  const Tensor &tensor = schedule->tensors[transfer.tensor];
  if (tensor.role == TensorRole::Metric) {
    for (Metric &metric : metrics)
      if (metric.tensor == transfer.tensor) {
        metric.sum += scalarValue(transfer.data, tensor.element);
        ++metric.count;
      }
  } else if (tensor.role == TensorRole::Gradient && gradients) {
    gradients->write(gradientIndex[transfer.tensor], part.region, transfer.data);
  }
  return Status::success();
}

std::vector<std::pair<std::string, double>> HostSide::takeMetrics() {
  std::vector<std::pair<std::string, double>> result;
  for (Metric &metric : metrics) {
    if (metric.count > 0)
      result.push_back({metric.name, metric.sum / static_cast<double>(metric.count)});
    metric.sum = 0;
    metric.count = 0;
  }
  return result;
}
