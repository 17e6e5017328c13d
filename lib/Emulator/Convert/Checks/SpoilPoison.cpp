//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values that the GPU's compiler may choose: undef, poison, and the results of
// operations whose flags promise what does not hold (nsw, nuw, exact, disjoint,
// nneg, a register's range). They become numbers that change with every use, so
// that a result that rests on one is wrong here too, and one that does not rest
// on it is right. As in LLVM a broken promise does no harm where its result is
// not used.
//
//===----------------------------------------------------------------------===//
#include "../KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace egg::simt;

namespace {

constexpr llvm::StringLiteral kState = "egg_garbage";

class Spoiler {
public:
  explicit Spoiler(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  void run();

private:
  void spoilConstant(Operation *op);
  void spoilResult(Operation *op);
  void spoilRegister(Operation *op, LLVM::ConstantRangeAttr range);
  /// Where an operation breaks its promises; null if it has none.
  Value findBroken(Operation *op);
  Value findOverflow(LLVM::IntegerOverflowFlagsInterface op);
  Value findLostBits(Operation *op);
  /// Whether the operation, of operands of twice their width, has another
  /// result than of theirs, of both extended in the same way.
  template <typename Op> Value findWider(Operation *op, bool isSigned);
  /// A number that no other use sees; null for other types.
  Value makeGarbage(Location loc, Type type);
  LLVM::GlobalOp getState();

  Value constant(Location loc, Type type, const llvm::APInt &value);
  Value zero(Location loc, Type type) {
    return constant(loc, type, llvm::APInt(width(type), 0));
  }
  Value compare(Location loc, LLVM::ICmpPredicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  }
  Value either(Location loc, Value a, Value b) {
    return !a ? b : !b ? a : Value(LLVM::OrOp::create(builder, loc, a, b));
  }
  Value extend(Location loc, Value value, bool isSigned, unsigned bits);
  static unsigned width(Type type) {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  }

  ModuleOp module;
  OpBuilder builder;
  LLVM::GlobalOp state;
};

} // namespace

Value Spoiler::constant(Location loc, Type type, const llvm::APInt &value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attribute = IntegerAttr::get(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, value);
  return LLVM::ConstantOp::create(builder, loc, type, attribute);
}

Value Spoiler::extend(Location loc, Value value, bool isSigned, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  if (isSigned)
    return LLVM::SExtOp::create(builder, loc, type, value);
  return LLVM::ZExtOp::create(builder, loc, type, value);
}

LLVM::GlobalOp Spoiler::getState() {
  if (!state) {
    OpBuilder outer = OpBuilder::atBlockBegin(module.getBody());
    state = LLVM::GlobalOp::create(
        outer, module.getLoc(), outer.getI64Type(), /*isConstant=*/false,
        LLVM::Linkage::Internal, kState, outer.getI64IntegerAttr(1));
  }
  return state;
}

Value Spoiler::makeGarbage(Location loc, Type type) {
  Type element = getElementTypeOrSelf(type);
  bool isFloat =
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
  if ((!isFloat && !isa<IntegerType>(element)) || width(element) > 64)
    return {};
  // The generator of Knuth's MMIX, whose upper bits are the better ones.
  Type word = builder.getI64Type();
  Value address = LLVM::AddressOfOp::create(builder, loc, getState());
  Value before = LLVM::LoadOp::create(builder, loc, word, address);
  Value product = LLVM::MulOp::create(
      builder, loc, before,
      constant(loc, word, llvm::APInt(64, 6364136223846793005ull)));
  Value next = LLVM::AddOp::create(
      builder, loc, product,
      constant(loc, word, llvm::APInt(64, 1442695040888963407ull)));
  auto store = LLVM::StoreOp::create(builder, loc, next, address);
  for (Operation *access : {before.getDefiningOp(), store.getOperation()})
    access->setAttr(kOwnAccessAttrName, builder.getUnitAttr());
  unsigned bits = width(element);
  Value value = next;
  if (bits < 64) {
    Value upper = LLVM::LShrOp::create(
        builder, loc, next, constant(loc, word, llvm::APInt(64, 64 - bits)));
    value = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(bits),
                                  upper);
  }
  if (isFloat) {
    // Large and finite, of either sign: neither lost in a sum nor the neutral
    // element of a maximum.
    auto &semantics = cast<FloatType>(element).getFloatSemantics();
    llvm::APFloat large =
        scalbn(llvm::APFloat(semantics, 1),
               ilogb(llvm::APFloat::getLargest(semantics)) * 3 / 4,
               llvm::APFloat::rmNearestTiesToEven);
    llvm::APInt kept =
        llvm::APInt::getSignMask(bits) | llvm::APInt::getLowBitsSet(bits, 6);
    Value masked = LLVM::AndOp::create(builder, loc, value,
                                       constant(loc, value.getType(), kept));
    Value made = LLVM::OrOp::create(
        builder, loc, masked,
        constant(loc, value.getType(), large.bitcastToAPInt()));
    value = LLVM::BitcastOp::create(builder, loc, element, made);
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    Value undefined = LLVM::PoisonOp::create(builder, loc, type);
    Value first = constant(loc, builder.getI32Type(), llvm::APInt(32, 0));
    Value one =
        LLVM::InsertElementOp::create(builder, loc, undefined, value, first);
    SmallVector<int32_t> lanes(size_t(vector.getNumElements()), 0);
    value = LLVM::ShuffleVectorOp::create(builder, loc, one, undefined, lanes);
  }
  return value;
}

