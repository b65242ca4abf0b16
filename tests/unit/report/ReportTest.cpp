//===- ReportTest.cpp - What a compiled program holds and sends --------------------------------===//

#include "compiler/report/Quantities.h"
#include "compiler/report/Report.h"

#include "gtest/gtest.h"

using namespace vescale;

namespace {

CollectiveReport collective(const char *kind, std::vector<std::string> axes, int64_t bytes,
                            int64_t runs = 1) {
  CollectiveReport one;
  one.function = "step";
  one.kind = kind;
  one.axes = std::move(axes);
  one.payloadBytes = 2 * bytes;
  one.bytes = bytes;
  one.runs = runs;
  return one;
}

TEST(Report, GroupsByKindAndAxesAndCountsRuns) {
  Report report;
  report.collectives = {collective("all_reduce", {"tp"}, 100), collective("all_gather", {"tp"}, 7),
                        collective("all_reduce", {"dp"}, 5), collective("all_reduce", {"tp"}, 10, 3)};
  std::vector<CollectiveGroup> groups = report.groups();
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].count, 4);
  EXPECT_EQ(groups[0].bytes, 130);
  EXPECT_EQ(groups[0].payloadBytes, 260);
  EXPECT_EQ(groups[1].kind, "all_gather");
  EXPECT_EQ(groups[2].axes, std::vector<std::string>{"dp"});
}

TEST(Report, SaysWhatLiesInMemoryLargestFirst) {
  Report report;
  MemoryReport memory;
  memory.function = "step";
  memory.arenaBytes = 3 << 20;
  memory.persistent = {{"batch", 64}, {"parameters", 1 << 20}};
  memory.atPeak = {{"activations", 2 << 20}, {"gradients", 0}};
  report.memory = {memory};
  EXPECT_EQ(toSummary(report), "Memory of a device, @step: 3.00 MiB planned\n"
                               "  always   parameters 1.00 MiB, batch 64 B\n"
                               "  at peak  activations 2.00 MiB\n"
                               "Collectives of a step: none\n");
  EXPECT_EQ(report.arenaBytes(), 3 << 20);
}

TEST(Report, NamesOfFilesMayHoldAnyBytes) {
  Report report;
  report.collectives = {collective("all_reduce", {"x"}, 1)};
  report.collectives[0].location = "\xff.mlir:1:1";
  EXPECT_NE(toJson(report).find(".mlir:1:1"), std::string::npos);
}

TEST(Quantities, KeepThreeDigits) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(1023), "1023 B");
  EXPECT_EQ(bytesText(1536), "1.50 KiB");
  EXPECT_EQ(bytesText(1023 * 1024), "1.00 MiB");
  EXPECT_EQ(bytesText(int64_t(80) << 30), "80.0 GiB");
  EXPECT_EQ(secondsText(0), "0");
  EXPECT_EQ(secondsText(12.34e-6), "12.3 us");
  EXPECT_EQ(secondsText(0.25), "250 ms");
  EXPECT_EQ(shapeText({}), "scalar");
  EXPECT_EQ(shapeText({2, 3}), "2x3");
}

TEST(Quantities, TablesAlign) {
  TextTable table({"name", ">bytes", "rest"});
  table.add({"a", "10", ""});
  table.add({"long name", "5", "x"});
  EXPECT_EQ(table.str(), "  name       bytes  rest\n"
                         "  a             10\n"
                         "  long name      5  x\n");
}

} // namespace
