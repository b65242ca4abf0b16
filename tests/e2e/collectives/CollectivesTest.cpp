//===- CollectivesTest.cpp - Models and plans against the fewest collectives known --------------===//
//
// For each plan the least that a person who writes it by hand needs, derived here from the sizes of
// the model, and beside it what the compiler makes. More than the minimum fails.
//
// n devices of an axis; B samples of S tokens, hidden D, F = 4 D, V tokens, L layers, e bytes an
// element. Bytes are what the busiest device receives: an all-reduce of a local piece of b bytes
// 2b(n-1)/n, a reduce-scatter b(n-1)/n, a gather to b bytes b(n-1)/n.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/e2e/collectives/Collectives.h"

#include "compiler/models/Gpt.h"
#include "compiler/models/Llama.h"
#include "compiler/models/Vit.h"

#include <gtest/gtest.h>

namespace vescale::tests {
namespace {

constexpr double e = 4;

/// A model with its sizes, and which of its parameters a plan treats how.
struct Model {
  std::string name, text;
  double L, D, F, V, B, S;
  /// Elements of keys (and of values) in one layer's activations.
  double keys;
  /// Weights of a layer that the Megatron placement cuts, by elements.
  std::vector<double> cutPerLayer;
  /// Parameters of a layer that it leaves whole.
  std::vector<double> wholePerLayer;
  /// Beside the layers.
  std::vector<double> cut, whole;
  /// Tables of positions, which a cut along the sequence cuts alike.
  std::vector<double> positions;

