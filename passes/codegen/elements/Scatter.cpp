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

  static Value flatten(ImplicitLocOpBuilder &b, Value memref) {
    auto type = llvm::cast<MemRefType>(memref.getType());
    if (type.getRank() == 0)
      return b.create<memref::ExpandShapeOp>(MemRefType::get({1}, type.getElementType()), memref,
                                             ArrayRef<ReassociationIndices>{});
    if (type.getRank() == 1)
      return memref;
    ReassociationIndices all(llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank())));
    return b.create<memref::CollapseShapeOp>(memref, ArrayRef<ReassociationIndices>{all});
  }

  LogicalResult buildLoops(Operation *operation, ImplicitLocOpBuilder &b, ValueRange operands,
                           ValueRange results, Value begin, Value end) const {
    auto op = llvm::cast<vs::PutOp>(operation);
    Sizes s = sizes(op);
    Value x = flatten(b, operands[0]), indices = flatten(b, operands[1]);
    Value updates = flatten(b, operands[2]), result = flatten(b, results[0]);
    auto constant = [&](int64_t value) -> Value { return b.create<arith::ConstantIndexOp>(value); };
    auto linear = [&](Value outer, Value middle, int64_t numMiddle, Value inner) {
      Value at = b.create<arith::AddIOp>(b.create<arith::MulIOp>(outer, constant(numMiddle)), middle);
      return Value(b.create<arith::AddIOp>(b.create<arith::MulIOp>(at, constant(s.inner)), inner));
    };
    auto loop = [&](Value low, Value high, llvm::function_ref<void(Value)> body) {
      auto created = b.create<scf::ForOp>(low, high, constant(1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(created.getBody());
      body(created.getInductionVar());
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
          Value at = linear(outer, row, s.table, column);
          b.create<memref::StoreOp>(b.create<memref::LoadOp>(x, at), result, at);
        });
      });
      loop(zero, constant(s.numIndices), [&](Value number) {
        Value index = b.create<arith::IndexCastOp>(b.getIndexType(),
                                                   b.create<memref::LoadOp>(indices, number));
        Value inside =
            b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, index, constant(s.table));
        auto guarded = b.create<scf::IfOp>(inside);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(guarded.thenBlock());
        loop(low, high, [&](Value column) {
          Value at = linear(outer, index, s.table, column);
          Value update =
              b.create<memref::LoadOp>(updates, linear(outer, number, s.numIndices, column));
          b.create<memref::StoreOp>(meet(b, op, b.create<memref::LoadOp>(result, at), update), result,
                                    at);
        });
      });
    });
    return success();
  }

  static Value meet(ImplicitLocOpBuilder &b, vs::PutOp op, Value old, Value update) {
    Type type = old.getType(), wide = computationType(type);
    if (op.getKind() == vs::ScatterKind::Set)
      return update;
    if (wide != type) {
      old = b.create<arith::ExtFOp>(wide, old);
      update = b.create<arith::ExtFOp>(wide, update);
    }
    Value met;
    if (op.getKind() == vs::ScatterKind::Add)
      met = add(b, old, update);
    else
      met = realOrInteger<arith::MaximumFOp, arith::MaxSIOp>(b, {old, update});
    return wide == type ? met : Value(b.create<arith::TruncFOp>(type, met));
  }
};

} // namespace

void registerScatter(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vs::VsDialect *) {
    vs::PutOp::attachInterface<PutModel>(*context);
  });
}

} // namespace vescale::elements
