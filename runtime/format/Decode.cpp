//===- Decode.cpp - From the bytes of a schedule file to structures -------===//

#include "runtime/format/Decode.h"
#include "runtime/format/Envelope.h"

#include <cstring>
#include <fmt/format.h>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// FlatBuffers checks that a field lies within the file, not that an enumeration has a value of its
/// type. Reads them and remembers the first bad one.
///
/// Offsets of a hostile file may all point at one long vector, so that decoding would take far more
/// memory than the file has. What is decoded from a file of n bytes never exceeds n bytes of
/// vectors and strings, as no encoder shares them.
class Decoder {
public:
  explicit Decoder(uint64_t fileBytes) : budget(fileBytes) {}

  Schedule schedule(const fbs::Schedule *s);
  const std::string &error() const { return message; }

private:
  template <class Enum> Enum checked(Enum value, Enum last, const char *what) {
    if (static_cast<unsigned>(value) > static_cast<unsigned>(last) && message.empty())
      message = fmt::format("there is no {} number {}", what, static_cast<unsigned>(value));
    return static_cast<unsigned>(value) > static_cast<unsigned>(last) ? Enum{} : value;
  }
  ElementType element(ElementType value) {
    return checked(value, ElementType::MAX, "element type");
  }

  bool spend(uint64_t bytes) {
    if (bytes <= budget) {
      budget -= bytes;
      return true;
    }
    if (message.empty())
      message = "several tables share one vector";
    return false;
  }
  template <class T> std::vector<T> numbers(const flatbuffers::Vector<T> *values) {
    if (!spend(values->size() * sizeof(T)))
      return {};
    return std::vector<T>(values->begin(), values->end());
  }
  std::string text(const flatbuffers::String *value) {
    return spend(value->size()) ? value->str() : std::string();
  }
  std::vector<std::string>
  strings(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>> *values) {
    std::vector<std::string> result;
    for (const flatbuffers::String *value : *values)
      result.push_back(text(value));
    return result;
  }
  template <class To, class From, class Read>
  std::vector<To> tables(const flatbuffers::Vector<From> *values, Read read) {
    std::vector<To> result;
    if (spend(values->size() * sizeof(From)))
      for (const auto *value : *values)
        result.push_back(read(value));
    return result;
  }

  Tensor tensor(const fbs::Tensor *t);
  Scalar scalar(const fbs::Scalar *s);
  Program program(const fbs::Program *p);
  Instruction instruction(const fbs::Instruction *i);
  Operation operation(const fbs::Instruction *i);
  Operation matMul(const fbs::MatMul *o);
  Operation attention(const fbs::Attention *o);
  Matrix matrix(const fbs::Matrix *m);

  uint64_t budget;
  std::string message;
};

Tensor Decoder::tensor(const fbs::Tensor *t) {
  Tensor result;
  result.name = text(t->name());
  result.role = checked(t->role(), TensorRole::MAX, "tensor role");
  result.shape = numbers(t->shape());
  result.element = element(t->element());
  result.layout = t->layout();
  result.buffers = numbers(t->buffers());
  const fbs::Initializer *i = t->initializer();
  result.initializer.kind = checked(i->kind(), InitializerKind::MAX, "initializer");
  result.initializer.a = i->a();
  result.initializer.b = i->b();
  result.initializer.draw = i->draw();
  result.initializer.name = text(i->name());
  result.initializer.data = numbers(i->data());
  result.weightDecay = t->weight_decay();
  result.checkpoint = t->checkpoint();
  result.tokenOffset = t->token_offset();
  result.vocabulary = t->vocabulary();
  return result;
}

Scalar Decoder::scalar(const fbs::Scalar *s) {
  Scalar result;
  result.kind = checked(s->kind(), ScalarKind::MAX, "kind of scalar");
  result.scale = s->scale();
  result.constant = s->constant();
  result.layout = s->layout();
  result.shape = numbers(s->shape());
  result.dim = s->dim();
  result.box = s->box();
  return result;
}

Matrix Decoder::matrix(const fbs::Matrix *m) {
  return {numbers(m->batch_strides()), m->leading(), m->transposed()};
}

