//===- Vit.cpp - Vision transformers as vs IR -----------------------------===//

#include "compiler/models/Vit.h"

#include "compiler/models/ModelBuilder.h"

#include <cmath>

using namespace mlir;

namespace vescale {
namespace {

class Vit {
public:
  explicit Vit(const VitOptions &options)
      : o(options), width(options.mlp ? options.mlp : 4 * options.hidden), side(options.image / options.patch),
        patches(side * side), model(options.type) {}

  std::string build() {
    declareArguments();
    model.beginBody();
    Value x = embed();
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      std::string path = "h." + std::to_string(layer);
      x = model.add(x, attention(path + ".attn", norm(path + ".ln_1", x)));
      x = model.add(x, mlp(path + ".mlp", norm(path + ".ln_2", x)));
    }
    Value pooled = model.tag(model.mean(norm("ln_f", x), {1}), "pooled");
    Value logits = model.einsum("bd,cd->bc", pooled, model["head.weight"]);
    logits = model.tag(model.add(logits, model.broadcast(model["head.bias"], model.shape(logits), {1})), "logits");
    return model.finish(model.meanCrossEntropy(logits, model["labels"]));
  }

private:
  void declareArguments() {
    model.batchValues("images", {o.batch, o.channels, o.image, o.image});
    model.batchLabels("labels", {o.batch}, o.classes);
    const double small = 0.02, residual = 0.02 / std::sqrt(2.0 * o.layers);
    declareLinear("patch", o.hidden, o.channels * o.patch * o.patch, small);
    model.weight("positions.weight", {patches, o.hidden}, small);
    for (int64_t layer = 0; layer < o.layers; ++layer) {
      std::string path = "h." + std::to_string(layer);
      declareNorm(path + ".ln_1");
      declareLinear(path + ".attn.qkv", 3 * o.hidden, o.hidden, small);
      declareLinear(path + ".attn.proj", o.hidden, o.hidden, residual);
      declareNorm(path + ".ln_2");
      declareLinear(path + ".mlp.fc", width, o.hidden, small);
      declareLinear(path + ".mlp.proj", o.hidden, width, residual);
    }
    declareNorm("ln_f");
    declareLinear("head", o.classes, o.hidden, small);
  }

  void declareLinear(const std::string &path, int64_t out, int64_t in, double deviation) {
    model.weight(path + ".weight", {out, in}, deviation);
    model.zeros(path + ".bias", {out});
  }
  void declareNorm(const std::string &path) {
    model.ones(path + ".weight", {o.hidden});
    model.zeros(path + ".bias", {o.hidden});
  }

  /// Images (batch, channels, height, width) to patches (batch, patches, hidden).
  Value embed() {
    Value x = model.reshape(model["images"], {o.batch, o.channels, side, o.patch, side, o.patch});
    x = model.transpose(x, {0, 2, 4, 1, 3, 5});
    x = linear("patch", model.reshape(x, {o.batch, patches, o.channels * o.patch * o.patch}));
    return model.tag(model.add(x, model.broadcast(model["positions.weight"], model.shape(x), {1, 2})), "embedding");
  }

  Value norm(const std::string &path, Value x) {
    return model.layerNorm(x, model[path + ".weight"], model[path + ".bias"]);
  }

  Value linear(const std::string &path, Value x) {
    Value y = model.einsum("bsd,fd->bsf", x, model[path + ".weight"]);
    return model.add(y, model.broadcast(model[path + ".bias"], model.shape(y), {2}));
  }

  Value attention(const std::string &path, Value x) {
    x = model.tag(x, path + ".input");
    int64_t size = o.hidden / o.heads;
    Value qkv = model.reshape(linear(path + ".qkv", x), {o.batch, patches, 3, o.hidden});
    auto part = [&](int64_t index) {
      Value one = model.reshape(model.sliceDim(qkv, 2, index, index + 1), {o.batch, patches, o.heads, size});
      return model.transpose(one, {0, 2, 1, 3});
    };
    Value y = model.attention(part(0), part(1), part(2), /*rng=*/Value(), /*dropout=*/0, /*causal=*/false);
    y = model.reshape(model.transpose(y, {0, 2, 1, 3}), {o.batch, patches, o.hidden});
    return model.tag(linear(path + ".proj", y), path + ".output");
  }

  Value mlp(const std::string &path, Value x) {
    x = model.tag(x, path + ".input");
    return model.tag(linear(path + ".proj", model.gelu(linear(path + ".fc", x))), path + ".output");
  }

  VitOptions o;
  int64_t width, side, patches;
  ModelBuilder model;
};

} // namespace

std::string VitOptions::fault() const {
  for (std::string problem :
       {TransformerOptions::fault(), faultOfSize(image, "image"), faultOfSize(patch, "patch"),
        faultOfSize(channels, "channels"), faultOfSize(classes, "classes")})
    if (!problem.empty())
      return problem;
  if (image % patch != 0)
    return "--image " + std::to_string(image) + " is not a multiple of --patch " + std::to_string(patch);
  return "";
}

std::string buildVit(const VitOptions &options) { return Vit(options).build(); }

} // namespace vescale
