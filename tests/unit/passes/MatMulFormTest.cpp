//===- MatMulFormTest.cpp - contractions as matrix products, by brute force -===//

#include "passes/fusion/MatMulForm.h"

#include "gtest/gtest.h"

#include <functional>
#include <map>
#include <numeric>

using vescale::findMatMulForm;
using vescale::MatMulForm;
using vescale::MatrixForm;
using vescale::vs::EinsumSpec;

namespace {

using Sizes = std::map<char, int64_t>;

int64_t elements(const std::string &letters, const Sizes &sizes) {
  int64_t product = 1;
  for (char letter : letters)
    product *= sizes.at(letter);
  return product;
}

int64_t offset(const std::string &letters, const Sizes &sizes, const Sizes &index) {
  int64_t result = 0;
  for (char letter : letters)
    result = result * sizes.at(letter) + index.at(letter);
  return result;
}

/// Calls `visit` for every index of `letters`.
void forEachIndex(const std::string &letters, const Sizes &sizes, const std::function<void(const Sizes &)> &visit) {
  Sizes index;
  std::function<void(size_t)> walk = [&](size_t k) {
    if (k == letters.size())
      return visit(index);
    for (int64_t i = 0; i < sizes.at(letters[k]); ++i) {
      index[letters[k]] = i;
      walk(k + 1);
    }
  };
  walk(0);
}

std::vector<double> contract(const EinsumSpec &spec, const Sizes &sizes, const std::vector<double> &a,
                             const std::vector<double> &b) {
  std::vector<double> c(elements(spec.out, sizes));
  forEachIndex(spec.letters(), sizes, [&](const Sizes &index) {
    c[offset(spec.out, sizes, index)] +=
        a[offset(spec.lhs, sizes, index)] * b[offset(spec.rhs, sizes, index)];
  });
  return c;
}

int64_t place(const MatrixForm &form, int64_t batch, int64_t i, int64_t j) {
  return batch + (form.transposed ? j * form.leading + i : i * form.leading + j);
}

std::vector<double> multiply(const MatMulForm &form, const std::vector<double> &a, const std::vector<double> &b,
                             size_t size) {
  std::vector<double> c(size);
  std::function<void(size_t, int64_t, int64_t, int64_t)> walk = [&](size_t level, int64_t x, int64_t y, int64_t z) {
    if (level < form.batch.size()) {
      for (int64_t i = 0; i < form.batch[level]; ++i)
        walk(level + 1, x + i * form.a.batchStrides[level], y + i * form.b.batchStrides[level],
             z + i * form.c.batchStrides[level]);
      return;
    }
    for (int64_t i = 0; i < form.m; ++i)
      for (int64_t j = 0; j < form.n; ++j)
        for (int64_t l = 0; l < form.k; ++l)
          c.at(place(form.c, z, i, j)) += a.at(place(form.a, x, i, l)) * b.at(place(form.b, y, l, j));
  };
  walk(0, 0, 0, 0);
  return c;
}

void check(const char *text, const Sizes &sizes, bool mustExist) {
  std::string error;
  auto spec = EinsumSpec::parse(text, error);
  ASSERT_TRUE(spec) << error;
  std::vector<int64_t> lhs, rhs;
  for (char letter : spec->lhs)
    lhs.push_back(sizes.at(letter));
  for (char letter : spec->rhs)
    rhs.push_back(sizes.at(letter));
  auto form = findMatMulForm(*spec, lhs, rhs);
  if (!form) {
    EXPECT_FALSE(mustExist) << text;
    return;
  }
  std::vector<double> a(elements(spec->lhs, sizes)), b(elements(spec->rhs, sizes));
  std::iota(a.begin(), a.end(), 1);
  std::iota(b.begin(), b.end(), -3);
  std::vector<double> expected = contract(*spec, sizes, a, b);
  EXPECT_EQ(multiply(*form, form->swapped ? b : a, form->swapped ? a : b, expected.size()), expected) << text;
  // What BLAS demands of leading dims.
  EXPECT_GE(form->a.leading, std::max<int64_t>(1, form->a.transposed ? form->m : form->k)) << text;
  EXPECT_GE(form->b.leading, std::max<int64_t>(1, form->b.transposed ? form->k : form->n)) << text;
  EXPECT_GE(form->c.leading, std::max<int64_t>(1, form->n)) << text;
}

} // namespace

TEST(MatMulForm, CoversTheContractionsOfTransformers) {
  for (const char *text :
       {"bsd,fd->bsf", "bsf,fd->bsd", "bsf,bsd->fd", "bsd,bsf->fd", "bhsd,bhtd->bhst", "bhst,bhtd->bhsd",
        "bhst,bhsd->bhtd", "ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ij,jk->ki", "bshd,hde->bse", "i,j->ij",
        "ij,j->i", "i,ij->j"}) {
    Sizes sizes;
    int64_t next = 2;
    for (char letter : std::string(text))
      if (std::isalpha(letter) && !sizes.count(letter))
        sizes[letter] = next++;
    check(text, sizes, true);
    // Dims of size 1 and 0 in every place.
    for (auto &[letter, size] : sizes)
      for (int64_t special : {1, 0}) {
        Sizes changed = sizes;
        changed[letter] = special;
        check(text, changed, false);
      }
  }
}

TEST(MatMulForm, IsRightWhereverItExists) {
  // All ways to write a contraction of up to four letters, each in two or three of the three tensors.
  int found = 0;
  for (int assignment = 0; assignment < 256; ++assignment) {
    std::string parts[3];
    for (int k = 0; k < 4; ++k) {
      int where = (assignment >> (2 * k)) & 3; // batch, contracted, lhs only, rhs only
      char letter = static_cast<char>('a' + k);
      if (where != 3)
        parts[0] += letter;
      if (where != 2)
        parts[1] += letter;
      if (where != 1)
        parts[2] += letter;
    }
    for (std::string &rotated : parts) {
      for (size_t turn = 0; turn < std::max<size_t>(rotated.size(), 1); ++turn) {
        std::string text = parts[0] + "," + parts[1] + "->" + parts[2];
        check(text.c_str(), {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}}, false);
        ++found;
        if (!rotated.empty())
          std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
      }
    }
  }
  EXPECT_GT(found, 1000);
}
