//===- State.cpp - Optimizers ---------------------------------------------------------------===//

#include "analysis/interpreter/Evaluation.h"

#include "dialects/vs/StateOps.h"

#include <cmath>

using namespace mlir;

namespace vescale::analysis {
namespace {

Results sgd(vs::SgdOp op, Operands operands) {
  const Tensor &p = *operands[0], &g = *operands[1];
  const Tensor *momentum = op.getMomentum() ? operands[2] : nullptr;
  double rate = operands.back()->real(0);
  Tensor next = zerosOf(op.getNewParameter());
  SmallVector<Tensor> results;
  Tensor nextMomentum = momentum ? zerosOf(op.getNewMomentum()) : Tensor();
  for (int64_t i = 0; i < p.elements(); ++i) {
    double step = g.real(i) + op.getWeightDecay() * p.real(i);
    if (momentum) {
      double m = op.getMomentumFactor() * momentum->real(i) + step;
      nextMomentum.setReal(i, m);
      step = op.getNesterov() ? step + op.getMomentumFactor() * m : m;
    }
    next.setReal(i, p.real(i) - rate * step);
  }
  results.push_back(std::move(next));
  if (momentum)
    results.push_back(std::move(nextMomentum));
  return results;
}

/// One element of AdamW; `m` and `v` become the new moments.
template <class Op>
double adamwElement(Op op, double p, double g, double &m, double &v, double rate, double step) {
  m = op.getBeta1() * m + (1 - op.getBeta1()) * g;
  v = op.getBeta2() * v + (1 - op.getBeta2()) * g * g;
  double mean = m / (1 - std::pow(op.getBeta1(), step));
  double square = v / (1 - std::pow(op.getBeta2(), step));
  return p - rate * op.getWeightDecay() * p - rate * mean / (std::sqrt(square) + op.getEpsilon());
}

Results adamw(vs::AdamwOp op, Operands operands) {
  double rate = operands[4]->real(0), step = operands[5]->real(0);
  SmallVector<Tensor> results{zerosOf(op.getNewParameter()), zerosOf(op.getNewFirstMoment()),
                              zerosOf(op.getNewSecondMoment())};
  for (int64_t i = 0; i < operands[0]->elements(); ++i) {
    double m = operands[2]->real(i), v = operands[3]->real(i);
    results[0].setReal(
        i, adamwElement(op, operands[0]->real(i), operands[1]->real(i), m, v, rate, step));
    results[1].setReal(i, m);
    results[2].setReal(i, v);
  }
  return results;
}

/// Quantises blocks of numbers to multiples of scale / levels, the scale being the largest
/// absolute value of a block.
void quantise(const std::vector<double> &numbers, int64_t block, double levels, Tensor &quotients,
              Tensor &scales) {
  int64_t count = static_cast<int64_t>(numbers.size());
  for (int64_t begin = 0; begin < count; begin += block) {
    double scale = 0;
    for (int64_t i = begin; i < std::min(begin + block, count); ++i)
      scale = std::max(scale, std::abs(numbers[i]));
    scales.setReal(begin / block, scale);
    for (int64_t i = begin; i < std::min(begin + block, count); ++i)
      quotients.setNumber(i, scale == 0 ? 0 : std::nearbyint(numbers[i] / scale * levels));
  }
}

Results adamw8bit(vs::Adamw8bitOp op, Operands operands) {
  const Tensor &p = *operands[0], &g = *operands[1];
  double rate = operands[6]->real(0), step = operands[7]->real(0);
  SmallVector<Tensor> results;
  for (Value result : op->getResults())
    results.push_back(zerosOf(result));
  std::vector<double> first(p.elements()), second(p.elements());
  for (int64_t i = 0; i < p.elements(); ++i) {
    int64_t block = i / op.getBlockSize();
    first[i] = operands[3]->real(block) * operands[2]->real(i) / 127;
    second[i] = operands[5]->real(block) * operands[4]->real(i) / 255;
    results[0].setReal(i, adamwElement(op, p.real(i), g.real(i), first[i], second[i], rate, step));
  }
  quantise(first, op.getBlockSize(), 127, results[1], results[2]);
  quantise(second, op.getBlockSize(), 255, results[3], results[4]);
  return results;
}

using Matrix = std::vector<std::vector<double>>;

Matrix product(const Matrix &a, const Matrix &b) {
  Matrix c(a.size(), std::vector<double>(b[0].size(), 0));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < b.size(); ++k)
      for (size_t j = 0; j < b[0].size(); ++j)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix transposed(const Matrix &a) {
  Matrix t(a[0].size(), std::vector<double>(a.size()));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < a[0].size(); ++j)
      t[j][i] = a[i][j];
  return t;
}

Matrix orthogonal(Matrix x, int64_t iterations, double epsilon) {
  bool tall = x.size() > x[0].size();
  if (tall)
    x = transposed(x);
  double squares = 0;
  for (const std::vector<double> &row : x)
    for (double element : row)
      squares += element * element;
  for (std::vector<double> &row : x)
    for (double &element : row)
      element /= std::sqrt(squares) + epsilon;
  for (int64_t k = 0; k < iterations; ++k) {
    Matrix a = product(x, transposed(x)), aa = product(a, a);
    for (size_t i = 0; i < a.size(); ++i)
      for (size_t j = 0; j < a.size(); ++j)
        a[i][j] = -4.7750 * a[i][j] + 2.0315 * aa[i][j];
    Matrix ax = product(a, x);
    for (size_t i = 0; i < x.size(); ++i)
      for (size_t j = 0; j < x[0].size(); ++j)
        x[i][j] = 3.4445 * x[i][j] + ax[i][j];
  }
  return tall ? transposed(x) : x;
}

Results muon(vs::MuonOp op, Operands operands) {
  const Tensor &p = *operands[0], &g = *operands[1], &momentum = *operands[2];
  double rate = operands[3]->real(0), factor = op.getMomentumFactor();
  SmallVector<Tensor> results{zerosOf(op.getNewParameter()), zerosOf(op.getNewMomentum())};
  if (p.elements() == 0)
    return results;
  size_t rows = p.size(0), columns = p.size(1);
  Matrix update(rows, std::vector<double>(columns));
  for (size_t i = 0; i < rows * columns; ++i) {
    double m = factor * momentum.real(i) + g.real(i);
    results[1].setReal(i, m);
    update[i / columns][i % columns] = op.getNesterov() ? g.real(i) + factor * m : m;
  }
  update = orthogonal(update, op.getIterations(), op.getEpsilon());
  double scale = std::sqrt(std::max(1.0, double(rows) / double(columns)));
  for (size_t i = 0; i < rows * columns; ++i)
    results[0].setReal(i, p.real(i) - rate * op.getWeightDecay() * p.real(i) -
                              rate * scale * update[i / columns][i % columns]);
  return results;
}

Results clipByGlobalNorm(vs::ClipByGlobalNormOp op, Operands operands) {
  double squares = 0;
  for (const Tensor *gradient : operands) {
    double sum = 0;
    for (int64_t i = 0; i < gradient->elements(); ++i)
      sum += gradient->real(i) * gradient->real(i);
    squares += sum;
  }
  double norm = std::sqrt(squares);
  // In this order a norm that is no number gives a factor that is none.
  double factor = std::min(op.getMaxNorm() / (norm + 1e-6), 1.0);
  SmallVector<Tensor> results;
  for (auto [gradient, clipped] : llvm::zip_equal(operands, op.getClipped())) {
    Tensor result = zerosOf(clipped);
    for (int64_t i = 0; i < gradient->elements(); ++i)
      result.setReal(i, gradient->real(i) * factor);
    results.push_back(std::move(result));
  }
  results.push_back(zerosOf(op.getNorm()));
  results.back().setReal(0, norm);
  return results;
}

} // namespace

void addState(EvaluationTable &table) {
  table.add<vs::SgdOp, sgd>();
  table.add<vs::AdamwOp, adamw>();
  table.add<vs::Adamw8bitOp, adamw8bit>();
  table.add<vs::MuonOp, muon>();
  table.add<vs::ClipByGlobalNormOp, clipByGlobalNorm>();
}

} // namespace vescale::analysis
