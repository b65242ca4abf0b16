//===- ElementwiseSteps.cpp - Elementwise ops in random programs ----------------------------===//

#include "tests/differential/Steps.h"

#include <cmath>

namespace vescale::analysis {
namespace {

void addUnary(std::vector<ProgramStep> &steps) {
  for (const char *name : {"abs", "neg", "relu"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       Written x = w.anyReal();
                       w.write(name, x.name, {x}, x);
                     }});
  for (const char *name : {"sign", "floor", "ceil", "round"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       Written x = w.anyReal(), y = x;
                       y.grid = 0;
                       y.bound += 1;
                       w.write(name, x.name, {x}, y);
                     }});
  for (const char *name : {"exp", "expm1", "sin", "cos", "tanh", "erf", "sigmoid", "silu", "gelu"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       Written x = w.bounded(w.anyReal()), y = x;
                       y.bound = std::exp(x.bound);
                       if (x.bound <= 4)
                         w.writeInexact(name, x.name, {x}, y);
                     }});
  // Positive operands: the absolute value, and a constant more.
  for (const char *name : {"log", "log1p", "sqrt", "rsqrt", "reciprocal"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       if (!w.supports("constant") || !w.supports("abs") || !w.supports("add"))
                         return;
                       Written x = w.anyReal();
                       Written a = w.write("abs", x.name, {x}, x);
                       Written one = w.constant(x.element, x.shape, 1);
                       Written y = a;
                       y.bound += 1;
                       y = w.write("add", a.name + ", " + one.name, {a, one}, y);
                       w.writeInexact(name, y.name, {y}, y);
                     }});
  steps.push_back({"not", [](ProgramWriter &w) {
                     Written x = w.value("i32", w.randomShape());
                     x.bound += 1;
                     w.write("not", x.name, {x}, x);
                   }});
  steps.push_back({"is_finite", [](ProgramWriter &w) {
                     Written x = w.anyReal();
                     w.write("is_finite", x.name, {x}, {"", "i1", x.shape, 1, 0});
                   }});
  steps.push_back({"cast", [](ProgramWriter &w) {
                     Written x = w.bounded(w.anyReal());
                     if (w.choice.percent(50)) {
                       Written integer{"", "i32", x.shape, x.bound, 0};
                       w.write("cast", x.name, {x}, integer);
                     } else {
                       Written other = x;
                       other.element = x.element == "f32" ? "f64" : "f32";
                       w.write("cast", x.name, {x}, other);
                     }
                   }});
  steps.push_back({"tag", [](ProgramWriter &w) {
                     Written x = w.anyReal();
                     w.write("tag", x.name + " {name = \"h.0.point\"}", {x}, x);
                   }});
}

void addBinary(std::vector<ProgramStep> &steps) {
  for (const char *name : {"add", "sub", "maximum", "minimum"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       Written x = w.tame(w.anyReal()), y = w.tame(w.value(x.element, x.shape));
                       Written z = x;
                       z.bound = x.bound + y.bound;
                       z.grid = std::max(x.grid, y.grid);
                       w.write(name, x.name + ", " + y.name, {x, y}, z);
                     }});
  steps.push_back({"mul", [](ProgramWriter &w) {
                     Written x = w.tame(w.anyReal()), y = w.tame(w.value(x.element, x.shape)),
                             z = x;
                     z.bound = x.bound * y.bound;
                     z.grid = x.grid + y.grid;
                     if (std::log2(z.bound + 1) + z.grid < w.bits())
                       w.write("mul", x.name + ", " + y.name, {x, y}, z);
                   }});
  for (const char *name : {"div", "remainder", "pow"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       if (!w.supports("constant") || !w.supports("abs") || !w.supports("add"))
                         return;
                       Written x = w.bounded(w.anyReal());
                       Written a = w.write("abs", x.name, {x}, x);
                       Written one = w.constant(x.element, x.shape, 1), b = a;
                       b.bound += 1;
                       b = w.write("add", a.name + ", " + one.name, {a, one}, b);
                       w.writeInexact(name, b.name + ", " + b.name, {b, b}, b);
                       Written other = w.bounded(w.value(x.element, x.shape));
                       if (std::string(name) != "pow")
                         w.writeInexact(name, other.name + ", " + b.name, {other, b}, other);
                     }});
  for (const char *name : {"and", "or", "xor"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       std::string element = w.choice.percent(50) ? "i32" : "i1";
                       Written x = w.value(element, w.randomShape());
                       Written y = w.value(element, x.shape), z = x;
                       z.bound = 2 * std::max(x.bound, y.bound);
                       w.write(name, x.name + ", " + y.name, {x, y}, z);
                     }});
  for (const char *name : {"add", "mul", "sub", "maximum"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       // Integers wrap, so they may grow as they like.
                       Written x = w.value("i32", w.randomShape()), y = w.value("i32", x.shape);
                       Written z = x;
                       z.bound = 1e9;
                       w.write(name, x.name + ", " + y.name, {x, y}, z);
                     }});
}

