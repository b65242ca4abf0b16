//===- NativeCodeTest.cpp - generated machine code against libm -----------===//

#include "passes/codegen/NativeCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <functional>

using namespace mlir;

namespace {

using Kernel = void (*)(void *const *, const int64_t *, int64_t, int64_t);

/// Compiles `source` and returns the entry function `name` of the resulting shared object.
Kernel compile(const std::string &source, const std::string &name) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect, memref::MemRefDialect,
                      scf::SCFDialect, LLVM::LLVMDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  llvm::SmallVector<char> object;
  if (!module || failed(vescale::generateNativeCode(*module, {}, object)))
    return nullptr;
  static int number = 0;
  std::string stem = std::string(std::getenv("TEST_TMPDIR")) + "/kernel" + std::to_string(number++);
  std::ofstream(stem + ".o", std::ios::binary).write(object.data(), object.size());
  if (std::system(("g++ -shared -o " + stem + ".so " + stem + ".o -lm").c_str()) != 0)
    return nullptr;
  void *library = dlopen((stem + ".so").c_str(), RTLD_NOW);
  return library ? reinterpret_cast<Kernel>(dlsym(library, name.c_str())) : nullptr;
}

std::string unaryKernel(const std::string &op, const std::string &type) {
  return "func.func @k(%x: memref<4096x" + type + ">, %y: memref<4096x" + type +
         ">, %shift: index, %begin: index, %end: index) attributes {sched.kernel} {\n"
         "  %one = arith.constant 1 : index\n"
         "  scf.for %i = %begin to %end step %one {\n"
         "    %v = memref.load %x[%i] : memref<4096x" + type + ">\n"
         "    %w = " + op + " %v : " + type + "\n"
         "    %j = arith.addi %i, %shift : index\n"
         "    memref.store %w, %y[%j] : memref<4096x" + type + ">\n"
         "  }\n  return\n}\n";
}

template <typename T>
void checkUnary(const std::string &op, const std::string &type, double low, double high,
                const std::function<double(double)> &reference, double tolerance) {
  Kernel kernel = compile(unaryKernel(op, type), "k");
  ASSERT_NE(kernel, nullptr) << op;
  std::vector<T> x(4096), y(4096, T(-7));
  for (int i = 0; i < 4096; ++i)
    x[i] = T(low + (high - low) * i / 4095);
  void *arguments[] = {x.data(), y.data()};
  int64_t parameters[] = {1};
  kernel(arguments, parameters, 10, 4000);
  EXPECT_EQ(y[10], T(-7));
  EXPECT_EQ(y[4001], T(-7));
  for (int i = 10; i < 4000; ++i) {
    double expected = reference(x[i]);
    EXPECT_NEAR(y[i + 1], expected, tolerance * std::abs(expected) + 1e-37) << op << " of " << x[i];
  }
}

} // namespace

TEST(NativeCode, TranscendentalFunctionsMatchLibm) {
  auto reference = [](double (*f)(double)) { return f; };
  checkUnary<float>("math.exp", "f32", -87, 88, reference(std::exp), 3e-7);
  checkUnary<float>("math.tanh", "f32", -9, 9, reference(std::tanh), 5e-7);
  checkUnary<float>("math.log", "f32", 1e-3, 1e3, reference(std::log), 5e-7);
  checkUnary<double>("math.exp", "f64", -700, 700, reference(std::exp), 1e-15);
  checkUnary<double>("math.tanh", "f64", -9, 9, reference(std::tanh), 1e-15);
}

TEST(NativeCode, ExpKeepsTheSpecialValues) {
  Kernel kernel = compile(unaryKernel("math.exp", "f32"), "k");
  ASSERT_NE(kernel, nullptr);
  std::vector<float> x(4096), y(4096);
  const float infinity = std::numeric_limits<float>::infinity();
  x[0] = -infinity;
  x[1] = infinity;
  x[2] = std::numeric_limits<float>::quiet_NaN();
  x[3] = 0;
  void *arguments[] = {x.data(), y.data()};
  int64_t parameters[] = {0};
  kernel(arguments, parameters, 0, 4);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_EQ(y[1], infinity);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], 1.0f);
}

TEST(NativeCode, TakesArgumentsWithoutElements) {
  Kernel kernel = compile("func.func @k(%x: memref<3x0x4xf32>, %y: memref<3xf32>, %begin: index, %end: index)\n"
                          "    attributes {sched.kernel} {\n"
                          "  %zero = arith.constant 0 : index\n"
                          "  %one = arith.constant 1 : index\n"
                          "  %nothing = arith.constant 0.0 : f32\n"
                          "  scf.for %i = %begin to %end step %one {\n"
                          "    memref.store %nothing, %y[%i] : memref<3xf32>\n"
                          "    scf.for %j = %zero to %zero step %one {\n"
                          "      %v = memref.load %x[%i, %j, %j] : memref<3x0x4xf32>\n"
                          "      memref.store %v, %y[%i] : memref<3xf32>\n"
                          "    }\n"
                          "  }\n  return\n}\n",
                          "k");
  ASSERT_NE(kernel, nullptr);
  std::vector<float> y(3, 5.0f);
  void *arguments[] = {nullptr, y.data()};
  kernel(arguments, nullptr, 0, 3);
  EXPECT_EQ(y, std::vector<float>(3, 0.0f));
}

TEST(NativeCode, RefusesAnUnknownCpu) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, LLVM::LLVMDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>("module {}", &context);
  llvm::SmallVector<char> object;
  vescale::NativeTarget target;
  target.cpu = "pdp-11";
  EXPECT_TRUE(failed(vescale::generateNativeCode(*module, target, object)));
  EXPECT_NE(message.find("unknown CPU 'pdp-11'"), std::string::npos) << message;
}
