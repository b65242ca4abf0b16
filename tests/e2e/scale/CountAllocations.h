//===- CountAllocations.h - How often a process asks for memory --------------------------------===//

#ifndef VESCALE_TESTS_E2E_SCALE_COUNTALLOCATIONS_H
#define VESCALE_TESTS_E2E_SCALE_COUNTALLOCATIONS_H

/// Allocations of this process up to now, those of shared libraries too. It stands for work in tests that
/// must not depend on time: unlike time, it is the same on every machine and in every run.
double allocations();

#endif // VESCALE_TESTS_E2E_SCALE_COUNTALLOCATIONS_H
