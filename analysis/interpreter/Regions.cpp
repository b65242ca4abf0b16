//===- Regions.cpp - Ops that run regions ---------------------------------------------------===//

#include "analysis/interpreter/Interpreter.h"
#include "analysis/interpreter/Random.h"

#include "dialects/dist/DistOps.h"
#include "dialects/dist/LayoutTypes.h"
#include "dialects/vs/StructureOps.h"

using namespace mlir;

namespace vescale::analysis {

/// A region whose arguments are the operands and whose yielded values are the results.
Interpreter::ShardedResults Interpreter::evaluateOnce(Operation *op, ShardedOperands operands,
                                                      const Device *device) {
  SmallVector<Sharded> arguments;
  for (const Sharded *operand : operands)
    arguments.push_back(*operand);
  Block &body = op->getRegion(0).front();
  return runBlock(body, arguments, body.getTerminator()->getOperands(), device);
}

Interpreter::ShardedResults Interpreter::evaluateRepeat(Operation *op, ShardedOperands operands,
                                                        const Device *device) {
  auto repeat = cast<vs::RepeatOp>(op);
  Block &body = op->getRegion(0).front();
  SmallVector<Sharded> arguments;
  for (const Sharded *operand : operands)
    arguments.push_back(*operand);
  size_t carried = repeat.getInitial().size();
  for (int64_t run = 0; run < repeat.getCount(); ++run) {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (isa<vs::RngType>(body.getArgument(i).getType()))
        for (auto [shard, outer] : llvm::zip_equal(arguments[i].shards, operands[i]->shards))
          shard = generatorOfRun(outer, run, repeat.getCount());
    ShardedResults results = runBlock(body, arguments, body.getTerminator()->getOperands(), device);
    if (failed(results))
      return failure();
    std::move(results->begin(), results->end(), arguments.begin());
  }
  // What a run does to its generators ends with it.
  for (size_t i = 0; i < carried; ++i)
    if (isa<vs::RngType>(body.getArgument(i).getType()))
      arguments[i] = *operands[i];
  arguments.resize(carried);
  return arguments;
}

/// The body runs on each device alone, on its parts of the operands.
Interpreter::ShardedResults Interpreter::evaluateManual(Operation *op, ShardedOperands operands) {
  auto manual = cast<dist::ManualOp>(op);
  Block &body = op->getRegion(0).front();
  for (BlockArgument argument : body.getArguments())
    if (dist::getLayout(argument))
      return op->emitOpError("has a body that is distributed itself, which the interpreter does "
                             "not evaluate"),
             failure();
  auto layoutAt = [](ArrayAttr layouts, size_t number) {
    return &cast<dist::LayoutAttr>(layouts[number]).getLayout();
  };
  SmallVector<Sharded> inputs, outputs(op->getNumResults());
  const layout::Mesh *mesh = nullptr;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    FailureOr<Tensor> tensor = whole(op, i, *operands[i]);
    if (failed(tensor))
      return failure();
    inputs.push_back(cut(*tensor, layoutAt(manual.getInLayouts(), i)));
    mesh = &inputs.back().layout->mesh();
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    outputs[i].layout = layoutAt(manual.getOutLayouts(), i);
    mesh = &outputs[i].layout->mesh();
  }
  if (!mesh)
    return outputs;
  for (int64_t p = 0; p < mesh->numDevices(); ++p) {
    Device device{mesh, mesh->coordinate(p)};
    SmallVector<Sharded> local;
    for (const Sharded &input : inputs)
      local.push_back(Sharded(input.at(p)));
    ShardedResults results = runBlock(body, local, body.getTerminator()->getOperands(), &device);
    if (failed(results))
      return failure();
    for (auto [output, result] : llvm::zip_equal(outputs, *results))
      output.shards.push_back(std::move(result.shards[0]));
  }
  for (auto [number, output] : llvm::enumerate(outputs)) {
    auto type = cast<RankedTensorType>(op->getResult(number).getType());
    layout::StatusOr<Tensor> tensor =
        rebuild(output, Shape(type.getShape().begin(), type.getShape().end()));
    if (!tensor.ok())
      return op->emitOpError() << "gives an inconsistent result " << number << ": "
                               << tensor.message(),
             failure();
    output = cut(*tensor, dist::getLayout(type));
  }
  return outputs;
}

} // namespace vescale::analysis
