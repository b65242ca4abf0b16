//===- WindowSteps.cpp - Convolutions, pooling and experts in random programs ----------------===//

#include "tests/differential/Steps.h"

#include <algorithm>
#include <cmath>

namespace vescale::analysis {
namespace {

/// How a window moves over one spatial dim.
struct Window {
  int64_t size, window, stride, padding, dilation;

  /// Not positive where the window is wider than the padded dim.
  int64_t positions() const {
    int64_t room = size + 2 * padding - dilation * (window - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
  }
};

/// One or two spatial dims in which the window fits at least once.
std::vector<Window> randomWindows(Choice &choice, bool dilates) {
  std::vector<Window> windows(choice.between(1, 2));
  for (Window &one : windows)
    do {
      one = {choice.between(1, 7), choice.between(1, 3), choice.between(1, 3), 0, 1};
      one.padding = choice.between(0, one.window / 2);
      if (dilates)
        one.dilation = choice.between(1, 2);
    } while (one.positions() < 1);
  return windows;
}

std::string listOf(const std::vector<Window> &windows, int64_t Window::*member) {
  Sizes numbers;
  for (const Window &one : windows)
    numbers.push_back(one.*member);
  return analysis::listOf(numbers);
}

void writeConvolution(ProgramWriter &w) {
  std::vector<Window> windows = randomWindows(w.choice, /*dilates=*/true);
  int64_t groups = w.choice.between(1, 2), inputs = w.choice.between(1, 3);
  int64_t outputs = groups * w.choice.between(1, 3), summed = inputs;
  Sizes xShape{w.choice.between(1, 4), groups * inputs}, weightShape{outputs, inputs};
  Sizes yShape{xShape[0], outputs};
  for (const Window &one : windows) {
    xShape.push_back(one.size);
    weightShape.push_back(one.window);
    yShape.push_back(one.positions());
    summed *= one.window;
  }
  Written x = w.tame(w.value(w.real, xShape)), weight = w.tame(w.value(w.real, weightShape));
  Written y{"", w.real, yShape, x.bound * weight.bound * double(summed), x.grid + weight.grid};
  if (std::log2(y.bound + 1) + y.grid > w.bits())
    return;
  w.write("convolution",
          x.name + ", " + weight.name + " {strides = " + listOf(windows, &Window::stride) +
              ", padding = " + listOf(windows, &Window::padding) +
              ", dilation = " + listOf(windows, &Window::dilation) +
              ", groups = " + std::to_string(groups) + "}",
          {x, weight}, y);
}

void writeMaxPool(ProgramWriter &w) {
  std::vector<Window> windows = randomWindows(w.choice, /*dilates=*/false);
  Sizes xShape{w.choice.between(1, 4), w.choice.between(1, 4)}, yShape = xShape;
  for (const Window &one : windows) {
    xShape.push_back(one.size);
    yShape.push_back(one.positions());
  }
  Written x = w.value(w.real, xShape), y = x;
  y.shape = yShape;
  w.write("max_pool",
          x.name + " {window = " + listOf(windows, &Window::window) +
              ", strides = " + listOf(windows, &Window::stride) +
              ", padding = " + listOf(windows, &Window::padding) + "}",
          {x}, y);
}

/// Over at least two elements a channel: the running variance divides by one less.
void writeBatchNorm(ProgramWriter &w) {
  Sizes shape{w.choice.between(2, 5), w.choice.between(1, 5)};
  if (w.choice.percent(70))
    shape.push_back(w.choice.between(1, 5));
  Written x = w.bounded(w.value(w.real, shape)), statistic{"", w.real, {shape[1]}};
  statistic.differentiable = false;
  std::vector<std::string> types{x.type()};
  std::string names = x.name;
  for (int channels = 0; channels < 4; ++channels) {
    Written one = w.bounded(w.value(w.real, {shape[1]}));
    names += ", " + one.name;
    types.push_back(one.type());
  }
  w.writeMany("batch_norm", names + " {epsilon = 0.125, momentum = 0.25}", types,
              {x, statistic, statistic}, {false, false, false});
}

void writeGroupedMatmul(ProgramWriter &w) {
  int64_t tokens = w.choice.between(0, 9), experts = w.choice.between(1, 4);
  int64_t inputs = w.choice.between(1, 5), outputs = w.choice.between(1, 5);
  Written x = w.tame(w.value(w.real, {tokens, inputs}));
  Written weight = w.tame(w.value(w.real, {experts, outputs, inputs}));
  // Counts are not negative, as arguments are.
  Written counts = w.argument("i32", {experts});
  Written y{"", w.real, {tokens, outputs}, x.bound * weight.bound * double(inputs),
            x.grid + weight.grid};
  if (std::log2(y.bound + 1) + y.grid > w.bits())
    return;
  w.write("grouped_matmul", x.name + ", " + weight.name + ", " + counts.name, {x, weight, counts},
          y);
}

} // namespace

void addWindowSteps(std::vector<ProgramStep> &steps) {
  steps.push_back({"batch_norm", writeBatchNorm});
  // Those that have no kernel stand in few programs, and therefore more often there.
  for (int weight = 0; weight < 4; ++weight) {
    steps.push_back({"convolution", writeConvolution});
    steps.push_back({"max_pool", writeMaxPool});
    steps.push_back({"grouped_matmul", writeGroupedMatmul});
  }
}

} // namespace vescale::analysis
