//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops given to the threads and blocks of a launch: races and empty loops.
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "Checks.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace egg {

/// Whether each iteration touches only the element of its own number.
static bool isOwnElement(const Access &access, scf::ForallOp loop) {
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(access.op))
    indices = load.getIndices();
  else if (auto store = dyn_cast<memref::StoreOp>(access.op))
    indices = store.getIndices();
  else
    return false;
  return llvm::equal(indices, loop.getInductionVars());
}

static bool haveSameThreads(scf::ForallOp a, scf::ForallOp b) {
  return a.getMapping() == b.getMapping() &&
         a.getMixedLowerBound() == b.getMixedLowerBound() &&
         a.getMixedUpperBound() == b.getMixedUpperBound() &&
         a.getMixedStep() == b.getMixedStep();
}

/// Whether a barrier stands between `a` and the later `b` of one block.
static bool isBarrierBetween(Operation *a, Operation *b) {
  if (a->getBlock() != b->getBlock() || !a->isBeforeInBlock(b))
    return false;
  for (Operation *op = a->getNextNode(); op && op != b; op = op->getNextNode())
    if (isa<gpu::BarrierOp>(op))
      return true;
  return false;
}

/// Memory that both touch, one of them writing, and not by the same thread.
static bool doConflict(scf::ForallOp a, Operation *b) {
  SmallVector<Access> first, second;
  collectAccesses(a, first);
  collectAccesses(b, second);
  auto other = dyn_cast<scf::ForallOp>(b);
  for (const Access &x : first)
    for (const Access &y : second) {
      if (!x.isWrite && !y.isWrite)
        continue;
      if (x.buffer && y.buffer && x.buffer != y.buffer)
        continue;
      if (other && haveSameThreads(a, other) && isOwnElement(x, a) &&
          isOwnElement(y, other))
        continue;
      return true;
    }
  return false;
}

/// Ops of the launch that may run while another thread is still in `loop`.
static void checkRaces(gpu::LaunchOp launch, scf::ForallOp loop,
                       StringRef advice, Findings &findings) {
  Operation *racing = nullptr;
  // Around a loop, an iteration of one thread meets the next one of another.
  for (Operation *parent = loop->getParentOp();
       parent && parent != launch && !racing; parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent) && !isa<scf::ForallOp>(parent) &&
        doConflict(loop, loop))
      racing = loop;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (racing || op == loop || loop->isProperAncestor(op))
      return WalkResult::skip();
    if (op->isProperAncestor(loop))
      return WalkResult::advance();
    bool isAfter =
        op->getBlock() == loop->getBlock() ? loop->isBeforeInBlock(op) : true;
    if (isAfter && !isBarrierBetween(loop, op) && doConflict(loop, op))
      racing = op;
    return WalkResult::skip();
  });
  if (!racing)
    return;
  findings.refuse(loop, "what its iterations write or read, " +
                            racing->getName().getStringRef().str() +
                            (racing == loop ? " of the next round" : "") +
                            " touches in another thread, and nothing makes "
                            "either wait for the other (a data race); " +
                            advice);
}

static bool isMapped(scf::ForallOp loop, bool toBlocks) {
  std::optional<ArrayAttr> mapping = loop.getMapping();
  if (!mapping || mapping->empty())
    return false;
  bool areBlocks = llvm::all_of(*mapping, [](Attribute attr) {
    return isa<gpu::GPUBlockMappingAttr>(attr);
  });
  return areBlocks == toBlocks;
}

/// Whether the value differs between the threads of a block.
static bool dependsOnThread(Value value, gpu::LaunchOp launch) {
  SmallVector<Value> work{value};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (!op) {
      gpu::KernelDim3 ids = launch.getThreadIds();
      if (llvm::is_contained({ids.x, ids.y, ids.z}, next))
        return true;
      continue;
    }
    if (isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
      return true;
    llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// The barrier that follows the loop must be met by all threads.
static void checkUniform(gpu::LaunchOp launch, scf::ForallOp loop,
                         Findings &findings) {
  for (Operation *parent = loop->getParentOp(); parent && parent != launch;
       parent = parent->getParentOp())
    for (Value operand : parent->getOperands())
      if (isa<scf::IfOp, scf::ForOp>(parent) &&
          dependsOnThread(operand, launch)) {
        findings.refuse(loop, "it is inside " +
                                  parent->getName().getStringRef().str() +
                                  " that not all threads run alike, so some "
                                  "would never come to the barrier after it; "
                                  "move the condition into the loop");
        return;
      }
}

void checkMapToThreads(transform::TransformOpInterface op,
                       transform::TransformState &state, Findings &findings) {
  auto map = cast<transform::MapNestedForallToThreads>(op.getOperation());
  for (Operation *payload : state.getPayloadOps(map.getTarget())) {
    auto launch = dyn_cast<gpu::LaunchOp>(payload);
    if (!launch)
      continue;
    if (map.getWarpSize() <= 0) {
      findings.refuse(payload, "warp_size " + Twine(map.getWarpSize()) +
                                   " is no size; NVIDIA's is 32");
      continue;
    }
    launch.walk([&](scf::ForallOp loop) {
      if (!isMapped(loop, /*toBlocks=*/false))
        return;
      if (map.getSyncAfterDistribute())
        checkUniform(launch, loop, findings);
      else
        checkRaces(launch, loop,
                   "leave out sync_after_distribute = false, or put a "
                   "gpu.barrier between them",
                   findings);
    });
  }
}

void checkMapToBlocks(transform::TransformOpInterface op,
                      transform::TransformState &state, Findings &findings) {
  auto map = cast<transform::MapForallToBlocks>(op.getOperation());
  for (Operation *payload : state.getPayloadOps(map.getTarget()))
    payload->walk([&](scf::ForallOp loop) {
      if (!isMapped(loop, /*toBlocks=*/true))
        return;
      for (OpFoldResult extent : loop.getMixedUpperBound())
        if (std::optional<int64_t> value = getConstantIntValue(extent);
            value && *value <= 0) {
          findings.refuse(loop, "the loop has no iterations, and a grid needs "
                                "at least one block; remove the loop first");
          return;
        }
      if (auto launch = dyn_cast<gpu::LaunchOp>(payload))
        checkRaces(launch, loop,
                   "blocks cannot wait for each other: launch a second kernel",
                   findings);
    });
}

} // namespace egg
