#include "runtime/checkpoint/SafeTensors.h"
#include "layout/Parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

using namespace vescale::runtime;
namespace layout = vescale::layout;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

class SafeTensors : public testing::Test {
protected:
  void SetUp() override {
    directory = fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
    path = (directory / "tensors.safetensors").string();
  }

  /// A file of this header and `bytes` bytes of tensors.
  std::string refusal(const std::string &header, size_t bytes) {
    uint64_t length = header.size();
    std::ofstream(path, std::ios::binary)
        << std::string(reinterpret_cast<char *>(&length), 8) << header << std::string(bytes, 'x');
    auto reader = SafeTensorsReader::open(path);
    return reader.ok() ? "accepted" : reader.message();
  }

  static std::string contents(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }

  size_t files() const {
    return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
  }

  fs::path directory;
  std::string path;
};

TEST_F(SafeTensors, WritesTheBytesOfTheFormat) {
  auto writer =
      SafeTensorsWriter::create(path, {{"a", ElementType::F32, {2}}, {"b", ElementType::I1, {}}});
  ASSERT_TRUE(writer.ok()) << writer.message();
  float values[2] = {1, 2};
  std::memcpy(writer->data(0), values, 8);
  *writer->data(1) = 1;
  EXPECT_FALSE(fs::exists(path)) << "the file appears when it is whole";
  ASSERT_TRUE(writer->commit().ok());
  EXPECT_EQ(files(), 1u);
  std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                       R"("b":{"dtype":"BOOL","shape":[],"data_offsets":[8,9]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string expected(1, static_cast<char>(header.size()));
  expected += std::string(7, '\0') + header + std::string("\0\0\x80\x3f\0\0\0\x40\x01", 9);
  EXPECT_EQ(contents(path), expected);
}

TEST_F(SafeTensors, LeavesNothingBehindWithoutCommit) {
  {
    auto writer = SafeTensorsWriter::create(path, {{"a", ElementType::F32, {2}}});
    ASSERT_TRUE(writer.ok());
    EXPECT_EQ(files(), 1u);
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(SafeTensors, GathersAndScattersThePartsOfEveryLayout) {
  layout::Mesh mesh = *layout::parseMesh("x=2,y=3");
  layout::Shape shape = {7, 5, 4};
  std::vector<int32_t> global(7 * 5 * 4);
  std::iota(global.begin(), global.end(), 1);
  for (const char *text : {"[{}, {}, {}]", "[{\"x\"}, {}, {}]", "[{}, {\"y\"}, {\"x\"}]",
                           "[{\"y\", \"x\"}, {}, {}]", "[{}, {}, {\"y\"}]", "[{}, {}, {\"x\" / 2}]",
                           "[{}, {}, {}], ragged = {\"y\", dims = 1, units = [4, 1, 2]}"}) {
    auto cut = layout::parseLayout(mesh, text);
    ASSERT_TRUE(cut.ok()) << cut.message();
    auto writer = SafeTensorsWriter::create(
        path, {{"first", ElementType::I8, {3}}, {"x", ElementType::I32, shape}}, {{"step", "12"}});
    ASSERT_TRUE(writer.ok()) << writer.message();
    // Every rank takes its part by the definition of the region, element by element.
    std::vector<std::vector<int32_t>> locals(6);
    for (int64_t position = 0; position < 6; ++position) {
      auto region = layout::localRegion(*cut, shape, mesh.coordinate(position));
      locals[position].assign(layout::localElements(*cut, shape, mesh.coordinate(position)), 0);
      for (const layout::Piece &piece : region.pieces)
        for (int64_t i = 0; i < piece.box.size[0]; ++i)
          for (int64_t j = 0; j < piece.box.size[1]; ++j)
            for (int64_t k = 0; k < piece.box.size[2]; ++k)
              locals[position][piece.localOffset + i * region.strides[0] + j * region.strides[1] +
                               k * region.strides[2]] =
                  global[((piece.box.offset[0] + i) * 5 + piece.box.offset[1] + j) * 4 +
                         piece.box.offset[2] + k];
      writer->write(1, region, locals[position].data());
    }
    ASSERT_TRUE(writer->commit().ok());
    auto reader = SafeTensorsReader::open(path);
    ASSERT_TRUE(reader.ok()) << reader.message();
    EXPECT_EQ(reader->metadata().at("step"), "12");
    EXPECT_EQ(reader->list().size(), 2u);
    EXPECT_EQ(reader->find("nothing"), nullptr);
    const StoredTensor *stored = reader->find("x");
    ASSERT_NE(stored, nullptr);
    EXPECT_EQ(stored->shape, shape);
    EXPECT_EQ(std::memcmp(reader->data(*stored), global.data(), global.size() * 4), 0) << text;
    for (int64_t position = 0; position < 6; ++position) {
      std::vector<int32_t> back(locals[position].size(), -1);
      reader->read(*stored, layout::localRegion(*cut, shape, mesh.coordinate(position)),
                   back.data());
      EXPECT_EQ(back, locals[position]) << text;
    }
  }
}

TEST_F(SafeTensors, RefusesDamagedFiles) {
  EXPECT_EQ(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4), "accepted");
  EXPECT_EQ(refusal(R"({})", 0), "accepted");
  EXPECT_THAT(refusal(R"({"a":)", 4), HasSubstr("the header is no JSON object"));
  EXPECT_THAT(refusal(R"([])", 0), HasSubstr("the header is no JSON object"));
  EXPECT_THAT(refusal(R"({"a":1})", 0), HasSubstr("tensor a has no dtype, shape and data_offsets"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", 4),
              HasSubstr("tensor a has the unknown dtype F31"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4),
              HasSubstr("tensor a has a bad shape or bad data_offsets"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4),
              HasSubstr("tensor a has 4 bytes, which is not the size of its shape"));
  EXPECT_THAT(
      refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,16],"data_offsets":[0,0]}})", 0),
      HasSubstr("tensor a has 0 bytes, which is not the size of its shape"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8),
              HasSubstr("tensor a starts at byte 4, but the one before it ends at 0"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                      R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                      8),
              HasSubstr("tensor b starts at byte 0, but the one before it ends at 4"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3),
              HasSubstr("4 bytes of tensors in a file that has 3"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"a":1}})", 0), HasSubstr("metadata a is no text"));
  std::ofstream(path, std::ios::binary) << "short";
  EXPECT_THAT(SafeTensorsReader::open(path).message(),
              HasSubstr("5 bytes are too few for a header"));
  std::ofstream(path, std::ios::binary) << std::string(8, '\x7f') << "{}";
  EXPECT_THAT(SafeTensorsReader::open(path).message(),
              HasSubstr("a header of 9187201950435737471 bytes"));
}

TEST_F(SafeTensors, NamesThePathThatCannotBeWritten) {
  EXPECT_EQ(SafeTensorsWriter::create("/no/such/place/x", {}).message(),
            "/no/such/place/x: cannot create: No such file or directory");
  EXPECT_THAT(
      SafeTensorsWriter::create(path, {{"a", ElementType::F32, {1}}, {"a", ElementType::F32, {1}}})
          .message(),
      HasSubstr("two tensors are named a"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(SafeTensors, AtomicTextReplacesTheFileBefore) {
  ASSERT_TRUE(writeFileAtomically(path, "old and long").ok());
  ASSERT_TRUE(writeFileAtomically(path, "new").ok());
  EXPECT_EQ(contents(path), "new");
  ASSERT_TRUE(writeFileAtomically(path, "").ok());
  EXPECT_EQ(contents(path), "");
  EXPECT_EQ(files(), 1u);
}

} // namespace
