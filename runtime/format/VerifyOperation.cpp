//===- VerifyOperation.cpp - Operands of each kind of operation -----------===//

#include "runtime/format/VerifyProgram.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace vescale::runtime;
using vescale::layout::Status;

bool vescale::runtime::checkedProduct(const std::vector<int64_t> &sizes, int64_t &product) {
  product = 1;
  bool zero = false;
  for (int64_t size : sizes) {
    if (size < 0)
      return false;
    zero |= size == 0;
    if (size > 0 &&
        (__builtin_mul_overflow(product, size, &product) || product > (int64_t(1) << 62)))
      return false;
  }
  if (zero)
    product = 0;
  return true;
}

namespace {

/// Elements from the first to the last that a strided tensor touches, or -1 where the numbers are
/// negative or too large.
int64_t span(const std::vector<std::pair<int64_t, int64_t>> &sizesAndStrides) {
  int64_t last = 0;
  for (auto [size, stride] : sizesAndStrides)
    if (size < 0 || stride < 0)
      return -1;
  for (auto [size, stride] : sizesAndStrides) {
    if (size == 0)
      return 0;
    int64_t reach;
    if (__builtin_mul_overflow(size - 1, stride, &reach) ||
        __builtin_add_overflow(last, reach, &last) || last >= (int64_t(1) << 56))
      return -1;
  }
  return last + 1;
}

/// Checks one instruction's operands against its operation.
class OperationVerifier {
public:
  OperationVerifier(const Schedule &schedule, const Program &program,
                    const Instruction &instruction)
      : schedule(schedule), program(program), operands(instruction.operands) {}

  Status operator()(const LaunchKernel &o) const;
  Status operator()(const MatMul &o) const;
  Status operator()(const Attention &o) const;
  Status operator()(const Collective &o) const;
  Status operator()(const Copy &) const;
  Status operator()(const HostInput &o) const { return host(o.tensor, true); }
  Status operator()(const HostOutput &o) const { return host(o.tensor, false); }
  Status operator()(const ScalarUpdate &o) const;
  Status operator()(const RecordEvent &) const { return accesses({}); }
  Status operator()(const WaitEvent &) const { return accesses({}); }
  Status operator()(const LoopBegin &) const { return accesses({}); }
  Status operator()(const LoopEnd &) const { return accesses({}); }

private:
  Status accesses(const std::vector<Access> &expected) const;
  Status holds(size_t operand, const char *name, int64_t elements, ElementType type) const;
  Status matrix(size_t operand, const char *name, const Matrix &matrix, const MatMul &o,
                int64_t rows, int64_t columns, ElementType type) const;
  Status host(uint32_t tensor, bool writes) const;
  bool overlap(size_t a, size_t b) const;

