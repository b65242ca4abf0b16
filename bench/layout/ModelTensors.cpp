#include "bench/layout/ModelTensors.h"

namespace vescale::bench {

std::vector<TensorGroup> deepSeekV3() {
  constexpr int64_t hidden = 7168, vocabulary = 129280, heads = 128;
  constexpr int64_t queryRank = 1536, keyValueRank = 512;
  // A head of a query or key: 128 elements without and 64 with rotary position; of a value: 128.
  constexpr int64_t plainHead = 128, rotaryHead = 64, valueHead = 128;
  constexpr int64_t denseWidth = 18432, expertWidth = 2048, experts = 256;
  std::vector<ModelTensor> attention = {
      {"input_layernorm", {hidden}},
      {"q_a_proj", {queryRank, hidden}},
      {"q_a_layernorm", {queryRank}},
      {"q_b_proj", {heads * (plainHead + rotaryHead), queryRank}},
      {"kv_a_proj_with_mqa", {keyValueRank + rotaryHead, hidden}},
      {"kv_a_layernorm", {keyValueRank}},
      {"kv_b_proj", {heads * (plainHead + valueHead), keyValueRank}},
      {"o_proj", {hidden, heads * valueHead}},
      {"post_attention_layernorm", {hidden}},
  };
  TensorGroup dense = {"dense block", 3, attention};
  dense.tensors.insert(dense.tensors.end(), {
                                                {"gate_proj", {denseWidth, hidden}},
                                                {"up_proj", {denseWidth, hidden}},
                                                {"down_proj", {hidden, denseWidth}},
                                            });
  TensorGroup sparse = {"expert block", 58, attention};
  sparse.tensors.insert(sparse.tensors.end(),
                        {
                            {"router", {experts, hidden}},
                            {"router_bias", {experts}},
                            {"experts.gate_proj", {experts, expertWidth, hidden}},
                            {"experts.up_proj", {experts, expertWidth, hidden}},
                            {"experts.down_proj", {experts, hidden, expertWidth}},
                            {"shared.gate_proj", {expertWidth, hidden}},
                            {"shared.up_proj", {expertWidth, hidden}},
                            {"shared.down_proj", {hidden, expertWidth}},
                        });
  return {{"embedding", 1, {{"embed_tokens", {vocabulary, hidden}}}},
          dense,
          sparse,
          {"head", 1, {{"norm", {hidden}}, {"lm_head", {vocabulary, hidden}}}}};
}

std::vector<TensorGroup> gptOss120B() {
  constexpr int64_t hidden = 2880, vocabulary = 201088, headSize = 64, heads = 64;
  constexpr int64_t keyValueHeads = 8, expertWidth = 2880, experts = 128;
  constexpr int64_t queryWidth = heads * headSize, keyValueWidth = keyValueHeads * headSize;
  TensorGroup block = {"expert block",
                       36,
                       {
                           {"input_layernorm", {hidden}},
                           {"q_proj", {queryWidth, hidden}},
                           {"q_proj.bias", {queryWidth}},
                           {"k_proj", {keyValueWidth, hidden}},
                           {"k_proj.bias", {keyValueWidth}},
                           {"v_proj", {keyValueWidth, hidden}},
                           {"v_proj.bias", {keyValueWidth}},
                           {"o_proj", {hidden, queryWidth}},
                           {"o_proj.bias", {hidden}},
                           {"sinks", {heads}},
                           {"post_attention_layernorm", {hidden}},
                           {"router", {experts, hidden}},
                           {"router.bias", {experts}},
                           {"experts.gate_up_proj", {experts, hidden, 2 * expertWidth}},
                           {"experts.gate_up_proj_bias", {experts, 2 * expertWidth}},
                           {"experts.down_proj", {experts, expertWidth, hidden}},
                           {"experts.down_proj_bias", {experts, hidden}},
                       }};
  return {{"embedding", 1, {{"embed_tokens", {vocabulary, hidden}}}},
          block,
          {"head", 1, {{"norm", {hidden}}, {"lm_head", {vocabulary, hidden}}}}};
}

int64_t elementCount(const ModelTensor &tensor) {
  int64_t elements = 1;
  for (int64_t size : tensor.shape)
    elements *= size;
  return elements;
}

layout::PackingProblem packingProblem(const TensorGroup &group, int64_t rows,
                                      BlockedTensors blocked, int64_t devices) {
  layout::PackingProblem problem;
  problem.devices = devices;
  for (const ModelTensor &tensor : group.tensors) {
    bool isExpert = tensor.shape.size() == 3;
    int64_t row = tensor.shape.size() > 1 ? tensor.shape.back() : 1;
    int64_t block = isExpert || blocked == BlockedTensors::all ? rows * row : 1;
    problem.tensors.push_back({tensor.name, elementCount(tensor), block, 1});
  }
  return problem;
}

} // namespace vescale::bench
