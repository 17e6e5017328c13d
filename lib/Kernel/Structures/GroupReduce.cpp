//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GroupReduce.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace egg {

Value applyCombiner(OpBuilder &b, Operation *combiner, Value lhs, Value rhs) {
  OperationState state(combiner->getLoc(), combiner->getName());
  state.addOperands({lhs, rhs});
  state.addTypes(lhs.getType());
  Operation *op = b.create(state);
  // Partial results are sums the payload never forms: no flag that promises
  // something about its sums (nsw, nuw) may be carried over.
  return op->getResult(0);
}

Value neutralElement(OpBuilder &b, Location loc, Operation *combiner) {
  std::optional<TypedAttr> attr = arith::getNeutralElement(combiner);
  if (!attr)
    return {};
  return arith::ConstantOp::create(b, loc, *attr);
}

Value shuffle(OpBuilder &b, Location loc, Value value, int32_t offset,
              gpu::ShuffleMode mode) {
  Type type = value.getType();
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto shuffle32 = [&](Value v) -> Value {
    return gpu::ShuffleOp::create(b, loc, v, offset, 32, mode)
        .getShuffleResult();
  };
  if (type == i32 || type.isF32())
    return shuffle32(value);
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(b, loc, integer, value);
  Value result;
  if (bits < 32) {
    Value wide = arith::ExtUIOp::create(b, loc, i32, value);
    result = arith::TruncIOp::create(b, loc, integer, shuffle32(wide));
  } else {
    Value shift = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
    Value low = arith::TruncIOp::create(b, loc, i32, value);
    Value high = arith::TruncIOp::create(
        b, loc, i32, arith::ShRUIOp::create(b, loc, value, shift).getResult());
    low = arith::ExtUIOp::create(b, loc, i64, shuffle32(low));
    high = arith::ExtUIOp::create(b, loc, i64, shuffle32(high));
    result = arith::OrIOp::create(
        b, loc, low, arith::ShLIOp::create(b, loc, high, shift).getResult());
  }
  if (isa<FloatType>(type))
    result = arith::BitcastOp::create(b, loc, type, result);
  return result;
}

Value reduceInGroup(KernelBuilder &kb, Operation *combiner, Value partial,
                    int64_t groupSize, int64_t groups, AffineExpr groupNumber,
                    AffineExpr threadInGroup) {
  OpBuilder &b = kb.b;
  Location loc = kb.loc;
  for (int64_t offset = std::min<int64_t>(groupSize, 32) / 2; offset > 0;
       offset /= 2)
    partial =
        applyCombiner(b, combiner, partial,
                      shuffle(b, loc, partial, offset, gpu::ShuffleMode::XOR));
  int64_t warps = groupSize / 32;
  if (warps <= 1)
    return partial;

  // One slot a warp; i1 has no memory format.
  Type type = partial.getType();
  bool isBool = type.isInteger(1);
  Type stored = isBool ? Type(b.getI8Type()) : type;
  Value buffer = kb.sharedBuffer(groups * warps, stored);
  Value slot = kb.emitter.emitIndex(
      kb.space.simplify(groupNumber * warps + threadInGroup.floorDiv(32)));
  Value isFirst = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq,
      kb.emitter.emitIndex(kb.space.simplify(threadInGroup % 32)),
      kb.integer(0));
  auto ifOp = scf::IfOp::create(b, loc, isFirst);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    Value value =
        isBool ? arith::ExtUIOp::create(b, loc, stored, partial) : partial;
    memref::StoreOp::create(b, loc, value, buffer, kb.emitter.toIndex(slot));
  }
  kb.barrier();
  Value total;
  for (int64_t w = 0; w < warps; ++w) {
    Value at = kb.emitter.emitIndex(kb.space.simplify(groupNumber * warps + w));
    Value value =
        memref::LoadOp::create(b, loc, buffer, kb.emitter.toIndex(at));
    if (isBool)
      value = arith::TruncIOp::create(b, loc, type, value);
    total = total ? applyCombiner(b, combiner, total, value) : value;
  }
  return total;
}

} // namespace egg
