//===- Gpt.cpp - The GPT family as vs IR ----------------------------------===//

#include "compiler/models/Gpt.h"

#include "compiler/models/ModelBuilder.h"

#include <cmath>

using namespace mlir;

namespace vescale {
namespace {

class Gpt {
public:
  explicit Gpt(const GptOptions &options)
      : o(options), keyHeads(options.keyHeads ? options.keyHeads : options.heads),
        width(options.mlp ? options.mlp : 4 * options.hidden), model(options.type) {}

  std::string build() {
    declareArguments();
    model.beginBody();
    Value x = embed();
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      std::string path = "h." + std::to_string(layer);
      x = model.add(x, dropout(attention(path + ".attn", norm(path + ".ln_1", x))));
      x = model.add(x, dropout(mlp(path + ".mlp", norm(path + ".ln_2", x))));
    }
    x = norm("ln_f", x);
    Value logits = model.tag(model.einsum("bsd,vd->bsv", x, model["wte.weight"]), "logits");
    return model.finish(model.meanCrossEntropy(logits, model["targets"]));
  }

private:
  void declareArguments() {
    model.batch("tokens", {o.batch, o.sequence}, /*tokenOffset=*/0, o.vocabulary);
    model.batch("targets", {o.batch, o.sequence}, /*tokenOffset=*/1, o.vocabulary);
    const double small = 0.02, residual = 0.02 / std::sqrt(2.0 * o.layers);
    model.weight("wte.weight", {o.vocabulary, o.hidden}, small);
    model.weight("wpe.weight", {o.sequence, o.hidden}, small);
    int64_t keyWidth = keyHeads * headSize();
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      std::string path = "h." + std::to_string(layer);
      declareNorm(path + ".ln_1");
      if (keyHeads == o.heads) {
        declareLinear(path + ".attn.qkv", 3 * o.hidden, o.hidden, small);
      } else {
        declareLinear(path + ".attn.q", o.hidden, o.hidden, small);
        declareLinear(path + ".attn.k", keyWidth, o.hidden, small);
        declareLinear(path + ".attn.v", keyWidth, o.hidden, small);
      }
      declareLinear(path + ".attn.proj", o.hidden, o.hidden, residual);
      declareNorm(path + ".ln_2");
      declareLinear(path + ".mlp.fc", width, o.hidden, small);
      declareLinear(path + ".mlp.proj", o.hidden, width, residual);
    }
    declareNorm("ln_f");
    if (o.dropout > 0)
      model.rng("rng");
  }

  void declareLinear(const std::string &path, int64_t out, int64_t in, double deviation) {
    model.weight(path + ".weight", {out, in}, deviation);
    model.zeros(path + ".bias", {out});
  }
  void declareNorm(const std::string &path) {
    model.ones(path + ".weight", {o.hidden});
    model.zeros(path + ".bias", {o.hidden});
  }

  int64_t headSize() const { return o.hidden / o.heads; }

  Value embed() {
    Value tokens = model.take(model["wte.weight"], model["tokens"]);
    Value positions = model.broadcast(model["wpe.weight"], {o.batch, o.sequence, o.hidden}, {1, 2});
    return dropout(model.tag(model.add(tokens, positions), "embedding"));
  }

  Value norm(const std::string &path, Value x) {
    return model.layerNorm(x, model[path + ".weight"], model[path + ".bias"]);
  }

  Value linear(const std::string &path, Value x) {
    Value y = model.einsum("bsd,fd->bsf", x, model[path + ".weight"]);
    return model.add(y, model.broadcast(model[path + ".bias"], model.shape(y), {2}));
  }

  Value dropout(Value x) { return o.dropout > 0 ? model.dropout(x, model["rng"], o.dropout) : x; }

  /// (batch, sequence, heads * size) to (batch, heads, sequence, size).
  Value splitHeads(Value x, int64_t heads) {
    return model.transpose(model.reshape(x, {o.batch, o.sequence, heads, headSize()}), {0, 2, 1, 3});
  }

  Value attention(const std::string &path, Value x) {
    x = model.tag(x, path + ".input");
    Value q, k, v;
    if (keyHeads == o.heads) {
      Value qkv = model.reshape(linear(path + ".qkv", x), {o.batch, o.sequence, 3, o.hidden});
      auto part = [&](int64_t index) { return splitHeads(model.sliceDim(qkv, 2, index, index + 1), o.heads); };
      q = part(0);
      k = part(1);
      v = part(2);
    } else {
      q = splitHeads(linear(path + ".q", x), o.heads);
      k = splitHeads(linear(path + ".k", x), keyHeads);
      v = splitHeads(linear(path + ".v", x), keyHeads);
    }
    Value y = model.attention(q, k, v, o.dropout > 0 ? model["rng"] : Value(), o.dropout);
    y = model.reshape(model.transpose(y, {0, 2, 1, 3}), {o.batch, o.sequence, o.hidden});
    return model.tag(linear(path + ".proj", y), path + ".output");
  }

  Value mlp(const std::string &path, Value x) {
    x = model.tag(x, path + ".input");
    return model.tag(linear(path + ".proj", model.gelu(linear(path + ".fc", x))), path + ".output");
  }

  GptOptions o;
  int64_t keyHeads, width;
  ModelBuilder model;
};

} // namespace

std::string GptOptions::fault() const {
  if (std::string problem = TextTransformerOptions::fault(); !problem.empty())
    return problem;
  if (!(dropout >= 0 && dropout < 1))
    return "--dropout must lie in [0, 1), is " + std::to_string(dropout);
  return "";
}

std::string buildGpt(const GptOptions &options) { return Gpt(options).build(); }

} // namespace vescale
