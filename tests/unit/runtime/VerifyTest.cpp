//===- VerifyTest.cpp - Each thing that the verifier refuses --------------===//

#include "runtime/format/Verify.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <functional>
#include <gtest/gtest.h>

using namespace vescale::runtime;
using namespace vescale::runtime::test;
using vescale::layout::Status;

namespace {

/// A small right schedule of one class; each case breaks it at one place. Instructions: 0 kernel,
/// 1 record, 2 wait, 3 collective, 4 record, 5 wait, 6 matmul, 7 loop begin, 8 host input, 9 loop
/// end, 10 scalar update, 11 copy, 12 host output, 13 attention.
struct Right {
  Right() : b("x=2") {
    b.kernel("k");
    compute = b.stream("compute");
    comm = b.stream("comm");
    cut = b.layout("[{\"x\"}, {}]");
    whole = b.layout("[{}, {}]");
    uint32_t local = b.buffer(64), full = b.buffer(128), product = b.buffer(64),
             rate = b.buffer(64), other = b.buffer(64), statistics = b.buffer(64),
             attended = b.buffer(64);
    batch = b.tensor("batch", TensorRole::Batch, {4, 8}, ElementType::F32, cut, local);
    state = b.tensor("w", TensorRole::State, {4, 8}, ElementType::F32, whole, full);
    uint32_t constant = b.scalar({ScalarKind::RegionStart, 1, 0, cut, {4, 8}, 0, 0});
    b.emit(compute, LaunchKernel{0, {constant}, 16, 1}, {b.write(local)}, "fused");
    b.order(compute, comm);
    b.emit(comm, Collective{CollectiveKind::AllGather, 9, cut, whole, {4, 8}, ElementType::F32},
           {b.read(local), b.write(full)}, "gather");
    b.order(comm, compute);
    MatMul m;
    m.m = m.n = m.k = 4;
    m.a.leading = m.b.leading = m.c.leading = 4;
    b.emit(compute, m, {b.read(local), b.read(full), b.write(product)}, "product");
    b.emit(compute, LoopBegin{2});
    b.emit(compute, HostInput{batch}, {b.write(local)});
    b.emit(compute, LoopEnd{});
    b.emit(compute, ScalarUpdate{HostScalar::LearningRate, ElementType::F32}, {b.write(rate)});
    b.emit(compute, Copy{}, {b.read(product), b.write(other)});
    b.emit(compute, HostOutput{state}, {b.read(full)});
    Attention a;
    a.batch = 1, a.heads = 2, a.keyHeads = 1, a.queryLength = a.keyLength = 2, a.headSize = 4;
    a.q = a.output = {16, 8, 4}, a.k = a.v = {8, 8, 4};
    a.batchStart = a.headStart = a.queryStart = a.keyStart = a.drawId = constant;
    b.emit(compute, a,
           {b.read(product), b.read(other), b.read(other), b.write(attended), b.write(statistics)});
  }

  Instruction &at(size_t index) { return b.program().instructions[index]; }
  template <class T> T &as(size_t index) { return std::get<T>(at(index).operation); }

