//===- OpCases.cpp - Every op of vs, once --------------------------------------------------===//

#include "tests/unit/analysis/OpCases.h"

namespace vescale::analysis {
namespace {

std::string typeText(const std::string &type) {
  return type[0] == '!' || type == "index" ? type : "tensor<" + type + ">";
}

std::string joined(const std::vector<std::string> &types) {
  std::string text;
  for (const std::string &type : types)
    text += (text.empty() ? "" : ", ") + typeText(type);
  return text;
}

using Types = std::vector<std::string>;

const std::string attentionGradient = "vs.attention_gradient %a, %b, %c, %d, %e, %f";

std::vector<OpCase> allCases() {
  std::vector<OpCase> cases;
  Types matrix{"2x3xf64"};
  auto unary = [&](const std::string &op, double low = -2, double high = 2) {
    cases.push_back({op, matrix, matrix, "vs." + op + " %a", low, high});
  };
  auto binary = [&](const std::string &op, double low = -2, double high = 2) {
    cases.push_back({op, {"2x3xf64", "2x3xf64"}, matrix, "vs." + op + " %a, %b", low, high});
  };
  auto integers = [&](const std::string &op) {
    cases.push_back({op, {"2x3xi32", "2x3xi32"}, {"2x3xi32"}, "vs." + op + " %a, %b"});
  };
  auto add = [&](OpCase one) { cases.push_back(std::move(one)); };

  for (const char *op : {"abs", "neg", "sign", "exp", "expm1", "sin", "cos", "tanh", "erf",
                         "sigmoid", "relu", "silu", "gelu", "floor", "ceil", "round"})
    unary(op);
  for (const char *op : {"log", "sqrt", "rsqrt", "reciprocal"})
    unary(op, 0.5, 2);
  unary("log1p", -0.5, 2);
  add({"gelu_approximate", matrix, matrix, "vs.gelu %a {approximate}"});
  add({"neg_integers", {"2x3xi32"}, {"2x3xi32"}, "vs.neg %a"});
  add({"not", {"2x3xi32"}, {"2x3xi32"}, "vs.not %a"});
  add({"is_finite", matrix, {"2x3xi1"}, "vs.is_finite %a"});
  add({"cast", matrix, {"2x3xf32"}, "vs.cast %a"});
  add({"cast_to_integer", matrix, {"2x3xi32"}, "vs.cast %a"});
  add({"tag", matrix, matrix, "vs.tag %a {name = \"here\"}"});

  for (const char *op : {"add", "sub", "mul", "maximum", "minimum"})
    binary(op);
  for (const char *op : {"div", "remainder"})
    binary(op, 0.5, 2);
  binary("pow", 0.5, 2);
  for (const char *op : {"and", "or", "xor"})
    integers(op);
  for (const char *predicate : {"eq", "ne", "lt", "le", "gt", "ge"})
    add({std::string("compare_") + predicate,
         {"2x3xf64", "2x3xf64"},
         {"2x3xi1"},
         std::string("vs.compare ") + predicate + " %a, %b"});
  add({"select", {"2x3xi1", "2x3xf64", "2x3xf64"}, matrix, "vs.select %a, %b, %c"});
  add({"clamp", {"2x3xf64", "2x3xf64", "2x3xf64"}, matrix, "vs.clamp %a, %b, %c"});

  add({"constant", {}, {"2xf64"}, "vs.constant dense<[1.5, -2.0]> : tensor<2xf64>"});
  add({"iota", {}, {"2x3xf64"}, "vs.iota {dim = 1}"});
  add({"random_uniform",
       {"!vs.rng"},
       {"2x3xf64"},
       "vs.random %a {distribution = #vs.uniform<-1.0, 3.0>, draw_id = 3}"});
  add({"random_normal",
       {"!vs.rng"},
       {"2x3xf64"},
       "vs.random %a {distribution = #vs.normal<0.5>, draw_id = 4}"});

  add({"random_at",
       {"!vs.rng", "2x3xi64"},
       {"2x3xf64"},
       "vs.random_at %a, %b {distribution = #vs.normal<0.5>, draw_id = 4}",
       -2,
       2,
       6});
  add({"from_index", {"index"}, {"i64"}, "vs.from_index %a"});

  add({"einsum_linear",
       {"2x3x4xf64", "5x4xf64"},
       {"2x3x5xf64"},
       "vs.einsum \"bsd,fd->bsf\" %a, %b"});
  add({"einsum_batch",
       {"2x3x4xf64", "2x4x2xf64"},
       {"2x2x3xf64"},
       "vs.einsum \"bij,bjk->bki\" %a, %b"});
  add({"einsum_outer", {"2xf64", "3xf64"}, {"3x2xf64"}, "vs.einsum \"i,j->ji\" %a, %b"});
  add({"einsum_dot", {"4xf64", "4xf64"}, {"f64"}, "vs.einsum \"i,i->\" %a, %b"});

  for (const char *kind : {"sum", "mean", "max", "min", "prod"})
    add({std::string("reduce_") + kind,
         {"2x3x4xf64"},
         {"3xf64"},
         std::string("vs.reduce ") + kind + " %a dims = [0, 2]"});
  add({"reduce_all", matrix, {"f64"}, "vs.reduce sum %a dims = [0, 1]"});
  add({"reduce_and", {"2x3xi32"}, {"2xi32"}, "vs.reduce and %a dims = [1]", -2, 2, 8});
  add({"reduce_or", {"2x3xi32"}, {"3xi32"}, "vs.reduce or %a dims = [0]", -2, 2, 8});
  add({"arg_max", {"2x5xf64"}, {"2xi64"}, "vs.arg_max %a {dim = 1}"});
  add({"cumulative_sum", {"3x4xf64"}, {"3x4xf64"}, "vs.cumulative_sum %a {dim = 1}"});
  add({"cumulative_sum_exclusive",
       {"3x4xf64"},
       {"3x4xf64"},
       "vs.cumulative_sum %a {dim = 0, exclusive}"});
  add({"cumulative_sum_reverse",
       {"3x4xf64"},
       {"3x4xf64"},
       "vs.cumulative_sum %a {dim = 1, reverse}"});
  add({"sort", {"2x5xf64"}, {"2x5xf64", "2x5xi64"}, "vs.sort %a {dim = 1}"});
  add({"sort_descending", {"5x2xf64"}, {"5x2xf64", "5x2xi64"}, "vs.sort %a {dim = 0, descending}"});
  add({"top_k", {"2x5xf64"}, {"2x3xf64", "2x3xi64"}, "vs.top_k %a {k = 3}"});

  add({"reshape", {"2x6xf64"}, {"3x4xf64"}, "vs.reshape %a"});
  add({"transpose", {"2x3x4xf64"}, {"4x2x3xf64"}, "vs.transpose %a {permutation = [2, 0, 1]}"});
  add({"broadcast", {"3xf64"}, {"2x3x2xf64"}, "vs.broadcast %a {dims = [1]}"});
  add({"slice",
       {"4x5xf64"},
       {"2x3xf64"},
       "vs.slice %a {starts = [1, 0], limits = [3, 5], strides = [1, 2]}"});
  add({"dynamic_slice", {"4x5xf64", "i32", "i32"}, {"2x3xf64"}, "vs.dynamic_slice %a, %b, %c"});
  add({"dynamic_update_slice",
       {"4x5xf64", "2x3xf64", "i32", "i32"},
       {"4x5xf64"},
       "vs.dynamic_update_slice %a, %b, %c, %d"});
  add({"concat", {"2x3xf64", "1x3xf64"}, {"3x3xf64"}, "vs.concat %a, %b {dim = 0}"});
  add({"pad",
       {"2x3xf64"},
       {"4x7xf64"},
       "vs.pad %a {low = [1, 0], high = [1, 2], interior = [0, 1]}"});
  add({"reverse", {"2x3xf64"}, matrix, "vs.reverse %a {dims = [1]}"});

  add({"take", {"4x3xf64", "2x2xi32"}, {"2x2x3xf64"}, "vs.take %a, %b {dim = 0}", -2, 2, 5});
  add({"take_dim_1", {"2x4xf64", "3xi32"}, {"2x3xf64"}, "vs.take %a, %b {dim = 1}"});
  add({"put_add",
       {"4x3xf64", "2x2xi32", "2x2x3xf64"},
       {"4x3xf64"},
       "vs.put add %a, %b, %c {dim = 0}",
       -2,
       2,
       5});
  add({"gather", {"3x4xf64", "3x2xi32"}, {"3x2xf64"}, "vs.gather %a, %b {dim = 1}"});
  add({"scatter_add",
       {"3x4xf64", "3x2xi32", "3x2xf64"},
       {"3x4xf64"},
       "vs.scatter add %a, %b, %c {dim = 1}"});
  add({"one_hot", {"2x2xi32"}, {"2x2x4xf64"}, "vs.one_hot %a {depth = 4}", -2, 2, 5});

  for (const char *op : {"softmax", "log_softmax"})
    add({op, {"3x4xf64"}, {"3x4xf64"}, "vs." + std::string(op) + " %a {dim = 1}"});
  for (const char *op : {"softmax_gradient", "log_softmax_gradient"})
    add({op, {"3x4xf64", "3x4xf64"}, {"3x4xf64"}, "vs." + std::string(op) + " %a, %b {dim = 0}"});
  add({"layer_norm",
       {"3x4xf64", "4xf64", "4xf64"},
       {"3x4xf64", "3xf64", "3xf64"},
       "vs.layer_norm %a, %b, %c {epsilon = 1.0e-3}"});
  add({"layer_norm_gradient",
       {"3x4xf64", "4xf64", "3xf64", "3xf64", "3x4xf64"},
       {"3x4xf64", "4xf64", "4xf64"},
       "vs.layer_norm_gradient %a, %b, %c, %d, %e"});
  add({"rms_norm",
       {"3x4xf64", "4xf64"},
       {"3x4xf64", "3xf64"},
       "vs.rms_norm %a, %b {epsilon = 1.0e-3}"});
  add({"rms_norm_gradient",
       {"3x4xf64", "4xf64", "3xf64", "3x4xf64"},
       {"3x4xf64", "4xf64"},
       "vs.rms_norm_gradient %a, %b, %c, %d"});
  add({"batch_norm",
       {"2x3x4xf64", "3xf64", "3xf64", "3xf64", "3xf64"},
       {"2x3x4xf64", "3xf64", "3xf64"},
       "vs.batch_norm %a, %b, %c, %d, %e {epsilon = 1.0e-3, momentum = 0.25}"});
  add({"batch_norm_gradient",
       {"2x3x4xf64", "3xf64", "2x3x4xf64"},
       {"2x3x4xf64", "3xf64", "3xf64"},
       "vs.batch_norm_gradient %a, %b, %c {epsilon = 1.0e-3}"});
  add({"cross_entropy",
       {"3x4xf64", "3xi32"},
       {"3xf64"},
       "vs.cross_entropy %a, %b {ignore_index = 2}"});
  add({"cross_entropy_gradient",
       {"3x4xf64", "3xi32", "3xf64"},
       {"3x4xf64"},
       "vs.cross_entropy_gradient %a, %b, %c {ignore_index = 2}"});
  add({"dropout",
       {"3x4xf64", "!vs.rng"},
       {"3x4xf64"},
       "vs.dropout %a, %b {rate = 0.25, draw_id = 7}"});

  Types qkv{"2x4x3x2xf64", "2x2x5x2xf64", "2x2x5x3xf64"};
  Types attended{"2x4x3x3xf64", "2x4x3xf64"};
  add({"attention", qkv, attended, "vs.attention %a, %b, %c"});
  add({"attention_causal",
       {"1x2x4x2xf64", "1x2x4x2xf64", "1x2x4x2xf64"},
       {"1x2x4x2xf64", "1x2x4xf64"},
       "vs.attention %a, %b, %c {causal, scale = 0.5}"});
  add({"attention_bias",
       {qkv[0], qkv[1], qkv[2], "1x4x3x5xf64"},
       attended,
       "vs.attention %a, %b, %c, %d"});
  add({"attention_dropout",
       {qkv[0], qkv[1], qkv[2], "!vs.rng"},
       attended,
       "vs.attention %a, %b, %c, %d {dropout = 0.25, draw_id = 5}"});
  add({"attention_gradient",
       {qkv[0], qkv[1], qkv[2], attended[0], attended[1], attended[0]},
       qkv,
       attentionGradient});

  add({"attention_gradient_bias",
       {qkv[0], qkv[1], qkv[2], "1x4x3x5xf64", attended[0], attended[1], attended[0]},
       {qkv[0], qkv[1], qkv[2], "1x4x3x5xf64"},
       "vs.attention_gradient %a, %b, %c, %d, %e, %f, %g {causal}"});
  add({"attention_gradient_dropout",
       {qkv[0], qkv[1], qkv[2], "!vs.rng", attended[0], attended[1], attended[0]},
       qkv,
       "vs.attention_gradient %a, %b, %c, %d, %e, %f, %g {dropout = 0.25, draw_id = 5}"});

  add({"convolution",
       {"2x4x7xf64", "6x2x3xf64"},
       {"2x6x3xf64"},
       "vs.convolution %a, %b {strides = [2], padding = [1], dilation = [2], groups = 2}"});
  add({"convolution_2d",
       {"1x2x4x5xf64", "3x2x2x3xf64"},
       {"1x3x3x5xf64"},
       "vs.convolution %a, %b {strides = [1, 1], padding = [0, 1], dilation = [1, 1], groups = "
       "1}"});
  add({"convolution_input_gradient",
       {"6x2x3xf64", "2x6x3xf64"},
       {"2x4x7xf64"},
       "vs.convolution_input_gradient %a, %b {strides = [2], padding = [1], dilation = [2], "
       "groups = 2}"});
  add({"convolution_weight_gradient",
       {"2x4x7xf64", "2x6x3xf64"},
       {"6x2x3xf64"},
       "vs.convolution_weight_gradient %a, %b {strides = [2], padding = [1], dilation = [2], "
       "groups = 2}"});
  add({"max_pool",
       {"2x3x7xf64"},
       {"2x3x4xf64"},
       "vs.max_pool %a {window = [3], strides = [2], padding = [1]}"});
  add({"max_pool_2d",
       {"1x2x4x4xf64"},
       {"1x2x2x3xf64"},
       "vs.max_pool %a {window = [2, 2], strides = [2, 1], padding = [0, 0]}"});
  add({"max_pool_gradient",
       {"2x3x7xf64", "2x3x4xf64"},
       {"2x3x7xf64"},
       "vs.max_pool_gradient %a, %b {window = [3], strides = [2], padding = [1]}"});
  add({"grouped_matmul",
       {"6x4xf64", "3x2x4xf64", "3xi32"},
       {"6x2xf64"},
       "vs.grouped_matmul %a, %b, %c",
       -2,
       2,
       3});
  add({"grouped_matmul_weight_gradient",
       {"6x4xf64", "6x2xf64", "3xi32"},
       {"3x2x4xf64"},
       "vs.grouped_matmul_weight_gradient %a, %b, %c",
       -2,
       2,
       3});

  add({"sgd", {"2x3xf64", "2x3xf64", "f64"}, matrix, "vs.sgd %a, %b, %c {weight_decay = 0.1}"});
  add({"sgd_momentum",
       {"2x3xf64", "2x3xf64", "2x3xf64", "f64"},
       {"2x3xf64", "2x3xf64"},
       "vs.sgd %a, %b, %c, %d {momentum_factor = 0.9, weight_decay = 0.1}"});
  add({"sgd_nesterov",
       {"2x3xf64", "2x3xf64", "2x3xf64", "f64"},
       {"2x3xf64", "2x3xf64"},
       "vs.sgd %a, %b, %c, %d {momentum_factor = 0.9, weight_decay = 0.1, nesterov}"});
  add({"adamw",
       {"2x3xf64", "2x3xf64", "2x3xf64", "2x3xf64", "f64", "f64"},
       {"2x3xf64", "2x3xf64", "2x3xf64"},
       "vs.adamw %a, %b, %c, %d, %e, %f {beta2 = 0.95, epsilon = 1.0e-6}",
       0.5,
       2});
  add({"adamw8bit",
       {"2x3xf64", "2x3xf64", "2x3xi8", "2xf64", "2x3xui8", "2xf64", "f64", "f64"},
       {"2x3xf64", "2x3xi8", "2xf64", "2x3xui8", "2xf64"},
       "vs.adamw8bit %a, %b, %c, %d, %e, %f, %g, %h {block_size = 4}",
       0.5,
       2,
       100});
  add({"muon",
       {"3x2xf64", "3x2xf64", "3x2xf64", "f64"},
       {"3x2xf64", "3x2xf64"},
       "vs.muon %a, %b, %c, %d {nesterov, weight_decay = 0.1}"});
  add({"clip_by_global_norm",
       {"2x3xf64", "4xf64"},
       {"2x3xf64", "4xf64", "f64"},
       "vs.clip_by_global_norm %a, %b {max_norm = 1.0}"});

  add({"recompute", matrix, matrix,
       "vs.recompute (%x = %a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {\n"
       "      %t = vs.tanh %x : tensor<2x3xf64>\n"
       "      %y = vs.mul %t, %x : tensor<2x3xf64>\n"
       "      vs.yield %y : tensor<2x3xf64>\n    }"});
  add({"repeat",
       {"2x3xf64", "2x3xf64"},
       matrix,
       "vs.repeat 3 (%x = %a : tensor<2x3xf64>) invariant (%w = %b : tensor<2x3xf64>)"
       " -> (tensor<2x3xf64>) {\n"
       "      %y = vs.mul %x, %w : tensor<2x3xf64>\n"
       "      vs.yield %y : tensor<2x3xf64>\n    }"});
  add({"fused", matrix, matrix,
       "vs.fused (%x = %a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {\n"
       "      %t = vs.tanh %x : tensor<2x3xf64>\n"
       "      vs.yield %t : tensor<2x3xf64>\n    }"});
  return cases;
}

} // namespace

const std::vector<OpCase> &opCases() {
  static const std::vector<OpCase> cases = allCases();
  return cases;
}

std::string OpCase::module(const std::string &element) const {
  std::string parameters;
  for (size_t i = 0; i < arguments.size(); ++i)
    parameters += std::string(i ? ", " : "") + "%" + static_cast<char>('a' + i) + ": " +
                  typeText(arguments[i]);
  std::string types = joined(results), values;
  for (size_t i = 0; i < results.size(); ++i)
    values += (i ? ", %r#" : "%r#") + std::to_string(i);
  bool typed = op.find(" : ") != std::string::npos;
  std::string text = "func.func @f(" + parameters + ") -> (" + types +
                     ") {\n  %r:" + std::to_string(results.size()) + " = " + op;
  if (!typed)
    text += " : (" + joined(arguments) + ") -> (" + types + ")";
  text += "\n  return " + values + " : " + types + "\n}\n";
  for (size_t at = 0; (at = text.find("f64", at)) != std::string::npos; at += element.size())
    text.replace(at, 3, element);
  return text;
}

} // namespace vescale::analysis
