#include "layout/Parse.h"
#include "runtime/data/Batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

using namespace vescale::runtime;
namespace layout = vescale::layout;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

class Data : public testing::Test {
protected:
  void SetUp() override {
    directory = fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
  }

  std::string write(const std::string &name, const std::string &text) {
    fs::create_directories((directory / name).parent_path());
    std::ofstream(directory / name, std::ios::binary) << text;
    return (directory / name).string();
  }

  template <typename Integer>
  std::string writeTokens(const std::string &name, const std::vector<Integer> &tokens) {
    return write(name, std::string(reinterpret_cast<const char *>(tokens.data()),
                                   tokens.size() * sizeof(Integer)));
  }

  /// All tokens as text, one character each.
  static std::string text(const Tokens &tokens) {
    std::vector<int32_t> values(tokens.size());
    EXPECT_TRUE(tokens.read(0, tokens.size(), values.data()).ok());
    return std::string(values.begin(), values.end());
  }

  fs::path directory;
};

TEST_F(Data, ADirectoryIsItsFilesInSortedOrderEachOnce) {
  write("b", "second ");
  write("a", "first ");
  write("c/x", "third ");
  write("empty", "");
  fs::create_symlink("b", directory / "0-link-to-b");
  fs::create_directory_symlink(".", directory / "loop");
  fs::create_symlink("missing", directory / "dangling");
  auto tokens = Tokens::open(directory.string(), TokenType::bytes, 256);
  ASSERT_TRUE(tokens.ok()) << tokens.message();
  EXPECT_EQ(text(*tokens), "second first third ");
}

TEST_F(Data, ReadsAcrossFiles) {
  writeTokens<uint16_t>("a.bin", {1, 2, 3});
  writeTokens<uint16_t>("b.bin", {});
  writeTokens<uint16_t>("c.bin", {4, 50000});
  auto tokens = Tokens::open(directory.string(), TokenType::uint16, 50257);
  ASSERT_TRUE(tokens.ok());
  std::vector<int64_t> values(4);
  ASSERT_TRUE(tokens->read(1, 4, values.data()).ok());
  EXPECT_EQ(values, (std::vector<int64_t>{2, 3, 4, 50000}));
  auto wide = Tokens::open(writeTokens<uint32_t>("wide", {70000, 5}), TokenType::uint32, 0);
  ASSERT_TRUE(wide->read(0, 1, values.data()).ok());
  EXPECT_EQ(values[0], 70000);
}

TEST_F(Data, RefusesWhatItCannotRead) {
  auto message = [](const layout::StatusOr<Tokens> &tokens) {
    return tokens.ok() ? "accepted" : tokens.message();
  };
  EXPECT_EQ(message(Tokens::open("/no/such/file", TokenType::bytes, 0)),
            "/no/such/file: cannot open: No such file or directory");
  EXPECT_THAT(message(Tokens::open(directory.string(), TokenType::bytes, 0)),
              HasSubstr("the directory holds no files"));
  EXPECT_THAT(message(Tokens::open(write("odd", "abc"), TokenType::uint16, 0)),
              HasSubstr("odd: 3 bytes are no whole number of uint16 tokens"));
  EXPECT_THAT(message(Tokens::open("/dev/null", TokenType::bytes, 0)),
              HasSubstr("/dev/null: not a regular file"));
  EXPECT_EQ(parseTokenType("int8").message(), "'int8' is no token type: bytes, uint16 or uint32");
  EXPECT_EQ(*parseTokenType("uint32"), TokenType::uint32);
  EXPECT_EQ(usualTokenType("x/train.bin"), TokenType::uint16);
  EXPECT_EQ(usualTokenType("x/train.txt"), TokenType::bytes);
}

TEST_F(Data, NamesFileOffsetTokenAndVocabularyOfAWrongToken) {
  writeTokens<uint16_t>("a", {1, 2});
  std::string second = writeTokens<uint16_t>("b", {3, 300, 4});
  auto tokens = Tokens::open(directory.string(), TokenType::uint16, 300);
  ASSERT_TRUE(tokens.ok());
  std::vector<int32_t> values(5);
  EXPECT_TRUE(tokens->read(0, 3, values.data()).ok());
  EXPECT_EQ(tokens->read(0, 5, values.data()).message(),
            second + ": token 300 at byte 2 is outside the model's vocabulary of 300");
}

std::shared_ptr<const Tokens> share(layout::StatusOr<Tokens> tokens) {
  return std::make_shared<Tokens>(std::move(*tokens));
}

TEST_F(Data, WindowsStayInTheirPartAndDependOnSeedAndStep) {
  auto tokens = share(Tokens::open(write("text", std::string(1000, 'x')), TokenType::bytes, 256));
  auto batches = Batches::create(tokens, 16, 3, 0.1), other = Batches::create(tokens, 16, 4, 0.1);
  ASSERT_TRUE(batches.ok()) << batches.message();
  std::set<int64_t> starts;
  int same = 0;
  for (uint64_t step = 0; step < 500; ++step)
    for (int64_t row = 0; row < 8; ++row) {
      int64_t start = batches->windowStart(Split::training, step, row, 8);
      EXPECT_GE(start, 0);
      EXPECT_LE(start + 16 + 1, 900);
      starts.insert(start);
      same += start == other->windowStart(Split::training, step, row, 8);
    }
  // 4000 draws of 884 places: about 10 are missed, and about 5 agree by chance.
  EXPECT_GT(starts.size(), 840u);
  EXPECT_TRUE(starts.count(0) && starts.count(883)) << "the first and last places are drawn";
  EXPECT_LT(same, 20);

  // 99 / 16 = 6 whole windows of validation, one after the other, again from the start.
  for (int64_t i = 0; i < 20; ++i)
    EXPECT_EQ(batches->windowStart(Split::validation, i / 4, i % 4, 4), 900 + i % 6 * 16);
}

