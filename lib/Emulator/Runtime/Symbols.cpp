//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions that generated code calls. Names and signatures are the
// contract with Convert.
//
//===----------------------------------------------------------------------===//
#include "../DeviceMath.h"
#include "../Matrix/MatrixTypes.h"
#include "Launch.h"

using namespace egg;
using namespace egg::simt;

extern "C" {
static void eggAccess(Thread *thread, int32_t site, const char *address) {
  thread->launch->access(*thread, site, address);
}
/// A store of at most 8 bytes, with its bits.
static void eggStore(Thread *thread, int32_t site, const char *address,
                     uint64_t bits) {
  thread->launch->access(*thread, site, address, &bits);
}
static void eggReserveLocal(Thread *thread, int32_t site, int64_t bytes) {
  thread->launch->reserveLocal(*thread, site, bytes);
}
static void eggEnterLocal(Thread *thread, const char *base, int64_t bytes) {
  thread->launch->enterLocal(*thread, base, bytes);
}
static void eggLocalAccess(Thread *thread, int32_t site, const char *base,
                           const char *address) {
  thread->launch->localAccess(*thread, site, base, address);
}
static void eggVariableAccess(Thread *thread, int32_t site, const char *base,
                              int64_t bytes, const char *address) {
  thread->launch->variableAccess(*thread, site, base, bytes, address);
}
static void eggUnreachable(Thread *thread, int32_t site) {
  thread->launch->unreachable(*thread, site);
}
static void eggAssume(Thread *thread, int32_t site, int32_t holds) {
  if (!holds)
    thread->launch->assumptionFails(*thread, site);
}
static void eggSetMaxRegisters(Thread *thread, int32_t site, int32_t registers,
                               int32_t increases) {
  thread->launch->setMaxRegisters(*thread, site, registers, increases);
}
static void eggStep(Thread *thread, int32_t site) {
  thread->launch->step(*thread, site);
}
static void eggBarrier(Thread *thread, int32_t site, int32_t id, int64_t count,
                       int32_t wait) {
  thread->launch->barrier(*thread, site, id, count, wait);
}
static void eggClusterArrive(Thread *thread, int32_t site, int32_t relaxed) {
  thread->launch->clusterArrive(*thread, site, relaxed);
}
static void eggClusterWait(Thread *thread, int32_t site) {
  thread->launch->clusterWait(*thread, site);
}
/// A meeting of lanes with two operands; the result is one word.
static uint64_t eggMeet(Thread *thread, int32_t site, int32_t meeting,
                        uint32_t mask, int32_t mode, int32_t detail,
                        uint64_t first, uint64_t second) {
  thread->mode = mode;
  thread->detail = detail;
  thread->values[0] = first;
  thread->values[1] = second;
  thread->launch->meet(*thread, site, Meeting(meeting), mask);
  return thread->result;
}
/// A meeting that takes and leaves its operands in memory.
static void eggMeetInMemory(Thread *thread, int32_t site, int32_t meeting,
                            int32_t mode, int32_t detail, uint64_t first,
                            uint64_t second, void *memory) {
  thread->memory = memory;
  eggMeet(thread, site, meeting, ~0u, mode, detail, first, second);
}
static bool eggValid(Thread *thread) { return thread->valid; }
static char *eggMapShared(Thread *thread, int32_t site, const char *address,
                          uint32_t rank) {
  return thread->launch->mapShared(*thread, site, address, rank);
}
static char *eggFromOffset(Thread *thread, uint64_t offset, int32_t cluster) {
  return thread->launch->fromOffset(*thread, offset, cluster);
}
static uint64_t eggToOffset(Thread *thread, int32_t site, const char *address,
                            int32_t cluster) {
  return thread->launch->toOffset(*thread, site, address, cluster);
}
static void eggPublishMBarriers(Thread *thread) {
  thread->launch->publishBarriers(*thread);
}
static void eggProxyFence(Thread *thread, int32_t spaces) {
  thread->launch->proxyFence(*thread, FencedSpaces(spaces));
}
static void eggMBarrierInit(Thread *thread, int32_t site, char *address,
                            int32_t count) {
  thread->launch->mbarrierInit(*thread, site, address, count);
}
static void eggMBarrierInval(Thread *thread, int32_t site, char *address) {
  thread->launch->mbarrierInval(*thread, site, address);
}
/// `flags`: 1 release, 2 drop.
static uint64_t eggMBarrierArrive(Thread *thread, int32_t site, char *address,
                                  int32_t count, int32_t bytes, int32_t flags) {
  return thread->launch->mbarrierArrive(*thread, site, address, count, bytes,
                                        flags & 1, flags & 2);
}
static void eggMBarrierExpect(Thread *thread, int32_t site, char *address,
                              int32_t bytes) {
  thread->launch->mbarrierExpect(*thread, site, address, bytes);
}
/// `flags`: 1 the operand is a state, 2 may block, 4 tries until it succeeds.
static bool eggMBarrierTest(Thread *thread, int32_t site, char *address,
                            uint64_t stateOrParity, int32_t flags) {
  return thread->launch->mbarrierTest(*thread, site, address, stateOrParity,
                                      flags & 1, flags & 2, flags & 4);
}
static void eggCopyAsync(Thread *thread, int32_t site, char *to,
                         const char *from, int32_t bytes, int32_t sourceBytes) {
  thread->launch->copyAsync(*thread, site, to, from, bytes, sourceBytes);
}
static void eggCommitCopies(Thread *thread) {
  thread->launch->commitCopies(*thread);
}
static void eggWaitForCopies(Thread *thread, uint32_t pending) {
  thread->launch->waitForCopies(*thread, pending);
}
static void eggCopiesArrive(Thread *thread, int32_t site, char *address,
                            int32_t noinc) {
  thread->launch->copiesArrive(*thread, site, address, noinc);
}
static void eggBulkLoad(Thread *thread, int32_t site, char *to,
                        const char *from, char *mbarrier, int32_t bytes,
                        int32_t multicast) {
  thread->launch->bulkLoad(*thread, site, to, from, mbarrier, uint32_t(bytes),
                           uint16_t(multicast));
}
static void eggBulkStore(Thread *thread, int32_t site, char *to,
                         const char *from, int32_t bytes) {
  thread->launch->bulkStore(*thread, site, to, from, uint32_t(bytes));
}
static void eggBulkShare(Thread *thread, int32_t site, char *to,
                         const char *from, char *mbarrier, int32_t bytes) {
  thread->launch->bulkShare(*thread, site, to, from, mbarrier, uint32_t(bytes));
}
/// `words`: coordinates, then im2col offsets.
static void eggTensorLoad(Thread *thread, int32_t site, char *to,
                          const void *map, char *mbarrier, const int32_t *words,
                          int32_t coordinates, int32_t offsets,
                          int32_t multicast) {
  thread->launch->tensorLoad(
      *thread, site, to, map, mbarrier, llvm::ArrayRef(words, coordinates),
      llvm::ArrayRef(words + coordinates, offsets), uint16_t(multicast));
}
static void eggTensorStore(Thread *thread, int32_t site, const void *map,
                           const char *from, const int32_t *words,
                           int32_t coordinates) {
  thread->site = site; // where an unfinished store is reported
  thread->launch->tensorStore(*thread, site, map, from,
                              llvm::ArrayRef(words, coordinates));
}
static void eggCommitBulk(Thread *thread) {
  thread->launch->commitBulk(*thread);
}
static void eggWaitForBulk(Thread *thread, int32_t pending, int32_t read) {
  thread->launch->waitForBulk(*thread, pending, read);
}
static void eggAccumulatorUse(Thread *thread, int32_t site) {
  thread->launch->accumulatorUse(*thread, site);
}
}

