//===- FormatTest.cpp - Encoding, decoding, damage ------------------------===//

#include "runtime/format/Decode.h"
#include "runtime/format/Envelope.h"
#include "runtime/format/Verify.h"
#include "tests/unit/runtime/TestSchedules.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace vescale::runtime;
using namespace vescale::runtime::test;

namespace {

/// One of everything: two classes, each kind of operation and of scalar.
Schedule everything() {
  ScheduleBuilder b("dp=2,tp=3");
  b.schedule.kernelsChecksum = 0x123456789abcdef0;
  b.schedule.predictedStepSeconds = 0.25;
  // 5 columns over tp = 3 are 2, 2, 1: the last coordinate of tp is a class of its own.
  b.schedule.classMap = {{{{2}, {0}}, {{2, 1}, {0, 1}}}, {0, 1}};
  uint32_t whole = b.layout("[{}, {}]"), cut = b.layout("[{\"dp\"}, {\"tp\"}]"),
           partial = b.layout("[{}, {}], partial = [sum: \"tp\"]"), scalarLayout = b.layout("[]");
  b.kernel("fused_0");
  b.kernel("fused_1");
  b.useClass(1);
  uint32_t parameter = none, batch = none, loss = none;
  for (uint32_t c : {0u, 1u}) {
    b.useClass(c);
    uint64_t columns = c == 0 ? 2 : 1;
    uint32_t compute = b.stream("compute"), comm = b.stream("tp");
    uint32_t local = b.buffer(2 * columns * 4), full = b.buffer(4 * 5 * 4), sum = b.buffer(80),
             matrix = b.buffer(64), rate = b.buffer(4), metric = b.buffer(4),
             queries = b.buffer(64), statistics = b.buffer(16);
    if (c == 0) {
      parameter = b.tensor("w", TensorRole::Parameter, {4, 5}, ElementType::F32, cut, local);
      b.schedule.tensors[parameter].initializer = {InitializerKind::Normal, 0, 0.02, 7, "w", {}};
      b.schedule.tensors[parameter].weightDecay = true;
      b.schedule.tensors[parameter].checkpoint = true;
      batch = b.tensor("x", TensorRole::Batch, {4, 5}, ElementType::F32, whole, full);
      b.schedule.tensors[batch].tokenOffset = 1;
      b.schedule.tensors[batch].vocabulary = 257;
      loss = b.tensor("loss", TensorRole::Metric, {}, ElementType::F32, scalarLayout, metric);
    } else {
      b.place(parameter, local);
      b.place(batch, full);
      b.place(loss, metric);
    }
    uint32_t start = b.scalar({ScalarKind::RegionStart, 2, 1, cut, {4, 5}, 1, 0});
    uint32_t micro = b.scalar({ScalarKind::LoopIndex, 1, 0, none, {}, 0, 0});
    uint32_t seed = b.scalar({ScalarKind::SeedLow, 1, 0, none, {}, 0, 0});
    b.emit(compute, ScalarUpdate{HostScalar::LearningRate, ElementType::F32}, {b.write(rate)});
    b.emit(compute, LoopBegin{3});
    b.emit(compute, HostInput{batch}, {b.write(full)}, "batch");
    b.emit(compute, LaunchKernel{1, {start, micro, seed}, 20, 4}, {b.read(full), b.write(sum)},
           "relu");
    uint32_t ready = b.event();
    b.emit(compute, RecordEvent{ready});
    b.emit(comm, WaitEvent{ready});
    b.emit(comm, Collective{CollectiveKind::AllReduce, 4, partial, whole, {4, 5}, ElementType::F32},
           {b.read(sum), b.write(full)}, "all-reduce");
    b.order(comm, compute);
    b.emit(compute, LoopEnd{});
    MatMul product;
    product.batch = {2};
    product.m = 2, product.n = 2, product.k = 2;
    product.a = {{4}, 2, false}, product.b = {{0}, 2, true}, product.c = {{4}, 2, false};
    product.beta = 1;
    b.emit(compute, product, {b.read(sum), b.read(full), b.update(matrix)});
    Attention attention;
    attention.batch = 1, attention.heads = 2, attention.keyHeads = 1;
    attention.queryLength = 2, attention.keyLength = 2, attention.headSize = 4;
    attention.q = attention.output = {16, 8, 4}, attention.k = attention.v = {8, 8, 4};
    attention.batchStart = attention.headStart = attention.queryStart = attention.keyStart =
        attention.drawId = start;
    b.emit(compute, attention,
           {b.read(sum), b.read(full), b.read(full), b.write(queries), b.write(statistics)});
    b.emit(compute, Copy{}, {b.read(rate), b.write(metric)});
    b.emit(compute, HostOutput{loss}, {b.read(metric)}, "loss");
  }
  return b.schedule;
}

TEST(Format, RoundTripKeepsEveryField) {
  std::vector<uint8_t> file = encodeSchedule(everything());
  auto decoded = decodeSchedule(file.data(), file.size());
  ASSERT_TRUE(decoded.ok()) << decoded.message();
  EXPECT_EQ(encodeSchedule(*decoded), file);
  EXPECT_EQ(decoded->functions, (std::vector<std::string>{"step"}));
  const Program &program = decoded->programs[1];
  EXPECT_EQ(program.streams, (std::vector<std::string>{"compute", "tp"}));
  EXPECT_EQ(program.scalars[0].shape, (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(decoded->tensors[0].initializer.b, 0.02);
  EXPECT_TRUE(std::get<MatMul>(program.instructions[10].operation).b.transposed);
}

TEST(Format, ScheduleWithEverythingVerifies) {
  auto status = verifySchedule(everything());
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(Format, TruncatedFilesAreRefused) {
  std::vector<uint8_t> file = encodeSchedule(everything());
  for (size_t size = 0; size < file.size(); size += size < 64 ? 1 : 37) {
    // A copy of its own, so that a sanitizer sees a read past the end.
    std::vector<uint8_t> part(file.begin(), file.begin() + size);
    EXPECT_FALSE(decodeSchedule(part.data(), part.size()).ok()) << size;
  }
}

TEST(Format, AlteredFilesAreRefused) {
  std::vector<uint8_t> file = encodeSchedule(everything());
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint8_t> altered = file;
    altered[random() % altered.size()] ^= 1 << random() % 8;
    auto decoded = decodeSchedule(altered.data(), altered.size());
    EXPECT_FALSE(decoded.ok());
  }
}

/// A hostile file has a right checksum. Whatever is accepted must be harmless: nothing crashes.
TEST(Format, AlteredFilesWithTheirChecksumAreHarmless) {
  std::vector<uint8_t> file = encodeSchedule(everything());
  std::mt19937 random(2);
  int decodable = 0, verified = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<uint8_t> altered = file;
    for (int changes = 1 + random() % 3; changes > 0; --changes) {
      size_t at = sizeof(Envelope) + random() % (altered.size() - sizeof(Envelope));
      altered[at] = random() % 3 ? random() : altered[at] ^ (1 << random() % 8);
    }
    uint64_t sum = checksum(altered.data() + sizeof(Envelope), altered.size() - sizeof(Envelope));
    std::memcpy(altered.data() + offsetof(Envelope, checksum), &sum, sizeof(sum));
    auto decoded = decodeSchedule(altered.data(), altered.size());
    if (!decoded.ok())
      continue;
    ++decodable;
    verified += verifySchedule(*decoded).ok();
  }
  // Both outcomes must occur, else the test says nothing.
  EXPECT_GT(decodable, 100);
  EXPECT_LT(verified, decodable);
}

TEST(Format, OtherVersionIsNamed) {
  std::vector<uint8_t> file = encodeSchedule(everything());
  file[offsetof(Envelope, version)] = 99;
  auto decoded = decodeSchedule(file.data(), file.size());
  ASSERT_FALSE(decoded.ok());
  EXPECT_NE(decoded.message().find("version 99"), std::string::npos) << decoded.message();
}

} // namespace