Operation Decoder::matMul(const fbs::MatMul *o) {
  MatMul result;
  result.batch = numbers(o->batch());
  result.m = o->m();
  result.n = o->n();
  result.k = o->k();
  result.a = matrix(o->a());
  result.b = matrix(o->b());
  result.c = matrix(o->c());
  result.input = element(o->input());
  result.output = element(o->output());
  result.alpha = o->alpha();
  result.beta = o->beta();
  return result;
}

AttentionStrides strides(const fbs::AttentionStrides *s) {
  return {s->batch(), s->head(), s->sequence()};
}

Operation Decoder::attention(const fbs::Attention *o) {
  Attention result;
  result.backward = o->backward();
  result.batch = o->batch();
  result.heads = o->heads();
  result.keyHeads = o->key_heads();
  result.queryLength = o->query_length();
  result.keyLength = o->key_length();
  result.headSize = o->head_size();
  result.element = element(o->element());
  result.causal = o->causal();
  result.scale = o->scale();
  result.dropout = o->dropout();
  result.bias = o->bias();
  result.batchStart = o->batch_start();
  result.headStart = o->head_start();
  result.queryStart = o->query_start();
  result.keyStart = o->key_start();
  result.drawId = o->draw_id();
  result.globalHeads = o->global_heads();
  result.globalQueryLength = o->global_query_length();
  result.globalKeyLength = o->global_key_length();
  result.q = strides(o->q());
  result.k = strides(o->k());
  result.v = strides(o->v());
  result.output = strides(o->output());
  return result;
}

Operation Decoder::operation(const fbs::Instruction *i) {
  switch (i->operation_type()) {
  case fbs::Operation::LaunchKernel: {
    const fbs::LaunchKernel *o = i->operation_as_LaunchKernel();
    return LaunchKernel{o->kernel(), numbers(o->scalars()), o->extent(), o->grain()};
  }
  case fbs::Operation::MatMul:
    return matMul(i->operation_as_MatMul());
  case fbs::Operation::Attention:
    return attention(i->operation_as_Attention());
  case fbs::Operation::Collective: {
    const fbs::Collective *o = i->operation_as_Collective();
    return Collective{checked(o->kind(), CollectiveKind::MAX, "kind of collective"),
                      o->id(),
                      o->source(),
                      o->target(),
                      numbers(o->shape()),
                      element(o->element())};
  }
  case fbs::Operation::Copy:
    return Copy{};
  case fbs::Operation::RecordEvent:
    return RecordEvent{i->operation_as_RecordEvent()->event()};
  case fbs::Operation::WaitEvent:
    return WaitEvent{i->operation_as_WaitEvent()->event()};
  case fbs::Operation::HostInput:
    return HostInput{i->operation_as_HostInput()->tensor()};
  case fbs::Operation::HostOutput:
    return HostOutput{i->operation_as_HostOutput()->tensor()};
  case fbs::Operation::ScalarUpdate: {
    const fbs::ScalarUpdate *o = i->operation_as_ScalarUpdate();
    return ScalarUpdate{checked(o->quantity(), HostScalar::MAX, "host scalar"),
                        element(o->element())};
  }
  case fbs::Operation::LoopBegin:
    return LoopBegin{i->operation_as_LoopBegin()->count()};
  case fbs::Operation::LoopEnd:
    return LoopEnd{};
  case fbs::Operation::NONE:
    break;
  }
  if (message.empty())
    message =
        fmt::format("there is no operation number {}", static_cast<unsigned>(i->operation_type()));
  return Copy{};
}

Instruction Decoder::instruction(const fbs::Instruction *i) {
  Instruction result;
  result.stream = i->stream();
  result.location = i->location();
  result.operands = tables<Operand>(i->operands(), [&](const fbs::Operand *o) {
    return Operand{o->buffer(), o->offset(), o->bytes(),
                   checked(o->access(), Access::MAX, "kind of access")};
  });
  result.operation = operation(i);
  return result;
}

