//===- ProgramBuilder.cpp - the program of one class of devices -----------===//

#include "passes/schedule/ProgramBuilder.h"

#include "passes/fusion/KernelKind.h"
#include "passes/fusion/LibraryCallInterface.h"
#include "passes/memory/DeviceClasses.h"
#include "passes/memory/Storage.h"
#include "passes/schedule/DrawNumbers.h"

#include "dialects/dist/DataFlowInterface.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/dist/StepInterface.h"
#include "dialects/vs/StepAttributes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace vescale {

CollectiveIds numberCollectives(ArrayRef<func::FuncOp> functions) {
  // Steps keep the id by which reports know them where it is still free; the others come after.
  CollectiveIds ids;
  llvm::DenseSet<int64_t> taken;
  int64_t next = 0;
  SmallVector<dist::StepOpInterface> later;
  for (func::FuncOp function : functions)
    function->walk([&](dist::StepOpInterface step) {
      std::optional<int64_t> id = step.getStepId();
      if (id && step.getBefore().size() == 1 && taken.insert(*id).second) {
        ids[step] = *id;
        next = std::max(next, *id + 1);
      } else {
        later.push_back(step);
      }
    });
  for (dist::StepOpInterface step : later) {
    ids[step] = next;
    next += step.getBefore().size();
  }
  return ids;
}

FailureOr<sched::ProgramOp> ProgramBuilder::build(OpBuilder &place, int64_t number) {
  auto arena = function->getAttrOfType<IntegerAttr>(arenaAttributeName);
  if (!arena)
    return function.emitError() << "has no " << arenaAttributeName << ": run sched-assign-buffers";
  auto program = place.create<sched::ProgramOp>(
      function.getLoc(), (function.getSymName() + ".class" + Twine(number)).str(), function.getSymName(), number,
      arena.getInt(),
      place.getStrArrayAttr({"compute", "communication"}), 0);
  Block *body = &program.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);
  // A mark between declarations and instructions while both grow.
  auto mark = builder.create<sched::ScalarOp>(
      function.getLoc(), builder.getType<sched::ScalarType>(), sched::ScalarKind::constant, 1, 0, TypeAttr(),
      0, 0);
  declarations.setInsertionPoint(mark);

  if (failed(buildHostInputs()))
    return failure();
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(buildOp(&op)))
      return failure();
  if (failed(buildHostOutputs()))
    return failure();
  mark.erase();
  return program;
}

LogicalResult ProgramBuilder::buildHostInputs() {
  for (BlockArgument argument : function.getArguments()) {
    HostTensor host = tensors.arguments[argument.getArgNumber()];
    if (!host.tensor && !host.quantity)
      continue;
    FailureOr<Value> place = buffer(argument, host.tensor);
    if (failed(place))
      return failure();
    const int32_t access[] = {sched::write};
    if (host.quantity)
      builder.create<sched::ScalarUpdateOp>(
          argument.getLoc(), *host.quantity, computeStream,
          cast<RankedTensorType>(argument.getType()).getElementType(), *place, access,
          DenseI64ArrayAttr());
    else if (sched::TensorOp tensor = host.tensor; tensor.getRole() == sched::Role::batch)
      builder.create<sched::HostInputOp>(argument.getLoc(), tensor.getSymName(), computeStream, *place,
                                         access, DenseI64ArrayAttr());
  }
  return success();
}

LogicalResult ProgramBuilder::buildOp(Operation *op) {
  switch (kernelKind(op)) {
  case KernelKind::fused:
    return buildLaunch(op);
  case KernelKind::library:
    return buildLibraryCall(op);
  case KernelKind::collective:
    return buildCollectives(op);
  case KernelKind::view:
    return success();
  case KernelKind::structure:
    if (runsOnce(op)) {
      for (Operation &inner : op->getRegion(0).front().without_terminator())
        if (failed(buildOp(&inner)))
          return failure();
      return success();
    }
    if (op->getNumRegions() != 0)
      return buildLoop(op);
    if (isMemoryEffectFree(op))
      return success();
    break;
  case KernelKind::generated:
  case KernelKind::unsupported:
    break;
  }
  return op->emitOpError("is no instruction of a schedule: it must be in a fused group, a library call, a "
                         "collective or a view");
}

