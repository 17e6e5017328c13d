//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Running one launch of a compiled kernel: clusters one after another, the
// threads of a cluster as fibers that meet at barriers and in warps. The
// functions that generated code calls are listed in getRuntimeSymbols.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_RUNTIME_LAUNCH_H
#define EGG_LIB_EMULATOR_RUNTIME_LAUNCH_H

#include "ShadowMemory.h"
#include "Thread.h"
#include "egg/Emulator/SimtFault.h"
#include "egg/Emulator/TensorMap.h"
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace egg::simt {

/// State spaces, as instructions name them: a generic address may point into
/// any.
enum class Space : uint8_t { Generic, Global, Shared, Constant, Local };
llvm::StringRef stringifySpace(Space space);

/// What a proxy fence orders accesses of.
enum class FencedSpaces : int32_t { All, Global, Block, Cluster };

/// An instrumented operation: what reports about it say, and what the checks
/// before it need to know.
struct Site {
  std::string op, location;
  int64_t bytes = 0, alignment = 1;
  bool write = false, atomic = false;
  /// Reads and writes at once.
  bool update = false;
  /// Through the read-only cache.
  bool invariant = false;
  /// The space that the address is said to point into.
  Space space = Space::Generic;
  /// That of the module's variable which the address comes from.
  Space home = Space::Generic;
  /// The kernel argument or shared variable that the address comes from; -1
  /// where it is not known.
  int32_t argument = -1, variable = -1;
  /// For uses of accumulators: the sites of the products they may come from.
  std::vector<int32_t> origins;

  bool isPlainRead() const { return !write && !atomic && !invariant; }
};

/// A variable in the shared memory of a block.
struct SharedVariable {
  std::string name;
  /// From the start of the window.
  int64_t offset = 0;
  /// Negative for the dynamic one, which ends where the launch says.
  int64_t bytes = 0;
};

/// C[i] for one row of a product in the arithmetic of the host module:
/// accumulator + sum over k of a[k] * b[k].
using DotFunction = void (*)(void **arguments);

/// Everything a launch needs; the pointers stay the caller's.
struct LaunchSpec {
  std::string kernel;
  /// Runs one thread: argument 0 points to a pointer to the Thread, the others
  /// point to the kernel's arguments.
  void (*function)(void **arguments) = nullptr;
  std::vector<void *> arguments;
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1},
                         cluster = {1, 1, 1};
  /// Global buffers; `argument` of a Site numbers them through regionOf.
  std::vector<ShadowRegion> *regions = nullptr;
  /// By kernel argument: its region, -1 for none.
  std::vector<int32_t> regionOf;
  const std::vector<TensorMap> *tensorMaps = nullptr;
  const std::vector<Site> *sites = nullptr;
  const std::vector<SharedVariable> *shared = nullptr;
  /// Reserved memory for the shared windows of a cluster.
  char *windows = nullptr;
  int64_t sharedBytes = 0, dynamicBytes = 0, sharedElementBytes = 4;
  /// Whether the kernel has barriers or meetings of lanes.
  bool synchronizes = true;
  /// Whether anything but barriers of whole blocks orders accesses.
  bool needsClocks = false;
  /// Whether accesses are checked beyond their bounds.
  bool checkAccesses = true;
  /// Blocks, warps and lanes take turns from the last to the first.
  bool backwards = false;
  /// What fresh shared memory holds.
  uint8_t poison = 0xFF;
  /// Loop rounds a thread may take.
  int64_t stepLimit = int64_t(1) << 40;
  /// Whether tf32 loads round the elements (not where they are no floats).
  bool roundsTF32 = true;
  /// By element type: the products of matrix instructions.
  std::map<std::string, DotFunction> dots;
};

/// An mbarrier object.
struct MBarrier {
  uint32_t agent = 0;
  /// The thread that set it up and when, and whether it has published that.
  uint32_t initAgent = 0, initTime = 0;
  bool published = false;
  int64_t count = 0, pending = 0, transactions = 0;
  /// Completed phases.
  uint32_t phase = 0;
  /// What arrivals of the current phase release, and what waiting acquires.
  Clocks arriving, complete;
};

/// A barrier of the block by number.
struct NamedBarrier {
  int64_t expected = 0, arrived = 0;
  std::vector<Thread *> waiting;
  Clocks arriving;
};

/// What a warp has asked of the tensor cores.
struct WarpProducts {
  /// Products issued, and of those the completed.
  uint32_t issued = 0, completed = 0;
  /// By committed group: products up to its end.
  std::vector<uint32_t> groups;
  /// Site of each product, and the lanes' times when they started it.
  std::vector<int32_t> sites;
  std::vector<std::array<uint32_t, kWarpSize>> times;
  bool fenced = false;
};

