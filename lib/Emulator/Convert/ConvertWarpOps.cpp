//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Instructions of warps and blocks: shuffles, votes, barriers of all kinds.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace egg::simt;

LogicalResult FunctionConverter::convertWarpOp(Operation *op) {
  Location loc = op->getLoc();
  Type i1 = builder.getI1Type(), i64 = builder.getI64Type();
  auto meet = [&](Meeting meeting, Value mask, int64_t mode, Value detail,
                  Value first, Value second) {
    traits.synchronizes = true;
    Value zero = constant(loc, 0, 64);
    return call(loc, "egg_meet", i64,
                {thread(), site(op), constant(loc, int64_t(meeting), 32), mask,
                 constant(loc, mode, 32),
                 detail ? detail : constant(loc, 0, 32),
                 first ? toWord(loc, first) : zero,
                 second ? toWord(loc, second) : zero});
  };
  auto valid = [&] { return call(loc, "egg_valid", i1, {thread()}); };
  // A result that is a value, or a value and whether it is one.
  auto replaceWith = [&](Value word) {
    Type type = op->getResult(0).getType();
    auto pair = dyn_cast<LLVM::LLVMStructType>(type);
    if (!pair)
      return replace(op, fromWord(loc, word, type));
    Value result = LLVM::UndefOp::create(builder, loc, pair);
    result = LLVM::InsertValueOp::create(builder, loc, result,
                                         fromWord(loc, word, pair.getBody()[0]),
                                         ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(builder, loc, result, valid(),
                                         ArrayRef<int64_t>{1});
    return replace(op, result);
  };
  if (auto shuffle = dyn_cast<NVVM::ShflOp>(op))
    return replaceWith(meet(
        Meeting::Shuffle, shuffle.getThreadMask(), int64_t(shuffle.getKind()),
        shuffle.getMaskAndClamp(), shuffle.getVal(), shuffle.getOffset()));
  if (auto vote = dyn_cast<NVVM::VoteSyncOp>(op))
    return replaceWith(meet(Meeting::Vote, vote.getMask(),
                            int64_t(vote.getKind()), {}, vote.getPred(), {}));
  if (auto match = dyn_cast<NVVM::MatchSyncOp>(op))
    return replaceWith(meet(Meeting::Match, match.getThreadMask(),
                            int64_t(match.getKind()), {}, match.getVal(), {}));
  if (auto redux = dyn_cast<NVVM::ReduxOp>(op)) {
    if (!redux.getType().isInteger(32))
      return failure();
    return replaceWith(meet(Meeting::Redux, redux.getMaskAndClamp(),
                            int64_t(redux.getKind()), {}, redux.getVal(), {}));
  }
  if (auto elect = dyn_cast<NVVM::ElectSyncOp>(op)) {
    Value mask = elect.getMembermask();
    meet(Meeting::Elect, mask ? mask : constant(loc, -1, 32), 0, {}, {}, {});
    return replace(op, valid());
  }
  if (auto sync = dyn_cast<NVVM::SyncWarpOp>(op)) {
    traits.needsClocks = true;
    meet(Meeting::SyncWarp, sync.getMask(), 0, {}, {}, {});
    return replace(op, {});
  }
  if (auto set = dyn_cast<NVVM::SetMaxRegisterOp>(op)) {
    traits.synchronizes = true;
    bool increases = set.getAction() == NVVM::SetMaxRegisterAction::increase;
    call(loc, "egg_set_max_registers", {},
         {thread(), site(op), constant(loc, set.getRegCount(), 32),
          constant(loc, increases, 32)});
    return replace(op, {});
  }
  return failure();
}

LogicalResult FunctionConverter::convertBarrierOp(Operation *op) {
  Location loc = op->getLoc();
  auto barrier = [&](Value id, Value count, bool waits) {
    traits.synchronizes = true;
    // Anything but a barrier of the whole block needs clocks.
    traits.needsClocks |= id || count || !waits;
    call(loc, "egg_barrier", {},
         {thread(), site(op), id ? id : constant(loc, 0, 32),
          count ? toWord(loc, count) : constant(loc, -1, 64),
          constant(loc, waits, 32)});
    return replace(op, {});
  };
  if (isa<NVVM::Barrier0Op>(op))
    return barrier({}, {}, true);
  if (auto named = dyn_cast<NVVM::BarrierOp>(op)) {
    if (named.getReductionOp())
      return failure();
    return barrier(named.getBarrierId(), named.getNumberOfThreads(), true);
  }
  if (auto arrive = dyn_cast<NVVM::BarrierArriveOp>(op))
    return barrier(arrive.getBarrierId(), arrive.getNumberOfThreads(), false);
  if (isa<NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp>(op)) {
    traits.synchronizes = traits.needsClocks = true;
    call(loc, "egg_cluster_arrive", {},
         {thread(), site(op),
          constant(loc, isa<NVVM::ClusterArriveRelaxedOp>(op), 32)});
    return replace(op, {});
  }
  if (isa<NVVM::ClusterWaitOp>(op)) {
    traits.synchronizes = traits.needsClocks = true;
    call(loc, "egg_cluster_wait", {}, {thread(), site(op)});
    return replace(op, {});
  }
  return failure();
}