LogicalResult ProgramBuilder::buildLaunch(Operation *group) {
  if (llvm::all_of(group->getResults(), [&](Value result) { return bytes(result) == 0; }))
    return success();
  // A result in the memory of an operand is an operand that is updated.
  SmallVector<int64_t> offsets;
  for (Value operand : group->getOperands()) {
    FailureOr<int64_t> offset(int64_t(-1));
    if (storedType(operand.getType()))
      offset = assignedOffset(operand);
    if (failed(offset))
      return failure();
    offsets.push_back(*offset);
  }
  SmallVector<int> aliases;
  for (Value result : group->getResults()) {
    FailureOr<int64_t> offset = assignedOffset(result);
    if (failed(offset))
      return failure();
    int alias = -1;
    for (size_t operand = 0; operand < offsets.size() && alias < 0; ++operand)
      if (offsets[operand] == *offset && bytes(group->getOperand(operand)) > 0 && bytes(result) > 0)
        alias = static_cast<int>(operand);
    aliases.push_back(alias);
  }
  FailureOr<LocalKernel> kernel = kernels.get(group, coordinate, aliases);
  if (failed(kernel))
    return failure();

  SmallVector<Value> operands, parameters;
  SmallVector<int32_t> access;
  auto add = [&](Value value, sched::Access how) -> LogicalResult {
    FailureOr<Value> place = buffer(value);
    if (failed(place))
      return failure();
    operands.push_back(*place);
    access.push_back(how);
    return success();
  };
  for (auto [number, operand] : llvm::enumerate(group->getOperands()))
    if (storedType(operand.getType()) &&
        failed(add(operand, llvm::is_contained(aliases, static_cast<int>(number)) ? sched::update
                                                                                  : sched::read)))
      return failure();
  for (auto [result, alias] : llvm::zip_equal(group->getResults(), aliases))
    if (alias < 0 && failed(add(result, sched::write)))
      return failure();
  for (const KernelParameter &parameter : kernel->parameters)
    parameters.push_back(scalar(parameter.kind, parameter.constant, nullptr, parameter.axis));
  builder.create<sched::LaunchOp>(labelled(group), kernel->symbol, computeStream, kernel->extent,
                                  /*grain=*/1, parameters, operands, access, DenseI64ArrayAttr());
  return success();
}

LogicalResult ProgramBuilder::buildLibraryCall(Operation *op) {
  if (llvm::all_of(op->getResults(), [&](Value result) { return bytes(result) == 0; }))
    return success();
  llvm::DenseMap<Value, Value> places;
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  for (Value value : values)
    if (storedType(value.getType())) {
      FailureOr<Value> place = buffer(value);
      if (failed(place))
        return failure();
      places[value] = *place;
    }
  auto find = [&](Value value) { return places.lookup(value); };
  auto constant = [&](int64_t value) { return scalar(sched::ScalarKind::constant, value); };
  auto start = [&](RankedTensorType type, int64_t dim) {
    const layout::Layout *layout = dist::getLayout(type);
    if (!layout || layout->dim(dim).empty())
      return scalar(sched::ScalarKind::constant, 0);
    return scalar(sched::ScalarKind::region_start, 0, type, dim);
  };
  bool numbered = true;
  auto draw = [&](Value generator, int64_t id) {
    FailureOr<DrawNumbers> numbers = generator ? drawNumbers(generator) : DrawNumbers();
    numbered &= succeeded(numbers);
    if (failed(numbers) || !numbers->loop)
      return constant(generator ? id : 0);
    return scalar(sched::ScalarKind::loop_index, id * numbers->count, nullptr, *numbers->loop);
  };
  LibraryCallSite site{coordinate, computeStream, find, constant, draw, start};
  if (failed(cast<LibraryCallOpInterface>(op).buildInstruction(builder, site)) || !numbered)
    return failure();
  builder.getBlock()->back().setLoc(labelled(op));
  return success();
}

LogicalResult ProgramBuilder::buildCollectives(Operation *op) {
  auto step = dyn_cast<dist::StepOpInterface>(op);
  if (!step)
    return op->emitOpError("is no step of communication that a schedule has");
  using layout::StepKind;
  auto kind = [&] {
    switch (step.getStepKind()) {
    case StepKind::allGather:
      return sched::CollectiveKind::all_gather;
    case StepKind::allToAll:
      return sched::CollectiveKind::all_to_all;
    case StepKind::permute:
      return sched::CollectiveKind::permute;
    case StepKind::reduceScatter:
      return sched::CollectiveKind::reduce_scatter;
    case StepKind::allReduce:
      return sched::CollectiveKind::all_reduce;
    // What each device does alone is an exchange with itself.
    case StepKind::slice:
    case StepKind::toPartial:
    case StepKind::exchange:
      return sched::CollectiveKind::exchange;
    }
    llvm_unreachable("a step of an unknown kind");
  }();
  int64_t stream = layout::isLocal(step.getStepKind()) ? computeStream : communicationStream;
  int64_t id = ids.lookup(op);
  for (auto [before, after, result] : llvm::zip_equal(step.getBefore(), step.getAfter(), op->getResults())) {
    FailureOr<Value> input = buffer(before), output = buffer(result);
    if (failed(input) || failed(output))
      return failure();
    builder.create<sched::CollectiveOp>(labelled(op), kind, id++, stream, before.getType(), after,
                                        ValueRange{*input, *output},
                                        ArrayRef<int32_t>{sched::read, sched::write},
                                        DenseI64ArrayAttr());
  }
  return success();
}

