//===- DistDialect.cpp - The dist dialect ------------------------------------------------===//

#include "dialects/dist/DistDialect.h"

#include "dialects/dist/DistDialect.cpp.inc"

using namespace vescale::dist;

void DistDialect::initialize() {}
