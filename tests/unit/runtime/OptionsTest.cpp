#include "runtime/train/Options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace vescale::runtime;
using testing::HasSubstr;

namespace {

ParsedOptions parse(std::vector<const char *> arguments) {
  arguments.insert(arguments.begin(), "train");
  return parseOptions(static_cast<int>(arguments.size()), arguments.data(), "Trains a model.");
}

TEST(Options, AreRead) {
  ParsedOptions parsed = parse({"--data", "x.bin", "--steps=20", "--lr", "6e-4", "--lr-schedule",
                                "cosine", "--warmup", "5", "--seed", "7", "--ranks", "4",
                                "--threads-per-rank", "2", "--save", "out", "--tokens", "uint32"});
  ASSERT_TRUE(parsed.options) << parsed.text;
  EXPECT_EQ(parsed.options->data, "x.bin");
  EXPECT_EQ(parsed.options->steps, 20);
  EXPECT_EQ(parsed.options->seed, 7u);
  EXPECT_EQ(parsed.options->ranks, 4);
  EXPECT_EQ(parsed.options->threadsPerRank, 2);
  EXPECT_EQ(parsed.options->save, "out");
  EXPECT_EQ(parsed.options->tokens, "uint32");
  const LearningRate &rate = parsed.options->learningRate;
  EXPECT_EQ(rate.kind, LearningRate::Kind::cosine);
  EXPECT_EQ(rate.peak, 6e-4);
  EXPECT_EQ(rate.warmup, 5);
  EXPECT_EQ(rate.steps, 20);
}

TEST(Options, HelpFitsAScreen) {
  ParsedOptions parsed = parse({"--help"});
  EXPECT_FALSE(parsed.options);
  EXPECT_EQ(parsed.exitCode, 0);
  EXPECT_THAT(parsed.text, HasSubstr("Trains a model."));
  EXPECT_LE(std::count(parsed.text.begin(), parsed.text.end(), '\n'), 24) << parsed.text;
  size_t longest = 0, begin = 0;
  for (size_t end; (end = parsed.text.find('\n', begin)) != std::string::npos; begin = end + 1)
    longest = std::max(longest, end - begin);
  EXPECT_LE(longest, 80u) << parsed.text;
  for (const char *option :
       {"--ranks", "--threads-per-rank", "--data", "--steps", "--seed", "--lr", "--lr-schedule",
        "--warmup", "--metrics", "--trace", "--save", "--dump-gradients", "--validate-every"})
    EXPECT_THAT(parsed.text, HasSubstr(option));
}

TEST(Options, MistakesAreOneMessage) {
  auto mistake = [](std::vector<const char *> arguments) {
    ParsedOptions parsed = parse(arguments);
    EXPECT_FALSE(parsed.options);
    EXPECT_EQ(parsed.exitCode, 2);
    EXPECT_EQ(std::count(parsed.text.begin(), parsed.text.end(), '\n'), 1) << parsed.text;
    return parsed.text;
  };
  EXPECT_THAT(mistake({}), HasSubstr("--data is required"));
  EXPECT_THAT(mistake({"--data", "x", "--steps", "-1"}), HasSubstr("--steps: must be a number from 0 to 1e+15, not -1"));
  EXPECT_THAT(mistake({"--data", "x", "--steps", "many"}), HasSubstr("--steps"));
  EXPECT_THAT(mistake({"--data", "x", "--steps", "1.5"}), HasSubstr("--steps"));
  for (const char *rate : {"nan", "inf", "-1", "fast", "1e-3x"})
    EXPECT_THAT(mistake({"--data", "x", "--lr", rate}),
                HasSubstr(std::string("--lr: must be a number of at least 0, not ") + rate));
  EXPECT_THAT(mistake({"--data", "x", "--lr-schedule", "step"}),
              HasSubstr("'step' is no learning rate schedule"));
  EXPECT_THAT(mistake({"--data", "x", "--tokens", "int8"}), HasSubstr("'int8' is no token type"));
  EXPECT_THAT(mistake({"--data", "x", "--seed", "-3"}), HasSubstr("--seed"));
  EXPECT_THAT(mistake({"--data", "x", "--ranks", "0"}), HasSubstr("--ranks"));
  EXPECT_THAT(mistake({"--data", "x", "--frobnicate"}), HasSubstr("--frobnicate"));
}

} // namespace
