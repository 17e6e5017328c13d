//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integers of a kernel at single points of its launch, as the machine computes
// them: what refutes a property is always shown here, never by the domain.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LEGALITY_POINTS_H
#define EGG_LIB_LEGALITY_POINTS_H

#include "egg/Legality/KernelFacts.h"
#include <string>

namespace egg::legality {

/// A thread, and the iteration it is in of each loop around some operation.
struct Point {
  std::array<int64_t, 3> thread = {0, 0, 0}, block = {0, 0, 0};
  llvm::SmallVector<std::pair<mlir::scf::ForOp, int64_t>> variables;

  bool sameThread(const Point &other) const {
    return thread == other.thread && block == other.block;
  }
};

/// "thread 3 of block 7", "thread (1, 2, 0) of block (0, 5, 0)", with the
/// values of loop variables.
std::string describe(const Point &point, const Launch &launch);

class Evaluator {
public:
  explicit Evaluator(const Launch &launch) : launch(launch) {}

  struct Number {
    int64_t value = 0;
    /// Whether an addition or multiplication on the way left its type.
    bool wrapped = false;
  };

  void moveTo(const Point &where);
  /// The value at the point; nothing if memory decides it.
  std::optional<Number> evaluate(mlir::Value value);
  std::optional<bool> isTrue(mlir::Value condition);
  void enter(mlir::scf::ForOp loop, int64_t variable);
  void leave(mlir::scf::ForOp loop);
  const Point &point() const { return here; }
  /// Calls body wherever the thread runs the operation, at some iterations of
  /// each loop: the first and last few of them. Returns false if a condition
  /// on the way cannot be decided. body returns false to stop.
  bool visit(mlir::Operation *op, llvm::function_ref<bool()> body,
             int64_t mostIterations);
  /// Whether visit left out an iteration since the flag was last cleared.
  bool leftOut = false;
  /// Loops of which visit looks at one iteration, by its number.
  llvm::DenseMap<mlir::Operation *, int64_t> fixedIterations;
  /// Branches that visit enters whatever their condition says; all those that
  /// cannot be decided, where enterUndecided is set.
  llvm::DenseSet<mlir::Operation *> alwaysEntered;
  bool enterUndecided = false;

  /// A number that is equal for two points only if the value is; nothing where
  /// memory that is written, other threads or loops decide it.
  std::optional<uint64_t> keyOf(mlir::Value value, const KernelFacts &facts);

private:
  std::optional<Number> compute(mlir::Value value);
  std::optional<Number> computeBinary(mlir::Operation *op);
  bool walk(llvm::ArrayRef<mlir::Operation *> parents, mlir::Operation *op,
            llvm::function_ref<bool()> body, int64_t mostIterations);

  const Launch &launch;
  Point here;
  bool stopped = false;
  llvm::DenseMap<mlir::Value, std::optional<Number>> memo;
};

/// A few blocks of a grid: the first and last ones and some between.
llvm::SmallVector<std::array<int64_t, 3>> sampleBlocks(const Launch &launch,
                                                       size_t most);
std::array<int64_t, 3> unflatten(int64_t number,
                                 const std::array<int64_t, 3> &extents);

/// What a value is computed from, through loops and branches.
struct Sources {
  bool thread = false, block = false;
  /// Shuffles, and memory that the kernel writes.
  bool exchange = false;
  /// Memory of any kind.
  bool memory = false;
};
Sources sourcesOf(mlir::Value value, const KernelFacts &facts);

} // namespace egg::legality

#endif // EGG_LIB_LEGALITY_POINTS_H
