//===- Contraction.cpp - Sums of products ---------------------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/ContractionOps.h"

using namespace mlir;

namespace vescale::analysis {
namespace {

/// For each letter, how far its index moves the position in a tensor whose dims are `dims`.
std::vector<int64_t> strides(const std::string &letters, const std::string &dims,
                             const Shape &shape) {
  std::vector<int64_t> result(letters.size(), 0);
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    result[letters.find(dims[d])] = stride;
    stride *= shape[d];
  }
  return result;
}

Results einsum(vs::EinsumOp op, Operands operands) {
  const Tensor &lhs = *operands[0], &rhs = *operands[1];
  Tensor result = zerosOf(op.getResult());
  vs::EinsumSpec spec = op.getEinsumSpec();
  std::string letters = spec.letters();
  Shape sizes;
  for (char letter : letters) {
    size_t left = spec.lhs.find(letter);
    sizes.push_back(left != std::string::npos ? lhs.size(left) : rhs.size(spec.rhs.find(letter)));
  }
  std::vector<int64_t> left = strides(letters, spec.lhs, lhs.shape());
  std::vector<int64_t> right = strides(letters, spec.rhs, rhs.shape());
  std::vector<int64_t> out = strides(letters, spec.out, result.shape());
  forEachIndex(sizes, [&](const std::vector<int64_t> &index, int64_t) {
    int64_t l = 0, r = 0, o = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      l += index[d] * left[d];
      r += index[d] * right[d];
      o += index[d] * out[d];
    }
    if (result.isReal())
      result.setReal(o, result.real(o) + lhs.real(l) * rhs.real(r));
    else
      result.setInteger(o, uint64_t(result.integer(o)) +
                               uint64_t(lhs.integer(l)) * uint64_t(rhs.integer(r)));
  });
  return one(std::move(result));
}

/// The expert of each of `tokens` rows; -1 beyond the last.
std::vector<int64_t> experts(const Tensor &counts, int64_t tokens) {
  std::vector<int64_t> result(tokens, -1);
  int64_t token = 0;
  for (int64_t expert = 0; expert < counts.elements(); ++expert)
    for (int64_t k = 0; k < counts.integer(expert) && token < tokens; ++k)
      result[token++] = expert;
  return result;
}

Results groupedMatmul(vs::GroupedMatmulOp op, Operands operands) {
  const Tensor &x = *operands[0], &weight = *operands[1];
  Tensor y = zerosOf(op.getY());
  int64_t in = x.size(1), out = y.size(1);
  std::vector<int64_t> expert = experts(*operands[2], x.size(0));
  for (int64_t t = 0; t < x.size(0); ++t)
    for (int64_t o = 0; o < out && expert[t] >= 0; ++o) {
      double sum = 0;
      for (int64_t i = 0; i < in; ++i)
        sum += weight.real((expert[t] * out + o) * in + i) * x.real(t * in + i);
      y.setReal(t * out + o, sum);
    }
  return one(std::move(y));
}

Results groupedMatmulWeightGradient(vs::GroupedMatmulWeightGradientOp op, Operands operands) {
  const Tensor &x = *operands[0], &gradient = *operands[1];
  Tensor result = zerosOf(op.getWeightGradient());
  int64_t in = x.size(1), out = gradient.size(1);
  std::vector<int64_t> expert = experts(*operands[2], x.size(0));
  for (int64_t t = 0; t < x.size(0); ++t)
    for (int64_t o = 0; o < out && expert[t] >= 0; ++o)
      for (int64_t i = 0; i < in; ++i) {
        int64_t at = (expert[t] * out + o) * in + i;
        result.setReal(at, result.real(at) + gradient.real(t * out + o) * x.real(t * in + i));
      }
  return one(std::move(result));
}

} // namespace

void addContraction(EvaluationTable &table) {
  table.add<vs::EinsumOp, einsum>();
  table.add<vs::GroupedMatmulOp, groupedMatmul>();
  table.add<vs::GroupedMatmulWeightGradientOp, groupedMatmulWeightGradient>();
}

} // namespace vescale::analysis
