//===- KernelEmitter.cpp - loops for one fused group ----------------------===//
//
//   kernel(memrefs, parameters, begin, end):
//     scalars that do not depend on the row (0-D tensors, offsets)
//     for row = begin to end:
//       for each value with a buffer: loops over the dims that the row leaves of it
//
// In the flat form all outputs are computed in one inner loop and stored at its end, so an output may lie in the
// memory of an operand.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/KernelEmitter.h"

#include "passes/codegen/ElementInterface.h"
#include "passes/codegen/ElementReader.h"
#include "passes/codegen/IterationSpace.h"
#include "passes/codegen/NativeCode.h"

#include "dialects/vs/StepAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace vescale {
namespace {

/// One loop dim: indices [low, high).
struct Range {
  Value low, high;
};

class Emitter {
public:
  Emitter(func::FuncOp local, func::FuncOp kernel)
      : local(local), body(local.front()), kernel(kernel),
        builder(ImplicitLocOpBuilder::atBlockBegin(local.getLoc(), kernel.addEntryBlock())),
        reader(builder) {
    begin = kernel.getArguments().drop_back().back();
    end = kernel.getArguments().back();
  }

  LogicalResult emitLoopNest(LoopNestOpInterface op, ArrayRef<Value> outputs) {
    bindArguments(/*flat=*/false);
    auto read = [&](unsigned operand, ValueRange indices) {
      // What was built for another place in the loops need not dominate this one.
      reader.enterBlock();
      return reader.read(op->getOperand(operand), indices);
    };
    if (failed(op.buildLoops(builder, read, outputs, begin, end)))
      return failure();
    builder.create<func::ReturnOp>();
    return success();
  }

  LogicalResult emit(const IterationSpace &found, ArrayRef<Value> outputs) {
    space = &found;
    bool flat = space->form == IterationSpace::Form::flat;
    bindArguments(flat);
    bindOutputs(outputs, flat);
    emitScalars();
    allocateBuffers();
    auto loop = builder.create<scf::ForOp>(begin, end, constant(1));
    builder.setInsertionPointToStart(loop.getBody());
    enterRow(loop.getInductionVar());
    if (flat)
      emitFlat();
    else
      for (Value value : space->materialized)
        emitValue(value);
    builder.setInsertionPointAfter(loop);
    builder.create<func::ReturnOp>();
    return success();
  }

private:
  Value constant(int64_t value) { return builder.create<arith::ConstantIndexOp>(value); }

  static RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }

