//===- ModelBuilder.cpp - Models as vs IR, in few words -------------------===//

#include "compiler/models/ModelBuilder.h"

#include "dialects/dist/DistDialect.h"
#include "dialects/vs/AttentionOps.h"
#include "dialects/vs/ContractionOps.h"
#include "dialects/vs/CreationOps.h"
#include "dialects/vs/ElementwiseOps.h"
#include "dialects/vs/IndexingOps.h"
#include "dialects/vs/LayerOps.h"
#include "dialects/vs/ReductionOps.h"
#include "dialects/vs/ShapeOps.h"
#include "dialects/vs/StepAttributes.h"
#include "dialects/vs/StructureOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace vescale {

ModelBuilder::ModelBuilder(const std::string &type) : builder(&context), location(builder.getUnknownLoc()) {
  context.loadDialect<func::FuncDialect, dist::DistDialect, vs::VsDialect>();
  element = type == "f64" ? Type(builder.getF64Type()) : Type(builder.getF32Type());
  module = ModuleOp::create(location);
}

ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::declare(const std::string &name, Type type, StringRef role,
                           std::vector<NamedAttribute> attributes) {
  attributes.push_back(builder.getNamedAttr(vs::VsDialect::roleAttributeName, builder.getStringAttr(role)));
  attributes.push_back(builder.getNamedAttr(vs::VsDialect::nameAttributeName, builder.getStringAttr(name)));
  arguments.push_back({name, type, std::move(attributes)});
}

void ModelBuilder::batch(const std::string &name, Shape shape, int64_t tokenOffset, int64_t vocabulary) {
  declare(name, RankedTensorType::get(shape, builder.getI32Type()), vs::batchRole,
          {builder.getNamedAttr(vs::tokenOffsetAttributeName, builder.getI64IntegerAttr(tokenOffset)),
           builder.getNamedAttr(vs::vocabularyAttributeName, builder.getI64IntegerAttr(vocabulary))});
}

void ModelBuilder::batchValues(const std::string &name, Shape shape) {
  declare(name, RankedTensorType::get(shape, element), vs::batchRole);
}

void ModelBuilder::batchLabels(const std::string &name, Shape shape, int64_t classes) {
  declare(name, RankedTensorType::get(shape, builder.getI32Type()), vs::batchRole,
          {builder.getNamedAttr(vs::vocabularyAttributeName, builder.getI64IntegerAttr(classes))});
}

void ModelBuilder::parameter(const std::string &name, Shape shape, Attribute init, bool decays) {
  declare(name, RankedTensorType::get(shape, element), vs::parameterRole,
          {builder.getNamedAttr(vs::VsDialect::initAttributeName, init),
           builder.getNamedAttr(vs::VsDialect::decayAttributeName, builder.getBoolAttr(decays))});
}

void ModelBuilder::weight(const std::string &name, Shape shape, double deviation) {
  parameter(name, std::move(shape), vs::NormalAttr::get(&context, deviation), /*decays=*/true);
}
void ModelBuilder::zeros(const std::string &name, Shape shape) {
  parameter(name, std::move(shape), vs::ZerosAttr::get(&context), /*decays=*/false);
}
void ModelBuilder::ones(const std::string &name, Shape shape) {
  parameter(name, std::move(shape), vs::OnesAttr::get(&context), /*decays=*/false);
}
void ModelBuilder::rng(const std::string &name) { declare(name, vs::RngType::get(&context), vs::rngRole); }

void ModelBuilder::beginBody() {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const Argument &argument : arguments) {
    types.push_back(argument.type);
    attributes.push_back(builder.getDictionaryAttr(argument.attributes));
  }
  builder.setInsertionPointToEnd(module->getBody());
  auto scalar = RankedTensorType::get({}, vs::statisticsType(element));
  auto function = builder.create<func::FuncOp>(location, "loss", builder.getFunctionType(types, {scalar}));
  function.setAllArgAttrs(attributes);
  builder.setInsertionPointToStart(function.addEntryBlock());
  for (auto [argument, value] : llvm::zip_equal(arguments, function.getArguments()))
    values[argument.name] = value;
}

Value ModelBuilder::operator[](const std::string &name) const {
  auto it = values.find(name);
  assert(it != values.end() && "the argument was declared");
  return it->second;
}

