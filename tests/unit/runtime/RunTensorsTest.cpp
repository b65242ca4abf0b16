#include "runtime/train/RunTensors.h"
#include "layout/Region.h"
#include "runtime/random/Random.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace vescale::runtime;
using namespace vescale::runtime::test;
namespace layout = vescale::layout;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

/// Tensors without a program around them, on `ranks` ranks; arenas are filled with rubbish.
struct SmallRun {
  explicit SmallRun(const std::string &mesh) : builder(mesh) {}

  uint32_t add(const std::string &name, TensorRole role, const std::vector<int64_t> &shape,
               ElementType element, const std::string &text, const Initializer &initializer) {
    int64_t elements = 1;
    for (int64_t size : shape)
      elements *= size;
    uint32_t buffer = builder.buffer(elements * elementBytes(element)); // Enough for any part.
    uint32_t index = builder.tensor(name, role, shape, element, builder.layout(text), buffer);
    builder.schedule.tensors[index].initializer = initializer;
    return index;
  }

  RunTensors &start() {
    resolved = std::make_unique<ResolvedLayouts>(*resolveLayouts(builder.schedule));
    const Program &program = builder.schedule.programs[0];
    uint64_t bytes = 64;
    for (const Buffer &buffer : program.buffers)
      bytes = std::max(bytes, buffer.offset + buffer.bytes);
    memory.assign(resolved->ranks(), std::vector<std::byte>(bytes, std::byte(0x5a)));
    tensors = std::make_unique<RunTensors>(
        builder.schedule, *resolved, [&](uint32_t tensor, int64_t rank) {
          return memory[rank].data() +
                 program.buffers[builder.schedule.tensors[tensor].buffers[0]].offset;
        });
    return *tensors;
  }

  ScheduleBuilder builder;
  std::unique_ptr<ResolvedLayouts> resolved;
  std::vector<std::vector<std::byte>> memory;
  std::unique_ptr<RunTensors> tensors;
};