  ScheduleBuilder b;
  uint32_t compute, comm, cut, whole, batch, state;
};

TEST(Verify, TheRightScheduleIsAccepted) {
  Status status = verifySchedule(Right().b.schedule);
  EXPECT_TRUE(status.ok()) << status.message();
}

struct Wrong {
  const char *what;
  std::function<void(Right &)> change;
  const char *message;
};

TEST(Verify, EachFaultHasItsMessage) {
  const std::vector<Wrong> cases = {
      // Meshes, layouts, classes
      {"no mesh", [](Right &r) { r.b.schedule.meshes.clear(); }, "has no mesh"},
      {"bad mesh", [](Right &r) { r.b.schedule.meshes[0] = "x=0"; }, "mesh 0:"},
      {"foreign device", [](Right &r) { r.b.schedule.meshes[0] = "x=2, device_ids = [0, 5]"; },
       "mesh 0 has device 5, there are 2 ranks"},
      {"layout of no mesh", [](Right &r) { r.b.schedule.layouts[0].mesh = 1; }, "is of mesh 1"},
      {"bad layout", [](Right &r) { r.b.schedule.layouts[0].text = "[{\"y\"}, {}]"; }, "layout 0"},
      {"class map of other axes", [](Right &r) { r.b.schedule.classMap.axes.clear(); },
       "the class map has 0 axes, the mesh 1"},
      {"class map too short", [](Right &r) { r.b.schedule.classMap.axes[0].lengths[0] = 1; },
       "covers 1 of 2 coordinates"},
      {"lengths without kinds", [](Right &r) { r.b.schedule.classMap.axes[0].kinds.clear(); },
       "1 lengths and 0 kinds"},
      {"kinds with gaps", [](Right &r) { r.b.schedule.classMap.axes[0].kinds[0] = 3; },
       "has a kind 3 but only 1 runs"},
      {"class table of other size", [](Right &r) { r.b.schedule.classMap.classes = {0, 0}; },
       "2 entries for kinds of [1]"},
      {"class that is not there", [](Right &r) { r.b.schedule.classMap.classes = {1}; },
       "names class 1, there are 1"},
      {"class without ranks",
       [](Right &r) {
         r.b.schedule.programs.push_back(r.b.schedule.programs[0]);
         for (Tensor &t : r.b.schedule.tensors)
           t.buffers.push_back(t.buffers[0]);
       },
       "class 1 has no ranks"},
      // Tensors
      {"tensor without name", [](Right &r) { r.b.schedule.tensors[0].name = ""; }, "has no name"},
      {"two of a name", [](Right &r) { r.b.schedule.tensors.push_back(r.b.schedule.tensors[0]); },
       "two tensors batch of one role"},
      {"negative shape", [](Right &r) { r.b.schedule.tensors[0].shape[0] = -4; },
       "negative or too large"},
      {"huge shape", [](Right &r) { r.b.schedule.tensors[0].shape = {1ll << 40, 1ll << 40}; },
       "negative or too large"},
      {"shape of other rank", [](Right &r) { r.b.schedule.tensors[0].shape = {4}; }, "tensor 0"},
      {"layout that is not there", [](Right &r) { r.b.schedule.tensors[0].layout = 7; },
       "has layout 7, there are 2"},
      {"buffers of other classes", [](Right &r) { r.b.schedule.tensors[0].buffers = {}; },
       "buffers in 0 of 1 programs"},
      {"buffer that is not there", [](Right &r) { r.b.schedule.tensors[0].buffers = {77}; },
       "buffer 77 of class 0"},
      {"buffer of other size", [](Right &r) { r.b.schedule.tensors[0].shape = {6, 8}; },
       "gives rank 0 96 bytes, class 0 has 64"},
      {"state without value",
       [](Right &r) { r.b.schedule.tensors[1].initializer.kind = InitializerKind::None; },
       "has no initial value"},
      {"batch with value",
       [](Right &r) { r.b.schedule.tensors[0].initializer.kind = InitializerKind::Fill; },
       "has an initial value"},
      {"value that is infinite",
       [](Right &r) { r.b.schedule.tensors[1].initializer.a = 1e308 * 10; }, "is initialised with"},
      {"data of other size",
       [](Right &r) { r.b.schedule.tensors[1].initializer.kind = InitializerKind::Data; },
       "0 bytes of data for 32 elements of f32"},
      // Buffers, streams, scalars
      {"no stream", [](Right &r) { r.b.program().streams.clear(); }, "has 0 streams"},
      {"more events than instructions", [](Right &r) { r.b.program().events = 1000; },
       "1000 events but only"},
      {"arena beyond reason", [](Right &r) { r.b.program().arenaBytes = ~0ull; }, "cannot exist"},
      {"buffer not aligned", [](Right &r) { r.b.program().buffers[1].offset += 4; },
       "not a multiple of 64"},
      {"buffer outside", [](Right &r) { r.b.program().buffers[1].bytes = ~0ull; },
       "does not lie in the arena"},
      {"scalar of no layout", [](Right &r) { r.b.program().scalars[0].layout = 9; },
       "under layout 9, of 2 layouts"},
      {"scalar of no dim", [](Right &r) { r.b.program().scalars[0].dim = 2; }, "start of dim 2"},
      {"scalar of no box", [](Right &r) { r.b.program().scalars[0].box = 1; },
       "start of box 1, rank 0 has 1"},
      {"scalar of no axis",
       [](Right &r) {
         r.b.program().scalars[0].kind = ScalarKind::AxisIndex;
         r.b.program().scalars[0].dim = 1;
       },
       "index on axis 1 of a mesh of 1 axes"},
      {"iteration outside of loops",
       [](Right &r) { r.b.program().scalars[0].kind = ScalarKind::LoopIndex; },
       "stands in 0 loops"},
      // Instructions
      {"stream that is not there", [](Right &r) { r.at(0).stream = 2; }, "no stream 2"},
      {"location that is not there", [](Right &r) { r.at(0).location = 99; }, "no location 99"},
      {"operand of no buffer", [](Right &r) { r.at(0).operands[0].buffer = 99; }, "no buffer 99"},
      {"operand outside", [](Right &r) { r.at(0).operands[0].offset = 4; },
       "does not lie in buffer 0 of 64 bytes"},
      {"operand overflowing", [](Right &r) { r.at(0).operands[0].bytes = ~0ull; },
       "does not lie in buffer 0"},
      {"operand without access", [](Right &r) { r.at(0).operands[0].access = Access::None; },
       "neither read nor written"},
      {"kernel that is not there", [](Right &r) { r.as<LaunchKernel>(0).kernel = 1; },
       "no kernel 1, the image has 1"},
      {"negative extent", [](Right &r) { r.as<LaunchKernel>(0).extent = -1; }, "extent of -1"},
      {"no grain", [](Right &r) { r.as<LaunchKernel>(0).grain = 0; }, "in grains of 0"},
      {"scalar that is not there", [](Right &r) { r.as<LaunchKernel>(0).scalars[0] = 5; },
       "no scalar 5, the program has 1"},
      {"record of no event", [](Right &r) { r.as<RecordEvent>(1).event = 2; }, "no event 2"},
      {"wait for no event", [](Right &r) { r.as<WaitEvent>(2).event = 2; }, "no event 2"},
      {"wait before its record", [](Right &r) { r.as<WaitEvent>(2).event = 1; },
       "waits for event 1, which nothing before it records"},
      {"collective of no layout", [](Right &r) { r.as<Collective>(3).source = 2; },
       "layouts 2 and 1: there are 2"},
      {"collective of negative shape", [](Right &r) { r.as<Collective>(3).shape = {-4, 8}; },
       "negative or too large"},
      {"collective of other size", [](Right &r) { r.as<Collective>(3).shape = {8, 8}; },
       "has 64 bytes, the layout gives rank 0 128 bytes"},
      {"collective of other rank", [](Right &r) { r.as<Collective>(3).shape = {4}; },
       "instruction 3 (all_gather"},
      {"collective without operands", [](Right &r) { r.at(3).operands.clear(); },
       "needs an input, an output or both"},
      {"collective that writes its input",
       [](Right &r) { r.at(3).operands[0].access = Access::Write; }, "operand 0 must be read"},
      {"collective without output", [](Right &r) { r.at(3).operands.pop_back(); },
       "has 1 operands, rank 0 has 2"},
      {"product that reads its result",
       [](Right &r) { r.at(6).operands[2].access = Access::ReadWrite; },
       "operand 2 must be written"},
      {"product that accumulates but does not read", [](Right &r) { r.as<MatMul>(6).beta = 1; },
       "operand 2 must be read and written"},
      {"product by infinity", [](Right &r) { r.as<MatMul>(6).alpha = 1e308 * 10; },
       "must be finite"},
      {"product of larger matrices", [](Right &r) { r.as<MatMul>(6).m = 5; },
       "operand 0 (a) has 64 bytes, 80 are touched"},
      {"product of overflowing matrices",
       [](Right &r) {
         r.as<MatMul>(6).m = 1ll << 40;
         r.as<MatMul>(6).a.leading = 1ll << 40;
       },
       "negative or too large"},
      {"rows that overlap", [](Right &r) { r.as<MatMul>(6).b.leading = 3; },
       "b has rows of 4 elements every 3"},
      {"strides of other batch", [](Right &r) { r.as<MatMul>(6).a.batchStrides = {1}; },
       "a has 1 batch strides for 0 batch sizes"},
      {"product onto its operand", [](Right &r) { r.at(6).operands[2].buffer = 0; },
       "c overlaps a or b"},
      {"product off alignment",
       [](Right &r) {
         r.as<MatMul>(6).m = 3;
         r.at(6).operands[0].offset = 2;
         r.at(6).operands[0].bytes = 62;
       },
       "not a multiple of the element's 4"},
      {"empty loop", [](Right &r) { r.as<LoopBegin>(7).count = 0; }, "runs at least once"},
      {"loop without end", [](Right &r) { r.at(9).operation = RecordEvent{0}; },
       "the loop has no end"},
      {"end without loop", [](Right &r) { r.at(7).operation = LoopEnd{}; }, "no loop is open"},
      {"input of no tensor", [](Right &r) { r.as<HostInput>(8).tensor = 9; }, "no tensor 9"},
      {"input of state", [](Right &r) { r.as<HostInput>(8).tensor = 1; }, "w is not a batch"},
      {"input elsewhere", [](Right &r) { r.at(8).operands[0].buffer = 2; },
       "not the whole buffer of tensor batch"},
      {"rate as integer", [](Right &r) { r.as<ScalarUpdate>(10).element = ElementType::I32; },
       "cannot be written as i32"},
      {"scalar without room", [](Right &r) { r.at(10).operands[0].bytes = 2; },
       "has 2 bytes, 4 are touched"},
      {"copy of other size", [](Right &r) { r.at(11).operands[0].bytes = 32; },
       "copies 32 bytes to 64"},
      {"copy onto itself",
       [](Right &r) {
         r.at(11).operands[0] = r.at(11).operands[1];
         r.at(11).operands[0].access = Access::Read;
       },
       "onto themselves"},
      {"heads that do not divide", [](Right &r) { r.as<Attention>(13).keyHeads = 3; },
       "cannot share 3 key heads"},
      {"all dropped", [](Right &r) { r.as<Attention>(13).dropout = 1; }, "has dropout 1"},
      {"longer keys", [](Right &r) { r.as<Attention>(13).keyLength = 20; }, "operand 1 (k) has"},
      {"gradient of fewer operands", [](Right &r) { r.as<Attention>(13).backward = true; },
       "has 5 operands, needs 9"},
      {"operands of an event", [](Right &r) { r.at(1).operands = r.at(0).operands; },
       "has 1 operands, needs 0"},
  };
  for (const Wrong &wrong : cases) {
    Right right;
    wrong.change(right);
    Status status = verifySchedule(right.b.schedule);
    EXPECT_FALSE(status.ok()) << wrong.what;
    EXPECT_NE(status.message().find(wrong.message), std::string::npos)
        << wrong.what << ": " << status.message();
  }
}

TEST(Verify, LoopsNestFourDeep) {
  ScheduleBuilder b("x=1");
  uint32_t s = b.stream("compute");
  for (int i = 0; i < 5; ++i)
    b.emit(s, LoopBegin{2});
  for (int i = 0; i < 5; ++i)
    b.emit(s, LoopEnd{});
  EXPECT_NE(verifySchedule(b.schedule).message().find("nest at most 4 deep"), std::string::npos);
}

/// A step that updates a weight by a state, and an evaluation that reads the weight and writes a loss.
struct TwoFunctions {
  TwoFunctions() : b("x=2") {
    b.schedule.functions = {"step", "evaluate"};
    uint32_t from = b.layout("[{}], partial = [sum: \"x\"]"), to = b.layout("[{}]");
    b.stream("compute");
    uint32_t w = b.buffer(16), m = b.buffer(16), sum = b.buffer(16);
    weight = b.tensor("w", TensorRole::Parameter, {4}, ElementType::F32, to, w);
    state = b.tensor("w.m", TensorRole::State, {4}, ElementType::F32, to, m);
    auto reduce = [&](uint32_t id, uint32_t buffer, uint32_t result) {
      b.emit(0, Collective{CollectiveKind::AllReduce, id, from, to, {4}, ElementType::F32},
             {b.read(buffer), b.write(result)});
    };
    reduce(0, m, sum);
    b.emit(0, Copy{}, {b.read(sum), b.write(w)});
    b.useClass(1);
    b.stream("compute");
    w = b.buffer(16), m = b.buffer(16);
    uint32_t loss = b.buffer(16);
    b.place(weight, w);
    metric = b.tensor("loss", TensorRole::Metric, {4}, ElementType::F32, to, loss);
    reduce(1, w, loss);
    b.emit(0, HostOutput{metric}, {b.read(loss)});
  }

