//===- SchedDialect.cpp - The sched dialect: schedules --------------------===//

#include "dialects/sched/SchedDialect.h"

#include "dialects/sched/SchedOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/sched/SchedDialect.cpp.inc"
#include "dialects/sched/SchedEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/sched/SchedTypes.cpp.inc"

void vescale::sched::SchedDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/sched/SchedTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/sched/SchedOps.cpp.inc"
      >();
}