/// Asynchronous units. A product's reads are those of a warp (its own rows of
/// the first factor) and those of the warpgroup (the second, which every warp
/// reads); both are numbered by a warp, the first of the warpgroup for those.
enum class Unit {
  CopyGroup,
  BulkRead,
  BulkWrite,
  WarpProduct,
  GroupProduct,
  Barrier
};

class Launch {
public:
  Launch(const LaunchSpec &spec, StackPool &stacks);
  /// Runs all blocks; the first fault ends the launch.
  std::optional<SimtFault> run();

  // What generated code asks for, on behalf of a thread.
  void access(Thread &thread, int32_t site, const char *address,
              const uint64_t *stored = nullptr);
  void reserveLocal(Thread &thread, int32_t site, int64_t bytes);
  void enterLocal(Thread &thread, const char *base, int64_t bytes);
  void localAccess(Thread &thread, int32_t site, const char *base,
                   const char *address);
  void variableAccess(Thread &thread, int32_t site, const char *base,
                      int64_t bytes, const char *address);
  void unreachable(Thread &thread, int32_t site);
  void assumptionFails(Thread &thread, int32_t site);
  void setMaxRegisters(Thread &thread, int32_t site, int32_t registers,
                       bool increases);
  void step(Thread &thread, int32_t site);
  void barrier(Thread &thread, int32_t site, int32_t id, int64_t count,
               bool wait);
  void clusterArrive(Thread &thread, int32_t site, bool relaxed);
  void clusterWait(Thread &thread, int32_t site);
  void meet(Thread &thread, int32_t site, Meeting meeting, uint32_t mask);
  char *mapShared(Thread &thread, int32_t site, const char *address,
                  uint32_t rank);
  char *fromOffset(Thread &thread, uint64_t offset, bool cluster);
  uint64_t toOffset(Thread &thread, int32_t site, const char *address,
                    bool cluster);
  void proxyFence(Thread &thread, FencedSpaces spaces);

  void mbarrierInit(Thread &thread, int32_t site, char *address, int64_t count);
  void publishBarriers(Thread &thread);
  void mbarrierInval(Thread &thread, int32_t site, char *address);
  uint64_t mbarrierArrive(Thread &thread, int32_t site, char *address,
                          int64_t count, int64_t transactions, bool release,
                          bool drop);
  void mbarrierExpect(Thread &thread, int32_t site, char *address,
                      int64_t transactions);
  bool mbarrierTest(Thread &thread, int32_t site, char *address,
                    uint64_t stateOrParity, bool isState, bool block,
                    bool loops);

  void copyAsync(Thread &thread, int32_t site, char *to, const char *from,
                 int64_t bytes, int64_t sourceBytes);
  void commitCopies(Thread &thread);
  void waitForCopies(Thread &thread, uint32_t pendingGroups);
  void copiesArrive(Thread &thread, int32_t site, char *mbarrier, bool noinc);
  void bulkLoad(Thread &thread, int32_t site, char *to, const char *from,
                char *mbarrier, int64_t bytes, uint32_t multicast);
  void bulkStore(Thread &thread, int32_t site, char *to, const char *from,
                 int64_t bytes);
  void bulkShare(Thread &thread, int32_t site, char *to, const char *from,
                 char *mbarrier, int64_t bytes);
  void tensorLoad(Thread &thread, int32_t site, char *to, const void *map,
                  char *mbarrier, llvm::ArrayRef<int32_t> coordinates,
                  llvm::ArrayRef<int32_t> offsets, uint32_t multicast);
  void tensorStore(Thread &thread, int32_t site, const void *map,
                   const char *from, llvm::ArrayRef<int32_t> coordinates);
  void commitBulk(Thread &thread);
  void waitForBulk(Thread &thread, uint32_t pendingGroups, bool readOnly);
  void accumulatorUse(Thread &thread, int32_t site);

private:
  friend class WarpMeeting;

  void setUpThreads();
  void startCluster(int64_t cluster);
  bool runWarp(size_t first);
  void runCluster();
  void runThreadsInTurn();
  void checkEnd();
  void finish(Thread &thread);
  void reportStuck();
  void wait(Thread &thread, Thread::State state, int32_t site);