  ScheduleBuilder b;
  uint32_t weight, state, metric;
};

TEST(Verify, FunctionsAgreeOnWhatIsKept) {
  Status right = verifySchedule(TwoFunctions().b.schedule);
  EXPECT_TRUE(right.ok()) << right.message();
  struct Wrong {
    std::function<void(TwoFunctions &)> change;
    const char *message;
  };
  const std::vector<Wrong> cases = {
      {[](TwoFunctions &t) { t.b.schedule.functions.clear(); }, "has no function"},
      {[](TwoFunctions &t) { t.b.schedule.functions = {"a", "b", "c"}; },
       "2 programs cannot be those of 3 functions"},
      {[](TwoFunctions &t) { t.b.schedule.functions = {"step", "step"}; },
       "two functions \"step\""},
      {[](TwoFunctions &t) { t.b.schedule.tensors[t.weight].buffers[1] = 1; },
       "tensor 0 (w) is kept in bytes [0, 16) of the arena, but class 0 of evaluate has it in [64, "
       "80)"},
      {[](TwoFunctions &t) { t.b.schedule.programs[0].buffers[1].offset = 0; },
       "tensors w and w.m are both kept in bytes [0, 16) of the arena of class 0"},
      {[](TwoFunctions &t) { t.b.program().instructions[0].operands[1].buffer = 1; },
       "instruction 0 (all_reduce) of class 0 of evaluate writes bytes [64, 80) of the arena, where "
       "tensor w.m is kept, which this function does not have"},
      {[](TwoFunctions &t) { t.b.program().streams[0] = "other"; },
       "class 0 of evaluate has other streams than class 0 of step"},
      {[](TwoFunctions &t) {
         std::get<Collective>(t.b.program().instructions[0].operation).id = 0;
       },
       "has the collective id 0 of instruction 0 (all_reduce) of class 0 of step"},
      {[](TwoFunctions &t) { t.b.schedule.tensors[t.metric].buffers[1] = none; },
       "tensor 2 (loss) is in no program"},
  };
  for (const Wrong &wrong : cases) {
    TwoFunctions functions;
    wrong.change(functions);
    Status status = verifySchedule(functions.b.schedule);
    EXPECT_NE(status.message().find(wrong.message), std::string::npos)
        << status.message() << "\n  instead of\n" << wrong.message;
  }
}

/// Two classes that each run some collectives; {} is a loop of two.
Schedule twoClasses(const std::vector<std::string> &programs) {
  ScheduleBuilder b("x=2");
  b.schedule.classMap = {{{{1, 1}, {0, 1}}}, {0, 1}};
  uint32_t from = b.layout("[{}], partial = [sum: \"x\"]"), to = b.layout("[{}]");
  for (uint32_t c = 0; c < 2; ++c) {
    b.useClass(c);
    uint32_t s = b.stream("comm"), buffer = b.buffer(16);
    for (char letter : programs[c]) {
      if (letter == '{')
        b.emit(s, LoopBegin{2});
      else if (letter == '}')
        b.emit(s, LoopEnd{});
      else
        b.emit(s,
               Collective{CollectiveKind::AllReduce,
                          static_cast<uint32_t>(letter - 'a'),
                          from,
                          to,
                          {4},
                          ElementType::F32},
               {b.read(buffer), b.write(buffer)});
    }
  }
  return b.schedule;
}

TEST(Verify, ClassesMeetAtTheSameCollectives) {
  EXPECT_TRUE(verifySchedule(twoClasses({"a{bc}d", "a{bc}d"})).ok());
  auto message = [](const std::vector<std::string> &programs) {
    return verifySchedule(twoClasses(programs)).message();
  };
  EXPECT_NE(message({"aba", "aba"}).find("has the collective id 0 of"), std::string::npos);
  EXPECT_NE(message({"ab", "ba"}).find("would wait for each other"), std::string::npos);
  EXPECT_NE(message({"ab", "a"}).find("class 1 does not issue it"), std::string::npos);
  EXPECT_NE(message({"a", "ab"}).find("class 0 does not issue it"), std::string::npos);
  EXPECT_NE(message({"{a}b", "ab"}).find("run in loops of [2] and of []"), std::string::npos);
  EXPECT_NE(message({"{ab}", "{a}{b}"}).find("share 1 loops in class 0 and 0 in class 1"),
            std::string::npos);
  Schedule other = twoClasses({"a", "a"});
  std::get<Collective>(other.programs[1].instructions[0].operation).kind =
      CollectiveKind::ReduceScatter;
  EXPECT_NE(verifySchedule(other).message().find("but differ in kind"), std::string::npos);
}

/// Three pipeline stages, each pair with a mesh of its own: 0 and 1 agree, 1 and 2 agree, 2 and 0
/// agree, but all three wait in a circle.
TEST(Verify, CirclesOfClassesAreFound) {
  ScheduleBuilder b("x=3");
  b.schedule.meshes = {"x=3", "a=2, device_ids = [0, 1]", "a=2, device_ids = [1, 2]",
                       "a=2, device_ids = [2, 0]"};
  b.schedule.classMap = {{{{1, 1, 1}, {0, 1, 2}}}, {0, 1, 2}};
  uint32_t from[3], to[3];
  for (uint32_t m = 0; m < 3; ++m) {
    from[m] = b.layout("[{}], partial = [sum: \"a\"]", m + 1);
    to[m] = b.layout("[{}]", m + 1);
  }
  auto build = [&](std::vector<std::vector<uint32_t>> orders) {
    b.schedule.programs.clear();
    for (uint32_t c = 0; c < 3; ++c) {
      b.useClass(c);
      uint32_t s = b.stream("comm"), buffer = b.buffer(16);
      for (uint32_t id : orders[c])
        b.emit(s,
               Collective{CollectiveKind::AllReduce, id, from[id], to[id], {4}, ElementType::F32},
               {b.read(buffer), b.write(buffer)});
    }
    return verifySchedule(b.schedule);
  };
  // Collective i joins classes i and i + 1.
  EXPECT_TRUE(build({{0, 2}, {0, 1}, {1, 2}}).ok()) << build({{0, 2}, {0, 1}, {1, 2}}).message();
  EXPECT_NE(build({{2, 0}, {0, 1}, {1, 2}}).message().find("form a cycle"), std::string::npos);
}

} // namespace