LogicalResult ProgramBuilder::buildLoop(Operation *loop) {
  FailureOr<SmallVector<CarriedValue>> carried = carriedValues(loop);
  auto flow = dyn_cast<dist::DataFlowOpInterface>(loop);
  if (failed(carried) || !flow)
    return loop->emitOpError("is no loop that a schedule has");
  for (const CarriedValue &value : *carried)
    if (storedType(value.result.getType()) && failed(buildCopy(value.initial, value.result)))
      return failure();
  if (flow.getRunCount() == 0)
    return success();
  auto op = builder.create<sched::LoopOp>(loop->getLoc(), flow.getRunCount());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  for (Operation &inner : loop->getRegion(0).front().without_terminator())
    if (failed(buildOp(&inner)))
      return failure();
  for (const CarriedValue &value : *carried)
    if (storedType(value.result.getType()) && failed(buildCopy(value.yielded, value.argument)))
      return failure();
  return success();
}

LogicalResult ProgramBuilder::buildCopy(Value from, Value to) {
  FailureOr<Value> source = buffer(from), target = buffer(to);
  if (failed(source) || failed(target))
    return failure();
  if (*source != *target && bytes(from) > 0)
    builder.create<sched::CopyOp>(from.getLoc(), computeStream, ValueRange{*source, *target},
                                  ArrayRef<int32_t>{sched::read, sched::write}, DenseI64ArrayAttr());
  return success();
}

LogicalResult ProgramBuilder::buildHostOutputs() {
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    if (!storedType(value.getType()))
      continue;
    FailureOr<Value> place = buffer(value, tensors.results[number].tensor);
    if (failed(place))
      return failure();
    if (sched::TensorOp tensor = tensors.results[number].tensor) {
      if (tensor.getRole() != sched::Role::value)
        builder.create<sched::HostOutputOp>(value.getLoc(), tensor.getSymName(), computeStream, *place,
                                            ArrayRef<int32_t>{sched::read}, DenseI64ArrayAttr());
      continue;
    }
    auto alias = function.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName);
    if (failed(buildCopy(value, function.getArgument(alias.getInt()))))
      return failure();
  }
  return success();
}

int64_t ProgramBuilder::bytes(Value value) const { return localBytes(value.getType(), coordinate); }

FailureOr<Value> ProgramBuilder::buffer(Value value, sched::TensorOp tensor) {
  FailureOr<int64_t> offset = assignedOffset(value);
  if (failed(offset))
    return failure();
  sched::BufferOp &known = buffers[{*offset, bytes(value)}];
  bool isOther = known && tensor && known.getTensor() && *known.getTensor() != tensor.getSymName();
  if (!known || isOther) {
    auto created = declarations.create<sched::BufferOp>(
        value.getLoc(), builder.getType<sched::BufferType>(), bytes(value), *offset,
        tensor ? FlatSymbolRefAttr::get(tensor.getSymNameAttr()) : FlatSymbolRefAttr());
    if (isOther)
      return Value(created.getResult());
    known = created;
  } else if (tensor) {
    known.setTensor(tensor.getSymName());
  }
  return Value(known.getResult());
}

Value ProgramBuilder::scalar(sched::ScalarKind kind, int64_t constant, Type tensorType, int64_t dim) {
  Value &known = scalars[{static_cast<int>(kind), constant, const_cast<void *>(tensorType.getAsOpaquePointer()), dim}];
  if (!known)
    known = declarations.create<sched::ScalarOp>(
        function.getLoc(), builder.getType<sched::ScalarType>(), kind, 1, constant,
        tensorType ? TypeAttr::get(tensorType) : TypeAttr(), dim, 0);
  return known;
}

Location ProgramBuilder::labelled(Operation *op) const {
  std::string label;
  if (op->getNumRegions() == 0) {
    label = op->getName().stripDialect();
  } else {
    // A group is called by what it computes.
    llvm::SetVector<StringRef> names;
    for (Operation &inner : op->getRegion(0).front().without_terminator())
      names.insert(inner.getName().stripDialect());
    for (StringRef name : ArrayRef(names.getArrayRef()).take_back(4))
      label += (label.empty() ? "" : " ") + name.str();
  }
  return NameLoc::get(StringAttr::get(op->getContext(), label), op->getLoc());
}

} // namespace vescale
