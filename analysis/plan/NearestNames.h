//===- NearestNames.h - Suggestions for a name that does not exist ------------------------===//

#ifndef VESCALE_ANALYSIS_PLAN_NEARESTNAMES_H
#define VESCALE_ANALYSIS_PLAN_NEARESTNAMES_H

#include <string>
#include <vector>

namespace vescale::analysis {

/// The number of single-character insertions, removals and replacements that turn `a` into `b`
/// (Levenshtein distance, by the two-row recurrence of Wagner and Fischer).
int editDistance(const std::string &a, const std::string &b);

/// The at most `count` names with the smallest edit distance to `name`, nearest first and in
/// the given order where equal. Layers that differ only in numbers count once.
std::vector<std::string> nearestNames(const std::string &name,
                                      const std::vector<std::string> &candidates, int count = 3);

/// A phrase for messages: "; nearest: `a`, `b`", or nothing where there is no candidate.
std::string suggestion(const std::string &name, const std::vector<std::string> &candidates);

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PLAN_NEARESTNAMES_H