template <typename F> static void *address(F *function) {
  return reinterpret_cast<void *>(function);
}

std::vector<std::pair<std::string, void *>> egg::simt::getRuntimeSymbols() {
  std::vector<std::pair<std::string, void *>> symbols = {
      {"egg_access", address(eggAccess)},
      {"egg_store", address(eggStore)},
      {"egg_reserve_local", address(eggReserveLocal)},
      {"egg_enter_local", address(eggEnterLocal)},
      {"egg_local_access", address(eggLocalAccess)},
      {"egg_variable_access", address(eggVariableAccess)},
      {"egg_unreachable", address(eggUnreachable)},
      {"egg_assume", address(eggAssume)},
      {"egg_set_max_registers", address(eggSetMaxRegisters)},
      {"egg_step", address(eggStep)},
      {"egg_barrier", address(eggBarrier)},
      {"egg_cluster_arrive", address(eggClusterArrive)},
      {"egg_cluster_wait", address(eggClusterWait)},
      {"egg_meet", address(eggMeet)},
      {"egg_meet_in_memory", address(eggMeetInMemory)},
      {"egg_valid", address(eggValid)},
      {"egg_map_shared", address(eggMapShared)},
      {"egg_from_offset", address(eggFromOffset)},
      {"egg_to_offset", address(eggToOffset)},
      {"egg_publish_mbarriers", address(eggPublishMBarriers)},
      {"egg_proxy_fence", address(eggProxyFence)},
      {"egg_mbarrier_init", address(eggMBarrierInit)},
      {"egg_mbarrier_inval", address(eggMBarrierInval)},
      {"egg_mbarrier_arrive", address(eggMBarrierArrive)},
      {"egg_mbarrier_expect", address(eggMBarrierExpect)},
      {"egg_mbarrier_test", address(eggMBarrierTest)},
      {"egg_copy_async", address(eggCopyAsync)},
      {"egg_commit_copies", address(eggCommitCopies)},
      {"egg_wait_for_copies", address(eggWaitForCopies)},
      {"egg_copies_arrive", address(eggCopiesArrive)},
      {"egg_bulk_load", address(eggBulkLoad)},
      {"egg_bulk_store", address(eggBulkStore)},
      {"egg_bulk_share", address(eggBulkShare)},
      {"egg_tensor_load", address(eggTensorLoad)},
      {"egg_tensor_store", address(eggTensorStore)},
      {"egg_commit_bulk", address(eggCommitBulk)},
      {"egg_wait_for_bulk", address(eggWaitForBulk)},
      {"egg_accumulator_use", address(eggAccumulatorUse)}};
  for (auto &symbol : getDeviceMathSymbols())
    symbols.push_back(std::move(symbol));
  return symbols;
}
