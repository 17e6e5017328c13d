//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kinds that break what orders asynchronous work: waits for groups, phases
// and byte counts of mbarriers, commits, fences. They look for NVVM ops, in
// kernels that are lowered.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

template <typename... Ops, typename Change>
static void addSites(Sites &sites, ModuleOp module, StringRef what,
                     Change change) {
  module.walk([&](Operation *op) {
    if (isa<Ops...>(op))
      sites.push_back({(what + " (" + op->getName().getStringRef() + ")").str(),
                       [op, change] { change(op); }});
  });
}

static void drop(Operation *op) { op->erase(); }

/// Replaces an operand by what `compute` makes of it and of a constant.
template <typename Op>
static std::function<void(Operation *)> combine(unsigned operand,
                                                int64_t number) {
  return [=](Operation *op) {
    OpBuilder builder(op);
    Value value = op->getOperand(operand);
    Value constant = LLVM::ConstantOp::create(
        builder, op->getLoc(), value.getType(),
        builder.getIntegerAttr(value.getType(), number));
    op->setOperand(operand, Op::create(builder, op->getLoc(), value, constant));
  };
}

Sites egg::selfcheck::findWrongWaitCounts(ModuleOp module) {
  Sites sites;
  auto oneFewer = [](Operation *op) {
    if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op))
      wait.setN(wait.getN() + 1);
    else if (auto wait = dyn_cast<NVVM::CpAsyncBulkWaitGroupOp>(op))
      wait.setGroup(wait.getGroup() + 1);
    else if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(op))
      wait.setGroup(wait.getGroup() + 1);
  };
  addSites<NVVM::CpAsyncWaitGroupOp, NVVM::CpAsyncBulkWaitGroupOp,
           NVVM::WgmmaWaitGroupSyncOp>(
      sites, module, "one group too few is waited for", oneFewer);
  return sites;
}

Sites egg::selfcheck::findDroppedWaits(ModuleOp module) {
  Sites sites;
  addSites<NVVM::CpAsyncWaitGroupOp, NVVM::CpAsyncBulkWaitGroupOp,
           NVVM::WgmmaWaitGroupSyncOp, NVVM::MBarrierTryWaitParityOp>(
      sites, module, "nothing is waited for", drop);
  return sites;
}

Sites egg::selfcheck::findDroppedCommits(ModuleOp module) {
  Sites sites;
  addSites<NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncBulkCommitGroupOp,
           NVVM::WgmmaGroupSyncAlignedOp>(sites, module,
                                          "a group is not committed", drop);
  return sites;
}

Sites egg::selfcheck::findWrongByteCounts(ModuleOp module) {
  Sites sites;
  addSites<NVVM::MBarrierArriveExpectTxOp>(sites, module,
                                           "half the bytes are expected",
                                           combine<LLVM::LShrOp>(1, 1));
  addSites<NVVM::MBarrierArriveExpectTxOp>(sites, module,
                                           "twice the bytes are expected",
                                           combine<LLVM::ShlOp>(1, 1));
  return sites;
}

Sites egg::selfcheck::findWrongParities(ModuleOp module) {
  Sites sites;
  addSites<NVVM::MBarrierTryWaitParityOp>(sites, module,
                                          "the other phase is waited for",
                                          combine<LLVM::XOrOp>(1, 1));
  return sites;
}

Sites egg::selfcheck::findWrongArrivals(ModuleOp module) {
  Sites sites;
  addSites<NVVM::MBarrierInitOp>(sites, module, "one arrival more is expected",
                                 combine<LLVM::AddOp>(1, 1));
  addSites<NVVM::MBarrierArriveOp>(sites, module, "nobody arrives", drop);
  return sites;
}

Sites egg::selfcheck::findMissingFences(ModuleOp module) {
  Sites sites;
  addSites<NVVM::FenceProxyOp, NVVM::FenceMbarrierInitOp,
           NVVM::WgmmaFenceAlignedOp>(sites, module, "a fence is missing",
                                      drop);
  return sites;
}

void egg::selfcheck::addLoweredBarriers(ModuleOp module, Sites &sites) {
  addSites<NVVM::Barrier0Op, NVVM::BarrierOp>(sites, module,
                                              "a barrier is missing", drop);
}