template <typename Op> Value Spoiler::findWider(Operation *op, bool isSigned) {
  Location loc = op->getLoc();
  unsigned bits = 2 * width(op->getResult(0).getType());
  Value a = extend(loc, op->getOperand(0), isSigned, bits);
  Value b = extend(loc, op->getOperand(1), isSigned, bits);
  Value exact = Op::create(builder, loc, a, b);
  Value got = extend(loc, op->getResult(0), isSigned, bits);
  return compare(loc, LLVM::ICmpPredicate::ne, exact, got);
}

Value Spoiler::findOverflow(LLVM::IntegerOverflowFlagsInterface op) {
  Value broken;
  Location loc = op.getLoc();
  for (bool isSigned : {true, false}) {
    if (isSigned ? !op.hasNoSignedWrap() : !op.hasNoUnsignedWrap())
      continue;
    Value found;
    if (isa<LLVM::AddOp>(op.getOperation())) {
      found = findWider<LLVM::AddOp>(op, isSigned);
    } else if (isa<LLVM::SubOp>(op.getOperation())) {
      found = findWider<LLVM::SubOp>(op, isSigned);
    } else if (isa<LLVM::MulOp>(op.getOperation())) {
      found = findWider<LLVM::MulOp>(op, isSigned);
    } else if (isa<LLVM::ShlOp>(op.getOperation())) {
      Value result = op->getResult(0), amount = op->getOperand(1);
      Value back =
          isSigned ? Value(LLVM::AShrOp::create(builder, loc, result, amount))
                   : Value(LLVM::LShrOp::create(builder, loc, result, amount));
      found = compare(loc, LLVM::ICmpPredicate::ne, back, op->getOperand(0));
    } else if (isa<LLVM::TruncOp>(op.getOperation())) {
      Value from = op->getOperand(0);
      Value back =
          extend(loc, op->getResult(0), isSigned, width(from.getType()));
      found = compare(loc, LLVM::ICmpPredicate::ne, back, from);
    }
    if (found)
      broken = either(loc, broken, found);
  }
  return broken;
}

/// Of a division or a shift that says it is exact.
Value Spoiler::findLostBits(Operation *op) {
  Location loc = op->getLoc();
  Value result = op->getResult(0), by = op->getOperand(1), back;
  if (isa<LLVM::UDivOp, LLVM::SDivOp>(op))
    back = LLVM::MulOp::create(builder, loc, result, by);
  else
    back = LLVM::ShlOp::create(builder, loc, result, by);
  return compare(loc, LLVM::ICmpPredicate::ne, back, op->getOperand(0));
}

