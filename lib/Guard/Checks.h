//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules of the families of transform ops, and what they share.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_GUARD_CHECKS_H
#define EGG_GUARD_CHECKS_H

#include "egg/Guard/Rules.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace egg {

#define EGG_CHECK(name)                                                        \
  void name(mlir::transform::TransformOpInterface op,                          \
            mlir::transform::TransformState &state, Findings &findings)
// TilingChecks.cpp
EGG_CHECK(checkTileUsingFor);
EGG_CHECK(checkTileUsingForall);
EGG_CHECK(checkFuse);
EGG_CHECK(checkFuseIntoContaining);
EGG_CHECK(checkSplit);
EGG_CHECK(checkDivisors);
EGG_CHECK(checkVectorize);
// ReductionChecks.cpp
EGG_CHECK(checkSplitReduction);
EGG_CHECK(checkTileReductionUsingFor);
EGG_CHECK(checkTileReductionUsingForall);
// PaddingChecks.cpp
EGG_CHECK(checkPad);
EGG_CHECK(checkPadTilingInterface);
EGG_CHECK(checkPack);
EGG_CHECK(checkPackGreedily);
EGG_CHECK(checkWinograd);
// DistributionChecks.cpp
EGG_CHECK(checkMapToThreads);
EGG_CHECK(checkMapToBlocks);
// LoopChecks.cpp
EGG_CHECK(checkFuseSibling);
EGG_CHECK(checkInterchange);
EGG_CHECK(checkOverlap);
// GpuPasses.cpp
EGG_CHECK(checkConversionPatterns);
#undef EGG_CHECK

/// Static sizes, with the values of parameters in place of dynamic ones;
/// nullopt where a size is known only to the payload.
llvm::SmallVector<std::optional<int64_t>>
resolveSizes(llvm::ArrayRef<int64_t> sizes, mlir::ValueRange dynamic,
             mlir::transform::TransformState &state);

/// Refuses tiles of these sizes, or an order of the loops, that change the
/// order of reductions whose result depends on it.
void checkReductionOrder(mlir::Operation *payload,
                         llvm::ArrayRef<std::optional<int64_t>> sizes,
                         llvm::ArrayRef<int64_t> order, Findings &findings);

/// The static extents of the op's loops (kDynamic where there are none).
llvm::SmallVector<int64_t> loopExtents(mlir::TilingInterface op);

/// The ops that combine the elements into the results of `op`, one a result;
/// empty, with the reason, where a result is not combined by one op of a
/// known associative kind that reads the accumulator once.
llvm::SmallVector<mlir::Operation *> findCombiners(mlir::linalg::LinalgOp op,
                                                   std::string &why);

/// Why no code can be made for a fragment op within `root`; reports it at the
/// op through `report`.
void findUnsupportedFragments(
    mlir::Operation *root,
    llvm::function_ref<void(mlir::Operation *, const llvm::Twine &)> report);

} // namespace egg

#endif // EGG_GUARD_CHECKS_H
