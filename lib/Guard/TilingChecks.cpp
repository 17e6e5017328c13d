//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiling, fusing and splitting loops of structured ops.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace egg {

/// What a dynamic size's handle or parameter stands for.
static std::optional<int64_t> resolveSize(Value dynamic,
                                          transform::TransformState &state) {
  if (isa<transform::TransformParamTypeInterface>(dynamic.getType())) {
    ArrayRef<Attribute> params = state.getParams(dynamic);
    if (params.empty() || !llvm::all_equal(params))
      return std::nullopt;
    auto number = dyn_cast<IntegerAttr>(params.front());
    return number ? std::optional(number.getValue().getSExtValue())
                  : std::nullopt;
  }
  auto ops = llvm::to_vector(state.getPayloadOps(dynamic));
  APInt number;
  if (ops.size() == 1 && ops[0]->getNumResults() == 1 &&
      matchPattern(ops[0]->getResult(0), m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

SmallVector<std::optional<int64_t>>
resolveSizes(ArrayRef<int64_t> sizes, ValueRange dynamic,
             transform::TransformState &state) {
  SmallVector<std::optional<int64_t>> resolved;
  size_t next = 0;
  for (int64_t size : sizes) {
    if (!ShapedType::isDynamic(size))
      resolved.push_back(size);
    else if (next < dynamic.size())
      resolved.push_back(resolveSize(dynamic[next++], state));
    else
      resolved.push_back(std::nullopt);
  }
  return resolved;
}

SmallVector<int64_t> loopExtents(TilingInterface op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return linalgOp.getStaticLoopRanges();
  size_t loops = op.getLoopIteratorTypes().size();
  if (op->getNumResults() > 0)
    if (auto type = dyn_cast<ShapedType>(op->getResult(0).getType()))
      if (type.hasRank() && size_t(type.getRank()) == loops)
        return llvm::to_vector(type.getShape());
  return SmallVector<int64_t>(loops, ShapedType::kDynamic);
}

namespace {
struct Tiling {
  SmallVector<std::optional<int64_t>> sizes;
  /// Whether the sizes count workers.
  bool areWorkers = false;
  /// Whether the tiles run in parallel.
  bool isParallel = false;

  std::optional<int64_t> size(size_t loop) const {
    return loop < sizes.size() ? sizes[loop] : 0;
  }
  /// Whether the loop may be cut into more than one tile.
  bool cuts(size_t loop, int64_t extent) const {
    std::optional<int64_t> cut = size(loop);
    if (!cut)
      return true;
    if (areWorkers)
      return *cut > 1;
    return *cut != 0 && (ShapedType::isDynamic(extent) || *cut < extent);
  }
};
} // namespace

/// Sizes and extents that crash, in any loops. False if there are such.
static bool checkSizes(Operation *payload, const Tiling &tiling,
                       Findings &findings) {
  for (auto [i, size] : llvm::enumerate(tiling.sizes))
    if (size && *size < 0) {
      findings.refuse(payload, "size " + Twine(*size) + " of loop " + Twine(i) +
                                   " is negative; sizes are 0 (leave the loop "
                                   "whole) or more");
      return false;
    }
  auto tiled = dyn_cast<TilingInterface>(payload);
  if (!tiled)
    return true;
  for (auto [i, extent] : llvm::enumerate(loopExtents(tiled)))
    if (extent == 0) {
      findings.refuse(payload, "loop " + Twine(i) +
                                   " of its payload has extent 0, which "
                                   "upstream divides by; remove what has no "
                                   "elements first");
      return false;
    }
  return true;
}

/// Crashes of loops that run in parallel, and results lost between workers.
static bool checkParallelTiling(TilingInterface payload, const Tiling &tiling,
                                Findings &findings) {
  SmallVector<int64_t> extents = loopExtents(payload);
  if (extents.empty()) {
    findings.refuse(payload, "its payload has no loops (rank 0), so there is "
                             "nothing to tile; leave it as it is");
    return false;
  }
  if (!tiling.sizes.empty() &&
      llvm::all_of(tiling.sizes, [](auto size) { return size == 0; })) {
    findings.refuse(payload, "all sizes are 0, so no loop would be made; give "
                             "one loop a size, or leave the op out");
    return false;
  }
  for (auto [i, kind] : llvm::enumerate(payload.getLoopIteratorTypes()))
    if (kind == utils::IteratorType::reduction && tiling.cuts(i, extents[i])) {
      findings.refuse(
          payload, "loop " + Twine(i) +
                       " is a reduction, and its parallel workers would "
                       "each overwrite the result without combining; give it "
                       "size 0, or use tile_reduction_using_forall");
      return false;
    }
  return true;
}

void checkTileUsingFor(transform::TransformOpInterface op,
                       transform::TransformState &state, Findings &findings) {
  auto tile = cast<transform::TileUsingForOp>(op.getOperation());
  Tiling tiling{
      resolveSizes(tile.getStaticSizes(), tile.getDynamicSizes(), state)};
  for (Operation *payload : state.getPayloadOps(tile.getTarget()))
    if (checkSizes(payload, tiling, findings))
      checkReductionOrder(payload, tiling.sizes, tile.getInterchange(),
                          findings);
}

void checkTileUsingForall(transform::TransformOpInterface op,
                          transform::TransformState &state,
                          Findings &findings) {
  auto tile = cast<transform::TileUsingForallOp>(op.getOperation());
  Tiling tiling;
  tiling.isParallel = true;
  tiling.areWorkers =
      !tile.getStaticNumThreads().empty() || tile.getPackedNumThreads();
  Value packed = tile.getPackedNumThreads() ? tile.getPackedNumThreads()
                                            : tile.getPackedTileSizes();
  if (tiling.areWorkers)
    tiling.sizes =
        resolveSizes(tile.getStaticNumThreads(), tile.getNumThreads(), state);
  else
    tiling.sizes =
        resolveSizes(tile.getStaticTileSizes(), tile.getTileSizes(), state);
  for (Operation *payload : state.getPayloadOps(tile.getTarget())) {
    auto tiled = dyn_cast<TilingInterface>(payload);
    if (!tiled)
      continue;
    Tiling own = tiling;
    if (packed) {
      size_t count = tiled.getLoopIteratorTypes().size();
      if (isa<transform::TransformParamTypeInterface>(packed.getType())) {
        own.sizes.clear();
        for (Attribute param : state.getParams(packed)) {
          auto number = dyn_cast<IntegerAttr>(param);
          own.sizes.push_back(number ? std::optional(number.getInt())
                                     : std::nullopt);
        }
      } else {
        own.sizes.assign(count, std::nullopt);
      }
    }
    if (checkSizes(payload, own, findings))
      checkParallelTiling(tiled, own, findings);
  }
}

/// Reinitialisation of accumulators: fusing pulls the producer of an init into
/// the loops, and then each step along a reduction starts anew.
static void checkFusedInits(TilingInterface payload, const Tiling &tiling,
                            Findings &findings) {
  auto destination =
      dyn_cast<DestinationStyleOpInterface>(payload.getOperation());
  if (!destination)
    return;
  SmallVector<int64_t> extents = loopExtents(payload);
  for (auto [i, kind] : llvm::enumerate(payload.getLoopIteratorTypes())) {
    if (kind != utils::IteratorType::reduction || !tiling.cuts(i, extents[i]))
      continue;
    for (Value init : destination.getDpsInits())
      if (auto producer = init.getDefiningOp<TilingInterface>()) {
        findings.refuse(
            payload,
            "it would fuse " + producer->getName().getStringRef().str() +
                ", which sets the accumulator, into the loop of reduction " +
                Twine(i) +
                ", and all but the last step of it would be lost; tile only "
                "the parallel loops here (size 0 for the reduction), then the "
                "reduction with tile_using_for");
        return;
      }
  }
}

void checkFuse(transform::TransformOpInterface op,
               transform::TransformState &state, Findings &findings) {
  auto fuse = cast<transform::FuseOp>(op.getOperation());
  Tiling tiling{
      resolveSizes(fuse.getStaticTileSizes(), fuse.getTileSizes(), state)};
  tiling.isParallel = fuse.getUseForall();
  for (Operation *payload : state.getPayloadOps(fuse.getTarget())) {
    auto tiled = dyn_cast<TilingInterface>(payload);
    if (!tiled || !checkSizes(payload, tiling, findings))
      continue;
    if (tiling.isParallel && !checkParallelTiling(tiled, tiling, findings))
      continue;
    checkFusedInits(tiled, tiling, findings);
  }
}

void checkFuseIntoContaining(transform::TransformOpInterface op,
                             transform::TransformState &state,
                             Findings &findings) {
  auto fuse = cast<transform::FuseIntoContainingOp>(op.getOperation());
  for (Operation *container : state.getPayloadOps(fuse.getContainingOp())) {
    auto loop = dyn_cast<scf::ForallOp>(container);
    if (!loop)
      continue;
    for (Operation *producer : state.getPayloadOps(fuse.getProducerOp()))
      for (auto [output, arg] :
           llvm::zip(loop.getOutputs(), loop.getRegionOutArgs())) {
        if (output.getDefiningOp() != producer)
          continue;
        // The producer replaces one read of the argument; the argument itself
        // then no longer has what the producer computed.
        int64_t reads = llvm::count_if(arg.getUsers(), [](Operation *user) {
          return !isa<tensor::ParallelInsertSliceOp>(user);
        });
        if (reads > 1)
          findings.refuse(
              producer,
              "the loop reads its output in " + Twine(reads) +
                  " places, and only one of them would still see what this "
                  "producer computes; fuse before the output is read again, "
                  "or leave the producer outside");
      }
  }
}

void checkSplit(transform::TransformOpInterface op,
                transform::TransformState &state, Findings &findings) {
  auto split = cast<transform::SplitOp>(op.getOperation());
  SmallVector<Value> dynamic;
  if (Value size = split.getDynamicChunkSizes())
    dynamic.push_back(size);
  std::optional<int64_t> point =
      resolveSizes(split.getStaticChunkSizes(), dynamic, state).front();
  for (Operation *payload : state.getPayloadOps(split.getTarget())) {
    auto tiled = dyn_cast<TilingInterface>(payload);
    if (!tiled)
      continue;
    if (!split.getMultiway() && point && *point <= 0) {
      findings.refuse(payload, "it would split after " + Twine(*point) +
                                   " elements, and the first part would have "
                                   "none; split after 1 or more");
      continue;
    }
    for (auto [i, extent] : llvm::enumerate(loopExtents(tiled)))
      if (extent == 0)
        findings.refuse(payload, "loop " + Twine(i) +
                                     " of its payload has extent 0, so a part "
                                     "would have no elements; remove what has "
                                     "no elements first");
  }
}

void checkDivisors(transform::TransformOpInterface op,
                   transform::TransformState &state, Findings &findings) {
  for (Operation *payload : state.getPayloadOps(op->getOperand(0))) {
    for (StringRef name : {"target_size", "divisor", "total_num_threads",
                           "desired_bit_alignment"})
      if (auto number = op->getAttrOfType<IntegerAttr>(name);
          number && number.getInt() <= 0)
        findings.refuse(payload, name + " " + Twine(number.getInt()) +
                                     " is none; give it 1 or more");
    checkSizes(payload, Tiling(), findings);
  }
}

void checkVectorize(transform::TransformOpInterface op,
                    transform::TransformState &state, Findings &findings) {
  auto vectorize = cast<transform::VectorizeOp>(op.getOperation());
  if (vectorize.getAssumeDynamicDimsMatchVecSizes())
    for (Operation *payload : state.getPayloadOps(vectorize.getTarget()))
      if (auto tiled = dyn_cast<linalg::LinalgOp>(payload))
        if (llvm::is_contained(tiled.getStaticLoopRanges(),
                               ShapedType::kDynamic))
          findings.leaveOpen(payload,
                             "its dynamic extents are taken to equal the "
                             "vector sizes without masks; leave out "
                             "assume_dynamic_dims_match_vec_sizes unless they "
                             "always do");
}

} // namespace egg
