//===- Interpreter.cpp - The meaning of programs --------------------------------------------===//

#include "analysis/interpreter/Interpreter.h"

#include "analysis/interpreter/Evaluation.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/StructureOps.h"
#include "layout/Region.h"

#include <fmt/format.h>

using namespace mlir;

namespace vescale::analysis {
namespace {

Shape shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Shape(tensor.getShape().begin(), tensor.getShape().end()) : Shape();
}

/// The mesh on which an op is distributed; null where none of its types has a layout.
FailureOr<const layout::Mesh *> meshOf(Operation *op) {
  const layout::Mesh *mesh = nullptr;
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      const layout::Layout *layout = dist::getLayout(type);
      if (!layout)
        continue;
      if (mesh && *mesh != layout->mesh())
        return op->emitOpError() << "has tensors on two meshes, " << mesh->str() << " and "
                                 << layout->mesh().str(),
               failure();
      mesh = &layout->mesh();
    }
  return mesh;
}

} // namespace

FailureOr<SmallVector<Tensor>> Interpreter::run(func::FuncOp function, ArrayRef<Tensor> arguments) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("has no body of one block"), failure();
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError() << "takes " << function.getNumArguments() << " arguments, "
                                  << arguments.size() << " are given",
           failure();
  SmallVector<Sharded> values;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    Tensor argument = arguments[number];
    std::optional<ElementType> element = elementTypeOf(type);
    if (!element)
      return function.emitOpError() << "takes an argument of type " << type, failure();
    if (*element != argument.type() ||
        (isa<RankedTensorType>(type) && argument.shape() != shapeOf(type)))
      return function.emitOpError()
                 << "takes " << type << " as argument " << number << ", but is given "
                 << fmt::format("{} of shape [{}]", str(argument.type()),
                                fmt::join(argument.shape(), ", ")),
             failure();
    if (options.declaredTypes)
      argument.roundToType();
    values.push_back(cut(argument, dist::getLayout(type)));
  }
  Operation *end = function.getBody().front().getTerminator();
  FailureOr<SmallVector<Sharded>> results =
      runBlock(function.getBody().front(), values, end->getOperands(), nullptr);
  if (failed(results))
    return failure();
  SmallVector<Tensor> wholes;
  for (auto [number, result] : llvm::enumerate(*results)) {
    FailureOr<Tensor> tensor = whole(end, number, result);
    if (failed(tensor))
      return failure();
    wholes.push_back(std::move(*tensor));
  }
  return wholes;
}

FailureOr<SmallVector<Sharded>> Interpreter::runBlock(Block &block, ArrayRef<Sharded> arguments,
                                                      ValueRange wanted, const Device *device) {
  DenseMap<Value, Sharded> values;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    SmallVector<const Sharded *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(&values.find(operand)->second);
    ShardedResults results = evaluate(&op, operands, device);
    if (failed(results))
      return failure();
    if (observer && !device)
      observer(&op, *results);
    for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
      values[result] = std::move(value);
  }
  SmallVector<Sharded> results;
  for (Value value : wanted)
    results.push_back(values.lookup(value));
  return results;
}

Interpreter::ShardedResults Interpreter::evaluate(Operation *op, ShardedOperands operands,
                                                  const Device *device) {
  if (auto step = dyn_cast<dist::StepOpInterface>(op)) {
    SmallVector<Type> after;
    for (RankedTensorType type : step.getAfter())
      after.push_back(type);
    return move(op, operands, after);
  }
  if (isa<dist::RedistributeOp>(op))
    return move(op, operands, op->getResultTypes());
  if (isa<dist::WaitOp>(op))
    return SmallVector<Sharded>{*operands[0]};
  if (isa<vs::RecomputeOp, vs::FusedOp>(op))
    return evaluateOnce(op, operands, device);
  if (isa<vs::RepeatOp>(op))
    return evaluateRepeat(op, operands, device);
  if (isa<dist::ManualOp>(op))
    return evaluateManual(op, operands);
  if (auto axisIndex = dyn_cast<dist::AxisIndexOp>(op)) {
    if (!device)
      return op->emitOpError("has no value outside of what one device does"), failure();
    std::optional<int> axis = device->mesh->axisIndex(axisIndex.getAxis());
    if (!axis)
      return op->emitOpError() << "names an axis that the mesh " << device->mesh->str()
                               << " does not have",
             failure();
    return SmallVector<Sharded>{Sharded(Tensor::index(device->coordinate[*axis]))};
  }
  FailureOr<const layout::Mesh *> mesh = meshOf(op);
  if (failed(mesh))
    return failure();
  return *mesh ? evaluateOnAll(op, operands, **mesh) : evaluatePlain(op, operands);
}

