//===- InstructionEncoder.cpp - instructions as records of the schedule file ===//
//
// One `encode` for each op of the dialect: the translation is defined op by op.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/InstructionEncoder.h"

#include "dialects/dist/LayoutTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace vescale {

ScheduleTables::ScheduleTables(runtime::Schedule &schedule, const layout::Mesh &first) : schedule(schedule) {
  mesh(first);
}

uint32_t ScheduleTables::mesh(const layout::Mesh &mesh) {
  auto [entry, isNew] = meshes.try_emplace(mesh, static_cast<uint32_t>(schedule.meshes.size()));
  if (isNew)
    schedule.meshes.push_back(mesh.str());
  return entry->second;
}

uint32_t ScheduleTables::layout(Type tensorType) {
  const layout::Layout &layout = *dist::getLayout(tensorType);
  auto [entry, isNew] = layouts.try_emplace(layout, static_cast<uint32_t>(schedule.layouts.size()));
  if (isNew)
    schedule.layouts.push_back({mesh(layout.mesh()), layout.str()});
  return entry->second;
}

runtime::ElementType ScheduleTables::element(Type type) {
  using E = runtime::ElementType;
  return llvm::TypeSwitch<Type, E>(type)
      .Case<Float64Type>([](Type) { return E::F64; })
      .Case<Float32Type>([](Type) { return E::F32; })
      .Case<BFloat16Type>([](Type) { return E::BF16; })
      .Case<Float16Type>([](Type) { return E::F16; })
      .Case([](IntegerType integer) {
        switch (integer.getWidth()) {
        case 64:
          return E::I64;
        case 32:
          return E::I32;
        case 16:
          return E::I16;
        case 1:
          return E::I1;
        default:
          return integer.isUnsigned() ? E::UI8 : E::I8;
        }
      })
      .Default([&](Type other) {
        unsupported = other;
        return E::UI8;
      });
}

void ScheduleTables::addKernel(StringRef symbol) {
  kernels.try_emplace(symbol, kernels.size());
  schedule.kernels.push_back(symbol.str());
}

static uint32_t lookUp(const llvm::StringMap<uint32_t> &table, StringRef symbol) {
  auto it = table.find(symbol);
  return it == table.end() ? runtime::none : it->second;
}

uint32_t ScheduleTables::kernel(StringRef symbol) const { return lookUp(kernels, symbol); }
uint32_t ScheduleTables::tensor(StringRef symbol) const { return lookUp(tensors, symbol); }

uint32_t ScheduleTables::location(Location location) {
  FileLineColLoc place;
  std::string label;
  location->walk([&](Location inner) {
    if (auto name = dyn_cast<NameLoc>(inner); name && label.empty())
      label = name.getName().str();
    if (auto file = dyn_cast<FileLineColLoc>(inner); file && !place)
      place = file;
    return WalkResult::advance();
  });
  if (!place && label.empty())
    return runtime::none;
  std::tuple<std::string, unsigned, unsigned, std::string> key(
      place ? place.getFilename().str() : "", place ? place.getLine() : 0, place ? place.getColumn() : 0,
      label);
  auto [entry, isNew] = locations.try_emplace(key, static_cast<uint32_t>(schedule.locations.size()));
  if (isNew)
    schedule.locations.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), label});
  return entry->second;
}

namespace {

class ProgramEncoder {
public:
  ProgramEncoder(sched::ProgramOp op, runtime::Schedule &schedule, ScheduleTables &tables)
      : op(op), schedule(schedule), tables(tables) {}

