//===- KernelInterpreter.cpp - The meaning of a schedule's kernels --------------------------===//

#include "analysis/interpreter/KernelInterpreter.h"

#include "analysis/interpreter/Evaluation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace vescale::analysis {
namespace {

/// The bits of an integer of a type as an unsigned number.
uint64_t bits(ElementType type, int64_t value) {
  int64_t width = type == ElementType::i1 ? 1 : 8 * bytesOf(type);
  return width >= 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

double loadReal(ElementType type, const std::byte *at) {
  if (type == ElementType::f64)
    return *reinterpret_cast<const double *>(at);
  if (type == ElementType::f32)
    return *reinterpret_cast<const float *>(at);
  const llvm::fltSemantics &semantics =
      type == ElementType::bf16 ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf();
  llvm::APFloat value(semantics, llvm::APInt(16, *reinterpret_cast<const uint16_t *>(at)));
  bool lost;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

void storeReal(ElementType type, std::byte *at, double number) {
  if (type == ElementType::f64) {
    *reinterpret_cast<double *>(at) = number;
  } else if (type == ElementType::f32) {
    *reinterpret_cast<float *>(at) = static_cast<float>(number);
  } else {
    llvm::APFloat value(number);
    bool lost;
    value.convert(type == ElementType::bf16 ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    *reinterpret_cast<uint16_t *>(at) =
        static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
  }
}

int64_t loadInteger(ElementType type, const std::byte *at) {
  int64_t value = 0;
  std::memcpy(&value, at, bytesOf(type));
  return wrapped(type, value);
}

void storeInteger(ElementType type, std::byte *at, int64_t value) {
  std::memcpy(at, &value, bytesOf(type));
}

} // namespace

int64_t bytesOf(ElementType type) {
  switch (type) {
  case ElementType::f64:
  case ElementType::i64:
  case ElementType::index:
    return 8;
  case ElementType::f32:
  case ElementType::i32:
    return 4;
  case ElementType::bf16:
  case ElementType::f16:
  case ElementType::i16:
    return 2;
  default:
    return 1;
  }
}

void loadElement(const std::byte *array, int64_t index, Tensor &tensor, int64_t element) {
  const std::byte *at = array + index * bytesOf(tensor.type());
  if (tensor.isReal())
    tensor.setReal(element, loadReal(tensor.type(), at));
  else
    tensor.setInteger(element, loadInteger(tensor.type(), at));
}

void storeElement(std::byte *array, int64_t index, const Tensor &tensor, int64_t element) {
  std::byte *at = array + index * bytesOf(tensor.type());
  if (tensor.isReal())
    storeReal(tensor.type(), at, tensor.real(element));
  else
    storeInteger(tensor.type(), at, tensor.integer(element));
}

/// Turns the ops of a kernel into closures.
class KernelInterpreter::Reader {
public:
  explicit Reader(KernelInterpreter &kernel) : kernel(kernel) {}

  unsigned slot(Value value) {
    auto [entry, isNew] = slotOf.try_emplace(value, kernel.slots);
    kernel.slots += isNew;
    return entry->second;
  }

  LogicalResult readBlock(Block &block, std::vector<Code> &codes) {
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        break;
      Code code = read(&op);
      if (!code)
        return op.emitOpError("has no meaning in the interpreter of kernels");
      codes.push_back(std::move(code));
    }
    return success();
  }

private:
  template <class Function> Code real(Operation *op, Function function) {
    ElementType type = *elementTypeOf(op->getResult(0).getType());
    unsigned a = slot(op->getOperand(0)), b = slot(op->getOperands().back()),
             result = slot(op->getResult(0));
    return [=](Frame &f) {
      f[result].real = rounded(type, function(f[a].real, f[b].real));
    };
  }

  template <class Function> Code integer(Operation *op, Function function) {
    ElementType type = *elementTypeOf(op->getResult(0).getType());
    unsigned a = slot(op->getOperand(0)), b = slot(op->getOperands().back()),
             result = slot(op->getResult(0));
    return [=](Frame &f) {
      f[result].integer = wrapped(type, int64_t(function(f[a].integer, f[b].integer)));
    };
  }

  /// On the bits of the operands as unsigned numbers of their type.
  template <class Function> Code bitwise(Operation *op, Function function) {
    ElementType from = *elementTypeOf(op->getOperand(0).getType());
    return integer(op, [=](int64_t x, int64_t y) { return function(bits(from, x), bits(from, y)); });
  }

  template <class Function> Code convert(Operation *op, Function function) {
    unsigned from = slot(op->getOperand(0)), to = slot(op->getResult(0));
    return [=](Frame &f) { function(f[from], f[to]); };
  }

  Code read(Operation *op) {
    if (Code code = readReal(op))
      return code;
    if (Code code = readInteger(op))
      return code;
    if (Code code = readConversion(op))
      return code;
    if (Code code = readMemory(op))
      return code;
    return readControl(op);
  }

  Code readReal(Operation *op) {
    auto largest = [](double x, double y) { return std::isnan(x) || x > y ? x : y; };
    auto least = [](double x, double y) { return std::isnan(x) || x < y ? x : y; };
    return llvm::TypeSwitch<Operation *, Code>(op)
        .Case([&](arith::AddFOp) { return real(op, std::plus<double>()); })
        .Case([&](arith::SubFOp) { return real(op, std::minus<double>()); })
        .Case([&](arith::MulFOp) { return real(op, std::multiplies<double>()); })
        .Case([&](arith::DivFOp) { return real(op, std::divides<double>()); })
        .Case([&](arith::RemFOp) { return real(op, [](double x, double y) { return std::fmod(x, y); }); })
        .Case([&](arith::NegFOp) { return real(op, [](double x, double) { return -x; }); })
        .Case([&](arith::MaximumFOp) { return real(op, largest); })
        .Case([&](arith::MinimumFOp) { return real(op, least); })
        .Case([&](math::AbsFOp) { return real(op, [](double x, double) { return std::abs(x); }); })
        .Case([&](math::ExpOp) { return real(op, [](double x, double) { return std::exp(x); }); })
        .Case([&](math::ExpM1Op) { return real(op, [](double x, double) { return std::expm1(x); }); })
        .Case([&](math::LogOp) { return real(op, [](double x, double) { return std::log(x); }); })
        .Case([&](math::Log1pOp) { return real(op, [](double x, double) { return std::log1p(x); }); })
        .Case([&](math::SqrtOp) { return real(op, [](double x, double) { return std::sqrt(x); }); })
        .Case([&](math::SinOp) { return real(op, [](double x, double) { return std::sin(x); }); })
        .Case([&](math::CosOp) { return real(op, [](double x, double) { return std::cos(x); }); })
        .Case([&](math::TanhOp) { return real(op, [](double x, double) { return std::tanh(x); }); })
        .Case([&](math::ErfOp) { return real(op, [](double x, double) { return std::erf(x); }); })
        .Case([&](math::FloorOp) { return real(op, [](double x, double) { return std::floor(x); }); })
        .Case([&](math::CeilOp) { return real(op, [](double x, double) { return std::ceil(x); }); })
        .Case([&](math::RoundEvenOp) {
          return real(op, [](double x, double) { return std::nearbyint(x); });
        })
        .Case([&](math::PowFOp) { return real(op, [](double x, double y) { return std::pow(x, y); }); })
        .Case([&](arith::CmpFOp compare) { return readCompare(compare); })
        .Default([](Operation *) { return Code(); });
  }

  Code readCompare(arith::CmpFOp op) {
    arith::CmpFPredicate predicate = op.getPredicate();
    unsigned a = slot(op.getLhs()), b = slot(op.getRhs()), result = slot(op.getResult());
    return [=](Frame &f) {
      llvm::APFloat x(f[a].real), y(f[b].real);
      f[result].integer = arith::applyCmpPredicate(predicate, x, y);
    };
  }

  Code readInteger(Operation *op) {
    using U = uint64_t;
    return llvm::TypeSwitch<Operation *, Code>(op)
        .Case([&](arith::AddIOp) { return bitwise(op, std::plus<U>()); })
        .Case([&](arith::SubIOp) { return bitwise(op, std::minus<U>()); })
        .Case([&](arith::MulIOp) { return bitwise(op, std::multiplies<U>()); })
        .Case([&](arith::AndIOp) { return bitwise(op, std::bit_and<U>()); })
        .Case([&](arith::OrIOp) { return bitwise(op, std::bit_or<U>()); })
        .Case([&](arith::XOrIOp) { return bitwise(op, std::bit_xor<U>()); })
        .Case([&](arith::ShLIOp) { return bitwise(op, [](U x, U y) { return y < 64 ? x << y : 0; }); })
        .Case([&](arith::ShRUIOp) { return bitwise(op, [](U x, U y) { return y < 64 ? x >> y : 0; }); })
        .Case([&](arith::DivUIOp) { return bitwise(op, [](U x, U y) { return y ? x / y : 0; }); })
        .Case([&](arith::RemUIOp) { return bitwise(op, [](U x, U y) { return y ? x % y : 0; }); })
        .Case([&](arith::MaxUIOp) { return bitwise(op, [](U x, U y) { return std::max(x, y); }); })
        .Case([&](arith::MinUIOp) { return bitwise(op, [](U x, U y) { return std::min(x, y); }); })
        .Case([&](arith::DivSIOp) {
          return integer(op, [](int64_t x, int64_t y) { return y == 0 ? 0 : y == -1 ? -x : x / y; });
        })
        .Case([&](arith::RemSIOp) {
          return integer(op, [](int64_t x, int64_t y) { return y == 0 || y == -1 ? 0 : x % y; });
        })
        .Case([&](arith::MaxSIOp) {
          return integer(op, [](int64_t x, int64_t y) { return std::max(x, y); });
        })
        .Case([&](arith::MinSIOp) {
          return integer(op, [](int64_t x, int64_t y) { return std::min(x, y); });
        })
        .Case([&](math::AbsIOp) { return integer(op, [](int64_t x, int64_t) { return x < 0 ? -x : x; }); })
        .Case([&](arith::CmpIOp compare) {
          arith::CmpIPredicate predicate = compare.getPredicate();
          ElementType type = *elementTypeOf(compare.getLhs().getType());
          unsigned width = type == ElementType::i1 ? 1 : static_cast<unsigned>(8 * bytesOf(type));
          return integer(op, [=](int64_t x, int64_t y) {
            return arith::applyCmpPredicate(predicate, llvm::APInt(width, bits(type, x)),
                                            llvm::APInt(width, bits(type, y)));
          });
        })
        .Default([](Operation *) { return Code(); });
  }

  Code readConversion(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Slot value;
      if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
        llvm::APFloat wide = number.getValue();
        bool lost;
        wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
        value.real = wide.convertToDouble();
      } else {
        value.integer = wrapped(*elementTypeOf(op->getResult(0).getType()),
                                cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue());
      }
      unsigned result = slot(op->getResult(0));
      return [=](Frame &f) { f[result] = value; };
    }
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
        !op->getOperand(0).getType().isIntOrIndexOrFloat())
      return Code();
    ElementType from = *elementTypeOf(op->getOperand(0).getType()),
                to = *elementTypeOf(op->getResult(0).getType());
    return llvm::TypeSwitch<Operation *, Code>(op)
        .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) {
          return convert(op, [=](Slot &x, Slot &y) { y.real = rounded(to, x.real); });
        })
        .Case<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>([&](auto) {
          // The value of an i1 is 0 or 1, its sign extension 0 or -1.
          bool negates = from == ElementType::i1;
          return convert(op, [=](Slot &x, Slot &y) {
            y.integer = wrapped(to, negates ? -x.integer : x.integer);
          });
        })
        .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) {
          return convert(op, [=](Slot &x, Slot &y) {
            y.integer = wrapped(to, int64_t(bits(from, x.integer)));
          });
        })
        .Case([&](arith::SIToFPOp) {
          return convert(op, [=](Slot &x, Slot &y) { y.real = rounded(to, double(x.integer)); });
        })
        .Case([&](arith::UIToFPOp) {
          return convert(op, [=](Slot &x, Slot &y) {
            y.real = rounded(to, double(bits(from, x.integer)));
          });
        })
        .Case([&](arith::FPToSIOp) {
          return convert(op, [=](Slot &x, Slot &y) { y.integer = wrapped(to, int64_t(x.real)); });
        })
        .Case([&](arith::FPToUIOp) {
          return convert(op, [=](Slot &x, Slot &y) {
            y.integer = wrapped(to, int64_t(uint64_t(x.real)));
          });
        })
        .Default([](Operation *) { return Code(); });
  }

  Code readMemory(Operation *op) {
    if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
      return convert(op, [](Slot &x, Slot &y) { y.memory = x.memory; });
    if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
      auto memory = std::make_shared<std::vector<std::byte>>(bytes(alloca.getType()));
      unsigned result = slot(alloca.getResult());
      return [=](Frame &f) { f[result].memory = memory->data(); };
    }
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      return readGlobal(global);
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      ElementType type = *elementTypeOf(load.getType());
      unsigned memory = slot(load.getMemRef()), result = slot(load.getResult());
      auto index = indexOf(load.getMemRefType(), load.getIndices());
      int64_t size = bytesOf(type);
      if (isReal(type))
        return [=](Frame &f) { f[result].real = loadReal(type, f[memory].memory + index(f) * size); };
      return [=](Frame &f) {
        f[result].integer = loadInteger(type, f[memory].memory + index(f) * size);
      };
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      ElementType type = *elementTypeOf(store.getValue().getType());
      unsigned memory = slot(store.getMemRef()), value = slot(store.getValue());
      auto index = indexOf(store.getMemRefType(), store.getIndices());
      int64_t size = bytesOf(type);
      if (isReal(type))
        return [=](Frame &f) { storeReal(type, f[memory].memory + index(f) * size, f[value].real); };
      return [=](Frame &f) {
        storeInteger(type, f[memory].memory + index(f) * size, f[value].integer);
      };
    }
    return Code();
  }

  Code readGlobal(memref::GetGlobalOp op) {
    auto global =
        op->getParentOfType<ModuleOp>().lookupSymbol<memref::GlobalOp>(op.getNameAttr());
    auto values = dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr());
    if (!values)
      return Code();
    auto memory = std::make_shared<std::vector<std::byte>>(bytes(op.getType()));
    ElementType type = *elementTypeOf(op.getType().getElementType());
    int64_t next = 0;
    auto at = [&] { return memory->data() + bytesOf(type) * next++; };
    if (isReal(type))
      for (llvm::APFloat value : values.getValues<llvm::APFloat>()) {
        bool lost;
        value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
        storeReal(type, at(), value.convertToDouble());
      }
    else
      for (llvm::APInt value : values.getValues<llvm::APInt>())
        storeInteger(type, at(), value.getSExtValue() & (type == ElementType::i1 ? 1 : -1));
    unsigned result = slot(op.getResult());
    return [=](Frame &f) { f[result].memory = memory->data(); };
  }

  static int64_t bytes(MemRefType type) {
    return type.getNumElements() * bytesOf(*elementTypeOf(type.getElementType()));
  }

  /// The row-major position of indices, as a function of the frame.
  std::function<int64_t(const Frame &)> indexOf(MemRefType type, ValueRange indices) {
    std::vector<std::pair<unsigned, int64_t>> terms;
    int64_t stride = 1;
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      terms.push_back({slot(indices[dim]), stride});
      stride *= type.getDimSize(dim);
    }
    return [terms](const Frame &f) {
      int64_t index = 0;
      for (auto [slot, stride] : terms)
        index += f[slot].integer * stride;
      return index;
    };
  }

  std::vector<unsigned> slotsOf(ValueRange values) {
    std::vector<unsigned> result;
    for (Value value : values)
      result.push_back(slot(value));
    return result;
  }

  static void move(Frame &f, const std::vector<unsigned> &from, const std::vector<unsigned> &to) {
    llvm::SmallVector<Slot, 4> values;
    for (unsigned slot : from)
      values.push_back(f[slot]);
    for (size_t i = 0; i < to.size(); ++i)
      f[to[i]] = values[i];
  }

  Code readControl(Operation *op) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      unsigned condition = slot(select.getCondition()), a = slot(select.getTrueValue()),
               b = slot(select.getFalseValue()), result = slot(select.getResult());
      return [=](Frame &f) { f[result] = f[condition].integer ? f[a] : f[b]; };
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned low = slot(loop.getLowerBound()), high = slot(loop.getUpperBound()),
               step = slot(loop.getStep()), index = slot(loop.getInductionVar());
      auto initial = slotsOf(loop.getInitArgs()), carried = slotsOf(loop.getRegionIterArgs()),
           results = slotsOf(loop.getResults());
      auto body = std::make_shared<std::vector<Code>>();
      if (failed(readBlock(*loop.getBody(), *body)))
        return Code();
      auto yielded = slotsOf(loop.getBody()->getTerminator()->getOperands());
      return [=](Frame &f) {
        move(f, initial, carried);
        for (int64_t i = f[low].integer; i < f[high].integer; i += f[step].integer) {
          f[index].integer = i;
          for (const Code &code : *body)
            code(f);
          move(f, yielded, carried);
        }
        move(f, carried, results);
      };
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned condition = slot(branch.getCondition());
      auto results = slotsOf(branch.getResults());
      std::shared_ptr<std::vector<Code>> bodies[2];
      std::vector<unsigned> yielded[2];
      for (int side = 0; side < 2; ++side) {
        bodies[side] = std::make_shared<std::vector<Code>>();
        Region &region = branch->getRegion(side);
        if (region.empty())
          continue;
        if (failed(readBlock(region.front(), *bodies[side])))
          return Code();
        yielded[side] = slotsOf(region.front().getTerminator()->getOperands());
      }
      return [=, onTrue = bodies[0], onFalse = bodies[1], yieldedTrue = yielded[0],
              yieldedFalse = yielded[1]](Frame &f) {
        bool taken = f[condition].integer;
        for (const Code &code : taken ? *onTrue : *onFalse)
          code(f);
        move(f, taken ? yieldedTrue : yieldedFalse, results);
      };
    }
    return Code();
  }

  KernelInterpreter &kernel;
  llvm::DenseMap<Value, unsigned> slotOf;
};

FailureOr<KernelInterpreter> KernelInterpreter::get(func::FuncOp function) {
  KernelInterpreter kernel;
  Reader reader(kernel);
  for (BlockArgument argument : function.getArguments())
    (isa<MemRefType>(argument.getType()) ? kernel.memrefs : kernel.scalars)
        .push_back(reader.slot(argument));
  if (failed(reader.readBlock(function.getBody().front(), kernel.body)))
    return failure();
  return kernel;
}

void KernelInterpreter::run(ArrayRef<std::byte *> arrays, ArrayRef<int64_t> parameters,
                            int64_t begin, int64_t end) const {
  Frame frame(slots);
  for (auto [slot, array] : llvm::zip_equal(memrefs, arrays))
    frame[slot].memory = array;
  std::vector<int64_t> numbers(parameters.begin(), parameters.end());
  numbers.push_back(begin);
  numbers.push_back(end);
  for (auto [slot, number] : llvm::zip_equal(scalars, numbers))
    frame[slot].integer = number;
  for (const Code &code : body)
    code(frame);
}

} // namespace vescale::analysis
