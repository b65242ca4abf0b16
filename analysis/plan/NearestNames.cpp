//===- NearestNames.cpp - Suggestions for a name that does not exist ----------------------===//

#include "analysis/plan/NearestNames.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

namespace vescale::analysis {

int editDistance(const std::string &a, const std::string &b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

/// `h.12.attn` as `h.#.attn`, so that equal layers are suggested once.
static std::string withoutNumbers(const std::string &name) {
  std::string pattern;
  for (char c : name) {
    if (!std::isdigit(static_cast<unsigned char>(c)))
      pattern += c;
    else if (pattern.empty() || pattern.back() != '#')
      pattern += '#';
  }
  return pattern;
}

std::vector<std::string> nearestNames(const std::string &name,
                                      const std::vector<std::string> &candidates, int count) {
  std::vector<std::pair<int, const std::string *>> byDistance;
  std::set<std::string> seen;
  for (const std::string &candidate : candidates)
    if (seen.insert(withoutNumbers(candidate)).second)
      byDistance.emplace_back(editDistance(name, candidate), &candidate);
  std::stable_sort(byDistance.begin(), byDistance.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (const auto &[distance, candidate] : byDistance) {
    if (static_cast<int>(nearest.size()) == count)
      break;
    nearest.push_back(*candidate);
  }
  return nearest;
}

std::string suggestion(const std::string &name, const std::vector<std::string> &candidates) {
  std::string text;
  for (const std::string &nearest : nearestNames(name, candidates))
    text += (text.empty() ? "; nearest: `" : ", `") + nearest + "`";
  return text;
}

} // namespace vescale::analysis