Value Spoiler::findBroken(Operation *op) {
  Location loc = op->getLoc();
  Value broken;
  if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    broken = findOverflow(flags);
  if (auto flag = dyn_cast<LLVM::ExactFlagInterface>(op);
      flag && flag.getIsExact())
    broken = either(loc, broken, findLostBits(op));
  if (auto flag = dyn_cast<LLVM::DisjointFlagInterface>(op);
      flag && flag.getIsDisjoint()) {
    Value common =
        LLVM::AndOp::create(builder, loc, op->getOperand(0), op->getOperand(1));
    broken = either(loc, broken,
                    compare(loc, LLVM::ICmpPredicate::ne, common,
                            zero(loc, common.getType())));
  }
  if (auto flag = dyn_cast<LLVM::NonNegFlagInterface>(op);
      flag && flag.getNonNeg()) {
    Value from = op->getOperand(0);
    broken = either(loc, broken,
                    compare(loc, LLVM::ICmpPredicate::slt, from,
                            zero(loc, from.getType())));
  }
  bool isPoisonAtZero =
      (isa<LLVM::CountLeadingZerosOp>(op) &&
       cast<LLVM::CountLeadingZerosOp>(op).getIsZeroPoison()) ||
      (isa<LLVM::CountTrailingZerosOp>(op) &&
       cast<LLVM::CountTrailingZerosOp>(op).getIsZeroPoison());
  auto absolute = dyn_cast<LLVM::AbsOp>(op);
  if (isPoisonAtZero || (absolute && absolute.getIsIntMinPoison())) {
    Value from = op->getOperand(0);
    unsigned bits = width(from.getType());
    llvm::APInt worst = isPoisonAtZero ? llvm::APInt(bits, 0)
                                       : llvm::APInt::getSignedMinValue(bits);
    broken = either(loc, broken,
                    compare(loc, LLVM::ICmpPredicate::eq, from,
                            constant(loc, from.getType(), worst)));
  }
  return broken;
}

/// The host's compiler is not to build on the promise.
static void dropFlags(Operation *op) {
  if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    flags.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
  if (auto flag = dyn_cast<LLVM::ExactFlagInterface>(op))
    flag.setIsExact(false);
  if (auto flag = dyn_cast<LLVM::DisjointFlagInterface>(op))
    flag.setIsDisjoint(false);
  if (auto flag = dyn_cast<LLVM::NonNegFlagInterface>(op))
    flag.setNonNeg(false);
  if (auto count = dyn_cast<LLVM::CountLeadingZerosOp>(op))
    count.setIsZeroPoison(false);
  if (auto count = dyn_cast<LLVM::CountTrailingZerosOp>(op))
    count.setIsZeroPoison(false);
  if (auto absolute = dyn_cast<LLVM::AbsOp>(op))
    absolute.setIsIntMinPoison(false);
}

void Spoiler::spoilResult(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 || op->use_empty())
    return;
  Value result = op->getResult(0);
  if (!isa<IntegerType, FloatType>(getElementTypeOrSelf(result.getType())))
    return;
  builder.setInsertionPointAfter(op);
  Value broken = findBroken(op);
  if (!broken)
    return;
  llvm::SmallPtrSet<Operation *, 8> checks;
  for (Operation *check = op->getNextNode();
       check != &*builder.getInsertionPoint(); check = check->getNextNode())
    checks.insert(check);
  if (Value garbage = makeGarbage(op->getLoc(), result.getType())) {
    Value chosen =
        LLVM::SelectOp::create(builder, op->getLoc(), broken, garbage, result);
    checks.insert(chosen.getDefiningOp());
    result.replaceAllUsesExcept(chosen, checks);
  }
  dropFlags(op);
}

void Spoiler::spoilRegister(Operation *op, LLVM::ConstantRangeAttr range) {
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  Value value = op->getResult(0);
  Type type = value.getType();
  // The range may wrap around: what lies in it is less far from its start.
  Value from = LLVM::SubOp::create(builder, loc, value,
                                   constant(loc, type, range.getLower()));
  Value outside =
      compare(loc, LLVM::ICmpPredicate::uge, from,
              constant(loc, type, range.getUpper() - range.getLower()));
  Value garbage = makeGarbage(loc, type);
  Value chosen = LLVM::SelectOp::create(builder, loc, outside, garbage, value);
  llvm::SmallPtrSet<Operation *, 2> checks = {from.getDefiningOp(),
                                              chosen.getDefiningOp()};
  value.replaceAllUsesExcept(chosen, checks);
}

void Spoiler::spoilConstant(Operation *op) {
  Type type = op->getResult(0).getType();
  // What is put together element by element begins with nothing.
  bool isBase =
      isa<VectorType>(type) &&
      llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa<LLVM::InsertElementOp, LLVM::ShuffleVectorOp>(user);
      });
  if (isBase || op->use_empty())
    return;
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    builder.setInsertionPoint(use.getOwner());
    if (Value garbage = makeGarbage(op->getLoc(), type))
      use.set(garbage);
  }
}

void Spoiler::run() {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (isa<LLVM::UndefOp, LLVM::PoisonOp>(op))
      spoilConstant(op);
    else if (auto range = op->getAttrOfType<LLVM::ConstantRangeAttr>("range");
             range && op->getNumResults() == 1 && !isa<LLVM::CallOp>(op))
      spoilRegister(op, range);
    else
      spoilResult(op);
  }
}

void egg::simt::spoilPoison(ModuleOp module) { Spoiler(module).run(); }