  FailureOr<runtime::Program> run() {
    program.arenaBytes = op.getArenaBytes();
    program.events = static_cast<uint32_t>(op.getEvents());
    for (StringRef stream : op.getStreams().getAsValueRange<StringAttr>())
      program.streams.push_back(stream.str());
    if (failed(encodeBlock(op.getBody().front())))
      return failure();
    return std::move(program);
  }

private:
  LogicalResult encodeBlock(Block &block) {
    for (Operation &inner : block) {
      LogicalResult encoded =
          llvm::TypeSwitch<Operation *, LogicalResult>(&inner)
              .Case<sched::BufferOp, sched::ScalarOp, sched::LaunchOp, sched::MatMulOp,
                    sched::AttentionOp, sched::CollectiveOp, sched::CopyOp, sched::HostInputOp,
                    sched::HostOutputOp, sched::ScalarUpdateOp, sched::RecordOp, sched::WaitOp,
                    sched::LoopOp>([&](auto one) { return encode(one); })
              .Default([](Operation *other) { return other->emitOpError("is no record of a schedule file"); });
      if (failed(encoded))
        return failure();
    }
    return success();
  }

  LogicalResult encode(sched::BufferOp buffer) {
    auto index = static_cast<uint32_t>(program.buffers.size());
    buffers[buffer] = index;
    program.buffers.push_back({buffer.getOffset(), buffer.getBytes()});
    // This program comes after those that are there already.
    if (buffer.getTensor())
      schedule.tensors[tables.tensor(*buffer.getTensor())].buffers[schedule.programs.size()] = index;
    return success();
  }

  LogicalResult encode(sched::ScalarOp scalar) {
    runtime::Scalar record;
    record.kind = static_cast<runtime::ScalarKind>(scalar.getKind());
    record.scale = scalar.getScale();
    record.constant = scalar.getConstant();
    record.dim = static_cast<uint32_t>(scalar.getDim());
    record.box = static_cast<uint32_t>(scalar.getBox());
    if (scalar.getTensorType()) {
      record.layout = tables.layout(*scalar.getTensorType());
      record.shape = cast<RankedTensorType>(*scalar.getTensorType()).getShape();
    }
    scalars[scalar] = static_cast<uint32_t>(program.scalars.size());
    program.scalars.push_back(std::move(record));
    return success();
  }

  LogicalResult encode(sched::LaunchOp launch) {
    runtime::LaunchKernel record;
    record.kernel = tables.kernel(launch.getKernel());
    if (record.kernel == runtime::none)
      return launch.emitOpError() << "there is no kernel " << launch.getKernelAttr()
                                  << " in the image: run sched-generate-kernels";
    for (Value scalar : launch.getScalars())
      record.scalars.push_back(scalars.lookup(scalar));
    record.extent = launch.getExtent();
    record.grain = launch.getGrain();
    return add(launch, std::move(record));
  }

  static runtime::Matrix matrix(ArrayRef<int64_t> strides, int64_t leading, bool transposed) {
    return {strides.vec(), leading, transposed};
  }

  LogicalResult encode(sched::MatMulOp matmul) {
    runtime::MatMul record;
    record.batch = matmul.getBatch();
    record.m = matmul.getM();
    record.n = matmul.getN();
    record.k = matmul.getK();
    record.a = matrix(matmul.getAStrides(), matmul.getALeading(), matmul.getATransposed());
    record.b = matrix(matmul.getBStrides(), matmul.getBLeading(), matmul.getBTransposed());
    record.c = matrix(matmul.getCStrides(), matmul.getCLeading(), matmul.getCTransposed());
    record.input = tables.element(matmul.getInput());
    record.output = tables.element(matmul.getOutput());
    record.alpha = matmul.getAlpha().convertToDouble();
    record.beta = matmul.getBeta().convertToDouble();
    return add(matmul, std::move(record));
  }

  LogicalResult encode(sched::AttentionOp attention) {
    runtime::Attention record;
    record.backward = attention.getBackward();
    record.batch = attention.getBatch();
    record.heads = attention.getHeads();
    record.keyHeads = attention.getKeyHeads();
    record.queryLength = attention.getQueryLength();
    record.keyLength = attention.getKeyLength();
    record.headSize = attention.getHeadSize();
    record.element = tables.element(attention.getElement());
    record.causal = attention.getCausal();
    record.scale = attention.getScale().convertToDouble();
    record.dropout = attention.getDropout().convertToDouble();
    record.bias = attention.getBias();
    OperandRange starts = attention.getScalars();
    record.batchStart = scalars.lookup(starts[0]);
    record.headStart = scalars.lookup(starts[1]);
    record.queryStart = scalars.lookup(starts[2]);
    record.keyStart = scalars.lookup(starts[3]);
    record.drawId = scalars.lookup(starts[4]);
    record.globalHeads = attention.getGlobalHeads();
    record.globalQueryLength = attention.getGlobalQueryLength();
    record.globalKeyLength = attention.getGlobalKeyLength();
    ArrayRef<int64_t> strides = attention.getStrides();
    for (runtime::AttentionStrides *target : {&record.q, &record.k, &record.v, &record.output}) {
      *target = {strides[0], strides[1], strides[2]};
      strides = strides.drop_front(3);
    }
    return add(attention, record);
  }

