#include "runtime/trace/Trace.h"
#include "runtime/trace/Metrics.h"
#include "runtime/train/LearningRate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>

using namespace vescale::runtime;

namespace {

std::string contents(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

TEST(Trace, HasTheFieldsOfKineto) {
  std::string path = testing::TempDir() + "/trace.json";
  std::vector<TraceEvent> events = {
      {"h.0 \"mlp\" matmul", "kernel", 1, 0, 1002500, 1004000, {}},
      {"all_reduce", "collective", 0, 1, 1000000, 1010000, {{"bytes", "4096"}}},
  };
  ASSERT_TRUE(writeTrace(path, events, {{"compute", "communication"}, {"compute"}}).ok());
  auto trace = nlohmann::json::parse(contents(path));
  std::vector<nlohmann::json> spans, names;
  for (auto &event : trace["traceEvents"])
    (event["ph"] == "X" ? spans : names).push_back(event);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0], (nlohmann::json{{"ph", "X"},
                                      {"cat", "kernel"},
                                      {"name", "h.0 \"mlp\" matmul"},
                                      {"pid", 1},
                                      {"tid", 0},
                                      {"ts", 2.5},
                                      {"dur", 1.5},
                                      {"args", {{"device", 1}, {"stream", 0}}}}));
  EXPECT_EQ(spans[1]["ts"], 0);
  EXPECT_EQ(spans[1]["dur"], 10);
  EXPECT_EQ(spans[1]["args"]["bytes"], "4096");
  int threads = 0;
  for (auto &event : names)
    threads += event["name"] == "thread_name";
  EXPECT_EQ(threads, 3);
  EXPECT_EQ(writeTrace("/no/such/place/t.json", {}, {}).message(),
            "/no/such/place/t.json: cannot create: No such file or directory");
}

TEST(Trace, WithoutEventsIsStillOne) {
  std::string path = testing::TempDir() + "/empty.json";
  ASSERT_TRUE(writeTrace(path, {}, {}).ok());
  EXPECT_TRUE(nlohmann::json::parse(contents(path))["traceEvents"].empty());
}

TEST(Metrics, AreLinesThatReadBackExactly) {
  std::string path = testing::TempDir() + "/metrics.jsonl";
  {
    auto metrics = Metrics::open(path);
    ASSERT_TRUE(metrics.ok());
    ASSERT_TRUE(metrics->write({{"step", 0}, {"loss", 0.1}}).ok());
    EXPECT_EQ(contents(path), "{\"step\":0,\"loss\":0.1}\n")
        << "lines are complete while the file is open";
    ASSERT_TRUE(metrics->write({{"step", 1}, {"loss", 1.0 / 3}}).ok());
    ASSERT_TRUE(metrics->write({{"loss", std::numeric_limits<double>::quiet_NaN()}}).ok());
  }
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  std::getline(stream, line);
  EXPECT_EQ(nlohmann::json::parse(line)["loss"].get<double>(), 1.0 / 3);
  std::getline(stream, line);
  EXPECT_EQ(line, "{\"loss\":null}");
  EXPECT_EQ(Metrics::open("/no/such/place/m").message(),
            "/no/such/place/m: cannot create: No such file or directory");
}

TEST(LearningRate, RisesAndFallsAsItsKindSays) {
  LearningRate rate{LearningRate::Kind::constant, 2.0, 4, 14, 0.5};
  EXPECT_EQ(rate.at(0), 0.5);
  EXPECT_EQ(rate.at(3), 2.0);
  EXPECT_EQ(rate.at(4), 2.0);
  EXPECT_EQ(rate.at(1000), 2.0);
  rate.kind = LearningRate::Kind::linear;
  EXPECT_EQ(rate.at(1), 1.0);
  EXPECT_EQ(rate.at(4), 2.0);
  EXPECT_DOUBLE_EQ(rate.at(9), 1.5);
  EXPECT_DOUBLE_EQ(rate.at(14), 1.0);
  EXPECT_DOUBLE_EQ(rate.at(99), 1.0);
  rate.kind = LearningRate::Kind::cosine;
  EXPECT_EQ(rate.at(4), 2.0);
  EXPECT_DOUBLE_EQ(rate.at(9), 1.5);
  EXPECT_DOUBLE_EQ(rate.at(6), 1.5 + 0.5 * std::cos(0.2 * M_PI));
  EXPECT_DOUBLE_EQ(rate.at(14), 1.0);
  LearningRate none{LearningRate::Kind::cosine, 1.0, 0, 0, 0.0};
  EXPECT_EQ(none.at(0), 1.0) << "a run without steps divides by nothing";
  EXPECT_EQ(*parseLearningRateKind("cosine"), LearningRate::Kind::cosine);
  EXPECT_EQ(parseLearningRateKind("exponential").message(),
            "'exponential' is no learning rate schedule: constant, cosine or linear");
}

} // namespace
