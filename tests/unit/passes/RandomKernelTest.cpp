//===- RandomKernelTest.cpp - random numbers of generated kernels ---------===//
//
// Compared with the definition in runtime/random, which everything else draws by.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/ElementInterface.h"
#include "passes/codegen/KernelEmitter.h"
#include "passes/codegen/NativeCode.h"

#include "dialects/vs/VsDialect.h"
#include "dialects/vs/rules/Rules.h"
#include "runtime/random/BoxMuller.h"
#include "runtime/random/Philox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

using namespace mlir;
namespace runtime = vescale::runtime;

namespace {

constexpr int64_t count = 256;
using Kernel = void (*)(void *const *, const int64_t *, int64_t, int64_t);

/// Draws the elements at `positions` with the given distribution, draw id 3 + `base`.
std::vector<float> draw(const std::string &distribution, std::vector<int64_t> positions, uint32_t step,
                        uint64_t seed, int64_t base) {
  DialectRegistry registry;
  vescale::vs::registerIndexingRules(registry);
  vescale::registerElementInterfaces(registry);
  MLIRContext context(registry);
  context.loadDialect<vescale::vs::VsDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect, LLVM::LLVMDialect>();
  std::string source =
      "func.func @local(%p: tensor<256xi64>, %step: index, %low: index, %high: index, %base: index) -> tensor<256xf32> {\n"
      "  %rng = builtin.unrealized_conversion_cast %step, %low, %high, %base : index, index, index, index to !vs.rng\n"
      "  %r = vs.random_at %rng, %p {distribution = " + distribution + ", draw_id = 3} : (!vs.rng, tensor<256xi64>) -> tensor<256xf32>\n"
      "  return %r : tensor<256xf32>\n}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(UnknownLoc::get(&context));
  if (!module)
    return {};
  auto shape = vescale::emitKernel(*module->getOps<func::FuncOp>().begin(), "k", *kernels);
  SmallVector<char> object;
  if (failed(shape) || failed(vescale::generateNativeCode(*kernels, {}, object)))
    return {};
  static int number = 0;
  std::string stem = std::string(std::getenv("TEST_TMPDIR")) + "/random" + std::to_string(number++);
  std::ofstream(stem + ".o", std::ios::binary).write(object.data(), object.size());
  if (std::system(("g++ -shared -o " + stem + ".so " + stem + ".o -lm").c_str()) != 0)
    return {};
  void *library = dlopen((stem + ".so").c_str(), RTLD_NOW);
  auto kernel = library ? reinterpret_cast<Kernel>(dlsym(library, "k")) : nullptr;
  if (!kernel)
    return {};
  std::vector<float> result(count);
  void *arguments[] = {positions.data(), result.data()};
  int64_t parameters[] = {step, static_cast<int64_t>(seed & 0xffffffff), static_cast<int64_t>(seed >> 32), base};
  kernel(arguments, parameters, 0, shape->extent);
  return result;
}

std::vector<int64_t> somePositions() {
  std::vector<int64_t> positions(count);
  for (int64_t i = 0; i < count; ++i)
    positions[i] = i < 128 ? i : (int64_t(1) << 36) + 7 * i;
  return positions;
}

TEST(RandomKernel, UniformNumbersAreThoseOfTheRuntime) {
  constexpr uint64_t seed = 0x123456789abcdef0;
  std::vector<int64_t> positions = somePositions();
  std::vector<float> actual = draw("#vs.uniform<0.0, 1.0>", positions, 5, seed, 10);
  ASSERT_EQ(actual.size(), positions.size());
  for (int64_t i = 0; i < count; ++i)
    EXPECT_EQ(actual[i], runtime::uniformFromBits<float>(runtime::randomBits({13, 5, seed}, positions[i])));
}

TEST(RandomKernel, NormalNumbersAreThoseOfTheRuntime) {
  constexpr uint64_t seed = 42;
  std::vector<int64_t> positions = somePositions();
  std::vector<float> actual = draw("#vs.normal<0.5>", positions, 0, seed, 0);
  ASSERT_EQ(actual.size(), positions.size());
  for (int64_t i = 0; i < count; ++i) {
    runtime::RandomDraw id{3, 0, seed};
    uint64_t pair = static_cast<uint64_t>(positions[i]) / 2 * 2;
    float even, odd;
    runtime::normalFromBits(runtime::randomBits(id, pair), runtime::randomBits(id, pair + 1), even, odd);
    EXPECT_NEAR(actual[i], 0.5f * (positions[i] % 2 ? odd : even), 2e-6f) << positions[i];
  }
}

} // namespace
