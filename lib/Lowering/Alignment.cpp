//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Alignment.h"
#include "egg/Kernel/ElementBytes.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace egg {

/// Zero is divisible by everything; more than this is never needed.
static constexpr int64_t kMost = 4096;
/// Expressions are shallow; a limit keeps shared subexpressions cheap.
static constexpr int kMaxDepth = 16;

static int64_t powerOfTwoIn(int64_t number) {
  if (number == 0)
    return kMost;
  return std::min<int64_t>(
      kMost, int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(number)));
}

static int64_t divisorOf(Value value, int depth);

/// The smallest of the divisors of several values.
static int64_t leastDivisor(ValueRange values, int depth) {
  int64_t least = kMost;
  for (Value value : values)
    least = std::min(least, divisorOf(value, depth));
  return least;
}

static int64_t divisorOfArgument(BlockArgument argument, int depth) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return 1;
  return leastDivisor({loop.getLowerBound(), loop.getStep()}, depth);
}

static int64_t divisorOf(Value value, int depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return powerOfTwoIn(constant.getSExtValue());
  if (depth == 0)
    return 1;
  --depth;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return divisorOfArgument(argument, depth);
  Operation *op = value.getDefiningOp();
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::MulIOp>([&](auto op) {
        return std::min(kMost, divisorOf(op.getLhs(), depth) *
                                   divisorOf(op.getRhs(), depth));
      })
      .Case<arith::ShLIOp>([&](auto op) {
        APInt amount;
        if (!matchPattern(op.getRhs(), m_ConstantInt(&amount)) ||
            amount.ugt(12))
          return divisorOf(op.getLhs(), depth);
        return std::min(kMost, divisorOf(op.getLhs(), depth)
                                   << amount.getZExtValue());
      })
      // A remainder of multiples, and a mask, keep common factors.
      .Case<arith::AddIOp, arith::SubIOp, arith::RemSIOp, arith::RemUIOp,
            arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp,
            arith::OrIOp, arith::XOrIOp>([&](auto op) {
        return leastDivisor({op.getLhs(), op.getRhs()}, depth);
      })
      .Case<arith::AndIOp>([&](auto op) {
        return std::max(divisorOf(op.getLhs(), depth),
                        divisorOf(op.getRhs(), depth));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp>(
          [&](auto op) { return divisorOf(op.getIn(), depth); })
      .Case<arith::SelectOp>([&](auto op) {
        return leastDivisor({op.getTrueValue(), op.getFalseValue()}, depth);
      })
      .Case<scf::IfOp>([&](scf::IfOp op) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        return leastDivisor({op.thenYield().getOperand(number),
                             op.elseYield().getOperand(number)},
                            depth);
      })
      .Default([](Operation *) { return int64_t(1); });
}

int64_t knownPowerOfTwoDivisor(Value value) {
  return divisorOf(value, kMaxDepth);
}

/// Bytes the address of an access is known to be a multiple of.
static int64_t provenAlignment(Value base, ValueRange indices) {
  auto type = cast<MemRefType>(base.getType());
  // Views other than these move the base by amounts unknown here.
  bool whole = isa<BlockArgument>(base) ||
               isa_and_nonnull<memref::GetGlobalOp>(base.getDefiningOp());
  auto [strides, offset] = type.getStridesAndOffset();
  Type element = type.getElementType();
  int64_t bytes = getElementBytes(element);
  // Vectors pack these.
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 != 0)
    return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
  if (!whole || offset != 0 || bytes == 0)
    return std::max<int64_t>(1, bytes);
  int64_t elements = kMost;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    int64_t factor = ShapedType::isDynamic(stride) ? 1 : powerOfTwoIn(stride);
    elements = std::min(elements, factor * knownPowerOfTwoDivisor(index));
  }
  return std::min(kBufferAlignment, elements * bytes);
}

void annotateVectorAlignment(Operation *operation) {
  operation->walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<vector::LoadOp, vector::StoreOp>(
        [](auto access) {
          if (!access.getAlignment())
            access.setAlignment(
                provenAlignment(access.getBase(), access.getIndices()));
        });
  });
}

} // namespace egg
