//===- MatMulForm.cpp - a contraction as a batched matrix product ---------===//

#include "passes/fusion/MatMulForm.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace vescale {
namespace {

using Strides = DenseMap<char, int64_t>;

/// Adjacent letters walked as one dim, with their stride in each tensor (0 where a tensor has none of them).
struct Run {
  int64_t size = 1, lhs = 0, rhs = 0, out = 0;
};

Strides rowMajorStrides(StringRef letters, const Strides &sizes) {
  Strides strides;
  int64_t stride = 1;
  for (char letter : reverse(letters)) {
    strides[letter] = stride;
    // A tensor without elements has strides all the same.
    stride *= std::max<int64_t>(sizes.lookup(letter), 1);
  }
  return strides;
}

class Finder {
public:
  Finder(const vs::EinsumSpec &spec, ArrayRef<int64_t> lhsShape, ArrayRef<int64_t> rhsShape) : spec(spec) {
    for (auto [letter, size] : zip_equal(spec.lhs, lhsShape))
      sizes[letter] = size;
    for (auto [letter, size] : zip_equal(spec.rhs, rhsShape))
      sizes[letter] = size;
    lhs = rowMajorStrides(spec.lhs, sizes);
    rhs = rowMajorStrides(spec.rhs, sizes);
    out = rowMajorStrides(spec.out, sizes);
  }

  std::optional<MatMulForm> find() {
    SmallVector<Run> m = runs(spec.lhsFree()), n = runs(spec.rhsFree()), k = runs(spec.contracted());
    // A sum over nothing reads nothing, however its letters lie in memory.
    for (const Run &run : k)
      if (run.size == 0) {
        k = {Run{0, 1, 1, 0}};
        break;
      }
    // Letters in an order that differs between the two inputs cannot be summed over as one dim.
    if (k.size() > 1)
      return std::nullopt;
    SmallVector<Run> batch = runs(spec.batch());
    Run sum = k.empty() ? Run() : k.front();
    if (std::optional<MatMulForm> form = build(m, n, sum, batch, /*swapped=*/false))
      return form;
    for (SmallVector<Run> *group : {&m, &n, &batch})
      for (Run &run : *group)
        std::swap(run.lhs, run.rhs);
    std::swap(sum.lhs, sum.rhs);
    return build(n, m, sum, batch, /*swapped=*/true);
  }

private:
  /// Merges letters that are neighbours with matching strides in every tensor that has them.
  SmallVector<Run> runs(StringRef letters) {
    SmallVector<Run> result;
    for (char letter : letters) {
      Run run{sizes.lookup(letter), lhs.lookup(letter), rhs.lookup(letter), out.lookup(letter)};
      if (run.size == 1)
        continue;
      if (!result.empty()) {
        Run &last = result.back();
        if (last.lhs == run.lhs * run.size && last.rhs == run.rhs * run.size &&
            last.out == run.out * run.size) {
          last = {last.size * run.size, run.lhs, run.rhs, run.out};
          continue;
        }
      }
      result.push_back(run);
    }
    return result;
  }

  /// Takes the largest run that `fits` out of `group`; the rest stays for the batch.
  static std::optional<Run> take(SmallVector<Run> &group, function_ref<bool(const Run &)> fits) {
    Run *best = nullptr;
    for (Run &run : group)
      if (fits(run) && (!best || run.size > best->size))
        best = &run;
    if (!best) {
      if (group.empty())
        return Run();
      return std::nullopt;
    }
    Run result = *best;
    group.erase(best);
    return result;
  }

  /// Rows from `m`, columns from `n`: columns of the result must be contiguous, and each operand in one direction.
  static std::optional<MatMulForm> build(SmallVector<Run> m, SmallVector<Run> n, Run k,
                                         ArrayRef<Run> batch, bool swapped) {
    std::optional<Run> columns = take(n, [&](const Run &run) {
      return run.out == 1 && (run.rhs == 1 || k.rhs == 1 || k.size == 1);
    });
    std::optional<Run> rows = take(m, [&](const Run &run) {
      return run.lhs == 1 || k.lhs == 1 || k.size == 1;
    });
    if (!columns || !rows)
      return std::nullopt;
    MatMulForm form;
    form.m = rows->size;
    form.n = columns->size;
    form.k = k.size;
    form.swapped = swapped;
    form.a = matrix(form.m, form.k, rows->lhs, k.lhs);
    form.b = matrix(form.k, form.n, k.rhs, columns->rhs);
    form.c = matrix(form.m, form.n, rows->out, columns->size == 1 ? 1 : columns->out);
    if (form.c.transposed)
      return std::nullopt;
    for (ArrayRef<Run> group : {ArrayRef<Run>(batch), ArrayRef<Run>(m), ArrayRef<Run>(n)})
      for (const Run &run : group) {
        form.batch.push_back(run.size);
        form.a.batchStrides.push_back(run.lhs);
        form.b.batchStrides.push_back(run.rhs);
        form.c.batchStrides.push_back(run.out);
      }
    return form;
  }

  /// A rows x columns matrix with these strides, one of which is 1 or belongs to a dim of size 1.
  static MatrixForm matrix(int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride) {
    MatrixForm form;
    form.transposed = columnStride != 1 && columns != 1;
    int64_t apart = form.transposed ? columnStride : rows == 1 ? 0 : rowStride;
    form.leading = std::max<int64_t>({apart, form.transposed ? rows : columns, 1});
    return form;
  }

  const vs::EinsumSpec &spec;
  Strides sizes, lhs, rhs, out;
};

} // namespace

std::optional<MatMulForm> findMatMulForm(const vs::EinsumSpec &spec, ArrayRef<int64_t> lhsShape,
                                         ArrayRef<int64_t> rhsShape) {
  return Finder(spec, lhsShape, rhsShape).find();
}

} // namespace vescale
