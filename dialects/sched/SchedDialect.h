//===- SchedDialect.h - The sched dialect: schedules ------------*- C++ -*-===//

#ifndef VESCALE_DIALECTS_SCHED_SCHEDDIALECT_H
#define VESCALE_DIALECTS_SCHED_SCHEDDIALECT_H

#include "dialects/dist/DistDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "dialects/sched/SchedDialect.h.inc"
#include "dialects/sched/SchedEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/sched/SchedTypes.h.inc"

#endif // VESCALE_DIALECTS_SCHED_SCHEDDIALECT_H
