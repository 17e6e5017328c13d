//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FitLaunch.h"
#include "egg/Core/Rejection.h"
#include "egg/Target/LaunchLimits.h"
#include "llvm/ADT/STLExtras.h"

using namespace egg;
using namespace egg::simt;

/// Shared memory that a block may ask for on the largest chip.
static constexpr int64_t kMaxSharedBytes = 232448;
/// And of it, in variables whose size the code states.
static constexpr int64_t kMaxStaticSharedBytes = 48 * 1024;

llvm::Error egg::simt::fitLaunch(const HostKernel &kernel, LaunchSpec &spec) {
  auto refuse = [&](const llvm::Twine &reason, const char *remedy) {
    Rejection rejection;
    rejection.step = "launch";
    rejection.location = "kernel '" + kernel.name + "'";
    rejection.reason = reason.str();
    rejection.remedy = remedy;
    return llvm::make_error<RejectionError>(std::move(rejection));
  };
  if (!kernel.exactBlock.empty() && !llvm::equal(kernel.exactBlock, spec.block))
    return refuse("the block is not the one the kernel requires",
                  "launch it with the block that nvvm.reqntid states");
  int64_t threads = spec.block[0] * spec.block[1] * spec.block[2];
  int64_t most = kMaxThreads;
  if (!kernel.maxBlock.empty())
    most = std::min(most, kernel.maxBlock[0] * kernel.maxBlock[1] *
                              kernel.maxBlock[2]);
  if (threads < 1 || threads > most)
    return refuse(
        "a block has " + llvm::Twine(threads) + " threads; " +
            (most < kMaxThreads ? "the kernel states" : "the GPU allows") +
            " 1 to " + llvm::Twine(most),
        "use a smaller block: more blocks, or more work a thread");
  for (int dim = 0; dim < 3; ++dim)
    if (spec.block[dim] > kMaxBlock[dim])
      return refuse("a block has " + llvm::Twine(spec.block[dim]) +
                        " threads along " + llvm::Twine("xyz"[dim]) +
                        "; the GPU allows " + llvm::Twine(kMaxBlock[dim]),
                    "spread them over other dimensions");
  if (!kernel.cluster.empty())
    llvm::copy(kernel.cluster, spec.cluster.begin());
  for (int64_t extent : spec.cluster)
    if (extent < 1)
      return refuse("a cluster has " + llvm::Twine(extent) +
                        " blocks along a dimension",
                    "state extents of at least 1 as nvvm.cluster_dim");
  for (int dim = 0; dim < 3; ++dim)
    if (spec.grid[dim] < 1 || spec.grid[dim] % spec.cluster[dim] != 0)
      return refuse("the grid is empty or does not consist of whole clusters",
                    "make its extents multiples of the cluster's");
  for (int dim = 0; dim < 3; ++dim)
    if (spec.grid[dim] > kMaxGrid[dim])
      return refuse("the grid has " + llvm::Twine(spec.grid[dim]) +
                        " blocks along " + llvm::Twine("xyz"[dim]) +
                        "; the GPU allows " + llvm::Twine(kMaxGrid[dim]),
                    "spread them over x");
  int64_t ranks = spec.cluster[0] * spec.cluster[1] * spec.cluster[2];
  if (ranks > kMaxCluster)
    return refuse("a cluster has " + llvm::Twine(ranks) +
                      " blocks; the GPU allows " + llvm::Twine(kMaxCluster),
                  "use a smaller cluster");
  if (ranks > kernel.maxClusterBlocks.value_or(ranks))
    return refuse("a cluster has " + llvm::Twine(ranks) +
                      " blocks, and the kernel states at most " +
                      llvm::Twine(*kernel.maxClusterBlocks),
                  "raise nvvm.cluster_max_blocks or use a smaller cluster");
  if (kernel.staticBytes > kMaxStaticSharedBytes)
    return refuse(
        "a block has " + llvm::Twine(kernel.staticBytes) +
            " bytes of static shared memory; the GPU allows " +
            llvm::Twine(kMaxStaticSharedBytes),
        "use dynamic shared memory, whose bytes the launch states, or "
        "smaller tiles");
  spec.sharedBytes = kernel.dynamicStart - kSharedStart + spec.dynamicBytes;
  if (spec.sharedBytes > kMaxSharedBytes)
    return refuse("a block asks for " + llvm::Twine(spec.sharedBytes) +
                      " bytes of shared memory; the largest chip has " +
                      llvm::Twine(kMaxSharedBytes),
                  "use smaller tiles or fewer stages");
  return llvm::Error::success();
}