Interpreter::ShardedResults Interpreter::evaluatePlain(Operation *op, ShardedOperands operands) {
  // A hint about layouts hands its operand on.
  if (isa<dist::ConstrainOp, dist::BarrierOp, dist::GroupOp>(op))
    return SmallVector<Sharded>{*operands[0]};
  Evaluate evaluate = EvaluationTable::get().lookup(op->getName().getStringRef());
  if (!evaluate)
    return op->emitOpError("has no meaning in the interpreter"), failure();
  SmallVector<const Tensor *> tensors;
  for (const Sharded *operand : operands)
    tensors.push_back(&operand->shards[0]);
  Results results = evaluate(op, tensors);
  if (failed(results))
    return failure();
  SmallVector<Sharded> values;
  for (Tensor &result : *results) {
    if (options.declaredTypes)
      result.roundToType();
    values.push_back(Sharded(std::move(result)));
  }
  return values;
}

Interpreter::ShardedResults Interpreter::evaluateOnAll(Operation *op, ShardedOperands operands,
                                                       const layout::Mesh &mesh) {
  SmallVector<Sharded> values(op->getNumResults());
  for (auto [value, type] : llvm::zip_equal(values, op->getResultTypes()))
    value.layout = dist::getLayout(type);
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    Device device{&mesh, mesh.coordinate(p)};
    FailureOr<const LocalForm *> form = forms.get(op, device.coordinate);
    if (failed(form))
      return failure();
    SmallVector<Sharded> local;
    for (const Sharded *operand : operands)
      local.push_back(Sharded(operand->at(p)));
    FailureOr<SmallVector<Sharded>> results =
        runBlock(*(*form)->block, local, (*form)->results, &device);
    if (failed(results))
      return op->emitOpError() << "has no value on rank " << mesh.deviceId(p), failure();
    for (auto [number, result] : llvm::enumerate(*results)) {
      Tensor &tensor = result.shards[0];
      Sharded &value = values[number];
      if (value.layout) {
        Shape expected = layout::localShape(*value.layout, shapeOf(op->getResult(number).getType()),
                                            device.coordinate);
        if (tensor.shape() != expected)
          return op->emitOpError() << fmt::format("gives result {} of shape [{}] on rank {}, "
                                                  "where its layout says [{}]",
                                                  number, fmt::join(tensor.shape(), ", "),
                                                  mesh.deviceId(p), fmt::join(expected, ", ")),
                 failure();
        value.shards.push_back(std::move(tensor));
      } else if (p == 0) {
        value.shards.push_back(std::move(tensor));
      } else if (!(value.shards[0] == tensor)) {
        return op->emitOpError() << "gives result " << number
                                 << ", which has no layout, different values on ranks "
                                 << mesh.deviceId(0) << " and " << mesh.deviceId(p),
               failure();
      }
    }
  }
  return values;
}

FailureOr<Tensor> Interpreter::whole(Operation *op, unsigned operand, const Sharded &value) {
  layout::StatusOr<Tensor> tensor = rebuild(value, shapeOf(op->getOperand(operand).getType()));
  if (!tensor.ok())
    return op->emitOpError() << "has an inconsistent operand " << operand << ": "
                             << tensor.message(),
           failure();
  return std::move(*tensor);
}

Interpreter::ShardedResults Interpreter::move(Operation *op, ShardedOperands operands,
                                              TypeRange after) {
  SmallVector<Sharded> values;
  for (auto [number, type] : llvm::enumerate(after)) {
    FailureOr<Tensor> tensor = whole(op, number, *operands[number]);
    if (failed(tensor))
      return failure();
    if (options.declaredTypes)
      tensor->roundToType();
    values.push_back(cut(*tensor, dist::getLayout(type)));
  }
  return values;
}

} // namespace vescale::analysis
