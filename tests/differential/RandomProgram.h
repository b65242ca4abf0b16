//===- RandomProgram.h - Random programs of vs ----------------------------------------------===//
//
// Inputs lie on a dyadic grid: multiples of 1/8 in [-2, 2]. The generator tracks how large each
// value can become and of which power of two it is a multiple, so that sums are exact in whatever
// order devices form them; where a value is not (an exponential, a quotient), or could outgrow a
// double, it is rounded back onto the grid. Rounding and comparisons cannot flip then, and results
// must be equal to the last bit. Ops that sum inexact numbers give results that are only compared,
// with a tolerance, and used no further: these ops have the attribute `inexact`.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_TESTS_DIFFERENTIAL_RANDOMPROGRAM_H
#define VESCALE_TESTS_DIFFERENTIAL_RANDOMPROGRAM_H

#include "tests/differential/Choice.h"

#include <functional>
#include <string>

namespace vescale::analysis {

/// A module with one function @f of about `ops` ops. Only ops for which `supported` holds are used.
std::string randomProgram(Choice &choice, int ops,
                          const std::function<bool(const std::string &)> &supported);
/// A module with a model @loss of about `ops` ops. Its gradients are inexact, which the attribute
/// `inexact` of the function says.
std::string randomModel(Choice &choice, int ops,
                        const std::function<bool(const std::string &)> &supported);

} // namespace vescale::analysis

#endif // VESCALE_TESTS_DIFFERENTIAL_RANDOMPROGRAM_H
