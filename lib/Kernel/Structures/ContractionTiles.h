//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tiles of a contraction: how the block's tile of the output, the tiles of
// both operands in shared memory and the threads' shares lie, and how operand
// tiles get from global to shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_KERNEL_CONTRACTIONTILES_H
#define EGG_LIB_KERNEL_CONTRACTIONTILES_H

#include "KernelBuilder.h"

namespace egg {

/// One side of the product: its tile and how threads and registers cover it.
struct Side {
  unsigned operand;
  llvm::ArrayRef<unsigned> dims;
  /// Extent of the whole dimension, of a tile, and of a thread's share.
  int64_t extent, tile, perThread;
  /// Elements of one shared-memory access; neighbours belong to one thread.
  int64_t group;
  /// Threads along this side.
  int64_t threads;
  /// First element of the block's tile, and the thread's place in it.
  mlir::AffineExpr origin, place;
  mlir::Value buffer;
  int64_t pitch;

  /// Place in the tile of the thread's element i.
  mlir::AffineExpr element(int64_t i, const IndexSpace &space) const {
    return space.simplify(place * group + (i / group) * (group * threads) +
                          i % group);
  }
};

/// Elements on their way from global to shared memory.
struct Fetched {
  Lanes lanes;
  mlir::AffineExpr lane;
  /// Where they go in the tile.
  mlir::AffineExpr place;
  /// True in the threads that have such elements; null if all do.
  mlir::Value test;
};

class ContractionTiles {
public:
  explicit ContractionTiles(KernelBuilder &kb);

  /// Checks the config, sets the launch, allocates shared memory.
  mlir::LogicalResult setUp();

  /// Loop indices of the anchor at a point of rows, columns and K.
  llvm::SmallVector<mlir::AffineExpr>
  loopsAt(mlir::AffineExpr m, mlir::AffineExpr n, mlir::AffineExpr k);

  /// The conjunction of the tests expr < extent; null if the ranges decide all.
  mlir::Value
  inside(std::initializer_list<std::pair<mlir::AffineExpr, int64_t>> tests);

  /// Fetches both tiles of a K step into registers, emits what comes between,
  /// and writes them to the buffers number stage.
  mlir::LogicalResult copyTiles(mlir::AffineExpr step, mlir::AffineExpr stage,
                                llvm::function_ref<void()> between);

  KernelBuilder &kb;
  const ContractionInfo &info;
  mlir::linalg::LinalgOp op;
  /// The type of the accumulators and of the tiles in shared memory.
  mlir::Type type;
  Side row, column;

private:
  mlir::FailureOr<llvm::SmallVector<Fetched>>
  fetchTile(Side &side, mlir::AffineExpr kOrigin);
  mlir::FailureOr<Lanes> fetchElements(Side &side, mlir::AffineExpr outer,
                                       mlir::AffineExpr k,
                                       mlir::AffineExpr lane, int64_t width,
                                       bool outerLane, mlir::Value test);
  void commitTile(Side &side, llvm::ArrayRef<Fetched> tile,
                  mlir::AffineExpr stage);
  /// Index of a side's operand at its own dims and K, the others being 0.
  llvm::SmallVector<mlir::AffineExpr>
  operandIndex(const Side &side, mlir::AffineExpr outer, mlir::AffineExpr k);
  /// True if neighbouring threads should walk the side's own dims, false for K.
  bool laneIsOuter(const Side &side);
  int64_t loadWidth(const Side &side, bool outerLane);
  mlir::Value widen(mlir::Value value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::AffineExpr batch;
};

} // namespace egg

#endif // EGG_LIB_KERNEL_CONTRACTIONTILES_H