void addChoosing(std::vector<ProgramStep> &steps) {
  steps.push_back({"compare", [](ProgramWriter &w) {
                     static const std::vector<std::string> predicates{"eq", "ne", "lt",
                                                                      "le", "gt", "ge"};
                     Written x = w.anyReal(), y = w.value(x.element, x.shape);
                     w.write("compare", w.choice.of(predicates) + " " + x.name + ", " + y.name,
                             {x, y}, {"", "i1", x.shape, 1, 0});
                   }});
  steps.push_back({"select", [](ProgramWriter &w) {
                     Written x = w.anyReal(), y = w.value(x.element, x.shape);
                     Written p = w.value("i1", x.shape), z = x;
                     z.bound = std::max(x.bound, y.bound);
                     z.grid = std::max(x.grid, y.grid);
                     w.write("select", p.name + ", " + x.name + ", " + y.name, {p, x, y}, z);
                   }});
  steps.push_back({"clamp", [](ProgramWriter &w) {
                     Written x = w.anyReal(), a = w.value(x.element, x.shape),
                             b = w.value(x.element, x.shape), z = x;
                     z.bound = std::max({x.bound, a.bound, b.bound});
                     z.grid = std::max({x.grid, a.grid, b.grid});
                     w.write("clamp", x.name + ", " + a.name + ", " + b.name, {x, a, b}, z);
                   }});
}

void addCreation(std::vector<ProgramStep> &steps) {
  steps.push_back({"iota", [](ProgramWriter &w) {
                     Sizes shape = w.randomShape(1);
                     int64_t dim = w.choice.below(shape.size());
                     w.write("iota", "{dim = " + std::to_string(dim) + "}", {},
                             {"", w.real, shape, 16, 0});
                   }});
  steps.push_back({"random", [](ProgramWriter &w) {
                     static const std::vector<std::string> distributions{"#vs.uniform<-2.0, 2.0>",
                                                                         "#vs.normal<1.0>"};
                     Sizes shape = w.randomShape();
                     std::string id = std::to_string(w.choice.below(5));
                     Written x{"", w.real, shape, 8, 60};
                     x = w.writeMany("random",
                                     w.generator() + " {distribution = " +
                                         w.choice.of(distributions) + ", draw_id = " + id + "}",
                                     {"!vs.rng"}, {x}, {false})[0];
                     if (w.supports("constant") && w.supports("round") && w.supports("mul"))
                       w.onGrid(x, /*inexact=*/true);
                   }});
  steps.push_back({"dropout", [](ProgramWriter &w) {
                     Written x = w.tame(w.anyReal()), y = x;
                     y.bound *= 2;
                     w.writeMany("dropout",
                                 x.name + ", " + w.generator() + " {rate = 0.5, draw_id = " +
                                     std::to_string(w.choice.below(5)) + "}",
                                 {x.type(), "!vs.rng"}, {y}, {true});
                   }});
}

} // namespace

void addElementwiseSteps(std::vector<ProgramStep> &steps) {
  addUnary(steps);
  addBinary(steps);
  addChoosing(steps);
  addCreation(steps);
}

} // namespace vescale::analysis
