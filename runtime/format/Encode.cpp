//===- Encode.cpp - From structures to the bytes of a schedule file -------===//

#include "runtime/format/Envelope.h"
#include "runtime/format/Schedule.h"

#include <cstring>

using namespace vescale::runtime;

namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

/// Appends one structure of Schedule.h to the builder. Children are written before their parents,
/// as FlatBuffers demands.
class Encoder {
public:
  std::vector<uint8_t> encode(const Schedule &s);

private:
  template <class T> auto strings(const T &values) { return builder.CreateVectorOfStrings(values); }
  template <class T> auto numbers(const std::vector<T> &values) {
    return builder.CreateVector(values);
  }
  auto text(const std::string &value) { return builder.CreateString(value); }

  template <class T, class Write> auto tables(const std::vector<T> &values, Write write) {
    std::vector<decltype(write(values[0]))> offsets;
    offsets.reserve(values.size());
    for (const T &value : values)
      offsets.push_back(write(value));
    return builder.CreateVector(offsets);
  }

  Offset<fbs::Tensor> tensor(const Tensor &t);
  Offset<fbs::Matrix> matrix(const Matrix &m);
  Offset<fbs::Instruction> instruction(const Instruction &i);
  Offset<fbs::Program> program(const Program &p);

  Offset<void> operation(const LaunchKernel &o);
  Offset<void> operation(const MatMul &o);
  Offset<void> operation(const Attention &o);
  Offset<void> operation(const Collective &o);
  Offset<void> operation(const Copy &) { return fbs::CreateCopy(builder).Union(); }
  Offset<void> operation(const RecordEvent &o) {
    return fbs::CreateRecordEvent(builder, o.event).Union();
  }
  Offset<void> operation(const WaitEvent &o) {
    return fbs::CreateWaitEvent(builder, o.event).Union();
  }
  Offset<void> operation(const HostInput &o) {
    return fbs::CreateHostInput(builder, o.tensor).Union();
  }
  Offset<void> operation(const HostOutput &o) {
    return fbs::CreateHostOutput(builder, o.tensor).Union();
  }
  Offset<void> operation(const ScalarUpdate &o) {
    return fbs::CreateScalarUpdate(builder, o.quantity, o.element).Union();
  }
  Offset<void> operation(const LoopBegin &o) {
    return fbs::CreateLoopBegin(builder, o.count).Union();
  }
  Offset<void> operation(const LoopEnd &) { return fbs::CreateLoopEnd(builder).Union(); }

  FlatBufferBuilder builder;
};

Offset<fbs::Tensor> Encoder::tensor(const Tensor &t) {
  const Initializer &i = t.initializer;
  auto initializer =
      fbs::CreateInitializer(builder, i.kind, i.a, i.b, i.draw, text(i.name), numbers(i.data));
  return fbs::CreateTensor(builder, text(t.name), t.role, numbers(t.shape), t.element, t.layout,
                           numbers(t.buffers), initializer, t.weightDecay, t.checkpoint,
                           t.tokenOffset, t.vocabulary);
}

Offset<fbs::Matrix> Encoder::matrix(const Matrix &m) {
  return fbs::CreateMatrix(builder, numbers(m.batchStrides), m.leading, m.transposed);
}

Offset<void> Encoder::operation(const LaunchKernel &o) {
  return fbs::CreateLaunchKernel(builder, o.kernel, numbers(o.scalars), o.extent, o.grain).Union();
}

Offset<void> Encoder::operation(const MatMul &o) {
  return fbs::CreateMatMul(builder, numbers(o.batch), o.m, o.n, o.k, matrix(o.a), matrix(o.b),
                           matrix(o.c), o.input, o.output, o.alpha, o.beta)
      .Union();
}

fbs::AttentionStrides strides(const AttentionStrides &s) { return {s.batch, s.head, s.sequence}; }

