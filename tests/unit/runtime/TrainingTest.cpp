#include "runtime/checkpoint/SafeTensors.h"
#include "runtime/train/Progress.h"
#include "runtime/train/Training.h"
#include "tests/unit/runtime/TestSchedules.h"

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
// A model: how often each byte occurs. Its weights are the logits; its loss is the mean cross-entropy.
//===----------------------------------------------------------------------===//

constexpr int64_t bytes = 256, rows = 8, sequence = 16;

/// args: gradient, loss.
void clear(void *const *args, const int64_t *, int64_t, int64_t) {
  std::memset(args[0], 0, bytes * sizeof(float));
  std::memset(args[1], 0, sizeof(float));
}

/// args: tokens, weights, gradient, loss. params: number of local tokens. Adds the sums over the local tokens.
void differentiate(void *const *args, const int64_t *params, int64_t, int64_t) {
  const int32_t *tokens = static_cast<const int32_t *>(args[0]);
  const float *weights = static_cast<const float *>(args[1]);
  float *gradient = static_cast<float *>(args[2]), *loss = static_cast<float *>(args[3]);
  double sum = 0;
  for (int64_t v = 0; v < bytes; ++v)
    sum += std::exp(weights[v]);
  double scale = 1.0 / (rows * sequence);
  for (int64_t v = 0; v < bytes; ++v)
    gradient[v] += static_cast<float>(scale * params[0] * std::exp(weights[v]) / sum);
  double total = 0;
  for (int64_t t = 0; t < params[0]; ++t) {
    gradient[tokens[t]] -= static_cast<float>(scale);
    total += std::log(sum) - weights[tokens[t]];
  }
  *loss += static_cast<float>(scale * total);
}

/// args: gradient, rate, weights, velocity.
void update(void *const *args, const int64_t *, int64_t, int64_t) {
  const float *gradient = static_cast<const float *>(args[0]), *rate = static_cast<const float *>(args[1]);
  float *weights = static_cast<float *>(args[2]), *velocity = static_cast<float *>(args[3]);
  for (int64_t v = 0; v < bytes; ++v) {
    velocity[v] = 0.5f * velocity[v] + gradient[v];
    weights[v] -= *rate * velocity[v];
  }
}

void hang(void *const *, const int64_t *, int64_t, int64_t) {
  while (true) {
  }
}

const vescale_kernel kernels[] = {clear, differentiate, update, hang};

struct Variant {
  int64_t ranks = 1, microBatches = 1;
  bool gradients = true, hangs = false, wholeLoss = true;
};