TEST_F(Data, RefusesACorpusThatIsTooShort) {
  auto message = [&](int64_t length, int64_t sequence, double fraction) {
    auto tokens =
        share(Tokens::open(write("text", std::string(length, 'x')), TokenType::bytes, 256));
    auto batches = Batches::create(tokens, sequence, 0, fraction);
    return batches.ok() ? "accepted" : batches.message();
  };
  EXPECT_EQ(message(17, 16, 0), "accepted");
  EXPECT_THAT(message(16, 16, 0),
              HasSubstr("16 tokens for training are too few for one window of 16 + 1"));
  EXPECT_THAT(message(100, 16, 0.1),
              HasSubstr("10 tokens for validation are too few for one window of 16 + 1"));
  EXPECT_EQ(message(170, 16, 0.1), "accepted");
}

TEST_F(Data, EachRankReadsItsPartOfTheSameBatch) {
  std::vector<uint16_t> values(5000);
  std::iota(values.begin(), values.end(), 0);
  auto tokens = share(Tokens::open(writeTokens("count", values), TokenType::uint16, 5000));
  auto batches = Batches::create(tokens, 12, 9, 0.2);
  layout::Shape shape = {2, 5, 12};
  layout::Mesh mesh = *layout::parseMesh("x=3,y=2");
  for (const char *text : {"[{}, {}, {}]", "[{}, {\"x\"}, {\"y\"}]", "[{\"y\"}, {\"x\"}, {}]",
                           "[{}, {}, {\"x\", \"y\"}]", "[{\"x\", \"y\"}, {}, {}]"}) {
    auto cut = layout::parseLayout(mesh, text);
    ASSERT_TRUE(cut.ok()) << cut.message();
    for (int64_t tokenOffset : {0, 1})
      for (Split split : {Split::training, Split::validation}) {
        int64_t seen = 0;
        for (int64_t position = 0; position < 6; ++position) {
          auto region = layout::localRegion(*cut, shape, mesh.coordinate(position));
          std::vector<int64_t> local(layout::localElements(*cut, shape, mesh.coordinate(position)),
                                     -1);
          ASSERT_TRUE(
              batches->fill(local.data(), ElementType::I64, region, shape, tokenOffset, split, 7)
                  .ok());
          std::vector<int32_t> narrow(local.size(), -1);
          ASSERT_TRUE(
              batches->fill(narrow.data(), ElementType::I32, region, shape, tokenOffset, split, 7)
                  .ok());
          EXPECT_TRUE(std::equal(local.begin(), local.end(), narrow.begin()));
          for (const layout::Piece &piece : region.pieces)
            for (int64_t a = 0; a < piece.box.size[0]; ++a)
              for (int64_t b = 0; b < piece.box.size[1]; ++b)
                for (int64_t c = 0; c < piece.box.size[2]; ++c, ++seen) {
                  int64_t row = (piece.box.offset[0] + a) * 5 + piece.box.offset[1] + b;
                  // The corpus counts, so a token is its own position.
                  EXPECT_EQ(local[piece.localOffset + a * region.strides[0] +
                                  b * region.strides[1] + c * region.strides[2]],
                            batches->windowStart(split, 7, row, 10) + piece.box.offset[2] + c +
                                tokenOffset);
                }
        }
        EXPECT_GE(seen, 2 * 5 * 12);
      }
  }
  // Rows 5 .. 9 of the step are the second half of the whole batch.
  std::vector<int64_t> whole(2 * 5 * 12), half(5 * 12);
  layout::Shape halfShape = {5, 12};
  layout::Coordinate first = {0, 0};
  ASSERT_TRUE(batches
                  ->fill(whole.data(), ElementType::I64,
                         layout::localRegion(layout::Layout::replicated(mesh, 3), shape, first),
                         shape, 0, Split::validation, 3)
                  .ok());
  ASSERT_TRUE(batches
                  ->fill(half.data(), ElementType::I64,
                         layout::localRegion(layout::Layout::replicated(mesh, 2), halfShape, first),
                         halfShape, 0, Split::validation, 3, {5, 10})
                  .ok());
  EXPECT_TRUE(std::equal(half.begin(), half.end(), whole.begin() + 60));

  int32_t unused;
  auto region = layout::localRegion(layout::Layout::replicated(mesh, 2), {1, 12}, {0, 0});
  EXPECT_EQ(
      batches->fill(&unused, ElementType::F32, region, {1, 12}, 0, Split::training, 0).message(),
      "tokens are i32 or i64, not f32");
  EXPECT_EQ(
      batches->fill(&unused, ElementType::I32, region, {1, 13}, 0, Split::training, 0).message(),
      "rows of 13 tokens at offset 0 do not come from windows of 12 + 1 tokens");
}

} // namespace
