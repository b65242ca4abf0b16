//===- CollectiveTest.cpp - Collectives against the global tensor ---------===//
//
// A collective changes nothing about the global tensor. Each case fills the source with numbers
// whose sums are exact, runs one collective, and compares the tensor assembled from the targets
// with the one assembled from the sources.
//
//===----------------------------------------------------------------------===//

#include "layout/Legality.h"
#include "layout/Region.h"
#include "runtime/checkpoint/RegionCopy.h"
#include "runtime/executor/GlobalTensor.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace vescale::runtime;
using namespace vescale::runtime::test;

namespace {

struct Case {
  const char *mesh;
  CollectiveKind kind;
  const char *source, *target;
  std::vector<int64_t> shape;
  ElementType element = ElementType::F32;
};

/// A schedule that turns the tensor "source" into the tensor "target". Each rank is a class of its
/// own, so that local sizes may differ.
Schedule collectiveSchedule(const Case &c, bool inPlace = false) {
  ScheduleBuilder b(c.mesh);
  auto mesh = *vescale::layout::Mesh::parse(c.mesh);
  uint32_t from = b.layout(c.source), to = b.layout(c.target);
  for (const char *text : {c.source, c.target}) {
    auto parsed = vescale::layout::Layout::parse(mesh, text);
    EXPECT_TRUE(parsed.ok()) << text << ": " << parsed.message();
  }
  auto source = *vescale::layout::Layout::parse(mesh, c.source);
  auto target = *vescale::layout::Layout::parse(mesh, c.target);
  b.schedule.classMap.axes.clear();
  b.schedule.classMap.classes.clear();
  for (int a = 0; a < mesh.rank(); ++a) {
    AxisKinds kinds;
    for (uint32_t i = 0; i < mesh.axisSize(a); ++i) {
      kinds.lengths.push_back(1);
      kinds.kinds.push_back(i);
    }
    b.schedule.classMap.axes.push_back(kinds);
  }
  b.useClass(static_cast<uint32_t>(mesh.numDevices() - 1));
  uint32_t tensorFrom = none, tensorTo = none;
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    b.schedule.classMap.classes.push_back(static_cast<uint32_t>(p));
    b.useClass(static_cast<uint32_t>(p));
    auto bytes = [&](const vescale::layout::Layout &l) {
      return localElements(l, c.shape, mesh.coordinate(p)) * elementBytes(c.element);
    };
    uint32_t comm = b.stream("comm");
    uint32_t in = b.buffer(bytes(source)), out = inPlace ? in : b.buffer(bytes(target));
    if (p == 0) {
      tensorFrom = b.tensor("source", TensorRole::State, c.shape, c.element, from, in);
      tensorTo = b.tensor("target", TensorRole::Value, c.shape, c.element, to, out);
    } else {
      b.place(tensorFrom, in);
      b.place(tensorTo, out);
    }
    b.emit(comm, Collective{c.kind, 7, from, to, c.shape, c.element}, {b.read(in), b.write(out)},
           "collective");
  }
  return b.schedule;
}

std::unique_ptr<Executor> makeExecutor(const Schedule &schedule, ExecutorOptions options = {}) {
  std::vector<uint8_t> file = encodeSchedule(schedule);
  auto executor = Executor::create(file.data(), file.size(), {}, options);
  EXPECT_TRUE(executor.ok()) << executor.message();
  return executor.ok() ? std::move(*executor) : nullptr;
}

template <class T> void fillSmallIntegers(std::byte *data, int64_t count, std::mt19937 &random) {
  for (int64_t i = 0; i < count; ++i)
    reinterpret_cast<T *>(data)[i] = static_cast<T>(static_cast<int>(random() % 33) - 16);
}

/// bf16 of a small integer: the upper half of the f32.
void fillBf16(std::byte *data, int64_t count, std::mt19937 &random) {
  for (int64_t i = 0; i < count; ++i) {
    float value = static_cast<float>(static_cast<int>(random() % 9) - 4);
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    reinterpret_cast<uint16_t *>(data)[i] = static_cast<uint16_t>(bits >> 16);
  }
}

