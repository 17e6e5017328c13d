//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/SelfCheck/Mutation.h"
#include "Mutators/Mutators.h"

using namespace egg;
using namespace egg::selfcheck;

static constexpr Mutation kMutations[] = {
    {"zeros", "a result is zero everywhere", findZeros},
    {"constant", "a result is one everywhere", findConstants},
    {"input-returned", "an input is returned in place of a result",
     findInputReturned},
    {"identity", "an operation returns its first operand", findIdentities},
    {"dropped-tail", "the last elements of a result are zero or not written",
     findDroppedTails},
    {"dropped-remainder", "a reduction ends one step early",
     findDroppedRemainders},
    {"doubled-term", "a term of a sum counts twice", findDoubledTerms},
    {"swapped-operands", "the operands of an operation change places",
     findSwappedOperands},
    {"transposed-operand", "an operand is read as its transpose",
     findTransposedOperands},
    {"off-by-one", "a bound is one too low", findOffByOnes},
    {"wrong-padding", "what lies outside is not the combiner's identity",
     findWrongPaddings},
    {"wrong-init", "a reduction does not start with its first value",
     findWrongInits},
    {"missing-barrier", "threads do not wait for each other",
     findMissingBarriers},
    {"stale-buffer", "shared memory keeps what it held before",
     findStaleBuffers},
    {"wrong-buffer", "an operand is read from another operand's memory",
     findWrongBuffers},
    {"shifted-read", "an operand is read one element further",
     findShiftedReads},
    {"lower-precision", "a value passes through bf16", findLowerPrecision},
    {"wrong-combine", "partial results are combined by another operation",
     findWrongCombines},
    {"wrong-wait-count", "a wait leaves one more group in flight",
     findWrongWaitCounts},
    {"dropped-wait", "asynchronous work is not waited for", findDroppedWaits},
    {"dropped-commit", "asynchronous work is in no group", findDroppedCommits},
    {"wrong-byte-count", "an mbarrier expects another number of bytes",
     findWrongByteCounts},
    {"wrong-parity", "the wrong phase of an mbarrier is waited for",
     findWrongParities},
    {"wrong-arrivals", "an mbarrier gets another number of arrivals",
     findWrongArrivals},
    {"missing-fence", "one proxy or register use is not ordered with another",
     findMissingFences},
};

llvm::ArrayRef<Mutation> egg::getMutations() { return kMutations; }

std::optional<std::string> egg::applyMutation(const Mutation &mutation,
                                              mlir::ModuleOp kernels,
                                              uint64_t number) {
  llvm::SmallVector<MutationSite> sites = mutation.findSites(kernels);
  if (sites.empty())
    return std::nullopt;
  MutationSite &site = sites[number % sites.size()];
  site.apply();
  return site.what;
}
