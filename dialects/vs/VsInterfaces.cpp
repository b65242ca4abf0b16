//===- VsInterfaces.cpp - What an op of vs tells the passes --------------------------------===//

#include "dialects/vs/VsInterfaces.h"

#include "dialects/vs/VsInterfaces.cpp.inc"
