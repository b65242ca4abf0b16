//===- Llama.cpp - The Llama family as vs IR ------------------------------===//

#include "compiler/models/Llama.h"

#include "compiler/models/ModelBuilder.h"

#include <cmath>

using namespace mlir;

namespace vescale {
namespace {

class Llama {
public:
  explicit Llama(const LlamaOptions &options)
      : o(options), keyHeads(options.keyHeads ? options.keyHeads : options.heads),
        width(options.mlp ? options.mlp : 4 * options.hidden), size(options.hidden / options.heads), model(options.type) {}

  std::string build() {
    declareArguments();
    model.beginBody();
    computeAngles();
    Value x = model.tag(model.take(model["embed_tokens.weight"], model["tokens"]), "embedding");
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      std::string path = "layers." + std::to_string(layer);
      x = model.add(x, attention(path + ".self_attn", norm(path + ".input_layernorm", x)));
      x = model.add(x, mlp(path + ".mlp", norm(path + ".post_attention_layernorm", x)));
    }
    Value logits = model.tag(model.einsum("bsd,vd->bsv", norm("norm", x), model["lm_head.weight"]), "logits");
    return model.finish(model.meanCrossEntropy(logits, model["targets"]));
  }

private:
  void declareArguments() {
    model.batch("tokens", {o.batch, o.sequence}, /*tokenOffset=*/0, o.vocabulary);
    model.batch("targets", {o.batch, o.sequence}, /*tokenOffset=*/1, o.vocabulary);
    const double small = 0.02, residual = 0.02 / std::sqrt(2.0 * o.layers);
    model.weight("embed_tokens.weight", {o.vocabulary, o.hidden}, small);
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      std::string path = "layers." + std::to_string(layer);
      model.ones(path + ".input_layernorm.weight", {o.hidden});
      model.weight(path + ".self_attn.q_proj.weight", {o.hidden, o.hidden}, small);
      model.weight(path + ".self_attn.k_proj.weight", {keyHeads * size, o.hidden}, small);
      model.weight(path + ".self_attn.v_proj.weight", {keyHeads * size, o.hidden}, small);
      model.weight(path + ".self_attn.o_proj.weight", {o.hidden, o.hidden}, residual);
      model.ones(path + ".post_attention_layernorm.weight", {o.hidden});
      model.weight(path + ".mlp.gate_proj.weight", {width, o.hidden}, small);
      model.weight(path + ".mlp.up_proj.weight", {width, o.hidden}, small);
      model.weight(path + ".mlp.down_proj.weight", {o.hidden, width}, residual);
    }
    model.ones("norm.weight", {o.hidden});
    model.weight("lm_head.weight", {o.vocabulary, o.hidden}, small);
  }

  Value norm(const std::string &path, Value x) { return model.rmsNorm(x, model[path + ".weight"]); }

  Value linear(const std::string &path, Value x) { return model.einsum("bsd,fd->bsf", x, model[path + ".weight"]); }

  /// The cosine and sine of (sequence, size / 2) angles: position * base^(-2i/size).
  void computeAngles() {
    ModelBuilder::Shape shape = {o.sequence, size / 2};
    Value exponents = model.mul(model.iota(shape, 1), model.number(shape, -2.0 * std::log(o.ropeBase) / size));
    Value angles = model.mul(model.iota(shape, 0), model.exp(exponents));
    cosine = model.cos(angles);
    sine = model.sin(angles);
  }

  /// Turns each pair (x[i], x[i + size / 2]) of the heads (batch, heads, sequence, size) by its angle.
  Value rotate(Value x) {
    ModelBuilder::Shape half = model.shape(x);
    half.back() /= 2;
    Value low = model.sliceDim(x, 3, 0, size / 2), high = model.sliceDim(x, 3, size / 2, size);
    Value c = model.broadcast(cosine, half, {2, 3}), s = model.broadcast(sine, half, {2, 3});
    return model.concat({model.sub(model.mul(low, c), model.mul(high, s)),
                         model.add(model.mul(high, c), model.mul(low, s))}, 3);
  }

  /// (batch, sequence, heads * size) to (batch, heads, sequence, size).
  Value splitHeads(Value x, int64_t heads) {
    return model.transpose(model.reshape(x, {o.batch, o.sequence, heads, size}), {0, 2, 1, 3});
  }

  Value attention(const std::string &path, Value x) {
    x = model.tag(x, path + ".input");
    Value q = rotate(splitHeads(linear(path + ".q_proj", x), o.heads));
    Value k = rotate(splitHeads(linear(path + ".k_proj", x), keyHeads));
    Value v = splitHeads(linear(path + ".v_proj", x), keyHeads);
    Value y = model.attention(q, k, v, /*rng=*/Value(), /*dropout=*/0);
    y = model.reshape(model.transpose(y, {0, 2, 1, 3}), {o.batch, o.sequence, o.hidden});
    return model.tag(linear(path + ".o_proj", y), path + ".output");
  }

  Value mlp(const std::string &path, Value x) {
    x = model.tag(x, path + ".input");
    Value gated = model.mul(model.silu(linear(path + ".gate_proj", x)), linear(path + ".up_proj", x));
    return model.tag(linear(path + ".down_proj", gated), path + ".output");
  }

  LlamaOptions o;
  int64_t keyHeads, width, size;
  ModelBuilder model;
  Value cosine, sine;
};

} // namespace

std::string LlamaOptions::fault() const {
  if (std::string problem = TextTransformerOptions::fault(); !problem.empty())
    return problem;
  if (hidden % (2 * heads) != 0)
    return "--hidden " + std::to_string(hidden) + " is not a multiple of 2 * --heads " + std::to_string(heads) +
           ": rotary positions turn pairs of a head's elements";
  if (!(ropeBase > 1))
    return "--rope-base must be above 1, is " + std::to_string(ropeBase);
  return "";
}

std::string buildLlama(const LlamaOptions &options) { return Llama(options).build(); }

} // namespace vescale
