//===- DistAttributes.cpp - Meshes, layouts, wishes, futures -----------------------------===//

#include "dialects/dist/DistAttributes.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/dist/LayoutInterning.h"

#include "layout/Legality.h"
#include "layout/Parse.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace vescale::dist;

#include "dialects/dist/DistEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/dist/DistAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/dist/DistTypes.cpp.inc"

void DistDialect::registerAttributes() {
  interning = std::make_shared<LayoutInterning>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/dist/DistAttributes.cpp.inc"
      >();
}

void DistDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/dist/DistTypes.cpp.inc"
      >();
}

static LayoutInterning &interningOf(MLIRContext *context) {
  return context->getOrLoadDialect<DistDialect>()->getInterning();
}

MeshAttr MeshAttr::get(MLIRContext *context, const vescale::layout::Mesh &mesh) {
  return Base::get(context, interningOf(context).meshes.get(mesh));
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const vescale::layout::Layout &layout) {
  return Base::get(context, interningOf(context).layouts.get(layout));
}

MeshAttr LayoutAttr::getMesh() const { return MeshAttr::get(getContext(), getLayout().mesh()); }

WishAttr WishAttr::get(MLIRContext *context, const vescale::layout::Wish &wish) {
  return Base::get(context, interningOf(context).wishes.get(wish));
}

MeshAttr WishAttr::getMesh() const { return MeshAttr::get(getContext(), getWish().mesh()); }

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  const vescale::layout::Layout &layout = getLayout();
  for (auto [dim, size] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(size))
      return emitError() << "a tensor with a layout has a static shape, but dim " << dim
                         << " is dynamic";
  vescale::layout::Status legal =
      vescale::layout::checkLegal(layout, vescale::layout::Shape(shape.begin(), shape.end()));
  if (!legal.ok())
    return emitError() << legal.message();
  if (layout.partial()) {
    vescale::layout::Reduction reduction = layout.partial()->reduction;
    bool bitwise = reduction == vescale::layout::Reduction::bitAnd ||
                   reduction == vescale::layout::Reduction::bitOr;
    // A sum of truth values would not be one.
    bool isSum = reduction == vescale::layout::Reduction::sum;
    if ((bitwise && !elementType.isInteger()) || (isSum && elementType.isInteger(1)))
      return emitError() << "partial [" << std::string(str(reduction))
                         << "] is not defined on elements of type " << elementType;
  }
  return success();
}

//===-------------------------------------------------------------------------------------===//
// Text
//===-------------------------------------------------------------------------------------===//

/// Reports a failure of a parser of layout/ at its place in the source. `text` is the part of the
/// source that the parser was given.
static void emitAt(DialectAsmParser &parser, StringRef text,
                   const vescale::layout::Status &status) {
  StringRef message = status.message();
  const char *place = text.data();
  if (int column = status.column()) {
    // The source location says where, so the message need not.
    std::string prefix = "column " + std::to_string(column) + ": ";
    message.consume_front(prefix);
    place += std::min<size_t>(column - 1, text.size());
  }
  parser.emitError(SMLoc::getFromPointer(place)) << message;
}

/// The text between the place where `parser` is and the `>` that closes the attribute.
static StringRef restOfBody(DialectAsmParser &parser) {
  StringRef spec = parser.getFullSymbolSpec();
  const char *begin = parser.getCurrentLocation().getPointer();
  return StringRef(begin, spec.end() - begin).drop_back();
}

/// `mesh<["dp" = 2], device_ids = [1, 0]>`
static Attribute parseMeshAttr(DialectAsmParser &parser) {
  // The text is read by layout/; tokens of MLIR are only used to find where it begins.
  if (parser.parseLess())
    return {};
  StringRef text = restOfBody(parser);
  auto mesh = vescale::layout::parseMesh(std::string_view(text.data(), text.size()));
  if (!mesh.ok()) {
    emitAt(parser, text, mesh.status());
    return {};
  }
  return MeshAttr::get(parser.getContext(), *mesh);
}

/// `layout<#mesh, TEXT>` or `wish<#mesh, TEXT>`: the mesh may be an alias, so MLIR reads it, and
/// `parseText` of layout/ reads the rest.
template <class AttrT, class ParseText>
static Attribute parseOnMesh(DialectAsmParser &parser, ParseText parseText) {
  MeshAttr mesh;
  if (parser.parseLess() || parser.parseAttribute(mesh) || parser.parseComma())
    return {};
  StringRef text = restOfBody(parser);
  auto parsed = parseText(mesh.getMesh(), std::string_view(text.data(), text.size()));
  if (!parsed.ok()) {
    emitAt(parser, text, parsed.status());
    return {};
  }
  return AttrT::get(parser.getContext(), *parsed);
}

Attribute DistDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef spec = parser.getFullSymbolSpec();
  StringRef name = spec.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (name != "mesh" && name != "layout" && name != "wish") {
    Attribute attribute;
    SMLoc loc = parser.getCurrentLocation();
    OptionalParseResult result = generatedAttributeParser(parser, &name, type, attribute);
    if (!result.has_value())
      parser.emitError(loc) << "unknown attribute `" << name << "` in dialect `dist`";
    return attribute;
  }
  if (failed(parser.parseKeyword(name)))
    return {};
  if (name == "mesh")
    return parseMeshAttr(parser);
  if (name == "wish")
    return parseOnMesh<WishAttr>(parser, vescale::layout::Wish::parse);
  return parseOnMesh<LayoutAttr>(parser, vescale::layout::parseLayout);
}

void DistDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  llvm::TypeSwitch<Attribute>(attribute)
      .Case([&](MeshAttr mesh) { printer << "mesh<" << mesh.getMesh().str() << ">"; })
      .Case([&](LayoutAttr layout) {
        printer << "layout<" << layout.getMesh() << ", " << layout.getLayout().str() << ">";
      })
      .Case([&](WishAttr wish) {
        printer << "wish<" << wish.getMesh() << ", " << wish.getWish().str() << ">";
      })
      .Default([&](Attribute other) { (void)generatedAttributePrinter(other, printer); });
}
