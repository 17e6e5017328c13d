//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Thread: one lane of a launch, as generated code and the runtime see it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_RUNTIME_THREAD_H
#define EGG_LIB_EMULATOR_RUNTIME_THREAD_H

#include "Clocks.h"
#include "Fiber.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <type_traits>

namespace egg::simt {

class Launch;

inline constexpr uint32_t kWarpSize = 32;
/// Bytes between the shared memories of neighbouring blocks of a cluster; an
/// address in the shared window is the block's rank times this, plus an offset.
inline constexpr int64_t kSharedStride = int64_t(1) << 24;
/// Where the shared memory of a block begins in its window: the machine keeps
/// the first kilobyte for itself.
inline constexpr int64_t kSharedStart = 1024;

/// Numbers of the special registers in Thread::registers: three a vector.
enum Register : int {
  kTid = 0,
  kNtid = 3,
  kCtaid = 6,
  kNctaid = 9,
  kClusterid = 12,
  kNclusterid = 15,
  kClusterCtaid = 18,
  kClusterNctaid = 21,
  kClusterCtarank = 24,
  kClusterNctarank,
  kLaneid,
  kWarpid,
  kNwarpid,
  kWarpsize,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kDynamicSmemSize,
  kTotalSmemSize,
  kSmid,
  kNsmid,
  kGridid,
  kRegisterCount
};

/// The register of that PTX name ("tid.x"), -1 if it is not emulated.
int lookupRegister(llvm::StringRef name);

/// Memory of its own that a thread may have: stacks hold it besides the frames
/// of the code and of the runtime.
inline constexpr int64_t kLocalBytes = 32 * 1024;

/// A local variable of a thread, made when its alloca was executed.
struct LocalVariable {
  const char *base = nullptr;
  int64_t bytes = 0;
  /// By byte.
  std::vector<bool> written;
};

/// What lanes of a warp meet in.
enum class Meeting : int32_t {
  Shuffle,
  Vote,
  Match,
  Redux,
  Elect,
  SyncWarp,
  LoadMatrix,
  StoreMatrix,
  Multiply,
  WgmmaFence,
  WgmmaCommit,
  WgmmaWait,
  Wgmma,
  Aligned
};
llvm::StringRef stringifyMeeting(Meeting meeting);

/// What generated code reads of a thread, whose address it is given: the layout
/// of this is defined, that of the rest is not.
struct ThreadRecord {
  int32_t registers[48];
  /// Start of the block's window in shared memory.
  char *window = nullptr;
};
static_assert(std::is_standard_layout_v<ThreadRecord>);

struct Thread : ThreadRecord {
  enum class State {
    Ready,
    /// Polls: runs again once the others have had their turn.
    Spinning,
    AtBarrier,
    AtMeeting,
    AtMBarrier,
    AtClusterBarrier,
    Finished
  };

  Launch *launch = nullptr;
  /// Numbers in the block and in the cluster, x fastest.
  uint32_t linear = 0, agent = 0, rank = 0;
  State state = State::Ready;
  /// Where it waits.
  int32_t site = 0;
  Fiber fiber;

  /// The meeting it waits in: its operands, then the outcome.
  Meeting meeting = Meeting::Aligned;
  uint32_t mask = 0;
  int32_t mode = 0, detail = 0;
  uint64_t values[2] = {0, 0};
  void *memory = nullptr;
  uint64_t result = 0;
  bool valid = false;

  /// The barrier it waits at.
  int32_t barrier = 0;
  const char *mbarrier = nullptr;
  uint32_t phase = 0;
  /// By mbarrier: the last phase whose end it has asked for, counted from 1.
  std::map<uint32_t, uint32_t> tried;

  /// What it knows, and its own time.
  SharedClocks clocks;
  uint32_t now = 1;
  /// What it knows of the other warps' products from its own warp's wait.
  /// Whoever it tells so may rely on it; itself only after such a meeting.
  Clocks vouched;

  /// Cluster barriers: completed ones it arrived for, and whether it has
  /// arrived and not waited.
  uint32_t clusterPhase = 0;
  bool arrivedAtCluster = false, clusterStarted = false;

  /// Asynchronous copies: by group, the number of copies up to its end.
  uint32_t copies = 0, bulkCopies = 0;
  std::vector<uint32_t> copyGroups, bulkGroups;

  /// Those whose memory nothing has taken since.
  std::vector<LocalVariable> locals;

  int64_t stepsLeft = 0;

  /// What it may use since setmaxnreg; 0 before.
  int32_t maxRegisters = 0;

  uint32_t lane() const { return linear % kWarpSize; }
  uint32_t warp() const { return linear / kWarpSize; }
};

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_RUNTIME_THREAD_H
