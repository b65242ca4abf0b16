//===- NumberText.h - Numbers as people write them -----------------------------------------===//

#ifndef VESCALE_DIALECTS_VS_NUMBERTEXT_H
#define VESCALE_DIALECTS_VS_NUMBERTEXT_H

#include <string>

namespace vescale::vs {

/// The shortest text that MLIR reads back as the same finite `number`: `0.02`, `1.0e-06`, `3.0`.
std::string numberText(double number);

} // namespace vescale::vs

#endif // VESCALE_DIALECTS_VS_NUMBERTEXT_H