ModelBuilder::Shape ModelBuilder::shape(Value value) {
  ArrayRef<int64_t> sizes = llvm::cast<RankedTensorType>(value.getType()).getShape();
  return Shape(sizes.begin(), sizes.end());
}

Value ModelBuilder::add(Value a, Value b) { return builder.create<vs::AddOp>(location, a, b); }
Value ModelBuilder::sub(Value a, Value b) { return builder.create<vs::SubOp>(location, a, b); }
Value ModelBuilder::mul(Value a, Value b) { return builder.create<vs::MulOp>(location, a, b); }
Value ModelBuilder::silu(Value x) { return builder.create<vs::SiluOp>(location, x); }
Value ModelBuilder::exp(Value x) { return builder.create<vs::ExpOp>(location, x); }
Value ModelBuilder::cos(Value x) { return builder.create<vs::CosOp>(location, x); }
Value ModelBuilder::sin(Value x) { return builder.create<vs::SinOp>(location, x); }
Value ModelBuilder::iota(Shape shape, int64_t dim) {
  return builder.create<vs::IotaOp>(location, RankedTensorType::get(shape, element), dim);
}
Value ModelBuilder::number(Shape shape, double number) {
  return builder.create<vs::ConstantOp>(location, RankedTensorType::get(shape, element), number);
}
Value ModelBuilder::gelu(Value x) { return builder.create<vs::GeluOp>(location, x, /*approximate=*/true); }
Value ModelBuilder::einsum(const std::string &spec, Value a, Value b) {
  return builder.create<vs::EinsumOp>(location, spec, a, b);
}
Value ModelBuilder::broadcast(Value x, Shape shape, std::vector<int64_t> dims) {
  return builder.create<vs::BroadcastOp>(location, x, shape, dims);
}
Value ModelBuilder::reshape(Value x, Shape shape) { return builder.create<vs::ReshapeOp>(location, x, shape); }
Value ModelBuilder::transpose(Value x, std::vector<int64_t> permutation) {
  return builder.create<vs::TransposeOp>(location, x, permutation);
}
Value ModelBuilder::sliceDim(Value x, int64_t dim, int64_t start, int64_t limit) {
  Shape limits = shape(x), starts(limits.size(), 0), strides(limits.size(), 1);
  starts[dim] = start;
  limits[dim] = limit;
  return builder.create<vs::SliceOp>(location, x, starts, limits, strides);
}
Value ModelBuilder::concat(std::vector<Value> parts, int64_t dim) {
  return builder.create<vs::ConcatOp>(location, ValueRange(parts), dim);
}
Value ModelBuilder::take(Value table, Value indices) {
  return builder.create<vs::TakeOp>(location, table, indices, /*dim=*/0);
}
Value ModelBuilder::layerNorm(Value x, Value weight, Value bias) {
  return builder.create<vs::LayerNormOp>(location, x, weight, bias, 1e-5).getY();
}
Value ModelBuilder::rmsNorm(Value x, Value weight) {
  return builder.create<vs::RmsNormOp>(location, x, weight, 1e-5).getY();
}
Value ModelBuilder::dropout(Value x, Value rng, double rate) {
  return builder.create<vs::DropoutOp>(location, x, rng, rate);
}
Value ModelBuilder::attention(Value q, Value k, Value v, Value rng, double dropout, bool causal) {
  return builder.create<vs::AttentionOp>(location, q, k, v, Value(), rng, causal, std::nullopt, dropout)
      .getOutput();
}
Value ModelBuilder::mean(Value x, std::vector<int64_t> dims) {
  return builder.create<vs::ReduceOp>(location, vs::ReduceKind::Mean, x, dims);
}
Value ModelBuilder::tag(Value x, const std::string &name) { return builder.create<vs::TagOp>(location, x, name); }
Value ModelBuilder::meanCrossEntropy(Value logits, Value targets) {
  Value losses = builder.create<vs::CrossEntropyOp>(location, logits, targets, int64_t(-100));
  SmallVector<int64_t> dims;
  for (size_t dim = 0; dim < shape(losses).size(); ++dim)
    dims.push_back(dim);
  return builder.create<vs::ReduceOp>(location, vs::ReduceKind::Mean, losses, dims);
}

std::string ModelBuilder::finish(Value loss) {
  builder.create<func::ReturnOp>(location, loss);
  bool valid = succeeded(verify(*module));
  (void)valid;
  assert(valid && "model builders build valid modules");
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  stream << "\n";
  return text;
}

} // namespace vescale