  /// A view of a memref as one dim.
  Value flatten(Value memref) {
    auto type = cast<MemRefType>(memref.getType());
    if (type.getRank() == 1)
      return memref;
    if (type.getRank() == 0)
      return memref;
    ReassociationIndices all(llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank())));
    return builder.create<memref::CollapseShapeOp>(memref, ArrayRef<ReassociationIndices>{all});
  }

  void bindArguments(bool flat) {
    unsigned nextMemref = 0, nextParameter = 0;
    for (Type type : kernel.getArgumentTypes())
      nextParameter += isa<MemRefType>(type);
    for (BlockArgument argument : body.getArguments()) {
      if (argument.getType().isIndex()) {
        reader.setScalar(argument, kernel.getArgument(nextParameter++));
        continue;
      }
      Value memref = kernel.getArgument(nextMemref++);
      bindWhole(argument, memref, flat);
    }
    IRMapping offsets;
    for (Operation &op : body)
      if (!isa<ElementOpInterface, AccumulationOpInterface>(op) &&
          llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
          !op.hasTrait<OpTrait::IsTerminator>()) {
        for (Value operand : op.getOperands())
          offsets.map(operand, reader.read(operand, {}));
        Operation *clone = builder.clone(op, offsets);
        for (auto [result, cloned] : llvm::zip_equal(op.getResults(), clone->getResults()))
          reader.setScalar(result, cloned);
      }
  }

  void bindWhole(Value value, Value memref, bool flat) {
    int64_t rank = flat ? std::min<int64_t>(tensorType(value).getRank(), 1) : tensorType(value).getRank();
    reader.setBuffer(value, flat ? flatten(memref) : memref, SmallVector<Value>(rank, constant(0)));
  }

  void bindOutputs(ArrayRef<Value> outputs, bool flat) {
    for (auto [value, memref] : llvm::zip_equal(body.getTerminator()->getOperands(), outputs)) {
      if (isa<BlockArgument>(value) || outputMemrefs.count(value)) {
        // An argument that is returned, or one value returned twice: copied at its own index.
        copies.push_back({value, memref});
        continue;
      }
      outputMemrefs[value] = memref;
      // In the flat form outputs are never read back: their memory may be an operand's.
      if (!flat)
        bindWhole(value, memref, flat);
    }
  }

  /// 0-D values that only depend on 0-D arguments are computed once, before the rows.
  void emitScalars() {
    llvm::DenseSet<Value> known;
    auto isKnown = [&](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return !type || (type.getRank() == 0 && (isa<BlockArgument>(value) || known.contains(value)));
    };
    for (Operation &op : body) {
      if (!isa<ElementOpInterface>(op) || !llvm::all_of(op.getOperands(), isKnown))
        continue;
      for (Value result : op.getResults())
        if (tensorType(result).getRank() == 0 && !space->materialized.contains(result)) {
          reader.setScalar(result, reader.compute(result, {}));
          known.insert(result);
        }
    }
  }

  void allocateBuffers() {
    for (Value value : space->materialized) {
      if (outputMemrefs.count(value) || isa<BlockArgument>(value) ||
          space->form == IterationSpace::Form::flat)
        continue;
      SmallVector<int64_t> shape;
      for (auto [dim, row] : llvm::enumerate(space->rowDims.lookup(value)))
        if (row < 0)
          shape.push_back(tensorType(value).getDimSize(dim));
        else if (space->form == IterationSpace::Form::columns)
          shape.push_back(space->run);
      Type element = computationType(tensorType(value).getElementType());
      buffers[value] = builder.create<memref::AllocaOp>(MemRefType::get(shape, element),
                                                        builder.getI64IntegerAttr(64));
    }
  }

  /// Computes the indices of the row and tells the reader where the row's buffers lie.
  void enterRow(Value row) {
    reader.enterBlock();
    if (space->form == IterationSpace::Form::rows) {
      Value rest = row;
      rowRanges.assign(space->rows.size(), Range());
      for (int dim = static_cast<int>(space->rows.size()) - 1; dim >= 0; --dim) {
        Value size = constant(space->rows[dim]);
        Value index = dim == 0 ? rest : Value(builder.create<arith::RemUIOp>(rest, size));
        rest = dim == 0 ? rest : Value(builder.create<arith::DivUIOp>(rest, size));
        rowRanges[dim] = {index, Value()};
      }
    } else {
      Value low = builder.create<arith::MulIOp>(row, constant(space->run));
      Value high = builder.create<arith::AddIOp>(low, constant(space->run));
      high = builder.create<arith::MinSIOp>(high, constant(space->rows[0]));
      rowRanges.assign(1, Range{low, high});
    }
    for (auto [value, memref] : buffers) {
      SmallVector<Value> origins;
      for (int row : space->rowDims.lookup(value)) {
        bool columns = space->form == IterationSpace::Form::columns;
        origins.push_back(row < 0 ? constant(0) : columns ? rowRanges[row].low : Value());
      }
      reader.setBuffer(value, memref, origins);
    }
  }

  /// The loop ranges of the dims of `value` in this row; a null high bound is a single index.
  SmallVector<Range> ranges(Value value) {
    SmallVector<Range> result;
    for (auto [dim, row] : llvm::enumerate(space->rowDims.lookup(value)))
      result.push_back(row >= 0 ? rowRanges[row]
                                : Range{constant(0), constant(tensorType(value).getDimSize(dim))});
    return result;
  }

  /// Opens loops over the dims listed in `order` (the last is the innermost), fills `indices`, and runs `inner`.
  void forEach(ArrayRef<Range> ranges, ArrayRef<int64_t> order, MutableArrayRef<Value> indices,
               llvm::function_ref<void()> inner) {
    OpBuilder::InsertionGuard guard(builder);
    for (int64_t dim : order) {
      if (!ranges[dim].high) {
        indices[dim] = ranges[dim].low;
        continue;
      }
      auto loop = builder.create<scf::ForOp>(ranges[dim].low, ranges[dim].high, constant(1));
      indices[dim] = loop.getInductionVar();
      builder.setInsertionPointToStart(loop.getBody());
    }
    reader.enterBlock();
    inner();
    reader.enterBlock();
  }

  void forEach(ArrayRef<Range> ranges, llvm::function_ref<void(ValueRange)> inner) {
    SmallVector<Value> indices(ranges.size());
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, ranges.size()));
    forEach(ranges, order, indices, [&] { inner(indices); });
  }

  void emitFlat() {
    forEach(rowRanges, [&](ValueRange indices) {
      SmallVector<std::pair<Value, Value>> stores;
      auto position = [&](Value memref) {
        return cast<MemRefType>(memref.getType()).getRank() == 0 ? ValueRange() : indices;
      };
      for (auto [value, memref] : outputMemrefs)
        stores.push_back({reader.read(value, position(memref)), memref});
      for (auto [value, memref] : copies)
        stores.push_back({reader.read(value, position(memref)), memref});
      for (auto [element, memref] : stores) {
        Type type = cast<MemRefType>(memref.getType()).getElementType();
        if (type != element.getType())
          element = builder.create<arith::TruncFOp>(type, element);
        builder.create<memref::StoreOp>(element, flatten(memref), position(memref));
      }
    });
  }

  void emitValue(Value value) {
    auto accumulation = dyn_cast_or_null<AccumulationOpInterface>(value.getDefiningOp());
    if (accumulation) {
      emitAccumulation(value, accumulation);
    } else if (!isa<BlockArgument>(value)) {
      forEach(ranges(value), [&](ValueRange indices) {
        reader.write(value, indices, reader.compute(value, indices));
      });
    }
    for (auto [copied, memref] : copies)
      if (copied == value)
        forEach(ranges(value), [&, memref = memref](ValueRange indices) {
          Value element = reader.read(value, indices);
          Type type = cast<MemRefType>(memref.getType()).getElementType();
          if (type != element.getType())
            element = builder.create<arith::TruncFOp>(type, element);
          builder.create<memref::StoreOp>(element, memref, indices);
        });
  }

  void emitAccumulation(Value value, AccumulationOpInterface op) {
    Value operand = op->getOperand(0);
    RankedTensorType operandType = tensorType(operand);
    SmallVector<int64_t> accumulated = op.getAccumulatedDims();
    SmallVector<int64_t> kept;
    SmallVector<Range> keptRanges = ranges(value), all;
    for (int64_t dim = 0; dim < operandType.getRank(); ++dim)
      if (llvm::is_contained(accumulated, dim)) {
        all.push_back({constant(0), constant(operandType.getDimSize(dim))});
      } else {
        all.push_back(keptRanges[kept.size()]);
        kept.push_back(dim);
      }
    if (accumulated.empty() || accumulated.back() == operandType.getRank() - 1 || kept.empty())
      accumulateInRegister(value, op, all, kept, accumulated);
    else
      accumulateInMemory(value, op, all, kept, accumulated);
  }

  static SmallVector<Value> select(ArrayRef<Value> indices, ArrayRef<int64_t> dims) {
    SmallVector<Value> result;
    for (int64_t dim : dims)
      result.push_back(indices[dim]);
    return result;
  }

  /// The innermost dim is combined: loops over the kept dims, and inside them loops that carry the accumulator.
  void accumulateInRegister(Value value, AccumulationOpInterface op, ArrayRef<Range> all,
                            ArrayRef<int64_t> kept, ArrayRef<int64_t> accumulated) {
    SmallVector<Value> indices(all.size());
    forEach(all, kept, indices, [&] {
      Value accumulator = op.buildIdentity(builder);
      SmallVector<scf::ForOp> loops;
      OpBuilder::InsertPoint after = builder.saveInsertionPoint();
      for (int64_t dim : accumulated) {
        auto loop = builder.create<scf::ForOp>(all[dim].low, all[dim].high, constant(1),
                                               ValueRange{accumulator});
        accumulator = loop.getRegionIterArg(0);
        indices[dim] = loop.getInductionVar();
        loops.push_back(loop);
        builder.setInsertionPointToStart(loop.getBody());
      }
      reader.enterBlock();
      Value next = op.buildCombination(builder, accumulator, reader.read(op->getOperand(0), indices));
      for (scf::ForOp loop : llvm::reverse(loops)) {
        builder.setInsertionPointToEnd(loop.getBody());
        builder.create<scf::YieldOp>(next);
        next = loop.getResult(0);
      }
      builder.restoreInsertionPoint(after);
      if (!loops.empty())
        builder.setInsertionPointAfter(loops.front());
      reader.enterBlock();
      reader.write(value, select(indices, kept), op.buildFinal(builder, next));
    });
  }

  /// The innermost dim is kept: an accumulator for each kept index, the loops over combined dims outside.
  void accumulateInMemory(Value value, AccumulationOpInterface op, ArrayRef<Range> all,
                          ArrayRef<int64_t> kept, ArrayRef<int64_t> accumulated) {
    SmallVector<Range> keptRanges;
    for (int64_t dim : kept)
      keptRanges.push_back(all[dim]);
    forEach(keptRanges,
            [&](ValueRange indices) { reader.write(value, indices, op.buildIdentity(builder)); });
    SmallVector<int64_t> order(accumulated);
    order.append(kept.begin(), kept.end());
    SmallVector<Value> indices(all.size());
    forEach(all, order, indices, [&] {
      SmallVector<Value> at = select(indices, kept);
      Value element = reader.read(op->getOperand(0), indices);
      reader.write(value, at, op.buildCombination(builder, reader.read(value, at), element));
    });
    forEach(keptRanges, [&](ValueRange indices) {
      reader.write(value, indices, op.buildFinal(builder, reader.read(value, indices)));
    });
  }

  func::FuncOp local;
  Block &body;
  func::FuncOp kernel;
  ImplicitLocOpBuilder builder;
  ElementReader reader;
  const IterationSpace *space = nullptr;
  Value begin, end;
  llvm::MapVector<Value, Value> outputMemrefs;
  llvm::MapVector<Value, Value> buffers;
  SmallVector<std::pair<Value, Value>> copies;
  SmallVector<Range> rowRanges;
};