  /// Bytes of the residual stream.
  double stream() const { return B * S * D * e; }
  /// Bytes of one number per token.
  double perToken() const { return B * S * e; }
};

Model gpt(int64_t batch, int64_t sequence, int64_t hidden, int64_t vocabulary) {
  GptOptions options;
  options.layers = 3;
  options.hidden = hidden;
  options.heads = 4;
  options.sequence = sequence;
  options.batch = batch;
  options.vocabulary = vocabulary;
  Model model{"gpt", buildGpt(options)};
  double D = model.D = static_cast<double>(hidden);
  double F = model.F = 4 * D;
  model.L = 3;
  model.V = static_cast<double>(vocabulary);
  model.B = static_cast<double>(batch);
  model.S = static_cast<double>(sequence);
  model.keys = model.B * model.S * D;
  // qkv and fc with their biases, proj and mlp.proj.
  model.cutPerLayer = {3 * D * D, 3 * D, D * D, F * D, F, D * F};
  // Two norms with weight and bias, the biases of the two projections.
  model.wholePerLayer = {D, D, D, D, D, D};
  model.cut = {model.V * D};
  model.whole = {D, D};
  model.positions = {model.S * D};
  return model;
}

Model llama(int64_t batch, int64_t sequence, int64_t hidden, int64_t vocabulary) {
  LlamaOptions options;
  options.layers = 3;
  options.hidden = hidden;
  options.heads = 8;
  options.keyHeads = 4;
  options.sequence = sequence;
  options.batch = batch;
  options.vocabulary = vocabulary;
  Model model{"llama", buildLlama(options)};
  double D = model.D = static_cast<double>(hidden);
  double F = model.F = 4 * D;
  model.L = 3;
  model.V = static_cast<double>(vocabulary);
  model.B = static_cast<double>(batch);
  model.S = static_cast<double>(sequence);
  model.keys = model.B * model.S * D / 2;
  model.cutPerLayer = {D * D, D * D / 2, D * D / 2, D * D, F * D, F * D, D * F};
  model.wholePerLayer = {D, D};
  model.cut = {model.V * D, model.V * D};
  model.whole = {D};
  return model;
}

Model vit(int64_t batch, int64_t image, int64_t hidden) {
  VitOptions options;
  options.layers = 3;
  options.hidden = hidden;
  options.heads = 4;
  options.image = image;
  options.patch = 8;
  options.batch = batch;
  options.classes = 16;
  Model model{"vit", buildVit(options)};
  double D = model.D = static_cast<double>(hidden);
  double F = model.F = 4 * D;
  model.L = 3;
  model.V = 16;
  model.B = static_cast<double>(batch);
  double side = static_cast<double>(image) / 8;
  model.S = side * side;
  model.keys = model.B * model.S * D;
  model.cutPerLayer = {3 * D * D, 3 * D, D * D, F * D, F, D * F};
  model.wholePerLayer = {D, D, D, D, D, D};
  // Patches (3 channels of 8 x 8) with their bias, the last norm, the head.
  model.whole = {3 * 64 * D, D, D, D, model.V * D, model.V};
  model.positions = {model.S * D};
  return model;
}

Collectives compiled(const Model &model, const std::string &plan) {
  Collectives found =
      collectivesOf(model.text, "examples/" + model.name + "/plans/" + plan + ".json");
  EXPECT_FALSE(found.empty()) << model.name << " under " << plan << " was not compiled";
  return found;
}

void expectMinimum(const Model &model, const std::string &plan, const Collectives &minimum) {
  std::string worse = compareWithMinimum(model.name + ", " + plan, compiled(model, plan), minimum);
  EXPECT_EQ(worse, "") << model.name << " under " << plan;
}

/// Every parameter, as `add(elements, whether Megatron cuts it)`.
template <class Add> void forParameters(const Model &model, Add add) {
  for (double layer = 0; layer < model.L; ++layer) {
    for (double elements : model.cutPerLayer)
      add(elements, true);
    for (double elements : model.wholePerLayer)
      add(elements, false);
  }
  for (double elements : model.cut)
    add(elements, true);
  for (double elements : model.whole)
    add(elements, false);
  for (double elements : model.positions)
    add(elements, false);
}

/// The cross-entropy of vocabulary-cut logits: maximum, sum of exponentials, logit of the target,
/// one number per token each (Megatron-LM, vocab_parallel_cross_entropy).
void addLoss(Collectives &minimum, const char *axis, double perToken, double n) {
  minimum[{"all_reduce", axis}].add(3, allReduceBytes(perToken, n));
}

/// Forward, per layer the outputs of attention and MLP, and the rows of the cut embedding;
/// backward, per layer the gradients of their inputs, and that of the logits' input.
TEST(Collectives, TensorParallel) {
  for (auto [model, plan, n] : {std::tuple(gpt(8, 32, 64, 256), "tensor_parallel_4", 4.0),
                                std::tuple(gpt(2, 512, 4096, 50304), "tensor_parallel_4", 4.0),
                                std::tuple(llama(8, 32, 64, 256), "tensor_parallel_2", 2.0),
                                std::tuple(llama(2, 512, 4096, 32000), "tensor_parallel_2", 2.0)}) {
    Collectives minimum;
    minimum[{"all_reduce", "tp"}].add(static_cast<int64_t>(4 * model.L + 2),
                                      allReduceBytes(model.stream(), n));
    addLoss(minimum, "tp", model.perToken(), n);
    // The squares of the cut gradients.
    minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(e, n));
    expectMinimum(model, plan, minimum);
  }
}

/// Images: nothing outside the layers is cut, so there are theirs and the norm of gradients alone.
TEST(Collectives, TensorParallelImages) {
  const Model model = vit(8, 32, 64);
  const double n = 4;
  Collectives minimum;
  minimum[{"all_reduce", "tp"}].add(static_cast<int64_t>(4 * model.L),
                                    allReduceBytes(model.stream(), n));
  minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(e, n));
  expectMinimum(model, "tensor_parallel_4", minimum);
}

/// With many patches one all-reduce of the stream less: the gradient of the first layer's input only
/// goes into sums over patches and images, which are reduced in its place. These are the gradients of
/// the patches' weight and bias, of the positions, and of the first norm's weight and bias.
TEST(Collectives, TensorParallelImagesOfManyPatches) {
  const Model model = vit(64, 224, 1024);
  const double n = 4;
  Collectives minimum;
  minimum[{"all_reduce", "tp"}].add(static_cast<int64_t>(4 * model.L - 1),
                                    allReduceBytes(model.stream(), n));
  for (double elements : {3 * 64 * model.D, model.D, model.S * model.D, model.D, model.D})
    minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(elements * e, n));
  minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(e, n));
  expectMinimum(model, "tensor_parallel_4", minimum);
}