std::string contents(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

class RunTensorsTest : public testing::Test {
protected:
  void SetUp() override {
    directory = fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
  }
  std::string file(const std::string &name) const { return (directory / name).string(); }
  fs::path directory;
};

/// A small model; `cuts` are the layouts of its tensors.
SmallRun model(const std::string &mesh, const std::vector<std::string> &cuts) {
  SmallRun run(mesh);
  std::vector<uint8_t> data(3 * 5 * 4);
  for (int32_t i = 0; i < 15; ++i)
    std::memcpy(&data[4 * i], &i, 4);
  run.add("normal", TensorRole::Parameter, {7, 5}, ElementType::F32, cuts[0],
          {InitializerKind::Normal, 1, 0.02, 3, "", {}});
  run.add("uniform", TensorRole::Parameter, {7, 5}, ElementType::F64, cuts[0],
          {InitializerKind::Uniform, -1, 1, 4, "", {}});
  run.add("half", TensorRole::Parameter, {7, 5}, ElementType::BF16, cuts[0],
          {InitializerKind::Normal, 0, 1, 5, "", {}});
  run.add("ones", TensorRole::Parameter, {6}, ElementType::F16, cuts[1],
          {InitializerKind::Fill, 1, 0, 0, "", {}});
  run.add("table", TensorRole::State, {3, 5}, ElementType::I32, cuts[2],
          {InitializerKind::Data, 0, 0, 0, "", data});
  run.add("count", TensorRole::State, {}, ElementType::I64, "[]",
          {InitializerKind::Fill, 9, 0, 0, "", {}});
  return run;
}

/// Element `index` of a tensor of a file, where numbers need not be aligned.
template <class T> T stored(const SafeTensorsReader &reader, const std::string &name, int64_t index) {
  T value;
  std::memcpy(&value, reader.data(*reader.find(name)) + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

const std::vector<TensorRole> saved = {TensorRole::Parameter, TensorRole::State};

TEST_F(RunTensorsTest, FirstValuesAreTheSameBitsOnEveryMesh) {
  SmallRun one = model("x=1", {"[{}, {}]", "[{}]", "[{}, {}]"});
  ASSERT_TRUE(one.start().initialize(77).ok());
  ASSERT_TRUE(one.tensors->save(file("one"), saved).ok());
  auto reader = SafeTensorsReader::open(file("one"));
  ASSERT_TRUE(reader.ok()) << reader.message();
  std::vector<float> drawn(35);
  fillRandom(drawn.data(), 0, 35, Distribution::normal, {3, 0, 77});
  for (int i = 0; i < 35; ++i)
    EXPECT_FLOAT_EQ(stored<float>(*reader, "normal", i), 1 + 0.02f * drawn[i]);
  EXPECT_DOUBLE_EQ(stored<double>(*reader, "uniform", 34),
                   2 * uniformFromBits<double>(randomBits({4, 0, 77}, 34)) - 1);
  EXPECT_EQ(stored<uint16_t>(*reader, "ones", 5), 0x3c00);
  EXPECT_EQ(stored<int32_t>(*reader, "table", 14), 14);
  EXPECT_EQ(stored<int64_t>(*reader, "count", 0), 9);

  for (const auto &[mesh, cuts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"x=2,y=3", {"[{\"x\"}, {\"y\"}]", "[{\"y\"}]", "[{}, {}]"}},
           {"x=4,y=2", {"[{\"x\", \"y\"}, {}]", "[{}]", "[{\"y\"}, {\"x\"}]"}},
           {"x=3",
            {"[{}, {}], ragged = {\"x\", dims = 2, units = [1, 0, 4]}", "[{\"x\"}]",
             "[{\"x\"}, {}]"}}}) {
    SmallRun many = model(mesh, cuts);
    ASSERT_TRUE(many.start().initialize(77).ok());
    ASSERT_TRUE(many.tensors->save(file("many"), saved).ok());
    EXPECT_EQ(contents(file("one")), contents(file("many"))) << mesh;
    SmallRun other = model(mesh, cuts);
    ASSERT_TRUE(other.start().initialize(78).ok());
    ASSERT_TRUE(other.tensors->save(file("other"), saved).ok());
    EXPECT_NE(contents(file("one")), contents(file("other"))) << "the seed matters";
    // What one mesh wrote, another reads.
    ASSERT_TRUE(other.tensors->load(file("one")).ok());
    ASSERT_TRUE(other.tensors->save(file("again"), saved).ok());
    EXPECT_EQ(contents(file("one")), contents(file("again"))) << mesh;
  }
}

TEST_F(RunTensorsTest, OneRankOfEachPartWrites) {
  SmallRun run = model("x=2,y=3", {"[{\"x\"}, {}]", "[{}]", "[{}, {}]"});
  RunTensors &tensors = run.start();
  int writers = 0;
  for (int64_t rank = 0; rank < tensors.ranks(); ++rank)
    writers += tensors.part(0, rank).first;
  EXPECT_EQ(writers, 2);
  EXPECT_EQ(tensors.withRole(TensorRole::State), (std::vector<size_t>{4, 5}));
}

TEST_F(RunTensorsTest, RefusesFilesOfOtherModels) {
  SmallRun run = model("x=1", {"[{}, {}]", "[{}]", "[{}, {}]"});
  RunTensors &tensors = run.start();
  auto refusal = [&](std::vector<StoredTensor> entries) {
    auto writer = SafeTensorsWriter::create(file("file"), entries);
    EXPECT_TRUE(writer.ok() && writer->commit().ok());
    layout::Status status = tensors.load(file("file"));
    return status.ok() ? "accepted" : status.message();
  };
  std::vector<StoredTensor> parameters = {{"normal", ElementType::F32, {7, 5}},
                                          {"uniform", ElementType::F64, {7, 5}},
                                          {"half", ElementType::BF16, {7, 5}},
                                          {"ones", ElementType::F16, {6}}};
  EXPECT_EQ(refusal(parameters), "accepted");
  auto with = [&](StoredTensor entry) {
    auto entries = parameters;
    entries.push_back(entry);
    return entries;
  };
  EXPECT_THAT(refusal(with({"stranger", ElementType::F32, {1}})),
              HasSubstr("the model has no tensor stranger"));
  EXPECT_THAT(refusal(with({"count", ElementType::I64, {}})),
              HasSubstr("has count, but table is missing"));
  auto entries = parameters;
  entries.pop_back();
  EXPECT_THAT(refusal(entries), HasSubstr("parameter ones is missing"));
  entries.push_back({"ones", ElementType::F32, {2, 3}});
  EXPECT_THAT(refusal(entries), HasSubstr("tensor ones is 2x3 f32, the model's is 6 f16"));
  EXPECT_THAT(tensors.load("/no/such/file").message(), HasSubstr("No such file"));
}

TEST_F(RunTensorsTest, RefusesToSaveAPartialTensor) {
  SmallRun run("x=2");
  run.add("sum", TensorRole::Gradient, {4}, ElementType::F32, "[{}], partial = [sum: \"x\"]", {});
  EXPECT_EQ(run.start().save(file("x"), {TensorRole::Gradient}).message(),
            "tensor sum is partial: it has no value that could be saved");
  EXPECT_TRUE(fs::is_empty(directory));
}

} // namespace