  // Barriers and meetings.
  bool checkAligned(const NamedBarrier &barrier, int32_t id);
  void completeBarrier(NamedBarrier &barrier, uint32_t rank, int32_t id);
  void checkClusterBarrier();
  bool exchange(size_t first);
  bool checkMeeting(size_t first, Thread &lead);
  void resolve(size_t first, Thread &lead);
  void shuffle(size_t first, Thread &lead);
  void vote(size_t first, Thread &lead);
  void match(size_t first, Thread &lead);
  void redux(size_t first, Thread &lead);
  void loadMatrix(size_t first, Thread &lead);
  void storeMatrix(size_t first, Thread &lead);
  void multiply(size_t first, Thread &lead);
  void wgmma(size_t first, Thread &lead);
  void waitForProducts(size_t first, uint32_t pendingGroups);
  bool productsIssued(const Thread &lead) const;
  size_t warpNumber(const Thread &thread) const;
  void dot(llvm::StringRef type, float &accumulator, const void *a,
           const void *b, int64_t k);

  // Clocks.
  View viewOf(const Thread &thread) const;
  View unitView(const Thread &thread, uint32_t unit, uint32_t time) const;
  uint32_t unit(Unit kind, uint64_t id);
  Clocks snapshot(const Thread &thread) const;
  /// What an arrival tells others: also what the thread vouches for.
  Clocks released(const Thread &thread) const;
  void acquire(Thread &thread, const Clocks &clocks);
  void learn(Thread &thread, uint32_t agent, uint32_t time);
  void mergeClocks(llvm::ArrayRef<Thread *> threads, const Clocks &more);

  // Memory.
  bool repeatsRead(const Thread &thread, const Site &site,
                   const char *address) const;
  void judgeAccess(Thread &thread, int32_t site, const char *address,
                   const uint64_t *stored);
  ShadowRegion *findRegion(const char *address);
  /// Checks and records an access of an address that is said to be in a space,
  /// of a known buffer or of the one it lies in.
  bool checkedAccess(Thread &thread, int32_t site, const char *address,
                     int64_t bytes, bool write, const View &view, Space space,
                     ShadowRegion *region = nullptr,
                     const uint64_t *stored = nullptr);
  /// Who of [first, end) has the given turn.
  size_t atTurn(size_t turn, size_t first, size_t end) const {
    return spec.backwards ? end - 1 - (turn - first) : turn;
  }
  bool checkSpace(Thread &thread, int32_t site, bool write, Space said,
                  Space actual, const llvm::Twine &where);
  LocalVariable *findLocal(Thread &thread, const char *address);
  bool checkLocal(Thread &thread, int32_t site, LocalVariable &variable,
                  const char *address, int64_t bytes, bool write, Space space);
  bool isSameStore(const Thread &thread, const Conflict &conflict,
                   const char *address, int64_t bytes,
                   const uint64_t *stored) const;
  bool checkShared(Thread &thread, int32_t site, const char *address,
                   int64_t bytes);
  void report(Thread &thread, int32_t site, const Conflict &conflict,
              const ShadowRegion &region, bool write);
  MBarrier *findBarrier(Thread &thread, int32_t site, char *address);
  MBarrier *findBarrierOfCopy(Thread &thread, int32_t site, char *address);
  void settle(MBarrier &barrier);
  bool writeTile(Thread &thread, int32_t site, char *to,
                 llvm::ArrayRef<char> bytes, char *mbarrier,
                 TensorMap::Swizzle swizzle, uint32_t multicast);
  const TensorMap *findMap(Thread &thread, int32_t site, const void *map);

  // Reports.
  std::string describe(const Access &access) const;
  std::string describeWait(const Thread &thread) const;
  std::string describePlace(const ShadowRegion &region, int64_t element) const;
  void fault(SimtFault::Kind kind, const Thread *thread, int32_t site,
             std::string message);
  /// Like fault, then leaves the running fiber for good.
  void stop(SimtFault::Kind kind, Thread &thread, int32_t site,
            std::string message);

  const LaunchSpec &spec;
  StackPool &stacks;
  std::vector<Thread> threads;
  std::vector<ShadowRegion> sharedRegions;
  std::vector<std::array<NamedBarrier, 16>> barriers;
  std::vector<uint32_t> finishedOf;
  std::map<const char *, MBarrier> mbarriers;
  std::map<std::pair<Unit, uint64_t>, uint32_t> units;
  std::vector<std::pair<Unit, uint64_t>> unitNames;
  std::vector<WarpProducts> products;
  std::vector<void *> pointers;
  void *threadPointer = nullptr;
  Fiber *running = nullptr;
  std::optional<SimtFault> found;
  size_t blockThreads = 0, ranks = 1;
  /// 1-based number of the running cluster.
  uint32_t owner = 0;
  uint32_t epoch = 0;
  // Of the cluster's barrier.
  uint32_t clusterArrived = 0, clusterPhase = 0, finished = 0;
  Clocks clusterArriving, clusterComplete;
};

/// The functions that generated code calls, by name.
std::vector<std::pair<std::string, void *>> getRuntimeSymbols();

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_RUNTIME_LAUNCH_H