/// Each of these all-reduces becomes a reduce-scatter into the cut stream and a gather out of it
/// (Korthikanti et al., "Reducing activation recomputation in large transformer models", 2022).
/// What was gathered forward stands for the gradient of the weight. Gradients of the parameters
/// that see a part of the tokens are reduced. That is the least where there are fewer tokens than
/// hidden units, as here; with many tokens to gather weights moves less, and is what is done.
TEST(Collectives, TensorParallelWithCutSequence) {
  for (auto [model, plan, n] : {std::tuple(gpt(2, 128, 1024, 2048), "tensor_sequence_4", 4.0),
                                std::tuple(gpt(2, 512, 4096, 50304), "tensor_sequence_4", 4.0),
                                std::tuple(llama(2, 128, 1024, 2048), "tensor_sequence_2", 2.0),
                                std::tuple(llama(2, 512, 4096, 32000), "tensor_sequence_2", 2.0)}) {
    Collectives minimum;
    minimum[{"all_gather", "tp"}].add(static_cast<int64_t>(4 * model.L + 2),
                                      scatterBytes(model.stream(), n));
    minimum[{"reduce_scatter", "tp"}].add(static_cast<int64_t>(4 * model.L + 2),
                                          scatterBytes(model.stream(), n));
    addLoss(minimum, "tp", model.perToken(), n);
    forParameters(model, [&](double elements, bool isCut) {
      if (!isCut && (model.positions.empty() || elements != model.positions.front()))
        minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(elements * e, n));
    });
    minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(e, n));
    expectMinimum(model, plan, minimum);
  }
}

/// One gather for each parameter, which forward and backward share, and one reduce-scatter for each
/// gradient (Rajbhandari et al., "ZeRO", 2020, stage 3 without gathering twice); loss and norm.
TEST(Collectives, FullySharded) {
  for (const Model &model : {gpt(8, 32, 64, 256), gpt(16, 512, 512, 2048), llama(8, 32, 64, 256),
                             llama(16, 512, 512, 2048), vit(64, 32, 64), vit(64, 224, 1024)}) {
    const double n = 4;
    Collectives minimum;
    forParameters(model, [&](double elements, bool) {
      minimum[{"all_gather", "dp"}].add(1, scatterBytes(elements * e, n));
      minimum[{"reduce_scatter", "dp"}].add(1, scatterBytes(elements * e, n));
    });
    minimum[{"all_reduce", "dp"}].add(2, allReduceBytes(e, n));
    expectMinimum(model, "fully_sharded_4", minimum);
  }
}

/// One all-reduce for each gradient, and the loss. The norm is that of whole gradients.
TEST(Collectives, DataParallel) {
  for (const Model &model : {gpt(8, 32, 64, 256), gpt(2, 512, 4096, 50304)}) {
    const double n = 4;
    Collectives minimum;
    forParameters(model, [&](double elements, bool) {
      minimum[{"all_reduce", "dp"}].add(1, allReduceBytes(elements * e, n));
    });
    minimum[{"all_reduce", "dp"}].add(1, allReduceBytes(e, n));
    expectMinimum(model, "data_parallel_4", minimum);
  }
}

/// Both at once: activations are reduced in groups that hold half of the batch, gradients between
/// the groups, those of cut weights half as large. The logit of the target joins the mean over the
/// batch.
TEST(Collectives, DataAndTensorParallel) {
  for (const Model &model : {gpt(8, 32, 64, 256), gpt(2, 512, 4096, 50304), llama(8, 32, 64, 256),
                             llama(2, 512, 4096, 32000)}) {
    const double n = 2;
    Collectives minimum;
    minimum[{"all_reduce", "tp"}].add(static_cast<int64_t>(4 * model.L + 2),
                                      allReduceBytes(model.stream() / 2, n));
    minimum[{"all_reduce", "tp"}].add(2, allReduceBytes(model.perToken() / 2, n));
    minimum[{"all_reduce", "dp,tp"}].add(1, allReduceBytes(e, 4));
    forParameters(model, [&](double elements, bool isCut) {
      minimum[{"all_reduce", "dp"}].add(1, allReduceBytes(elements * e / (isCut ? 2 : 1), n));
    });
    minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(e, n));
    expectMinimum(model, "data_tensor_2x2", minimum);
  }
}

