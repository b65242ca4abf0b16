//===- ScaleModel.cpp - What compile time is measured on -------------------------------------------===//

#include "bench/compiler/ScaleModel.h"

#include "compiler/models/Gpt.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace vescale::bench {

std::string scaleModel(int64_t layers, Sizes sizes) {
  bool even = sizes == Sizes::even;
  GptOptions options;
  options.layers = layers;
  options.hidden = even ? 1024 : 1020;
  options.heads = even ? 128 : 255;
  options.sequence = 128;
  options.batch = even ? 1024 : 1023;
  options.vocabulary = even ? 16384 : 16383;
  return buildGpt(options);
}

ScalePlan::ScalePlan(int64_t data, int64_t tensor, Sizes sizes) {
  const char *directory = std::getenv("TEST_TMPDIR");
  static int number = 0;
  file = std::string(directory ? directory : "/tmp") + "/vescale_scale_" + std::to_string(getpid()) + "_" +
         std::to_string(number++) + ".json";
  bool even = sizes == Sizes::even;
  std::ofstream(file) << "{\"mesh\": {\"dp\": " << data << ", \"tp\": " << tensor << "},\n"
                      << R"json( "parameters": {
   "wte\\.weight": ["R", "S(0)"],
   "h\\.\\d+\\.attn\\.qkv\\.(weight|bias)": ["R", )json"
                      << (even ? "\"IS(0, 3)\"" : "\"R\"") << R"json(],
   "h\\.\\d+\\.attn\\.proj\\.weight": ["R", )json"
                      << (even ? "\"S(1)\"" : "\"R\"") << R"json(],
   "h\\.\\d+\\.mlp\\.fc\\.(weight|bias)": ["R", "S(0)"],
   "h\\.\\d+\\.mlp\\.proj\\.weight": ["R", "S(1)"]},
 "values": {"tokens|targets": ["S(0)", "R"]},
 "gradients": "as-parameters"})json";
}

ScalePlan::~ScalePlan() { std::remove(file.c_str()); }

} // namespace vescale::bench