Offset<void> Encoder::operation(const Attention &o) {
  fbs::AttentionStrides q = strides(o.q), k = strides(o.k), v = strides(o.v),
                        output = strides(o.output);
  return fbs::CreateAttention(builder, o.backward, o.batch, o.heads, o.keyHeads, o.queryLength,
                              o.keyLength, o.headSize, o.element, o.causal, o.scale, o.dropout,
                              o.bias, o.batchStart, o.headStart, o.queryStart, o.keyStart, o.drawId,
                              o.globalHeads, o.globalQueryLength, o.globalKeyLength, &q, &k, &v,
                              &output)
      .Union();
}

Offset<void> Encoder::operation(const Collective &o) {
  return fbs::CreateCollective(builder, o.kind, o.id, o.source, o.target, numbers(o.shape),
                               o.element)
      .Union();
}

Offset<fbs::Instruction> Encoder::instruction(const Instruction &i) {
  std::vector<fbs::Operand> operands;
  operands.reserve(i.operands.size());
  for (const Operand &o : i.operands)
    operands.emplace_back(o.offset, o.bytes, o.buffer, o.access);
  auto operandVector = builder.CreateVectorOfStructs(operands);
  Offset<void> payload = std::visit([&](const auto &o) { return operation(o); }, i.operation);
  // The alternatives of the variant stand in the order of the union, whose 0 is NONE.
  auto type = static_cast<fbs::Operation>(i.operation.index() + 1);
  return fbs::CreateInstruction(builder, i.stream, i.location, operandVector, type, payload);
}

Offset<fbs::Program> Encoder::program(const Program &p) {
  std::vector<fbs::Buffer> buffers;
  for (const Buffer &b : p.buffers)
    buffers.emplace_back(b.offset, b.bytes);
  auto scalars = tables(p.scalars, [&](const Scalar &s) {
    return fbs::CreateScalar(builder, s.kind, s.scale, s.constant, s.layout, numbers(s.shape),
                             s.dim, s.box);
  });
  auto instructions = tables(p.instructions, [&](const Instruction &i) { return instruction(i); });
  return fbs::CreateProgram(builder, p.arenaBytes, strings(p.streams), p.events,
                            builder.CreateVectorOfStructs(buffers), scalars, instructions);
}

std::vector<uint8_t> Encoder::encode(const Schedule &s) {
  auto layouts = tables(s.layouts, [&](const LayoutText &l) {
    return fbs::CreateLayoutText(builder, l.mesh, text(l.text));
  });
  auto locations = tables(s.locations, [&](const Location &l) {
    return fbs::CreateLocation(builder, text(l.file), l.line, l.column, text(l.label));
  });
  auto axes = tables(s.classMap.axes, [&](const AxisKinds &a) {
    return fbs::CreateAxisKinds(builder, numbers(a.lengths), numbers(a.kinds));
  });
  auto classMap = fbs::CreateClassMap(builder, axes, numbers(s.classMap.classes));
  auto programs = tables(s.programs, [&](const Program &p) { return program(p); });
  auto tensors = tables(s.tensors, [&](const Tensor &t) { return tensor(t); });
  auto root = fbs::CreateSchedule(builder, text(s.target), strings(s.meshes), layouts, locations,
                                  strings(s.kernels), s.kernelsChecksum, classMap,
                                  strings(s.functions), programs, tensors, s.predictedStepSeconds);
  fbs::FinishScheduleBuffer(builder, root);

  std::vector<uint8_t> file(sizeof(Envelope) + builder.GetSize());
  Envelope envelope;
  envelope.size = builder.GetSize();
  envelope.checksum = checksum(builder.GetBufferPointer(), builder.GetSize());
  std::memcpy(file.data(), &envelope, sizeof(Envelope));
  std::memcpy(file.data() + sizeof(Envelope), builder.GetBufferPointer(), builder.GetSize());
  return file;
}

} // namespace

std::vector<uint8_t> vescale::runtime::encodeSchedule(const Schedule &schedule) {
  return Encoder().encode(schedule);
}