std::vector<uint8_t> compile(const Variant &variant) {
  ScheduleBuilder b("dp=" + std::to_string(variant.ranks));
  for (const char *name : {"clear", "differentiate", "update", "hang"})
    b.kernel(name);
  b.schedule.kernelsChecksum = 42;
  b.schedule.predictedStepSeconds = 0.5;
  b.useClass(0);
  int64_t localTokens = rows / variant.microBatches / variant.ranks * sequence;
  uint32_t stream = b.stream("compute");
  uint32_t tokens = b.buffer(localTokens * 4), weights = b.buffer(bytes * 4), velocity = b.buffer(bytes * 4),
           partial = b.buffer(bytes * 4), gradient = b.buffer(bytes * 4), partialLoss = b.buffer(4), loss = b.buffer(4),
           rate = b.buffer(4);
  uint32_t whole = b.layout("[{}]"), partialWhole = b.layout("[{}], partial = [sum: \"dp\"]"), scalar = b.layout("[]"),
           partialScalar = b.layout("[], partial = [sum: \"dp\"]"), cut = b.layout("[{\"dp\"}, {}]");
  uint32_t batch = b.tensor("tokens", TensorRole::Batch, {rows / variant.microBatches, sequence}, ElementType::I32, cut,
                            tokens);
  b.schedule.tensors[batch].vocabulary = bytes;
  b.tensor("logits", TensorRole::Parameter, {bytes}, ElementType::F32, whole, weights);
  b.tensor("logits.velocity", TensorRole::State, {bytes}, ElementType::F32, whole, velocity);
  uint32_t gradientTensor = b.tensor("logits", TensorRole::Gradient, {bytes}, ElementType::F32, whole, gradient);
  uint32_t lossTensor =
      b.tensor("loss", TensorRole::Metric, {}, ElementType::F32, variant.wholeLoss ? scalar : partialScalar, loss);
  uint32_t count = b.scalar({ScalarKind::Constant, 1, localTokens, none, {}, 0, 0});

  b.emit(stream, ScalarUpdate{HostScalar::LearningRate, ElementType::F32}, {b.write(rate)});
  if (variant.hangs)
    b.emit(stream, LaunchKernel{3, {}, 1, 1}, {b.write(rate)});
  b.emit(stream, LaunchKernel{0, {}, 1, 1}, {b.write(partial), b.write(partialLoss)});
  b.emit(stream, LoopBegin{static_cast<uint32_t>(variant.microBatches)});
  b.emit(stream, HostInput{batch}, {b.write(tokens)});
  b.emit(stream, LaunchKernel{1, {count}, 1, 1},
         {b.read(tokens), b.read(weights), b.update(partial), b.update(partialLoss)}, "cross entropy");
  b.emit(stream, LoopEnd{});
  b.emit(stream, Collective{CollectiveKind::AllReduce, 0, partialWhole, whole, {bytes}, ElementType::F32},
         {b.read(partial), b.write(gradient)});
  b.emit(stream, Collective{CollectiveKind::AllReduce, 1, partialScalar, scalar, {}, ElementType::F32},
         {b.read(partialLoss), b.write(loss)});
  if (variant.gradients)
    b.emit(stream, HostOutput{gradientTensor}, {b.read(gradient)});
  b.emit(stream, HostOutput{lossTensor}, {b.read(loss)});
  b.emit(stream, LaunchKernel{2, {}, 1, 1}, {b.read(gradient), b.read(rate), b.update(weights), b.update(velocity)});
  return encodeSchedule(b.schedule);
}

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
    directory = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
    std::ofstream text(file("text"));
    for (int line = 0; line < 200; ++line)
      text << "the quick brown fox " << line << " jumps over the lazy dog\n";
  }

  Outcome run(const Variant &variant, std::vector<std::string> arguments) {
    std::vector<uint8_t> schedule = compile(variant);
    return run(schedule, 42, arguments);
  }

  Outcome run(const std::vector<uint8_t> &schedule, uint64_t checksum, std::vector<std::string> arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--data") == arguments.end())
      arguments.insert(arguments.begin(), {"--data", file("text")});
    arguments.insert(arguments.begin(), "train");
    std::vector<const char *> pointers;
    for (const std::string &argument : arguments)
      pointers.push_back(argument.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    TrainingImage image{schedule.data(), schedule.size(), {kernels, 4, checksum}};
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
  for (const Variant &variant : {Variant{1, 1}, Variant{2, 1}, Variant{4, 2}, Variant{1, 8}}) {
    Outcome outcome = run(variant, {"--steps", "30", "--lr", "10", "--metrics", file("metrics"), "--seed", "5"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.error;
    std::vector<double> found = losses("metrics");
    ASSERT_EQ(found.size(), 30u);
    EXPECT_NEAR(found[0], std::log(256.0), 1e-5);
    EXPECT_LT(found[29], 4.5);
    if (first.empty())
      first = found;
    for (size_t i = 0; i < 30; ++i)
      EXPECT_NEAR(found[i], first[i], 1e-5 * first[i]) << "step " << i << " ranks " << variant.ranks;
  }
  Outcome other = run(Variant{}, {"--steps", "3", "--lr", "10", "--metrics", file("metrics"), "--seed", "6"});
  EXPECT_NE(losses("metrics")[2], first[2]) << "the seed chooses the data";
}

TEST_F(TrainingTest, PrintsALinePerStep) {
  Outcome outcome = run(Variant{2, 1}, {"--steps", "12", "--lr", "0.5", "--lr-schedule", "linear", "--lr-final", "0",
                                        "--warmup", "2", "--metrics", file("metrics")});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("2 ranks (mesh dp=2)"));
  EXPECT_THAT(outcome.out, HasSubstr("128 tokens a step in rows of 16"));
  EXPECT_THAT(outcome.out, HasSubstr("\nstep  1/12  loss 5.54518  lr 0.25  "));
  EXPECT_THAT(outcome.out, HasSubstr("\nstep 12/12  loss "));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("[0-9]+ tokens/s  [0-9.]+ ms \\(predicted 500.0 ms\\)  "
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
  ASSERT_EQ(run(Variant{2, 1}, {"--steps", "4", "--lr", "3", "--save", file("a")}).exitCode, 0);
  auto reader = SafeTensorsReader::open(file("a"));
  ASSERT_TRUE(reader.ok()) << reader.message();
  ASSERT_NE(reader->find("logits"), nullptr);
  ASSERT_NE(reader->find("logits.velocity"), nullptr);
  EXPECT_EQ(reader->list().size(), 2u);
  // A run without steps saves what it loaded, on another mesh.
  ASSERT_EQ(run(Variant{4, 1}, {"--steps", "0", "--load", file("a"), "--save", file("b")}).exitCode, 0);
  EXPECT_EQ(contents("a"), contents("b"));
  ASSERT_EQ(run(Variant{2, 1}, {"--steps", "1", "--load", file("a"), "--metrics", file("metrics")}).exitCode, 0);
  EXPECT_LT(losses("metrics")[0], 5.5) << "training goes on where it was";
}

TEST_F(TrainingTest, ValidationMeasuresOtherDataAndChangesNothing) {
  std::vector<std::string> arguments = {"--steps", "6", "--lr", "20", "--metrics", file("metrics"), "--save"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    return run(Variant{2, 2}, more);
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
    Outcome outcome =
        run(Variant{ranks, 2}, {"--steps", "3", "--lr", "9", "--dump-gradients", file(std::to_string(ranks))});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("gradients of step 1: "));
  }
  auto one = SafeTensorsReader::open(file("1")), four = SafeTensorsReader::open(file("4"));
  const float *a = reinterpret_cast<const float *>(one->data(*one->find("logits")));
  const float *b = reinterpret_cast<const float *>(four->data(*four->find("logits")));
  double sum = 0;
  for (int64_t v = 0; v < bytes; ++v) {
    EXPECT_NEAR(a[v], b[v], 1e-7);
    sum += a[v];
  }
  EXPECT_NEAR(sum, 0, 1e-6) << "a softmax's gradient";
  EXPECT_GT(a[1], 0.0038) << "of an absent byte: its probability of 1 / 256";
  EXPECT_LT(a[int(' ')], -0.1) << "of the most frequent byte";
  EXPECT_THAT(run(Variant{1, 1, false}, {"--dump-gradients", file("none")}).error,
              HasSubstr("compiled without its gradients"));
  EXPECT_FALSE(fs::exists(file("none")));
}

TEST_F(TrainingTest, WritesTheTimelineOfTheLastStep) {
  ASSERT_EQ(run(Variant{2, 2}, {"--steps", "3", "--trace", file("trace")}).exitCode, 0);
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
    EXPECT_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 1) << "files were left";
    return outcome.error;
  };
  EXPECT_THAT(fails(run(Variant{2, 1}, {"--ranks", "3", "--metrics", file("m")})),
              HasSubstr("compiled for 2 ranks (mesh dp=2), not for 3"));
  EXPECT_THAT(fails(run(Variant{}, {"--data", "/no/such/data", "--metrics", file("m")})),
              HasSubstr("/no/such/data: cannot open: No such file or directory"));
  EXPECT_THAT(fails(run(Variant{}, {"--validate-every", "1", "--validation-part", "0.0001"})),
              HasSubstr("tokens for validation are too few"));
  EXPECT_THAT(fails(run(Variant{}, {"--validate-every", "1", "--validation-part", "0"})), HasSubstr("--validation-part"));
  EXPECT_THAT(fails(run(Variant{}, {"--load", "/no/such/weights", "--save", file("s")})), HasSubstr("/no/such/weights"));
  EXPECT_THAT(fails(run(Variant{}, {"--dump-gradients", "/no/such/place/g"})), HasSubstr("/no/such/place/g"));
  EXPECT_THAT(fails(run(Variant{1, 1, true, false, false}, {})), HasSubstr("metric loss is no whole"));
  std::vector<uint8_t> damaged = compile(Variant{});
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_THAT(fails(run(damaged, 42, {})), HasSubstr("altered"));
  damaged.resize(damaged.size() - 7);
  EXPECT_THAT(fails(run(damaged, 42, {})), HasSubstr("truncated"));
  EXPECT_THAT(fails(run(compile(Variant{}), 43, {})), HasSubstr("the kernels are not those of the schedule"));
  EXPECT_THAT(fails(run(Variant{}, {"--lr", "1e38", "--steps", "50", "--save", file("s")})), HasSubstr("has diverged"));
  EXPECT_EQ(run(Variant{}, {"--stepz", "3"}).exitCode, 2);
}

TEST_F(TrainingTest, TokensOutsideTheVocabularyNameTheirPlace) {
  std::ofstream(file("wide.bin"), std::ios::binary) << std::string(100, 'x'); // Tokens of 0x7878.
  Outcome outcome = run(Variant{}, {"--data", file("wide.bin")});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.error, HasSubstr("wide.bin: token 30840 at byte "));
  EXPECT_THAT(outcome.error, HasSubstr("is outside the model's vocabulary of 256"));
}

TEST_F(TrainingTest, AStepThatHangsEndsTheProcess) {
  std::vector<uint8_t> schedule = compile(Variant{1, 1, true, true});
  std::string text = file("text");
  std::vector<const char *> arguments = {"train", "--data", text.c_str(), "--timeout", "1"};
  TrainingImage image{schedule.data(), schedule.size(), {kernels, 4, 42}};
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
