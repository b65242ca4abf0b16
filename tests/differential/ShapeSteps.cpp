//===- ShapeSteps.cpp - Ops that move elements in random programs ---------------------------===//

#include "tests/differential/Steps.h"

#include <algorithm>
#include <numeric>

namespace vescale::analysis {
namespace {

Written shaped(const Written &x, Sizes shape) {
  Written y = x;
  y.shape = std::move(shape);
  return y;
}

/// Dims merged, split, or with a 1 among them.
Sizes reshaped(Choice &choice, Sizes shape) {
  for (int64_t change = choice.between(1, 3); change > 0; --change) {
    int64_t dim = shape.empty() ? 0 : choice.below(shape.size());
    if (choice.percent(40) && dim + 1 < int64_t(shape.size())) {
      shape[dim] *= shape[dim + 1];
      shape.erase(shape.begin() + dim + 1);
    } else if (choice.percent(60) && !shape.empty() && shape[dim] > 1) {
      std::vector<int64_t> divisors;
      for (int64_t d = 2; d <= shape[dim]; ++d)
        if (shape[dim] % d == 0)
          divisors.push_back(d);
      int64_t divisor = choice.of(divisors);
      shape[dim] /= divisor;
      shape.insert(shape.begin() + dim + choice.below(2), divisor);
    } else if (choice.percent(30) && shape.size() < 5) {
      shape.insert(shape.begin() + choice.below(shape.size() + 1), 1);
    }
  }
  return shape;
}

void addWhole(std::vector<ProgramStep> &steps) {
  steps.push_back({"reshape", [](ProgramWriter &w) {
                     Written x = w.anyReal();
                     w.write("reshape", x.name, {x}, shaped(x, reshaped(w.choice, x.shape)));
                   }});
  steps.push_back({"transpose", [](ProgramWriter &w) {
                     Written x = w.anyReal(1);
                     Sizes order(x.rank()), shape;
                     std::iota(order.begin(), order.end(), 0);
                     for (size_t i = order.size(); i > 1; --i)
                       std::swap(order[i - 1], order[w.choice.below(i)]);
                     for (int64_t dim : order)
                       shape.push_back(x.shape[dim]);
                     w.write("transpose", x.name + " {permutation = " + listOf(order) + "}", {x},
                             shaped(x, shape));
                   }});
  steps.push_back({"broadcast", [](ProgramWriter &w) {
                     Written x = w.anyReal();
                     Sizes shape, dims;
                     for (int64_t size : x.shape) {
                       if (w.choice.percent(30))
                         shape.push_back(w.choice.between(1, 4));
                       dims.push_back(shape.size());
                       shape.push_back(size);
                     }
                     if (shape.size() == x.shape.size())
                       shape.push_back(w.choice.between(1, 4));
                     if (elementsOf(shape) <= 500)
                       w.write("broadcast", x.name + " {dims = " + listOf(dims) + "}", {x},
                               shaped(x, shape));
                   }});
  steps.push_back({"reverse", [](ProgramWriter &w) {
                     Written x = w.anyReal(1);
                     std::string dim = std::to_string(w.choice.below(x.rank()));
                     w.write("reverse", x.name + " {dims = [" + dim + "]}", {x}, x);
                   }});
}

void addParts(std::vector<ProgramStep> &steps) {
  steps.push_back(
      {"slice", [](ProgramWriter &w) {
         Written x = w.anyReal();
         Sizes starts, limits, strides, shape;
         for (int64_t size : x.shape) {
           bool whole = w.choice.percent(50);
           starts.push_back(whole ? 0 : w.choice.between(0, size));
           limits.push_back(whole ? size : w.choice.between(starts.back(), size));
           strides.push_back(whole ? 1 : w.choice.between(1, 3));
           shape.push_back((limits.back() - starts.back() + strides.back() - 1) / strides.back());
         }
         w.write("slice",
                 x.name + " {starts = " + listOf(starts) + ", limits = " + listOf(limits) +
                     ", strides = " + listOf(strides) + "}",
                 {x}, shaped(x, shape));
       }});
  steps.push_back({"pad", [](ProgramWriter &w) {
                     Written x = w.anyReal();
                     Sizes low, high, interior, shape;
                     for (int64_t size : x.shape) {
                       bool pads = w.choice.percent(50);
                       low.push_back(pads ? w.choice.between(0, 2) : 0);
                       high.push_back(pads ? w.choice.between(0, 2) : 0);
                       interior.push_back(pads ? w.choice.between(0, 1) : 0);
                       shape.push_back(low.back() + size +
                                       std::max<int64_t>(size - 1, 0) * interior.back() +
                                       high.back());
                     }
                     if (elementsOf(shape) <= 500)
                       w.write("pad",
                               x.name + " {low = " + listOf(low) + ", high = " + listOf(high) +
                                   ", interior = " + listOf(interior) + "}",
                               {x}, shaped(x, shape));
                   }});
  steps.push_back({"concat", [](ProgramWriter &w) {
                     Written x = w.anyReal(1);
                     int64_t dim = w.choice.below(x.rank());
                     Sizes other = x.shape;
                     other[dim] = w.choice.between(0, 5);
                     Written y = w.value(x.element, other);
                     Written z = shaped(x, x.shape);
                     z.shape[dim] += other[dim];
                     z.bound = std::max(x.bound, y.bound);
                     z.grid = std::max(x.grid, y.grid);
                     w.write("concat",
                             x.name + ", " + y.name + " {dim = " + std::to_string(dim) + "}",
                             {x, y}, z);
                   }});
  for (bool update : {false, true}) {
    std::string op = update ? "dynamic_update_slice" : "dynamic_slice";
    steps.push_back({op, [op, update](ProgramWriter &w) {
                       Written x = w.anyReal(1);
                       Sizes part;
                       for (int64_t size : x.shape)
                         part.push_back(w.choice.percent(50) ? size : w.choice.between(0, size));
                       std::vector<Written> operands{x};
                       std::string names = x.name;
                       Written z = shaped(x, update ? x.shape : part);
                       if (update) {
                         Written y = w.value(x.element, part);
                         operands.push_back(y);
                         names += ", " + y.name;
                         z.bound = std::max(x.bound, y.bound);
                         z.grid = std::max(x.grid, y.grid);
                       }
                       for (int64_t dim = 0; dim < x.rank(); ++dim) {
                         operands.push_back(w.value("i32", {}));
                         names += ", " + operands.back().name;
                       }
                       w.write(op, names, operands, z);
                     }});
  }
}

/// Only sums have an adjoint.
std::string writeKind(ProgramWriter &w) {
  return w.isModel ? "add" : w.choice.of<std::string>({"add", "set", "max"});
}

void addIndexed(std::vector<ProgramStep> &steps) {
  auto dimText = [](int64_t dim) { return " {dim = " + std::to_string(dim) + "}"; };
  steps.push_back({"take", [=](ProgramWriter &w) {
                     Written x = w.anyReal(1);
                     int64_t dim = w.choice.below(x.rank());
                     Written i = w.value("i32", w.choice.percent(50) ? Sizes{3} : Sizes{2, 3});
                     Sizes shape(x.shape.begin(), x.shape.begin() + dim);
                     shape.insert(shape.end(), i.shape.begin(), i.shape.end());
                     shape.insert(shape.end(), x.shape.begin() + dim + 1, x.shape.end());
                     if (elementsOf(shape) <= 500)
                       w.write("take", x.name + ", " + i.name + dimText(dim), {x, i},
                               shaped(x, shape));
                   }});
  steps.push_back({"put", [=](ProgramWriter &w) {
                     Written x = w.tame(w.anyReal(1));
                     int64_t dim = w.choice.below(x.rank());
                     Written i = w.value("i32", {3});
                     Sizes shape = x.shape;
                     shape[dim] = 3;
                     Written u = w.tame(w.value(x.element, shape)), z = x;
                     z.bound = x.bound + 3 * u.bound;
                     z.grid = std::max(x.grid, u.grid);
                     w.write("put",
                             writeKind(w) + " " + x.name + ", " + i.name + ", " + u.name +
                                 dimText(dim),
                             {x, i, u}, z);
                   }});
  for (bool scatter : {false, true, true}) {
    std::string op = scatter ? "scatter" : "gather";
    steps.push_back(
        {op, [=](ProgramWriter &w) {
           Written x = w.tame(w.anyReal(1));
           int64_t dim = w.choice.below(x.rank()), count = w.choice.between(1, 4);
           Sizes shape = x.shape;
           shape[dim] = count;
           Written i = w.value("i32", shape);
           if (!scatter) {
             w.write(op, x.name + ", " + i.name + dimText(dim), {x, i}, shaped(x, shape));
             return;
           }
           Written u = w.tame(w.value(x.element, shape)), z = x;
           z.bound = x.bound + double(count) * u.bound;
           z.grid = std::max(x.grid, u.grid);
           w.write(op,
                   writeKind(w) + " " + x.name + ", " + i.name + ", " + u.name + dimText(dim),
                   {x, i, u}, z);
         }});
  }
  steps.push_back({"one_hot", [](ProgramWriter &w) {
                     Sizes shape = w.randomShape();
                     int64_t depth = w.choice.between(0, 9);
                     Written i = w.value("i32", shape);
                     shape.push_back(depth);
                     if (elementsOf(shape) <= 500)
                       w.write("one_hot", i.name + " {depth = " + std::to_string(depth) + "}", {i},
                               {"", w.real, shape, 1, 0});
                   }});
}

} // namespace

void addShapeSteps(std::vector<ProgramStep> &steps) {
  addWhole(steps);
  addParts(steps);
  addIndexed(steps);
}

} // namespace vescale::analysis
