//===- Scatter.cpp - loops of ops that write at indices -------------------===//
//
// Updates of one place must meet in order, so the outer parallel loop runs over parts that never share a place:
// runs of the dims behind (or before) the indexed one.
//
//===----------------------------------------------------------------------===//

#include "passes/codegen/ElementReader.h"
#include "passes/codegen/elements/Elements.h"
#include "passes/codegen/elements/Scalar.h"

#include "dialects/vs/IndexingOps.h"
#include "dialects/vs/VsDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace vescale::elements {
namespace {

/// Elements of a row that one part handles.
constexpr int64_t partSize = 64;

struct PutModel : LoopNestOpInterface::ExternalModel<PutModel, vs::PutOp> {
  struct Sizes {
    int64_t outer = 1, table = 1, inner = 1, numIndices = 1;
    int64_t runs() const { return (inner + partSize - 1) / partSize; }
  };

  /// x seen as (outer, table, inner) and the updates as (outer, indices, inner).
  static Sizes sizes(vs::PutOp op) {
    auto x = llvm::cast<RankedTensorType>(op.getX().getType());
    auto indices = llvm::cast<RankedTensorType>(op.getIndices().getType());
    Sizes result;
    int64_t dim = op.getDim();
    for (int64_t size : x.getShape().take_front(dim))
      result.outer *= size;
    result.table = x.getDimSize(dim);
    for (int64_t size : x.getShape().drop_front(dim + 1))
      result.inner *= size;
    result.numIndices = indices.getNumElements();
    return result;
  }

  int64_t getExtent(Operation *op) const {
    Sizes s = sizes(llvm::cast<vs::PutOp>(op));
    return s.outer * s.runs();
  }

  /// The indices of a tensor of `shape` whose dims before `dim` have the linear index `outer`, whose dims from there
  /// have the indices `middle`, and whose remaining dims have the linear index `inner`.
  static SmallVector<Value> unflatten(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape, int64_t dim, Value outer,
                                      ArrayRef<Value> middle, Value inner) {
    SmallVector<Value> result(shape.size());
    auto split = [&](Value linear, int64_t first, int64_t last) {
      for (int64_t k = last; k-- > first;) {
        Value size = b.create<arith::ConstantIndexOp>(shape[k]);
        result[k] = k == first ? linear : Value(b.create<arith::RemUIOp>(linear, size));
        linear = k == first ? linear : Value(b.create<arith::DivUIOp>(linear, size));
      }
    };
    int64_t next = dim + static_cast<int64_t>(middle.size());
    split(outer, 0, dim);
    llvm::copy(middle, result.begin() + dim);
    split(inner, next, shape.size());
    return result;
  }

  LogicalResult buildLoops(Operation *operation, ImplicitLocOpBuilder &b,
                           llvm::function_ref<Value(unsigned, ValueRange)> read, ValueRange results, Value begin,
                           Value end) const {
    auto op = llvm::cast<vs::PutOp>(operation);
    Sizes s = sizes(op);
    Value result = results[0];
    int64_t dim = op.getDim();
    ArrayRef<int64_t> shape = llvm::cast<RankedTensorType>(op.getX().getType()).getShape();
    ArrayRef<int64_t> indexShape = llvm::cast<RankedTensorType>(op.getIndices().getType()).getShape();
    ArrayRef<int64_t> updateShape = llvm::cast<RankedTensorType>(op.getUpdates().getType()).getShape();
    Type stored = llvm::cast<MemRefType>(result.getType()).getElementType(), wide = computationType(stored);
    auto constant = [&](int64_t value) -> Value { return b.create<arith::ConstantIndexOp>(value); };
    auto loop = [&](Value low, Value high, llvm::function_ref<void(Value)> body) {
      auto created = b.create<scf::ForOp>(low, high, constant(1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(created.getBody());
      body(created.getInductionVar());
    };
    auto store = [&](Value element, ValueRange at) {
      if (wide != stored)
        element = b.create<arith::TruncFOp>(stored, element);
      b.create<memref::StoreOp>(element, result, at);
    };
    Value zero = constant(0);
    loop(begin, end, [&](Value part) {
      Value outer = b.create<arith::DivUIOp>(part, constant(s.runs()));
      Value run = b.create<arith::RemUIOp>(part, constant(s.runs()));
      Value low = b.create<arith::MulIOp>(run, constant(partSize));
      Value high = b.create<arith::AddIOp>(low, constant(partSize));
      high = b.create<arith::MinSIOp>(high, constant(s.inner));
      loop(zero, constant(s.table), [&](Value row) {
        loop(low, high, [&](Value column) {
          SmallVector<Value> at = unflatten(b, shape, dim, outer, {row}, column);
          store(read(0, at), at);
        });
      });
      loop(zero, constant(s.numIndices), [&](Value number) {
        SmallVector<Value> place = unflatten(b, indexShape, 0, zero, {}, number);
        Value index = b.create<arith::IndexCastOp>(b.getIndexType(), read(1, place));
        // A negative index is a large one as an unsigned number.
        Value inside = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, index, constant(s.table));
        auto guarded = b.create<scf::IfOp>(inside);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(guarded.thenBlock());
        loop(low, high, [&](Value column) {
          SmallVector<Value> at = unflatten(b, shape, dim, outer, {index}, column);
          Value update = read(2, unflatten(b, updateShape, dim, outer, place, column));
          Value old = b.create<memref::LoadOp>(result, at);
          if (wide != stored)
            old = b.create<arith::ExtFOp>(wide, old);
          store(meet(b, op, old, update), at);
        });
      });
    });
    return success();
  }

  static Value meet(ImplicitLocOpBuilder &b, vs::PutOp op, Value old, Value update) {
    if (op.getKind() == vs::ScatterKind::Set)
      return update;
    if (op.getKind() == vs::ScatterKind::Add)
      return add(b, old, update);
    bool isUnsigned =
        llvm::cast<RankedTensorType>(op.getX().getType()).getElementType().isUnsignedInteger();
    if (isa<FloatType>(old.getType()))
      return b.create<arith::MaximumFOp>(old, update);
    return isUnsigned ? Value(b.create<arith::MaxUIOp>(old, update)) : Value(b.create<arith::MaxSIOp>(old, update));
  }
};

} // namespace

void registerScatter(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::PutOp::attachInterface<PutModel>(*context);
  });
}

} // namespace vescale::elements
