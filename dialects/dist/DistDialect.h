//===- DistDialect.h - The dist dialect --------------------------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_DISTDIALECT_H
#define VESCALE_DIALECTS_DIST_DISTDIALECT_H

#include "mlir/IR/Dialect.h"

#include <memory>

namespace vescale::dist {
struct LayoutInterning;
} // namespace vescale::dist

#include "dialects/dist/DistDialect.h.inc"

#endif // VESCALE_DIALECTS_DIST_DISTDIALECT_H