MemRefType memrefType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

} // namespace

FailureOr<KernelShape> emitKernel(func::FuncOp local, StringRef name, ModuleOp module) {
  Block &body = local.front();
  KernelShape shape;
  SmallVector<Type> types;
  SmallVector<unsigned> memrefOfArgument;
  unsigned numParameters = 0;
  for (Type type : local.getArgumentTypes()) {
    memrefOfArgument.push_back(types.size());
    if (type.isIndex())
      ++numParameters;
    else
      types.push_back(memrefType(type));
  }
  SmallVector<int> outputMemref;
  for (auto [number, type] : llvm::enumerate(local.getResultTypes())) {
    auto alias = local.getResultAttrOfType<IntegerAttr>(number, vs::aliasesAttributeName);
    shape.aliases.push_back(alias ? alias.getInt() : -1);
    outputMemref.push_back(alias ? memrefOfArgument[alias.getInt()] : types.size());
    if (!alias)
      types.push_back(memrefType(type));
  }
  types.append(numParameters + 2, IndexType::get(local.getContext()));

  // Both forms need to know their iterations before anything is built.
  LoopNestOpInterface loopNest;
  std::optional<IterationSpace> space;
  for (Operation &op : body)
    if (auto candidate = dyn_cast<LoopNestOpInterface>(op))
      loopNest = candidate;
  if (loopNest) {
    for (Operation &op : body.without_terminator())
      if (&op != loopNest && !isa<ElementOpInterface>(op) &&
          llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
        return op.emitOpError("cannot be computed inside the kernel of ") << loopNest->getName();
    if (body.getTerminator()->getOperands() != loopNest->getResults())
      return loopNest->emitOpError("must be returned as it is by its kernel");
    if (llvm::any_of(shape.aliases, [](int alias) { return alias >= 0; }))
      return loopNest->emitOpError("cannot be computed in place");
    shape.extent = loopNest.getExtent();
  } else {
    SmallVector<Operation *> ops;
    for (Operation &op : body.without_terminator())
      if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
        ops.push_back(&op);
    space = findIterationSpace(ops, llvm::to_vector(body.getTerminator()->getOperands()));
    if (!space)
      return local.emitError("no kernel can compute this group of operations");
    if (space->form != IterationSpace::Form::flat &&
        llvm::any_of(shape.aliases, [](int alias) { return alias >= 0; }))
      return local.emitError("a group that is not elementwise cannot be computed in place");
    shape.extent = space->extent();
  }

  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  auto kernel = builder.create<func::FuncOp>(local.getLoc(), name, builder.getFunctionType(types, {}));
  kernel->setAttr(kernelAttributeName, builder.getUnitAttr());
  Emitter emitter(local, kernel);
  SmallVector<Value> outputs;
  for (int memref : outputMemref)
    outputs.push_back(kernel.getArgument(memref));
  LogicalResult emitted =
      loopNest ? emitter.emitLoopNest(loopNest, outputs) : emitter.emit(*space, outputs);
  if (failed(emitted)) {
    kernel.erase();
    return failure();
  }
  // Generators of random numbers are casts that nothing uses once the elements are built.
  for (auto cast : llvm::make_early_inc_range(kernel.front().getOps<UnrealizedConversionCastOp>()))
    if (cast->use_empty())
      cast.erase();
  return shape;
}

} // namespace vescale
