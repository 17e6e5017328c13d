//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mbarriers, asynchronous copies and proxy fences.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace egg::simt;

LogicalResult FunctionConverter::convertAsyncOp(Operation *op) {
  Location loc = op->getLoc();
  Type i1 = builder.getI1Type(), i64 = builder.getI64Type();
  auto i32 = [&](int64_t value) { return constant(loc, value, 32); };
  auto run = [&](StringRef name, Type result, ArrayRef<Value> operands) {
    traits.synchronizes = traits.needsClocks = true;
    SmallVector<Value> all = {thread(), site(op)};
    llvm::append_range(all, operands);
    return call(loc, name, result, all);
  };
  auto finish = [&](Value result) {
    return replace(op, op->getNumResults() ? result : Value());
  };
  auto arrive = [&](Value address, Value count, Value bytes, bool relaxed,
                    bool drop) {
    return finish(run("egg_mbarrier_arrive", i64,
                      {address, count ? count : i32(1), bytes ? bytes : i32(0),
                       i32(int(!relaxed) | int(drop) << 1)}));
  };
  // Predicated forms are text.
  for (StringRef name : {"predicate", "byteMask"})
    if (op->hasAttr(name))
      return failure();
  if (auto init = dyn_cast<NVVM::MBarrierInitOp>(op))
    return finish(
        run("egg_mbarrier_init", {}, {init.getAddr(), init.getCount()}));
  if (isa<NVVM::FenceMbarrierInitOp>(op)) {
    call(loc, "egg_publish_mbarriers", {}, {thread()});
    return finish({});
  }
  if (auto inval = dyn_cast<NVVM::MBarrierInvalOp>(op))
    return finish(run("egg_mbarrier_inval", {}, {inval.getAddr()}));
  if (auto expect = dyn_cast<NVVM::MBarrierExpectTxOp>(op))
    return finish(run("egg_mbarrier_expect", {},
                      {expect.getAddr(), expect.getTxcount()}));
  if (auto plain = dyn_cast<NVVM::MBarrierArriveOp>(op))
    return arrive(plain.getAddr(), plain.getCount(), {}, plain.getRelaxed(),
                  false);
  if (auto drop = dyn_cast<NVVM::MBarrierArriveDropOp>(op))
    return arrive(drop.getAddr(), drop.getCount(), {}, drop.getRelaxed(), true);
  if (auto some = dyn_cast<NVVM::MBarrierArriveNocompleteOp>(op))
    return arrive(some.getAddr(), some.getCount(), {}, false, false);
  if (auto expect = dyn_cast<NVVM::MBarrierArriveExpectTxOp>(op))
    return arrive(expect.getAddr(), {}, expect.getTxcount(),
                  expect.getRelaxed(), false);
  if (auto expect = dyn_cast<NVVM::MBarrierArriveDropExpectTxOp>(op))
    return arrive(expect.getAddr(), {}, expect.getTxcount(),
                  expect.getRelaxed(), true);
  auto test = [&](Value address, Value stateOrPhase, bool blocks) {
    bool isState = stateOrPhase.getType().isInteger(64);
    return finish(run("egg_mbarrier_test", i1,
                      {address, toWord(loc, stateOrPhase),
                       i32(int(isState) | int(blocks) << 1)}));
  };
  if (auto wait = dyn_cast<NVVM::MBarrierTestWaitOp>(op))
    return test(wait.getAddr(), wait.getStateOrPhase(), false);
  if (auto wait = dyn_cast<NVVM::MBarrierTryWaitOp>(op))
    return test(wait.getAddr(), wait.getStateOrPhase(), true);
  if (auto wait = dyn_cast<NVVM::MBarrierTryWaitParityOp>(op))
    return finish(run("egg_mbarrier_test", i1,
                      {wait.getAddr(), toWord(loc, wait.getPhase()), i32(6)}));

  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) {
    Value size = i32(copy.getSize());
    return finish(run("egg_copy_async", {},
                      {copy.getDst(), copy.getSrc(), size,
                       copy.getCpSize() ? copy.getCpSize() : size}));
  }
  traits.synchronizes |= isa<NVVM::CpAsyncCommitGroupOp>(op);
  if (isa<NVVM::CpAsyncCommitGroupOp>(op)) {
    call(loc, "egg_commit_copies", {}, {thread()});
    return finish({});
  }
  if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op)) {
    traits.needsClocks = true;
    call(loc, "egg_wait_for_copies", {}, {thread(), i32(wait.getN())});
    return finish({});
  }
  if (auto track = dyn_cast<NVVM::CpAsyncMBarrierArriveOp>(op))
    return finish(
        run("egg_copies_arrive", {}, {track.getAddr(), i32(track.getNoinc())}));

  auto mask = [&](Value value) {
    return value ? toWord(loc, value, 32) : i32(0);
  };
  if (auto bulk = dyn_cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op))
    return finish(run("egg_bulk_load", {},
                      {bulk.getDstMem(), bulk.getSrcMem(), bulk.getMbar(),
                       bulk.getSize(), mask(bulk.getMulticastMask())}));
  if (auto bulk = dyn_cast<NVVM::CpAsyncBulkSharedCTAToSharedClusterOp>(op))
    return finish(run(
        "egg_bulk_share", {},
        {bulk.getDstMem(), bulk.getSrcMem(), bulk.getMbar(), bulk.getSize()}));
  if (auto bulk = dyn_cast<NVVM::CpAsyncBulkSharedCTAToGlobalOp>(op)) {
    if (bulk.getByteMask())
      return failure();
    return finish(run("egg_bulk_store", {},
                      {bulk.getDstMem(), bulk.getSrcMem(), bulk.getSize()}));
  }
  auto storeWords = [&](ValueRange words, int64_t start) {
    for (auto [i, word] : llvm::enumerate(words))
      LLVM::StoreOp::create(builder, loc, toWord(loc, word, 32),
                            scratch(loc, (start + i) * 4));
  };
  if (auto load =
          dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op)) {
    if (load.getPredicate() || !llvm::is_contained({NVVM::TMALoadMode::TILE,
                                                    NVVM::TMALoadMode::IM2COL},
                                                   load.getMode()))
      return failure();
    // Offsets are given as 16 bits.
    size_t rank = load.getCoordinates().size();
    storeWords(load.getCoordinates(), 0);
    storeWords(load.getIm2colOffsets(), rank);
    return finish(
        run("egg_tensor_load", {},
            {load.getDstMem(), load.getTmaDescriptor(), load.getMbar(),
             scratch(loc), i32(rank), i32(load.getIm2colOffsets().size()),
             mask(load.getMulticastMask())}));
  }
  if (auto store = dyn_cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op)) {
    if (store.getPredicate() || store.getMode() != NVVM::TMAStoreMode::TILE)
      return failure();
    storeWords(store.getCoordinates(), 0);
    return finish(run("egg_tensor_store", {},
                      {store.getTmaDescriptor(), store.getSrcMem(),
                       scratch(loc), i32(store.getCoordinates().size())}));
  }
  if (isa<NVVM::CpAsyncBulkCommitGroupOp>(op)) {
    call(loc, "egg_commit_bulk", {}, {thread()});
    return finish({});
  }
  if (auto wait = dyn_cast<NVVM::CpAsyncBulkWaitGroupOp>(op)) {
    traits.needsClocks = true;
    call(loc, "egg_wait_for_bulk", {},
         {thread(), i32(wait.getGroup()), i32(wait.getRead().has_value())});
    return finish({});
  }
  if (auto fence = dyn_cast<NVVM::FenceProxyOp>(op)) {
    FencedSpaces spaces;
    switch (fence.getKind()) {
    case NVVM::ProxyKind::async:
      spaces = FencedSpaces::All;
      break;
    case NVVM::ProxyKind::async_global:
      spaces = FencedSpaces::Global;
      break;
    case NVVM::ProxyKind::async_shared:
      spaces = fence.getSpace() == NVVM::SharedSpace::shared_cluster
                   ? FencedSpaces::Cluster
                   : FencedSpaces::Block;
      break;
    default:
      return finish({});
    }
    call(loc, "egg_proxy_fence", {},
         {thread(), constant(loc, int64_t(spaces), 32)});
    return finish({});
  }
  return failure();
}