Program Decoder::program(const fbs::Program *p) {
  Program result;
  result.arenaBytes = p->arena_bytes();
  result.streams = strings(p->streams());
  result.events = p->events();
  result.buffers = tables<Buffer>(
      p->buffers(), [](const fbs::Buffer *b) { return Buffer{b->offset(), b->bytes()}; });
  result.scalars = tables<Scalar>(p->scalars(), [&](const fbs::Scalar *s) { return scalar(s); });
  result.instructions = tables<Instruction>(
      p->instructions(), [&](const fbs::Instruction *i) { return instruction(i); });
  return result;
}

Schedule Decoder::schedule(const fbs::Schedule *s) {
  Schedule result;
  result.target = text(s->target());
  result.meshes = strings(s->meshes());
  result.layouts = tables<LayoutText>(s->layouts(), [&](const fbs::LayoutText *l) {
    return LayoutText{l->mesh(), text(l->text())};
  });
  result.locations = tables<Location>(s->locations(), [&](const fbs::Location *l) {
    return Location{text(l->file()), l->line(), l->column(), text(l->label())};
  });
  result.kernels = strings(s->kernels());
  result.kernelsChecksum = s->kernels_checksum();
  result.predictedStepSeconds = s->predicted_step_seconds();
  result.classMap.axes = tables<AxisKinds>(s->class_map()->axes(), [&](const fbs::AxisKinds *a) {
    return AxisKinds{numbers(a->lengths()), numbers(a->kinds())};
  });
  result.classMap.classes = numbers(s->class_map()->classes());
  result.functions = strings(s->functions());
  result.programs =
      tables<Program>(s->programs(), [&](const fbs::Program *p) { return program(p); });
  result.tensors = tables<Tensor>(s->tensors(), [&](const fbs::Tensor *t) { return tensor(t); });
  return result;
}

} // namespace

StatusOr<Schedule> vescale::runtime::decodeSchedule(const uint8_t *data, uint64_t size) {
  Envelope expected, envelope;
  if (size < sizeof(Envelope))
    return Status::error(fmt::format("this is not a schedule: it has {} bytes, the envelope alone "
                                     "has {}",
                                     size, sizeof(Envelope)));
  std::memcpy(&envelope, data, sizeof(Envelope));
  if (std::memcmp(envelope.magic, expected.magic, sizeof(expected.magic)) != 0)
    return Status::error("this is not a schedule: it does not start with VESCALE");
  if (envelope.version != formatVersion)
    return Status::error(fmt::format("the schedule has format version {}, this runtime reads "
                                     "version {}: compile the model again",
                                     envelope.version, formatVersion));
  if (envelope.size != size - sizeof(Envelope))
    return Status::error(fmt::format("the schedule is truncated or has bytes appended: it should "
                                     "have {} bytes after the envelope, and has {}",
                                     envelope.size, size - sizeof(Envelope)));
  const uint8_t *bytes = data + sizeof(Envelope);
  if (checksum(bytes, envelope.size) != envelope.checksum || envelope.reserved != 0)
    return Status::error("the schedule was altered: its checksum does not match its contents");

  // FlatBuffers reads numbers at multiples of their size from the start of an aligned buffer.
  std::vector<uint64_t> aligned((envelope.size + 15) / 8);
  std::memcpy(aligned.data(), bytes, envelope.size);
  auto *root = reinterpret_cast<const uint8_t *>(aligned.data());
  // Twice as many tables as there can be in so many bytes: the limit is there against tables that
  // are used over and over, which the encoder does not write.
  flatbuffers::Verifier verifier(root, envelope.size, /*max_depth=*/64,
                                 /*max_tables=*/envelope.size / 4 + 64);
  if (!fbs::VerifyScheduleBuffer(verifier))
    return Status::error("the schedule is damaged: its tables do not lie within the file, or a "
                         "required one is missing");
  Decoder decoder(envelope.size);
  Schedule schedule = decoder.schedule(fbs::GetSchedule(root));
  if (!decoder.error().empty())
    return Status::error("the schedule is damaged: " + decoder.error());
  return schedule;
}