/// With the large weights cut over a third axis as well, over which the batch is cut too: each is
/// gathered over it once, and its gradient scattered over it and reduced over the other part of the
/// batch. All other gradients are reduced over both. There are several ways to reduce over two axes
/// with as many bytes, and cheaper ones where a third axis holds copies that share the work, so
/// beside what has only one way the sum of all bytes is compared.
TEST(Collectives, DataAndTensorParallelAndSharded) {
  const Model model = gpt(16, 512, 512, 2048);
  const double n = 2;
  Collectives minimum;
  minimum[{"all_reduce", "tp"}].add(static_cast<int64_t>(4 * model.L + 2),
                                    allReduceBytes(model.stream() / 4, n));
  minimum[{"all_reduce", "tp"}].add(2, allReduceBytes(model.perToken() / 4, n));
  minimum[{"all_reduce", "dp,fs,tp"}].add(1, allReduceBytes(e, 8));
  forParameters(model, [&](double elements, bool isCut) {
    // Cut biases are as long as the cut dim of their weight.
    bool isBias = elements == 3 * model.D || elements == model.F;
    if (isCut && !isBias) {
      minimum[{"all_gather", "fs"}].add(1, scatterBytes(elements / 2 * e, n));
      minimum[{"reduce_scatter", "fs"}].add(1, scatterBytes(elements / 2 * e, n));
      minimum[{"all_reduce", "dp"}].add(1, allReduceBytes(elements / 4 * e, n));
    } else {
      minimum[{"all_reduce", "dp,fs"}].add(1, allReduceBytes(elements / (isCut ? 2 : 1) * e, 4));
    }
  });
  minimum[{"all_reduce", "fs,tp"}].add(1, allReduceBytes(e, 4));
  Collectives found = compiled(model, "data_tensor_shard_2x2x2");
  (void)compareWithMinimum(model.name + ", data_tensor_shard_2x2x2", found, minimum);
  auto bytesOf = [](const Collectives &collectives) {
    double bytes = 0;
    for (const auto &[key, amount] : collectives)
      bytes += amount.bytes;
    return bytes;
  };
  EXPECT_LE(bytesOf(found), bytesOf(minimum));
  for (std::pair<std::string, std::string> key :
       {std::pair("all_reduce", "tp"), std::pair("all_gather", "fs"), std::pair("all_reduce", "fs,tp"),
        std::pair("all_reduce", "dp,fs,tp")}) {
    EXPECT_LE(found[key].count, minimum[key].count) << key.first << " over " << key.second;
    EXPECT_LE(found[key].bytes, minimum[key].bytes) << key.first << " over " << key.second;
  }
}

/// Only embedding and logits are cut: their two all-reduces of the stream, the loss and the norm.
/// Logits are never gathered.
TEST(Collectives, CutVocabulary) {
  for (const Model &model : {gpt(8, 32, 64, 256), gpt(2, 512, 4096, 50304)}) {
    const double n = 4;
    Collectives minimum;
    minimum[{"all_reduce", "tp"}].add(2, allReduceBytes(model.stream(), n));
    addLoss(minimum, "tp", model.perToken(), n);
    minimum[{"all_reduce", "tp"}].add(1, allReduceBytes(e, n));
    expectMinimum(model, "vocabulary_4", minimum);
  }
}

/// Each layer gathers keys and values, and scatters their gradients; gradients of all parameters
/// but the positions, which are cut like the tokens, are reduced; loss and norm.
TEST(Collectives, CutSequence) {
  for (const Model &model : {gpt(8, 32, 64, 256), gpt(2, 512, 4096, 50304)}) {
    const double n = 4;
    Collectives minimum;
    auto both = static_cast<int64_t>(2 * model.L);
    minimum[{"all_gather", "sp"}].add(both, scatterBytes(model.keys * e, n));
    minimum[{"reduce_scatter", "sp"}].add(both, scatterBytes(model.keys * e, n));
    forParameters(model, [&](double elements, bool) {
      if (elements != model.positions.front())
        minimum[{"all_reduce", "sp"}].add(1, allReduceBytes(elements * e, n));
    });
    minimum[{"all_reduce", "sp"}].add(2, allReduceBytes(e, n));
    expectMinimum(model, "sequence_4", minimum);
  }
}

/// A test that cannot fail is none: one more collective than the minimum is found.
TEST(Collectives, MoreThanTheMinimumIsSeen) {
  Collectives found, minimum;
  found[{"all_reduce", "tp"}].add(3, 8);
  minimum[{"all_reduce", "tp"}].add(2, 12);
  EXPECT_NE(compareWithMinimum("counts", found, minimum), "");
  found[{"all_reduce", "tp"}] = {2, 25};
  EXPECT_NE(compareWithMinimum("bytes", found, minimum), "");
  found[{"all_reduce", "tp"}] = {2, 24};
  EXPECT_EQ(compareWithMinimum("equal", found, minimum), "");
  found[{"all_gather", "tp"}] = {1, 1};
  EXPECT_NE(compareWithMinimum("another kind", found, minimum), "");
}

} // namespace
} // namespace vescale::tests
