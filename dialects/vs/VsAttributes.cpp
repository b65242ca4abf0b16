//===- VsAttributes.cpp - Types, attributes and enumerations of vs -------------------------===//

#include "dialects/vs/NumberText.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace vescale::vs;

#include "dialects/vs/VsEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/vs/VsTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/vs/VsAttributes.cpp.inc"

void VsDialect::registerTypesAndAttributes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/vs/VsTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/vs/VsAttributes.cpp.inc"
      >();
}

static FailureOr<FloatAttr> parseNumber(AsmParser &parser) {
  double number;
  if (parser.parseFloat(number))
    return failure();
  return parser.getBuilder().getF64FloatAttr(number);
}

/// Whether `number` is an f64 with a finite value; the attributes hold nothing else.
static bool isFiniteDouble(FloatAttr number) {
  return number && number.getType().isF64() && number.getValue().isFinite();
}

//===----------------------------------------------------------------------===//
// NormalAttr
//===----------------------------------------------------------------------===//

NormalAttr NormalAttr::get(MLIRContext *context, double stddev) {
  return get(context, Builder(context).getF64FloatAttr(stddev));
}

Attribute NormalAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  FailureOr<FloatAttr> stddev;
  if (parser.parseLess() || failed(stddev = parseNumber(parser)) || parser.parseGreater())
    return {};
  return parser.getChecked<NormalAttr>(location, parser.getContext(), *stddev);
}

void NormalAttr::print(AsmPrinter &printer) const {
  printer << '<' << numberText(getStddev().getValueAsDouble()) << '>';
}

LogicalResult NormalAttr::verify(function_ref<InFlightDiagnostic()> emitError, FloatAttr stddev) {
  if (!isFiniteDouble(stddev) || stddev.getValueAsDouble() < 0)
    return emitError() << "normal's standard deviation must be finite and not negative, is "
                       << stddev;
  return success();
}

//===----------------------------------------------------------------------===//
// UniformAttr
//===----------------------------------------------------------------------===//

UniformAttr UniformAttr::get(MLIRContext *context, double low, double high) {
  Builder builder(context);
  return get(context, builder.getF64FloatAttr(low), builder.getF64FloatAttr(high));
}

Attribute UniformAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  FailureOr<FloatAttr> low, high;
  if (parser.parseLess() || failed(low = parseNumber(parser)) || parser.parseComma() ||
      failed(high = parseNumber(parser)) || parser.parseGreater())
    return {};
  return parser.getChecked<UniformAttr>(location, parser.getContext(), *low, *high);
}

void UniformAttr::print(AsmPrinter &printer) const {
  printer << '<' << numberText(getLow().getValueAsDouble()) << ", "
          << numberText(getHigh().getValueAsDouble()) << '>';
}

LogicalResult UniformAttr::verify(function_ref<InFlightDiagnostic()> emitError, FloatAttr low,
                                  FloatAttr high) {
  if (!isFiniteDouble(low) || !isFiniteDouble(high) ||
      low.getValueAsDouble() > high.getValueAsDouble())
    return emitError() << "uniform needs finite bounds, the low one not above the high one, has "
                       << low << " and " << high;
  return success();
}

//===----------------------------------------------------------------------===//
// FromFileAttr
//===----------------------------------------------------------------------===//

LogicalResult FromFileAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr path) {
  if (path.getValue().empty())
    return emitError() << "from_file needs a path, has the empty string";
  return success();
}
