//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The integers of one kernel in the index domain, and what holds where.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LEGALITY_KERNELFACTS_H
#define EGG_LEGALITY_KERNELFACTS_H

#include "egg/Legality/IndexDomain.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include <array>

namespace egg::legality {

/// Threads of a block, blocks of a grid.
struct Launch {
  std::array<int64_t, 3> block = {1, 1, 1}, grid = {1, 1, 1};
  int64_t threads() const { return block[0] * block[1] * block[2]; }
  int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};

/// The launch that the kernel says (known_block_size and known_grid_size), if
/// it does.
std::optional<Launch> readLaunch(mlir::gpu::GPUFuncOp kernel);

/// Which threads see the same value.
enum class Spread {
  /// All threads of a block.
  Block,
  /// All threads of a warp.
  Warp,
  /// Decided by values in memory or from other threads.
  Unknown,
  /// Threads of a warp see different values.
  Thread
};

class KernelFacts {
public:
  KernelFacts(mlir::gpu::GPUFuncOp kernel, Launch launch);

  mlir::gpu::GPUFuncOp kernel;
  Launch launch;
  IndexDomain domain;

  /// The mathematical integer that the value holds; a new unknown where the
  /// domain cannot say, or where the operation may wrap around.
  LinearForm formOf(mlir::Value value);
  /// Forms that are never negative where the block runs.
  llvm::ArrayRef<LinearForm> conditionsAt(mlir::Block *block);
  /// Bounds of the form where the block runs; empty if it never does.
  Interval boundsAt(const LinearForm &form, mlir::Block *block);
  /// Whether the form is between the bounds, by the cheapest means that shows
  /// it.
  bool isWithin(const LinearForm &form, int64_t lo, int64_t hi,
                mlir::Block *block);
  /// Adds what holds where the condition has that truth.
  void assume(mlir::Value condition, bool truth,
              llvm::SmallVectorImpl<LinearForm> &conditions);

  /// Whether the branch's condition may have that truth, as far as is known.
  bool mayBe(mlir::scf::IfOp branch, bool truth);

  Spread spreadOf(mlir::Value value);
  Spread spreadOf(const LinearForm &form);
  /// Whether the kernel writes that buffer anywhere.
  bool isWritten(mlir::Value buffer) const { return written.contains(buffer); }

  /// The loop whose variable the atom is.
  mlir::scf::ForOp loopOf(AtomId atom) const { return loops.lookup(atom); }
  /// Ids with more than one value, and the variables of loops.
  llvm::ArrayRef<AtomId> threadAtoms() const { return threads; }
  llvm::ArrayRef<AtomId> blockAtoms() const { return blocks; }
  /// Integer operations whose result may leave their type.
  bool mayWrap(mlir::Operation *op) const { return wrapping.contains(op); }

private:
  LinearForm computeForm(mlir::Value value);
  LinearForm ofOperation(mlir::Operation *op, mlir::Type type);
  LinearForm ofId(mlir::gpu::Dimension dimension,
                  const std::array<int64_t, 3> &extents, bool isThread);
  LinearForm ofLoopVariable(mlir::scf::ForOp loop);
  LinearForm unknown(mlir::Value value);
  LinearForm unknown(mlir::Value value, Interval range);
  LinearForm unsignedOnly(mlir::Operation *op, const LinearForm &source,
                          std::optional<LinearForm> meaning, Interval range);
  void addMeanings(const LinearForm &form, mlir::Block *block,
                   llvm::SmallVectorImpl<LinearForm> &conditions);
  std::optional<LinearForm> ofArithmetic(mlir::Operation *op);
  std::optional<LinearForm> ofDivision(mlir::Operation *op);
  std::optional<LinearForm> ofBits(mlir::Operation *op);
  std::optional<LinearForm> ofAffine(mlir::Operation *op);
  bool isNonNegative(const LinearForm &form, mlir::Block *block) {
    return isWithin(form, 0, kInfinity, block);
  }
  void assumeComparison(mlir::Operation *op, bool truth,
                        llvm::SmallVectorImpl<LinearForm> &conditions);
  Interval computeBounds(const LinearForm &form, mlir::Block *block);
  Spread computeSpread(mlir::Value value);

  std::array<std::array<std::optional<AtomId>, 3>, 2> ids;
  llvm::SmallVector<AtomId> threads, blocks;
  llvm::DenseMap<AtomId, mlir::scf::ForOp> loops;
  llvm::DenseMap<AtomId, mlir::Value> unknowns;
  /// Atoms that have the value of a form where another is not negative: the
  /// results of unsigned operations.
  struct Meaning {
    LinearForm source, form;
    bool inQuestion = false;
  };
  std::map<AtomId, Meaning> meanings;
  llvm::DenseMap<mlir::Value, LinearForm> forms;
  llvm::DenseMap<mlir::Value, Spread> spreads;
  std::map<mlir::Block *, llvm::SmallVector<LinearForm>> paths;
  std::map<std::pair<mlir::Block *, LinearForm>, Interval> knownBounds;
  llvm::DenseSet<mlir::Operation *> wrapping;
  llvm::DenseSet<mlir::Value> written;
};

/// The integers that a type of at most 64 bits holds, signed; i1 is 0 or 1.
Interval rangeOfType(mlir::Type type);

/// One read or write of memory by a thread.
struct Access {
  mlir::Operation *op = nullptr;
  mlir::Value buffer, stored;
  mlir::OperandRange indices;
  /// Neighbouring elements along the last dimension.
  int64_t width = 1;
  bool isWrite = false;
};
/// Reads or writes through memref and vector operations; nothing for others.
std::optional<Access> getAccess(mlir::Operation *op);

/// Whether the memref is shared by the threads of a block.
bool isWorkgroupMemory(mlir::Value buffer);

} // namespace egg::legality

#endif // EGG_LEGALITY_KERNELFACTS_H