  LogicalResult encode(sched::CollectiveOp collective) {
    auto type = cast<RankedTensorType>(collective.getSource());
    runtime::Collective record;
    record.kind = static_cast<runtime::CollectiveKind>(collective.getKind());
    record.id = static_cast<uint32_t>(collective.getId());
    record.source = tables.layout(type);
    record.target = tables.layout(collective.getTarget());
    record.shape = type.getShape();
    record.element = tables.element(type.getElementType());
    return add(collective, std::move(record));
  }

  LogicalResult encode(sched::CopyOp copy) { return add(copy, runtime::Copy{}); }

  LogicalResult encode(sched::HostInputOp input) {
    return add(input, runtime::HostInput{tables.tensor(input.getTensor())});
  }

  LogicalResult encode(sched::HostOutputOp output) {
    return add(output, runtime::HostOutput{tables.tensor(output.getTensor())});
  }

  LogicalResult encode(sched::ScalarUpdateOp update) {
    return add(update, runtime::ScalarUpdate{static_cast<runtime::HostScalar>(update.getQuantity()),
                                             tables.element(update.getElement())});
  }

  LogicalResult encode(sched::RecordOp record) {
    return append(record, record.getStream(),
                  runtime::RecordEvent{static_cast<uint32_t>(record.getEvent())});
  }

  LogicalResult encode(sched::WaitOp wait) {
    return append(wait, wait.getStream(), runtime::WaitEvent{static_cast<uint32_t>(wait.getEvent())});
  }

  LogicalResult encode(sched::LoopOp loop) {
    (void)append(loop, 0, runtime::LoopBegin{static_cast<uint32_t>(loop.getCount())});
    if (failed(encodeBlock(loop.getBody().front())))
      return failure();
    return append(loop, 0, runtime::LoopEnd{});
  }

  LogicalResult add(sched::InstructionOpInterface instruction, runtime::Operation operation) {
    (void)append(instruction, instruction.getStream(), std::move(operation));
    for (unsigned number = 0; number < instruction.getBuffers().size(); ++number) {
      Value buffer = instruction.getBuffers()[number];
      sched::ArenaRange range = sched::operandRange(instruction, number);
      runtime::Operand operand;
      operand.buffer = buffers.lookup(buffer);
      operand.offset = range.begin - program.buffers[operand.buffer].offset;
      operand.bytes = range.end - range.begin;
      operand.access = static_cast<runtime::Access>(instruction.getAccess()[number]);
      program.instructions.back().operands.push_back(operand);
    }
    return success();
  }

  LogicalResult append(Operation *source, uint64_t stream, runtime::Operation operation) {
    runtime::Instruction instruction;
    instruction.stream = static_cast<uint32_t>(stream);
    instruction.location = tables.location(source->getLoc());
    instruction.operation = std::move(operation);
    program.instructions.push_back(std::move(instruction));
    return success();
  }

  sched::ProgramOp op;
  runtime::Schedule &schedule;
  ScheduleTables &tables;
  runtime::Program program;
  llvm::DenseMap<Value, uint32_t> buffers, scalars;
};

} // namespace

FailureOr<runtime::Program> encodeProgram(sched::ProgramOp program, runtime::Schedule &schedule,
                                          ScheduleTables &tables) {
  return ProgramEncoder(program, schedule, tables).run();
}

} // namespace vescale