void fillSource(Executor &executor, std::mt19937 &random) {
  uint32_t index = executor.findTensor(TensorRole::State, "source");
  const Tensor &tensor = executor.schedule().tensors[index];
  const auto &layout = executor.resolvedLayouts().layouts[tensor.layout];
  auto fill = [&](std::byte *data, int64_t count) {
    if (tensor.element == ElementType::F64)
      fillSmallIntegers<double>(data, count, random);
    else if (tensor.element == ElementType::F32)
      fillSmallIntegers<float>(data, count, random);
    else if (tensor.element == ElementType::I32)
      fillSmallIntegers<int32_t>(data, count, random);
    else
      fillBf16(data, count, random);
  };
  if (!layout.partial()) {
    std::vector<std::byte> global(vescale::layout::elementCount(tensor.shape) *
                                  elementBytes(tensor.element));
    fill(global.data(), vescale::layout::elementCount(tensor.shape));
    ASSERT_TRUE(writeTensor(executor, index, global.data(), global.size()).ok());
    return;
  }
  // Replicas must agree: what a rank contributes depends on its coordinate along the used axes
  // only.
  for (int64_t rank = 0; rank < executor.ranks(); ++rank) {
    auto coordinate = executor.resolvedLayouts().coordinate(rank);
    uint32_t seed = 1;
    for (const auto &axis : layout.usedAxes())
      seed = seed * 31 + static_cast<uint32_t>(indexAlong(layout.mesh(), axis, coordinate));
    std::mt19937 own(seed);
    std::swap(own, random);
    fill(executor.tensorData(index, rank), localElements(layout, tensor.shape, coordinate));
    std::swap(own, random);
  }
}

void check(Executor &executor) {
  uint32_t source = executor.findTensor(TensorRole::State, "source");
  uint32_t target = executor.findTensor(TensorRole::Value, "target");
  auto expected = readTensor(executor, source);
  ASSERT_TRUE(expected.ok());
  auto status = executor.runStep({});
  ASSERT_TRUE(status.ok()) << status.message();
  auto actual = readTensor(executor, target);
  ASSERT_TRUE(actual.ok());
  EXPECT_EQ(*actual, *expected);
  // Every rank by itself, as readTensor looks at one replica last.
  const Tensor &tensor = executor.schedule().tensors[target];
  const auto &layout = executor.resolvedLayouts().layouts[tensor.layout];
  if (layout.partial())
    return;
  for (int64_t rank = 0; rank < executor.ranks(); ++rank) {
    auto coordinate = executor.resolvedLayouts().coordinate(rank);
    int64_t size = elementBytes(tensor.element);
    std::vector<std::byte> local(localElements(layout, tensor.shape, coordinate) * size);
    copyFromGlobal(reinterpret_cast<uint8_t *>(local.data()),
                   reinterpret_cast<const uint8_t *>(expected->data()),
                   localRegion(layout, tensor.shape, coordinate), tensor.shape, size);
    if (!local.empty())
      EXPECT_EQ(0, std::memcmp(local.data(), executor.tensorData(target, rank), local.size()))
          << "rank " << rank;
  }
}

