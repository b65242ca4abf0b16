//===- TorchValuesTest.cpp - Ops against what PyTorch computes ------------------------------===//
//
// torch_values.txt was written by torch_values.py: for each case its inputs and PyTorch's outputs,
// in f64.
//
//===-------------------------------------------------------------------------------------===//

#include "tests/unit/analysis/OpCases.h"
#include "tests/unit/analysis/Programs.h"

#include "gtest/gtest.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace vescale::analysis;

namespace {

struct Values {
  std::string name;
  std::vector<Tensor> inputs, outputs;
};

ElementType typeNamed(const std::string &name) {
  for (ElementType type : {ElementType::f64, ElementType::f32, ElementType::i64, ElementType::i32,
                           ElementType::i8, ElementType::ui8, ElementType::i1})
    if (str(type) == name)
      return type;
  ADD_FAILURE() << "no type " << name;
  return ElementType::f64;
}

Tensor readTensor(std::istringstream &line) {
  std::string type, sizes, number;
  line >> type >> sizes;
  Shape shape;
  std::istringstream list(sizes);
  for (std::string size; sizes != "-" && std::getline(list, size, 'x');)
    shape.push_back(std::stoll(size));
  std::vector<double> numbers;
  while (line >> number)
    numbers.push_back(std::strtod(number.c_str(), nullptr));
  return tensorOf(typeNamed(type), shape, numbers);
}

std::vector<Values> readValues() {
  std::ifstream file("tests/unit/analysis/torch_values.txt");
  std::vector<Values> values;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string key;
    line >> key;
    if (key == "case") {
      values.emplace_back();
      line >> values.back().name;
    } else {
      (key == "in" ? values.back().inputs : values.back().outputs).push_back(readTensor(line));
    }
  }
  return values;
}

TEST(TorchValues, EveryOpComputesWhatPyTorchDoes) {
  std::map<std::string, const OpCase *> cases;
  for (const OpCase &one : opCases())
    cases[one.name] = &one;
  std::set<std::string> seen;
  for (const Values &values : readValues()) {
    SCOPED_TRACE(values.name);
    ASSERT_TRUE(cases.count(values.name));
    seen.insert(values.name);
    auto module = parseProgram(cases[values.name]->module());
    ASSERT_TRUE(module);
    std::vector<Tensor> results = runProgram(functionNamed(*module, "f"), values.inputs);
    ASSERT_EQ(results.size(), values.outputs.size());
    for (size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].shape(), values.outputs[i].shape()) << "result " << i;
      Difference difference = largestDifference(results[i], values.outputs[i]);
      EXPECT_LE(difference.size, 1e-13)
          << "result " << i << ", element " << indexText(results[i].shape(), difference.element)
          << ": " << results[i].text(difference.element) << " and "
          << values.outputs[i].text(difference.element);
    }
  }
  // Tested by hand in InterpreterTest.cpp: what PyTorch does not have, or does otherwise.
  std::set<std::string> others{
      "tag",           "cast",       "constant",  "iota",      "random_uniform",
      "random_normal", "reduce_and", "reduce_or", "dropout",   "attention_dropout",
      "attention_gradient_dropout",
      "adamw8bit",     "recompute",  "repeat",    "random_at", "from_index",
      "fused"};
  for (const OpCase &one : opCases())
    EXPECT_TRUE(seen.count(one.name) || others.count(one.name))
        << one.name << " is compared with nothing";
}

} // namespace
