//===- Schedule.h - A schedule in memory ----------------------------------===//
//
// Plain structures that mirror schedule.fbs field by field; the meaning of each is documented
// there. The compiler fills them and encodes them; the runtime decodes a file into them once, when
// it loads. Enumerations are those of the schema.
//
//===----------------------------------------------------------------------===//
#ifndef VESCALE_RUNTIME_FORMAT_SCHEDULE_H
#define VESCALE_RUNTIME_FORMAT_SCHEDULE_H

#include "runtime/format/schedule_generated.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace vescale::runtime {

using fbs::Access;
using fbs::CollectiveKind;
using fbs::ElementType;
using fbs::HostScalar;
using fbs::InitializerKind;
using fbs::ScalarKind;
using fbs::TensorRole;

/// An index that refers to nothing.
constexpr uint32_t none = 0xffffffffu;

/// Bytes of one element; i1 takes a byte.
int64_t elementBytes(ElementType type);

/// "f32", "bf16", ...
const char *elementName(ElementType type);

struct LayoutText {
  uint32_t mesh = 0;
  std::string text;
};

struct Location {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string label;
};

struct AxisKinds {
  std::vector<uint32_t> lengths, kinds;
};

struct ClassMap {
  std::vector<AxisKinds> axes;
  std::vector<uint32_t> classes;
};

struct Initializer {
  InitializerKind kind = InitializerKind::None;
  double a = 0, b = 0;
  uint32_t draw = 0;
  std::string name;
  std::vector<uint8_t> data;
};

struct Tensor {
  std::string name;
  TensorRole role = TensorRole::Value;
  std::vector<int64_t> shape;
  ElementType element = ElementType::F32;
  uint32_t layout = none;
  std::vector<uint32_t> buffers; // by program
  Initializer initializer;
  bool weightDecay = false;
  bool checkpoint = false;
  int64_t tokenOffset = 0;
  int64_t vocabulary = 0;

  /// Whether it stays as it is between the runs of functions.
  bool isKept() const {
    return role == TensorRole::Parameter || role == TensorRole::State ||
           role == TensorRole::Constant;
  }
};

struct Buffer {
  uint64_t offset = 0, bytes = 0;
};

struct Scalar {
  ScalarKind kind = ScalarKind::Constant;
  int64_t scale = 1, constant = 0;
  uint32_t layout = none;
  std::vector<int64_t> shape;
  uint32_t dim = 0, box = 0;
};

struct Operand {
  uint32_t buffer = none;
  uint64_t offset = 0, bytes = 0;
  Access access = Access::Read;

  bool reads() const { return static_cast<uint8_t>(access) & 1; }
  bool writes() const { return static_cast<uint8_t>(access) & 2; }
};

struct LaunchKernel {
  uint32_t kernel = none;
  std::vector<uint32_t> scalars;
  int64_t extent = 1, grain = 1;
};

struct Matrix {
  std::vector<int64_t> batchStrides;
  int64_t leading = 0;
  bool transposed = false;
};

struct MatMul {
  std::vector<int64_t> batch;
  int64_t m = 0, n = 0, k = 0;
  Matrix a, b, c;
  ElementType input = ElementType::F32, output = ElementType::F32;
  double alpha = 1, beta = 0;
};

struct AttentionStrides {
  int64_t batch = 0, head = 0, sequence = 0;
};

struct Attention {
  bool backward = false;
  int64_t batch = 0, heads = 0, keyHeads = 0, queryLength = 0, keyLength = 0, headSize = 0;
  ElementType element = ElementType::F32;
  bool causal = false;
  double scale = 1, dropout = 0;
  bool bias = false;
  uint32_t batchStart = none, headStart = none, queryStart = none, keyStart = none, drawId = none;
  int64_t globalHeads = 0, globalQueryLength = 0, globalKeyLength = 0;
  AttentionStrides q, k, v, output;
};

struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  uint32_t id = 0;
  uint32_t source = none, target = none;
  std::vector<int64_t> shape;
  ElementType element = ElementType::F32;
};

struct Copy {};

struct RecordEvent {
  uint32_t event = none;
};

struct WaitEvent {
  uint32_t event = none;
};

struct HostInput {
  uint32_t tensor = none;
};

struct HostOutput {
  uint32_t tensor = none;
};

struct ScalarUpdate {
  HostScalar quantity = HostScalar::LearningRate;
  ElementType element = ElementType::F32;
};

struct LoopBegin {
  uint32_t count = 1;
};

struct LoopEnd {};

/// In the order of the schema's union.
using Operation = std::variant<LaunchKernel, MatMul, Attention, Collective, Copy, RecordEvent,
                               WaitEvent, HostInput, HostOutput, ScalarUpdate, LoopBegin, LoopEnd>;

struct Instruction {
  uint32_t stream = 0;
  uint32_t location = none;
  std::vector<Operand> operands;
  Operation operation = Copy{};
};

struct Program {
  uint64_t arenaBytes = 0;
  std::vector<std::string> streams;
  uint32_t events = 0;
  std::vector<Buffer> buffers;
  std::vector<Scalar> scalars;
  std::vector<Instruction> instructions;
};

struct Schedule {
  std::string target = "cpu";
  std::vector<std::string> meshes;
  std::vector<LayoutText> layouts;
  std::vector<Location> locations;
  std::vector<std::string> kernels;
  uint64_t kernelsChecksum = 0;
  ClassMap classMap;
  std::vector<std::string> functions = {"step"};
  std::vector<Program> programs; // by function, then by class
  std::vector<Tensor> tensors;
  double predictedStepSeconds = 0;

  size_t numClasses() const { return functions.empty() ? 0 : programs.size() / functions.size(); }
  size_t programIndex(size_t function, size_t rankClass) const {
    return function * numClasses() + rankClass;
  }
  /// Number of a function; none where there is no such.
  uint32_t findFunction(const std::string &name) const {
    for (uint32_t f = 0; f < functions.size(); ++f)
      if (functions[f] == name)
        return f;
    return none;
  }
};

/// The name of the function that gives the loss of a batch and changes nothing.
constexpr const char *evaluationFunction = "evaluate";

/// Buffers start at multiples of this in the arena, and the arena itself does.
constexpr uint64_t bufferAlignment = 64;

/// The bytes of a file: an envelope (magic "VESCALE\0", format version, size and checksum of what
/// follows, 32 bytes) and the FlatBuffers root.
std::vector<uint8_t> encodeSchedule(const Schedule &schedule);

/// 64-bit checksum of bytes, as used by the envelope and for kernel images.
uint64_t checksum(const uint8_t *data, uint64_t size);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_FORMAT_SCHEDULE_H