  const Schedule &schedule;
  const Program &program;
  const std::vector<Operand> &operands;
};

Status OperationVerifier::accesses(const std::vector<Access> &expected) const {
  if (operands.size() != expected.size())
    return Status::error(
        fmt::format("has {} operands, needs {}", operands.size(), expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    if (operands[i].access != expected[i])
      return Status::error(fmt::format("operand {} must be {}", i,
                                       expected[i] == Access::Read    ? "read"
                                       : expected[i] == Access::Write ? "written"
                                                                      : "read and written"));
  return Status();
}

Status OperationVerifier::holds(size_t operand, const char *name, int64_t elements,
                                ElementType type) const {
  if (elements < 0)
    return Status::error(fmt::format("the sizes or strides of {} are negative or too large", name));
  uint64_t bytes = elements * elementBytes(type);
  if (operands[operand].bytes < bytes)
    return Status::error(fmt::format("operand {} ({}) has {} bytes, {} are touched", operand, name,
                                     operands[operand].bytes, bytes));
  uint64_t address = program.buffers[operands[operand].buffer].offset + operands[operand].offset;
  if (address % elementBytes(type) != 0)
    return Status::error(fmt::format("operand {} ({}) starts at byte {}, which is not a multiple "
                                     "of the element's {}",
                                     operand, name, address, elementBytes(type)));
  return Status();
}

bool OperationVerifier::overlap(size_t a, size_t b) const {
  uint64_t beginA = program.buffers[operands[a].buffer].offset + operands[a].offset;
  uint64_t beginB = program.buffers[operands[b].buffer].offset + operands[b].offset;
  return beginA < beginB + operands[b].bytes && beginB < beginA + operands[a].bytes;
}

Status OperationVerifier::operator()(const LaunchKernel &o) const {
  if (o.kernel >= schedule.kernels.size())
    return Status::error(
        fmt::format("there is no kernel {}, the image has {}", o.kernel, schedule.kernels.size()));
  if (o.extent < 0 || o.grain < 1)
    return Status::error(fmt::format("has an extent of {} in grains of {}", o.extent, o.grain));
  return Status();
}

Status OperationVerifier::matrix(size_t operand, const char *name, const Matrix &matrix,
                                 const MatMul &o, int64_t rows, int64_t columns,
                                 ElementType type) const {
  if (matrix.batchStrides.size() != o.batch.size())
    return Status::error(fmt::format("{} has {} batch strides for {} batch sizes", name,
                                     matrix.batchStrides.size(), o.batch.size()));
  if (matrix.transposed)
    std::swap(rows, columns);
  if (matrix.leading < std::max<int64_t>(columns, 1))
    return Status::error(
        fmt::format("{} has rows of {} elements every {} elements", name, columns, matrix.leading));
  std::vector<std::pair<int64_t, int64_t>> dims = {{rows, matrix.leading}, {columns, 1}};
  for (size_t b = 0; b < o.batch.size(); ++b)
    dims.push_back({o.batch[b], matrix.batchStrides[b]});
  return holds(operand, name, span(dims), type);
}

Status OperationVerifier::operator()(const MatMul &o) const {
  Access result = o.beta == 0 ? Access::Write : Access::ReadWrite;
  if (Status status = accesses({Access::Read, Access::Read, result}); !status.ok())
    return status;
  if (!std::isfinite(o.alpha) || !std::isfinite(o.beta))
    return Status::error("alpha and beta must be finite");
  if (Status status = matrix(0, "a", o.a, o, o.m, o.k, o.input); !status.ok())
    return status;
  if (Status status = matrix(1, "b", o.b, o, o.k, o.n, o.input); !status.ok())
    return status;
  if (Status status = matrix(2, "c", o.c, o, o.m, o.n, o.output); !status.ok())
    return status;
  if (overlap(0, 2) || overlap(1, 2))
    return Status::error("c overlaps a or b");
  return Status();
}

Status OperationVerifier::operator()(const Attention &o) const {
  std::vector<Access> expected = {Access::Read, Access::Read, Access::Read};
  if (o.bias)
    expected.push_back(Access::Read);
  if (o.backward)
    for (Access access :
         {Access::Read, Access::Read, Access::Read, Access::Write, Access::Write, Access::Write})
      expected.push_back(access);
  else
    expected.insert(expected.end(), {Access::Write, Access::Write});
  if (Status status = accesses(expected); !status.ok())
    return status;
  if (o.headSize < 1 || o.keyHeads < 1 || o.heads < 0 || o.heads % o.keyHeads != 0)
    return Status::error(fmt::format("{} heads of size {} cannot share {} key heads", o.heads,
                                     o.headSize, o.keyHeads));
  if (!(o.dropout >= 0 && o.dropout < 1) || !std::isfinite(o.scale))
    return Status::error(fmt::format("has dropout {} and scale {}", o.dropout, o.scale));

  auto tensor = [&](const AttentionStrides &s, int64_t heads, int64_t length) {
    return span({{o.batch, s.batch}, {heads, s.head}, {length, s.sequence}, {o.headSize, 1}});
  };
  int64_t query = tensor(o.q, o.heads, o.queryLength), key = tensor(o.k, o.keyHeads, o.keyLength),
          value = tensor(o.v, o.keyHeads, o.keyLength),
          output = tensor(o.output, o.heads, o.queryLength);
  int64_t rows, scores;
  if (!checkedProduct({o.batch, o.heads, o.queryLength}, rows) ||
      !checkedProduct({o.batch, o.heads, o.queryLength, o.keyLength}, scores))
    return Status::error("the sizes are negative or too large");

  size_t next = 0;
  std::vector<std::tuple<const char *, int64_t, ElementType>> tensors = {
      {"q", query, o.element}, {"k", key, o.element}, {"v", value, o.element}};
  if (o.bias)
    tensors.push_back({"bias", scores, o.element});
  // The log-sum-exp is kept in the type of the accumulation.
  ElementType statistics = o.element == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  tensors.push_back({"output", output, o.element});
  tensors.push_back({"log-sum-exp", rows, statistics});
  if (o.backward) {
    tensors.push_back({"output gradient", output, o.element});
    tensors.push_back({"q gradient", query, o.element});
    tensors.push_back({"k gradient", key, o.element});
    tensors.push_back({"v gradient", value, o.element});
  }
  for (auto [name, elements, type] : tensors)
    if (Status status = holds(next++, name, elements, type); !status.ok())
      return status;
  return Status();
}

Status OperationVerifier::operator()(const Collective &o) const {
  if (o.source >= schedule.layouts.size() || o.target >= schedule.layouts.size())
    return Status::error(fmt::format("layouts {} and {}: there are {}", o.source, o.target,
                                     schedule.layouts.size()));
  int64_t elements;
  if (!checkedProduct(o.shape, elements))
    return Status::error(
        fmt::format("the shape [{}] is negative or too large", fmt::join(o.shape, ", ")));
  // Which of the two a rank has, and how large they are, depends on its coordinate (checkRank).
  if (operands.empty() || operands.size() > 2)
    return Status::error(
        fmt::format("has {} operands, needs an input, an output or both", operands.size()));
  if (operands.size() == 2)
    return accesses({Access::Read, Access::Write});
  return Status();
}

Status OperationVerifier::operator()(const Copy &) const {
  if (Status status = accesses({Access::Read, Access::Write}); !status.ok())
    return status;
  if (operands[0].bytes != operands[1].bytes)
    return Status::error(
        fmt::format("copies {} bytes to {}", operands[0].bytes, operands[1].bytes));
  if (overlap(0, 1))
    return Status::error("copies bytes onto themselves");
  return Status();
}

Status OperationVerifier::host(uint32_t tensor, bool writes) const {
  if (tensor >= schedule.tensors.size())
    return Status::error(
        fmt::format("there is no tensor {}, the schedule has {}", tensor, schedule.tensors.size()));
  if (Status status = accesses({writes ? Access::Write : Access::Read}); !status.ok())
    return status;
  const Tensor &t = schedule.tensors[tensor];
  if (writes && t.role != TensorRole::Batch)
    return Status::error(
        fmt::format("tensor {} is not a batch: the host does not fill it", t.name));
  size_t self = &program - schedule.programs.data();
  uint32_t buffer = t.buffers[self];
  if (buffer != operands[0].buffer || operands[0].offset != 0 ||
      operands[0].bytes != program.buffers[buffer].bytes)
    return Status::error(fmt::format("the operand is not the whole buffer of tensor {}", t.name));
  return Status();
}

Status OperationVerifier::operator()(const ScalarUpdate &o) const {
  if (Status status = accesses({Access::Write}); !status.ok())
    return status;
  bool integer = o.element == ElementType::I64 || o.element == ElementType::I32;
  bool real = o.element == ElementType::F64 || o.element == ElementType::F32;
  if (!(real || (integer && o.quantity != HostScalar::LearningRate)))
    return Status::error(
        fmt::format("this quantity cannot be written as {}", elementName(o.element)));
  return holds(0, "scalar", 1, o.element);
}

} // namespace

Status vescale::runtime::verifyOperation(const Schedule &schedule, const Program &program,
                                         const Instruction &instruction) {
  return std::visit(OperationVerifier(schedule, program, instruction), instruction.operation);
}
