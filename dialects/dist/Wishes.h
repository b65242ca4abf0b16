//===- Wishes.h - What is asked of the layouts of values ----------------------------------===//

#ifndef VESCALE_DIALECTS_DIST_WISHES_H
#define VESCALE_DIALECTS_DIST_WISHES_H

#include "dialects/dist/DistAttributes.h"

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace vescale::dist {

/// The name of the attribute that holds a wish on arguments and results of functions.
constexpr llvm::StringLiteral wishAttributeName = "dist.wish";
/// Of an argument, or of an op for its results: names of mesh axes that cut it further, once
/// everything else is decided.
constexpr llvm::StringLiteral alsoCutByAttributeName = "dist.also_cut_by";

/// The wish for a value: of a function's argument, or of what `dist.constrain` gives; null where
/// nothing is asked.
WishAttr getWish(mlir::Value value);
/// The wish for a result of a function; null where nothing is asked.
WishAttr getResultWish(mlir::FunctionOpInterface function, unsigned result);

/// The reason why a value of this type cannot have the wish; empty where it can. The type is a
/// ranked tensor of the wish's rank, and the layout asked for is legal for its shape.
std::string whyNotWish(mlir::Type type, WishAttr wish);

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_WISHES_H