const std::vector<Case> &cases() {
  using K = CollectiveKind;
  static const std::vector<Case> list = {
      {"x=4", K::AllGather, R"([{"x"}, {}])", "[{}, {}]", {8, 3}},
      {"x=4", K::AllGather, R"([{}, {"x"}])", "[{}, {}]", {3, 10}},
      {"x=8", K::AllGather, R"([{"x"}])", "[{}]", {10}},
      {"x=2,y=2", K::AllGather, R"([{"x", "y"}, {}])", R"([{"x"}, {}])", {5, 2}},
      {"x=2,y=2", K::AllGather, R"([{"x"}, {"y"}])", "[{}, {}]", {5, 3}},
      {"x=4", K::AllToAll, R"([{"x"}, {}])", R"([{}, {"x"}])", {6, 7}},
      {"x=2,y=3", K::AllToAll, R"([{"y"}, {}])", R"([{}, {"y"}])", {5, 4}},
      {"x=4", K::AllReduce, R"([{}, {}], partial = [sum: "x"])", "[{}, {}]", {5, 7}},
      {"x=3", K::AllReduce, R"([{}], partial = [max: "x"])", "[{}]", {200}},
      {"x=2,y=2", K::AllReduce, R"([{"y"}], partial = [sum: "x"])", R"([{"y"}])", {301}},
      {"x=2,y=2,z=2", K::AllReduce, R"([{}], partial = [sum: "x", sum: "z"])", "[{}]", {129}},
      {"x=4", K::AllReduce, R"([], partial = [sum: "x"])", "[]", {}},
      {"x=4", K::AllReduce, R"([{}], partial = [min: "x"])", "[{}]", {64}, ElementType::F64},
      {"x=4", K::AllReduce, R"([{}], partial = [sum: "x"])", "[{}]", {77}, ElementType::I32},
      {"x=4", K::AllReduce, R"([{}], partial = [sum: "x"])", "[{}]", {900}, ElementType::BF16},
      {"x=4", K::ReduceScatter, R"([{}, {}], partial = [sum: "x"])", R"([{"x"}, {}])", {6, 5}},
      {"x=4", K::ReduceScatter, R"([{}, {}], partial = [sum: "x"])", R"([{}, {"x"}])", {6, 5}},
      {"x=2,y=2",
       K::ReduceScatter,
       R"([{}], partial = [sum: "x", sum: "y"])",
       R"([{"y", "x"}])",
       {9}},
      {"x=4",
       K::ReduceScatter,
       R"([{}], partial = [sum: "x"])",
       R"([{"x"}])",
       {9},
       ElementType::BF16},
      {"x=4", K::Permute, R"([{"x"}])", R"([{"x":(2)2, "x":(1)2}])", {8}},
      {"x=2,y=2", K::Exchange, R"([{"x", "y"}])", R"([{"y"}])", {8}},
      {"x=4", K::Exchange, R"([{"x" / 3}, {}])", R"([{"x"}, {}])", {24, 2}},
      {"x=4", K::Exchange, R"([{"x" by 8}])", R"([{"x"}])", {29}},
      {"x=4",
       K::Exchange,
       R"([{}, {}], ragged = {"x", dims = 2, units = [5, 7, 0, 12]})",
       R"([{}, {}], ragged = {"x", dims = 2, units = [0, 3, 20, 1]})",
       {4, 6}},
      {"x=4",
       K::ReduceScatter,
       R"([{}, {}], partial = [sum: "x"])",
       R"([{}, {}], ragged = {"x", dims = 2, units = [5, 7, 0, 12]})",
       {4, 6}},
      {"x=4", K::Exchange, R"([{"x"}])", R"([{}], partial = [sum: "x"])", {10}},
      {"x=4", K::AllGather, R"([{"x"}])", "[{}]", {0}},
      {"x=1", K::AllReduce, R"([{}], partial = [sum: "x"])", "[{}]", {12}},
      {"x=4, device_ids = [3, 1, 0, 2]",
       K::AllReduce,
       R"([{}], partial = [sum: "x"])",
       "[{}]",
       {66}},
      {"x=4, device_ids = [3, 1, 0, 2]", K::AllGather, R"([{"x"}])", "[{}]", {11}},
  };
  return list;
}

std::string nameOf(const Case &c) {
  return std::string(c.mesh) + " " + c.source + " -> " + c.target;
}

TEST(Collective, TargetIsTheSameGlobalTensor) {
  std::mt19937 random(1);
  for (const Case &c : cases()) {
    SCOPED_TRACE(nameOf(c));
    auto executor = makeExecutor(collectiveSchedule(c));
    ASSERT_TRUE(executor);
    for (int step = 0; step < 3; ++step) {
      fillSource(*executor, random);
      check(*executor);
    }
  }
}

