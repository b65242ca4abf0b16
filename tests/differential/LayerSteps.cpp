//===- LayerSteps.cpp - Named layers, optimizers and regions in random programs -------------===//

#include "tests/differential/Steps.h"

#include <algorithm>

namespace vescale::analysis {
namespace {

/// Large values make exponentials that a double cannot hold.
bool small(const Written &x) { return x.bound <= 16; }

void addNormalisations(std::vector<ProgramStep> &steps) {
  for (const char *name : {"softmax", "log_softmax"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       Written x = w.bounded(w.anyReal(1, true));
                       std::string dim = std::to_string(w.choice.below(x.rank()));
                       if (small(x))
                         w.writeInexact(name, x.name + " {dim = " + dim + "}", {x}, x);
                     }});
  steps.push_back({"layer_norm", [](ProgramWriter &w) {
                     Written x = w.bounded(w.anyReal(1, true));
                     Written weight = w.value(x.element, {x.shape.back()});
                     Written bias = w.value(x.element, {x.shape.back()}), statistic = x;
                     statistic.shape.pop_back();
                     statistic.differentiable = false;
                     w.writeMany("layer_norm", x.name + ", " + weight.name + ", " + bias.name,
                                 {x.type(), weight.type(), bias.type()}, {x, statistic, statistic},
                                 {false, false, false});
                   }});
  steps.push_back({"rms_norm", [](ProgramWriter &w) {
                     Written x = w.bounded(w.anyReal(1, true)), statistic = x;
                     Written weight = w.value(x.element, {x.shape.back()});
                     statistic.shape.pop_back();
                     statistic.differentiable = false;
                     w.writeMany("rms_norm", x.name + ", " + weight.name, {x.type(), weight.type()},
                                 {x, statistic}, {false, false});
                   }});
  steps.push_back({"cross_entropy", [](ProgramWriter &w) {
                     Written x = w.isModel ? w.value(w.real, {w.choice.between(1, 5), 8})
                                           : w.anyReal(1, true);
                     x = w.bounded(x);
                     Written loss = x;
                     loss.shape.pop_back();
                     // A target that is no class makes the loss NaN; arguments are below 8.
                     bool classes = x.shape.back() >= 8 && (w.isModel || w.choice.percent(70));
                     Written targets = classes ? w.argument("i32", loss.shape)
                                               : w.value("i32", loss.shape);
                     if (small(x))
                       w.writeInexact("cross_entropy",
                                      x.name + ", " + targets.name + " {ignore_index = 1}",
                                      {x, targets}, loss);
                   }});
}

void addAttention(std::vector<ProgramStep> &steps) {
  steps.push_back({"attention", [](ProgramWriter &w) {
                     int64_t batch = w.choice.between(1, 3), keyHeads = w.choice.between(1, 3);
                     int64_t heads = keyHeads * w.choice.between(1, 2);
                     int64_t queries = w.choice.between(1, 5), width = w.choice.between(1, 3);
                     int64_t keys = w.choice.between(1, 5), values = w.choice.between(1, 3);
                     Written q = w.bounded(w.value(w.real, {batch, heads, queries, width}));
                     Written k = w.bounded(w.value(w.real, {batch, keyHeads, keys, width}));
                     Written v = w.bounded(w.value(w.real, {batch, keyHeads, keys, values}));
                     if (!small(q) || !small(k))
                       return;
                     bool drops = w.choice.percent(30);
                     std::string attributes = w.choice.percent(50) ? "causal" : "";
                     std::vector<std::string> types{q.type(), k.type(), v.type()};
                     std::string names = q.name + ", " + k.name + ", " + v.name;
                     if (w.choice.percent(25)) {
                       Written bias = w.value(w.real, {w.choice.percent(50) ? batch : 1,
                                                       w.choice.percent(50) ? heads : 1, queries, keys});
                       bias = w.bounded(bias);
                       names += ", " + bias.name;
                       types.push_back(bias.type());
                     }
                     if (drops) {
                       names += ", " + w.generator();
                       types.push_back("!vs.rng");
                       attributes += std::string(attributes.empty() ? "" : ", ") +
                                     "dropout = 0.5, draw_id = 3";
                     }
                     if (!attributes.empty())
                       names += " {" + attributes + "}";
                     Written output{"", w.real, {batch, heads, queries, values}};
                     Written logSumExp{"", w.real, {batch, heads, queries}};
                     logSumExp.differentiable = false;
                     w.writeMany("attention", names, types, {output, logSumExp}, {false, false});
                   }});
}

void addOptimizers(std::vector<ProgramStep> &steps) {
  steps.push_back({"sgd", [](ProgramWriter &w) {
                     Written p = w.anyReal(), g = w.value(p.element, p.shape);
                     Written rate = w.value(p.element, {});
                     w.write("sgd",
                             p.name + ", " + g.name + ", " + rate.name + " {weight_decay = 0.25}",
                             {p, g, rate}, p, false);
                   }});
  steps.push_back({"adamw", [](ProgramWriter &w) {
                     if (!w.supports("constant") || !w.supports("abs"))
                       return;
                     Written p = w.anyReal(), g = w.value(p.element, p.shape);
                     Written m = w.value(p.element, p.shape), x = w.value(p.element, p.shape);
                     Written v = w.write("abs", x.name, {x}, x);
                     Written rate = w.value(p.element, {}), step = w.constant(p.element, {}, 2);
                     w.writeMany("adamw",
                                 p.name + ", " + g.name + ", " + m.name + ", " + v.name + ", " +
                                     rate.name + ", " + step.name,
                                 {p.type(), g.type(), m.type(), v.type(), rate.type(), step.type()},
                                 {p, m, v}, {false, false, false});
                   }});
}

/// Muon needs its matrix whole.
void addMuon(std::vector<ProgramStep> &steps) {
  steps.push_back({"muon", [](ProgramWriter &w) {
                     Sizes shape{w.choice.between(1, 5), w.choice.between(1, 5)};
                     Written p = w.bounded(w.value(w.real, shape)), g = w.value(w.real, shape);
                     g = w.bounded(g);
                     Written m = w.bounded(w.value(w.real, shape)), rate = w.value(w.real, {});
                     w.writeMany("muon",
                                 p.name + ", " + g.name + ", " + m.name + ", " + rate.name +
                                     (w.choice.percent(50) ? " {nesterov}" : ""),
                                 {p.type(), g.type(), m.type(), rate.type()}, {p, m}, {false, false});
                   }});
}

void addClipping(std::vector<ProgramStep> &steps) {
  steps.push_back({"clip_by_global_norm", [](ProgramWriter &w) {
                     Written x = w.bounded(w.anyReal()), y = w.bounded(w.anyReal());
                     Written norm{"", w.real, {}};
                     w.writeMany("clip_by_global_norm",
                                 x.name + ", " + y.name + " {max_norm = 1.0}",
                                 {x.type(), y.type()}, {x, y, norm}, {false, false, false});
                   }});
}

void addRegions(std::vector<ProgramStep> &steps) {
  for (const char *name : {"recompute"})
    steps.push_back({name, [name](ProgramWriter &w) {
                       Written x = w.tame(w.anyReal()), y = w.tame(w.value(x.element, x.shape));
                       Written z = x;
                       z.name = w.freshName();
                       z.bound = 2 * std::max(x.bound, y.bound);
                       z.grid = std::max(x.grid, y.grid);
                       std::string type = x.type(), n = z.name.substr(1);
                       w.line(z.name + " = vs." + name + " (%p" + n + " = " + x.name + " : " +
                              type + ", %q" + n + " = " + y.name + " : " + type + ") -> (" + type +
                              ") {");
                       w.line("  %s" + n + " = vs.sub %p" + n + ", %q" + n + " : " + type);
                       w.line("  %t" + n + " = vs.abs %s" + n + " : " + type);
                       w.line("  vs.yield %t" + n + " : " + type);
                       w.line("}");
                       w.keep(z);
                     }});
  steps.push_back({"repeat", [](ProgramWriter &w) {
                     Written x = w.tame(w.anyReal()), y = w.tame(w.value(x.element, x.shape));
                     Written z = x;
                     z.name = w.freshName();
                     z.bound = x.bound + 3 * y.bound;
                     z.grid = std::max(x.grid, y.grid);
                     std::string type = x.type(), n = z.name.substr(1);
                     w.line(z.name + " = vs.repeat 3 (%p" + n + " = " + x.name + " : " + type +
                            ") invariant (%q" + n + " = " + y.name + " : " + type + ") -> (" +
                            type + ") {");
                     w.line("  %s" + n + " = vs.add %p" + n + ", %q" + n + " : " + type);
                     w.line("  vs.yield %s" + n + " : " + type);
                     w.line("}");
                     w.keep(z);
                   }});
}

} // namespace

void addLayerSteps(std::vector<ProgramStep> &steps) {
  addNormalisations(steps);
  addAttention(steps);
  addOptimizers(steps);
  addMuon(steps);
  addClipping(steps);
  addRegions(steps);
}

} // namespace vescale::analysis
