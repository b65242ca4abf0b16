//===- DataFlowInterface.cpp - Values that are one value across regions --------------------===//

#include "dialects/dist/DataFlowInterface.h"

#include "dialects/dist/DataFlowInterface.cpp.inc"
