#include "runtime/train/Training.h"
#include "runtime/checkpoint/SafeTensors.h"
#include "runtime/train/Progress.h"
#include "tests/unit/runtime/CountModel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace vescale::runtime;
using namespace vescale::runtime::test;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

struct Outcome {
  int exitCode;
  std::string out, error;
};

class TrainingTest : public testing::Test {
protected:
  void SetUp() override {
    directory = fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
    std::ofstream text(file("text"));
    for (int line = 0; line < 200; ++line)
      text << "the quick brown fox " << line << " jumps over the lazy dog\n";
  }

  Outcome run(const CountVariant &variant, std::vector<std::string> arguments) {
    std::vector<uint8_t> schedule = compileCountModel(variant);
    return run(schedule, 42, arguments);
  }

  Outcome run(const std::vector<uint8_t> &schedule, uint64_t checksum,
              std::vector<std::string> arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--data") == arguments.end())
      arguments.insert(arguments.begin(), {"--data", file("text")});
    arguments.insert(arguments.begin(), "train");
    std::vector<const char *> pointers;
    for (const std::string &argument : arguments)
      pointers.push_back(argument.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    TrainingImage image{schedule.data(), schedule.size(), {countKernels, 4, checksum}};
    int exitCode = trainMain(static_cast<int>(pointers.size()), pointers.data(), image);
    std::string out = testing::internal::GetCapturedStdout();
    return {exitCode, out, testing::internal::GetCapturedStderr()};
  }

  std::string file(const std::string &name) const { return (directory / name).string(); }
  std::string contents(const std::string &name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  std::vector<nlohmann::json> lines(const std::string &name) const {
    std::ifstream stream(file(name));
    std::vector<nlohmann::json> result;
    for (std::string line; std::getline(stream, line);)
      result.push_back(nlohmann::json::parse(line));
    return result;
  }
  std::vector<double> losses(const std::string &name) const {
    std::vector<double> result;
    for (const nlohmann::json &line : lines(name))
      if (line.contains("loss"))
        result.push_back(line["loss"]);
    return result;
  }

  fs::path directory;
};

TEST_F(TrainingTest, LossesFallAndAreTheSameForAllRanksAndMicroBatches) {
  std::vector<double> first;
  for (const CountVariant &variant :
       {CountVariant{1, 1}, CountVariant{2, 1}, CountVariant{4, 2}, CountVariant{1, 8}}) {
    Outcome outcome =
        run(variant, {"--steps", "30", "--lr", "10", "--metrics", file("metrics"), "--seed", "5"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.error;
    std::vector<double> found = losses("metrics");
    ASSERT_EQ(found.size(), 30u);
    EXPECT_NEAR(found[0], std::log(256.0), 1e-5);
    EXPECT_LT(found[29], 4.5);
    if (first.empty())
      first = found;
    for (size_t i = 0; i < 30; ++i)
      EXPECT_NEAR(found[i], first[i], 1e-5 * first[i])
          << "step " << i << " ranks " << variant.ranks;
  }
  Outcome other = run(CountVariant{},
                      {"--steps", "3", "--lr", "10", "--metrics", file("metrics"), "--seed", "6"});
  EXPECT_NE(losses("metrics")[2], first[2]) << "the seed chooses the data";
}

TEST_F(TrainingTest, PrintsALinePerStep) {
  Outcome outcome =
      run(CountVariant{2, 1}, {"--steps", "12", "--lr", "0.5", "--lr-schedule", "linear",
                               "--lr-final", "0", "--warmup", "2", "--metrics", file("metrics")});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("2 ranks (mesh dp=2)"));
  EXPECT_THAT(outcome.out, HasSubstr("128 tokens a step in rows of 16"));
  EXPECT_THAT(outcome.out, HasSubstr("\nstep  1/12  loss 5.54518  lr 0.25  "));
  EXPECT_THAT(outcome.out, HasSubstr("\nstep 12/12  loss "));
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("[0-9]+ tokens/s  [0-9.]+ ms \\(predicted 500.0 ms\\)  "
                                     "memory [0-9.]+ KiB planned, [0-9.]+ MiB used\n"));
  auto metrics = lines("metrics");
  ASSERT_EQ(metrics.size(), 12u);
  EXPECT_EQ(metrics[7]["step"], 8);
  EXPECT_EQ(metrics[7]["learning_rate"], 0.25);
  EXPECT_EQ(metrics[7]["tokens"], 128);
  EXPECT_EQ(metrics[7]["predicted_step_seconds"], 0.5);
  EXPECT_GT(metrics[7]["step_seconds"], 0);
}

TEST_F(TrainingTest, SavesAndResumes) {
  ASSERT_EQ(run(CountVariant{2, 1}, {"--steps", "4", "--lr", "3", "--save", file("a")}).exitCode,
            0);
  auto reader = SafeTensorsReader::open(file("a"));
  ASSERT_TRUE(reader.ok()) << reader.message();
  ASSERT_NE(reader->find("logits"), nullptr);
  ASSERT_NE(reader->find("logits.velocity"), nullptr);
  EXPECT_EQ(reader->list().size(), 2u);
  // A run without steps saves what it loaded, on another mesh.
  ASSERT_EQ(
      run(CountVariant{4, 1}, {"--steps", "0", "--load", file("a"), "--save", file("b")}).exitCode,
      0);
  EXPECT_EQ(contents("a"), contents("b"));
  ASSERT_EQ(
      run(CountVariant{2, 1}, {"--steps", "1", "--load", file("a"), "--metrics", file("metrics")})
          .exitCode,
      0);
  EXPECT_LT(losses("metrics")[0], 5.5) << "training goes on where it was";
}

TEST_F(TrainingTest, ValidationMeasuresOtherDataAndChangesNothing) {
  std::vector<std::string> arguments = {"--steps",       "6",     "--lr", "20", "--metrics",
                                        file("metrics"), "--save"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return run(CountVariant{2, 2}, more);
  };
  // The data differ where a part is kept for validation, so both runs keep it.
  Outcome plain = with({file("a"), "--validate-every", "1000"});
  std::vector<double> plainLosses = losses("metrics");
  ASSERT_EQ(plain.exitCode, 0) << plain.error;
  Outcome often = with({file("b"), "--validate-every", "2", "--validation-batches", "3"});
  ASSERT_EQ(often.exitCode, 0) << often.error;
  EXPECT_EQ(losses("metrics"), plainLosses);
  EXPECT_EQ(contents("a"), contents("b"));
  std::vector<std::pair<int, double>> validation;
  for (const nlohmann::json &line : lines("metrics"))
    if (line.contains("validation_loss"))
      validation.push_back({line["step"], line["validation_loss"]});
  ASSERT_EQ(validation.size(), 4u);
  EXPECT_EQ(validation[0].first, 0);
  EXPECT_NEAR(validation[0].second, std::log(256.0), 1e-5);
  EXPECT_EQ(validation[3].first, 6);
  EXPECT_LT(validation[3].second, validation[0].second - 0.5);
  EXPECT_THAT(often.out, HasSubstr("validation after step 6: loss "));
}

TEST_F(TrainingTest, DumpsTheGradientsOfTheFirstStep) {
  for (int64_t ranks : {1, 4}) {
    Outcome outcome = run(CountVariant{ranks, 2}, {"--steps", "3", "--lr", "9", "--dump-gradients",
                                                   file(std::to_string(ranks))});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("gradients of step 1: "));
  }
  auto one = SafeTensorsReader::open(file("1")), four = SafeTensorsReader::open(file("4"));
  const float *a = reinterpret_cast<const float *>(one->data(*one->find("logits")));
  const float *b = reinterpret_cast<const float *>(four->data(*four->find("logits")));
  double sum = 0;
  for (int64_t v = 0; v < countBytes; ++v) {
    EXPECT_NEAR(a[v], b[v], 1e-7);
    sum += a[v];
  }
  EXPECT_NEAR(sum, 0, 1e-6) << "a softmax's gradient";
  EXPECT_GT(a[1], 0.0038) << "of an absent byte: its probability of 1 / 256";
  EXPECT_LT(a[int(' ')], -0.1) << "of the most frequent byte";
  EXPECT_THAT(run(CountVariant{1, 1, false}, {"--dump-gradients", file("none")}).error,
              HasSubstr("compiled without its gradients"));
  EXPECT_FALSE(fs::exists(file("none")));
}

TEST_F(TrainingTest, WritesTheTimelineOfTheLastStep) {
  ASSERT_EQ(run(CountVariant{2, 2}, {"--steps", "3", "--trace", file("trace")}).exitCode, 0);
  auto trace = nlohmann::json::parse(contents("trace"));
  int products = 0, collectives = 0;
  for (auto &event : trace["traceEvents"]) {
    if (event["ph"] != "X")
      continue;
    EXPECT_EQ(event["args"]["step"], "3");
    products += event["name"] == "cross entropy" && event["cat"] == "kernel";
    collectives += event["cat"] == "collective";
  }
  EXPECT_EQ(products, 4) << "two micro-batches on each of two ranks";
  EXPECT_EQ(collectives, 4);
}

TEST_F(TrainingTest, MistakesAreOneMessageAndLeaveNoFiles) {
  auto fails = [&](const Outcome &outcome) {
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
    EXPECT_EQ(outcome.error.rfind("error: ", 0), 0u) << outcome.error;
    EXPECT_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 1)
        << "files were left";
    return outcome.error;
  };
  EXPECT_THAT(fails(run(CountVariant{2, 1}, {"--ranks", "3", "--metrics", file("m")})),
              HasSubstr("compiled for 2 ranks (mesh dp=2), not for 3"));
  EXPECT_THAT(fails(run(CountVariant{}, {"--data", "/no/such/data", "--metrics", file("m")})),
              HasSubstr("/no/such/data: cannot open: No such file or directory"));
  EXPECT_THAT(fails(run(CountVariant{}, {"--validate-every", "1", "--validation-part", "0.0001"})),
              HasSubstr("tokens for validation are too few"));
  EXPECT_THAT(fails(run(CountVariant{}, {"--validate-every", "1", "--validation-part", "0"})),
              HasSubstr("--validation-part"));
  CountVariant stepOnly;
  stepOnly.evaluates = false;
  EXPECT_THAT(fails(run(stepOnly, {"--validate-every", "1"})),
              HasSubstr("has no function \"evaluate\""));
  EXPECT_THAT(fails(run(CountVariant{}, {"--load", "/no/such/weights", "--save", file("s")})),
              HasSubstr("/no/such/weights"));
  EXPECT_THAT(fails(run(CountVariant{}, {"--dump-gradients", "/no/such/place/g"})),
              HasSubstr("/no/such/place/g"));
  EXPECT_THAT(fails(run(CountVariant{1, 1, true, false, false}, {})),
              HasSubstr("metric loss is no whole"));
  // Before the first step, not after the last.
  Outcome late = run(CountVariant{}, {"--save", "/no/such/place/s"});
  EXPECT_THAT(fails(late), HasSubstr("/no/such/place/s: cannot create"));
  EXPECT_THAT(late.out, testing::Not(HasSubstr("step 1")));
  EXPECT_THAT(fails(run(CountVariant{}, {"--trace", "/no/such/place/t"})),
              HasSubstr("/no/such/place/t"));
  CountVariant silent, loaded;
  silent.givesLoss = false;
  loaded.fromFile = true;
  EXPECT_THAT(fails(run(silent, {})), HasSubstr("metric loss is never given to the host"));
  EXPECT_THAT(fails(run(loaded, {})), HasSubstr("tensor logits has no first value of its own"));
  std::vector<uint8_t> damaged = compileCountModel(CountVariant{});
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_THAT(fails(run(damaged, 42, {})), HasSubstr("altered"));
  damaged.resize(damaged.size() - 7);
  EXPECT_THAT(fails(run(damaged, 42, {})), HasSubstr("truncated"));
  EXPECT_THAT(fails(run(compileCountModel(CountVariant{}), 43, {})),
              HasSubstr("the kernels are not those of the schedule"));
  EXPECT_THAT(fails(run(CountVariant{}, {"--lr", "1e38", "--steps", "50", "--save", file("s")})),
              HasSubstr("has diverged"));
  EXPECT_EQ(run(CountVariant{}, {"--stepz", "3"}).exitCode, 2);
}

TEST_F(TrainingTest, TokensOutsideTheVocabularyNameTheirPlace) {
  std::ofstream(file("wide.bin"), std::ios::binary) << std::string(100, 'x'); // Tokens of 0x7878.
  Outcome outcome = run(CountVariant{}, {"--data", file("wide.bin")});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.error, HasSubstr("wide.bin: token 30840 at byte "));
  EXPECT_THAT(outcome.error, HasSubstr("is outside the model's vocabulary of 256"));
}

TEST_F(TrainingTest, AStepThatHangsEndsTheProcess) {
  std::vector<uint8_t> schedule = compileCountModel(CountVariant{1, 1, true, true});
  std::string text = file("text");
  std::vector<const char *> arguments = {"train", "--data", text.c_str(), "--timeout", "1"};
  TrainingImage image{schedule.data(), schedule.size(), {countKernels, 4, 42}};
  EXPECT_EXIT(trainMain(5, arguments.data(), image), testing::ExitedWithCode(1),
              "error: step 1 did not end within 1 seconds");
}

TEST(Progress, FormatsBytes) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(uint64_t(3) << 30), "3.0 GiB");
  EXPECT_GT(peakMemory(), uint64_t(1) << 20);
}

} // namespace
