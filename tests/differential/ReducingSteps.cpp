//===- ReducingSteps.cpp - Contractions, reductions and orders in random programs -----------===//

#include "tests/differential/Steps.h"

#include <algorithm>
#include <cmath>

namespace vescale::analysis {
namespace {

void shuffle(Choice &choice, std::string &letters) {
  for (size_t i = letters.size(); i > 1; --i)
    std::swap(letters[i - 1], letters[choice.below(i)]);
}

/// Each letter of one operand is shared and kept, shared and summed over, or its own; the other
/// operand may have one more.
void writeEinsum(ProgramWriter &w) {
  Written x = w.tame(w.anyReal(1));
  std::string left, right, out;
  int64_t summed = 1;
  auto sizeOf = [&](char letter) -> int64_t { return letter == 'z' ? 3 : x.shape[letter - 'a']; };
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    char letter = static_cast<char>('a' + dim);
    left += letter;
    int64_t role = w.choice.below(3);
    if (role != 2)
      right += letter;
    if (role != 1)
      out += letter;
    else
      summed *= x.shape[dim];
  }
  if (right.empty() || w.choice.percent(60)) {
    right += 'z';
    out += 'z';
  }
  shuffle(w.choice, right);
  shuffle(w.choice, out);
  Sizes rightShape, outShape;
  for (char letter : right)
    rightShape.push_back(sizeOf(letter));
  for (char letter : out)
    outShape.push_back(sizeOf(letter));
  if (elementsOf(outShape) > 500)
    return;
  Written y = w.tame(w.value(x.element, rightShape));
  Written z{"", x.element, outShape, x.bound * y.bound * double(std::max<int64_t>(summed, 1)),
            x.grid + y.grid};
  if (std::log2(z.bound + 1) + z.grid > w.bits())
    return;
  w.write("einsum", "\"" + left + "," + right + "->" + out + "\" " + x.name + ", " + y.name, {x, y},
          z);
}

void writeReduce(ProgramWriter &w) {
  static const std::vector<std::string> kinds{"sum", "mean", "max", "min", "prod"};
  Written x = w.tame(w.anyReal());
  std::string kind = w.choice.of(kinds);
  Sizes dims, shape;
  int64_t count = 1;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    if (w.choice.percent(50)) {
      dims.push_back(dim);
      count *= x.shape[dim];
    } else {
      shape.push_back(x.shape[dim]);
    }
  }
  Written y = x;
  y.shape = shape;
  bool exact = true;
  if (kind == "sum") {
    y.bound *= double(std::max<int64_t>(count, 1));
  } else if (kind == "mean") {
    // Over nothing the result is no number.
    y.differentiable = count > 0;
    exact = count > 0 && (count & (count - 1)) == 0;
    y.grid += static_cast<int>(std::log2(std::max<int64_t>(count, 1)));
  } else if (kind == "prod") {
    exact = (std::log2(x.bound + 1) + x.grid) * double(count) < w.bits() - 8;
    y.bound = std::pow(std::max(x.bound, 1.0), double(count));
    y.grid *= static_cast<int>(std::min<int64_t>(count, 100));
  } else {
    // Over nothing the result is infinite.
    exact = y.differentiable = count > 0;
  }
  w.write("reduce", kind + " " + x.name + " dims = " + listOf(dims), {x}, y, exact);
}

void writeBitReduce(ProgramWriter &w) {
  std::string element = w.choice.percent(50) ? "i32" : "i1";
  Written x = w.value(element, w.randomShape(1));
  int64_t dim = w.choice.below(x.rank());
  Written y = x;
  y.shape.erase(y.shape.begin() + dim);
  y.bound *= 2;
  w.write("reduce",
          std::string(w.choice.percent(50) ? "and " : "or ") + x.name + " dims = " + listOf({dim}),
          {x}, y);
}

} // namespace

void addReducingSteps(std::vector<ProgramStep> &steps) {
  for (int weight = 0; weight < 4; ++weight)
    steps.push_back({"einsum", writeEinsum});
  for (int weight = 0; weight < 3; ++weight)
    steps.push_back({"reduce", writeReduce});
  steps.push_back({"reduce", writeBitReduce});
  steps.push_back({"arg_max", [](ProgramWriter &w) {
                     Written x = w.anyReal(1, true);
                     int64_t dim = w.choice.below(x.rank());
                     Written y{"", "i32", x.shape, 16, 0};
                     y.shape.erase(y.shape.begin() + dim);
                     w.write("arg_max", x.name + " {dim = " + std::to_string(dim) + "}", {x}, y);
                   }});
  steps.push_back({"cumulative_sum", [](ProgramWriter &w) {
                     Written x = w.tame(w.anyReal(1)), y = x;
                     int64_t dim = w.choice.below(x.rank());
                     y.bound *= double(std::max<int64_t>(x.shape[dim], 1));
                     w.write("cumulative_sum",
                             x.name + " {dim = " + std::to_string(dim) +
                                 (w.choice.percent(50) ? ", reverse" : "") +
                                 (w.choice.percent(50) ? ", exclusive" : "") + "}",
                             {x}, y);
                   }});
  steps.push_back({"sort", [](ProgramWriter &w) {
                     Written x = w.anyReal(1);
                     std::string dim = std::to_string(w.choice.below(x.rank()));
                     w.writeMany("sort",
                                 x.name + " {dim = " + dim +
                                     (w.choice.percent(50) ? ", descending" : "") + "}",
                                 {x.type()}, {x, {"", "i32", x.shape, 16, 0}}, {true, true});
                   }});
  steps.push_back({"top_k", [](ProgramWriter &w) {
                     Written x = w.anyReal(1, true), y = x;
                     y.shape.back() = w.choice.between(1, x.shape.back());
                     w.writeMany("top_k", x.name + " {k = " + std::to_string(y.shape.back()) + "}",
                                 {x.type()}, {y, {"", "i32", y.shape, 16, 0}}, {true, true});
                   }});
}

} // namespace vescale::analysis