TEST(Collective, EveryRandomOrderGivesTheSame) {
  std::mt19937 random(2);
  for (const Case &c : cases()) {
    SCOPED_TRACE(nameOf(c));
    ExecutorOptions options;
    options.workers = 1;
    options.randomOrder = true;
    options.randomSeed = random();
    auto executor = makeExecutor(collectiveSchedule(c), options);
    ASSERT_TRUE(executor);
    fillSource(*executor, random);
    check(*executor);
  }
}

TEST(Collective, AllReduceMayReplaceItsInput) {
  Case c{"x=4", CollectiveKind::AllReduce, R"([{}], partial = [sum: "x"])", "[{}]", {1000}};
  std::mt19937 random(3);
  auto executor = makeExecutor(collectiveSchedule(c, true));
  ASSERT_TRUE(executor);
  fillSource(*executor, random);
  check(*executor);
}

TEST(Collective, AllToAllOntoItsInputIsRefused) {
  Case c{"x=4", CollectiveKind::AllToAll, R"([{"x"}, {}])", R"([{}, {"x"}])", {8, 8}};
  std::vector<uint8_t> file = encodeSchedule(collectiveSchedule(c, true));
  auto executor = Executor::create(file.data(), file.size(), {});
  ASSERT_FALSE(executor.ok());
  EXPECT_NE(executor.message().find("would write to bytes of its input that rank"),
            std::string::npos)
      << executor.message();
}

/// 1 + 2^-8 + 2^-8 is 1 + 2^-7 in f32, which bf16 has; adding in bf16 would stay at 1.
TEST(Collective, HalfPrecisionIsAccumulatedInSingle) {
  Case c{"x=3", CollectiveKind::AllReduce, R"([{}], partial = [sum: "x"])", "[{}]",
         {1},   ElementType::BF16};
  auto executor = makeExecutor(collectiveSchedule(c));
  ASSERT_TRUE(executor);
  uint32_t source = executor->findTensor(TensorRole::State, "source");
  uint32_t target = executor->findTensor(TensorRole::Value, "target");
  uint16_t contributions[] = {0x3f80, 0x3b80, 0x3b80};
  for (int64_t rank = 0; rank < 3; ++rank)
    std::memcpy(executor->tensorData(source, rank), &contributions[rank], 2);
  ASSERT_TRUE(executor->runStep({}).ok());
  for (int64_t rank = 0; rank < 3; ++rank) {
    uint16_t result;
    std::memcpy(&result, executor->tensorData(target, rank), 2);
    EXPECT_EQ(result, 0x3f81);
  }
}

/// (2^24 + 1) + 1 in f32 is 2^24, 1 + 1 + 2^24 is 2^24 + 2: the order of ranks decides.
TEST(Collective, ContributionsAreReducedInRankOrder) {
  Case c{"x=3", CollectiveKind::AllReduce, R"([{}], partial = [sum: "x"])", "[{}]", {1}};
  auto executor = makeExecutor(collectiveSchedule(c));
  ASSERT_TRUE(executor);
  uint32_t source = executor->findTensor(TensorRole::State, "source");
  uint32_t target = executor->findTensor(TensorRole::Value, "target");
  auto run = [&](std::vector<float> values) {
    for (int64_t rank = 0; rank < 3; ++rank)
      std::memcpy(executor->tensorData(source, rank), &values[rank], 4);
    EXPECT_TRUE(executor->runStep({}).ok());
    float result;
    std::memcpy(&result, executor->tensorData(target, 1), 4);
    return result;
  };
  for (int repeat = 0; repeat < 20; ++repeat) {
    EXPECT_EQ(run({16777216.f, 1.f, 1.f}), 16777216.f);
    EXPECT_EQ(run({1.f, 1.f, 16777216.f}), 16777218.f);
  }
}

} // namespace
