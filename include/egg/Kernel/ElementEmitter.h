//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ElementEmitter: emits the code that computes single elements of tensor
// values, fusing everything between an element and the buffers it comes from.
// Up to a few neighbouring elements ("lanes") are computed together, so that
// contiguous accesses become vector accesses.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_ELEMENTEMITTER_H
#define EGG_KERNEL_ELEMENTEMITTER_H

#include "egg/Kernel/IndexSpace.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace egg {

/// The values of neighbouring elements; a single value when all are equal.
using Lanes = llvm::SmallVector<mlir::Value, 4>;

/// Emits at the builder's insertion point. Everything it emits may be reused
/// by later evaluations until the scope it was emitted in ends.
class ElementEmitter {
public:
  /// Returns the buffer, a one-dimensional memref, of a constant that is no
  /// splat.
  using ConstantBuffer = std::function<mlir::Value(mlir::DenseElementsAttr)>;

  ElementEmitter(mlir::OpBuilder &b, mlir::Location loc, IndexSpace &space,
                 mlir::Type indexType, ConstantBuffer constantBuffer)
      : b(b), loc(loc), space(space), indexType(indexType),
        constantBuffer(std::move(constantBuffer)) {}

  /// The flattened buffer that holds a kernel argument.
  void bindArgument(mlir::Value tensor, mlir::Value buffer) {
    buffers[tensor] = buffer;
  }

  /// The value of an anchor's result at the current row (or point).
  void bindAnchor(mlir::Value result, Lanes lanes);

  /// Makes dim the lane: evaluations whose index depends on it yield count
  /// values, for dim = 0 .. count - 1. A count of 1 switches lanes off.
  void setLane(mlir::AffineExpr dim, int64_t count) {
    lane = count > 1 ? dim : mlir::AffineExpr();
    laneCount = count;
  }

  /// Computes the element idx of a tensor value. Fails, with a diagnostic, on
  /// ops that cannot be evaluated.
  mlir::FailureOr<Lanes> evaluate(mlir::Value tensor,
                                  llvm::ArrayRef<mlir::AffineExpr> idx);

  /// Computes a scalar defined outside of linalg bodies.
  mlir::FailureOr<mlir::Value> evaluateScalar(mlir::Value value);

  /// Applies the body of an anchor at these loop indices to the accumulators
  /// (one a result), once for each lane, and returns the new accumulators.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  accumulate(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::AffineExpr> loops,
             llvm::ArrayRef<mlir::Value> accumulators);

  /// Stores lanes at a position of a flattened buffer.
  void store(mlir::Value buffer, mlir::AffineExpr position, const Lanes &lanes);

  /// True if every sizeable buffer that the element idx of tensor is computed
  /// from is read at neighbouring addresses by neighbouring lanes.
  bool readsContiguously(mlir::Value tensor,
                         llvm::ArrayRef<mlir::AffineExpr> idx,
                         mlir::AffineExpr dim, int64_t sizeable);

  /// Distance in elements between what neighbours along dim read of the
  /// largest buffer behind the element idx of tensor. Nothing if a bounds test
  /// or an index that is not linear lies in between.
  std::optional<int64_t> readStride(mlir::Value tensor,
                                    llvm::ArrayRef<mlir::AffineExpr> idx,
                                    mlir::AffineExpr dim);

  mlir::Value emitIndex(mlir::AffineExpr expr) {
    return space.emit(b, loc, indexType, expr);
  }
  /// Casts a value of the index type to index.
  mlir::Value toIndex(mlir::Value value);

  /// While it lives, new results are forgotten at its end: for loop bodies and
  /// branches.
  class Scope {
  public:
    explicit Scope(ElementEmitter &emitter)
        : emitter(emitter), mark(emitter.log.size()) {}
    ~Scope() {
      while (emitter.log.size() > mark)
        emitter.memo[emitter.log.pop_back_val()].pop_back();
    }
    Scope(const Scope &) = delete;

  private:
    ElementEmitter &emitter;
    size_t mark;
  };

private:
  using Index = llvm::ArrayRef<mlir::AffineExpr>;
  using Result = mlir::FailureOr<Lanes>;
  /// While it lives, one lane is evaluated: of anchors, too.
  class OneLane {
  public:
    OneLane(ElementEmitter &emitter, std::optional<size_t> number)
        : emitter(emitter), outer(emitter.oneLane) {
      emitter.oneLane = number;
    }
    ~OneLane() { emitter.oneLane = outer; }
    OneLane(const OneLane &) = delete;

  private:
    ElementEmitter &emitter;
    std::optional<size_t> outer;
  };
  struct Entry {
    llvm::SmallVector<mlir::AffineExpr> idx;
    Lanes lanes;
  };

  Result compute(mlir::OpResult result, Index idx);
  Result computeLinalg(mlir::linalg::LinalgOp op, unsigned number, Index idx);
  /// Evaluates the operands that the body of op uses, at these loop indices.
  /// Raises count to the number of lanes that the body needs.
  mlir::LogicalResult
  evaluateOperands(mlir::linalg::LinalgOp op, Index loops, bool withInits,
                   llvm::SmallVectorImpl<std::pair<mlir::Value, Lanes>> &args,
                   size_t &count);
  /// Clones the body for one lane; returns what it yields.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  cloneBody(mlir::linalg::LinalgOp op, Index loops,
            llvm::DenseMap<mlir::Value, mlir::Value> &map);
  Result computePad(mlir::Operation *op, Index idx);
  Result computeInsertSlice(mlir::Operation *op, Index idx);
  Result computeConcat(mlir::Operation *op, Index idx);
  Result computeFromElements(mlir::Operation *op, Index idx);
  Result computeConstant(mlir::DenseElementsAttr attr, Index idx);
  Result load(mlir::Value buffer, mlir::AffineExpr position, mlir::Type type);
  /// Evaluates for every lane alone.
  Result perLane(mlir::Value tensor, Index idx);
  /// An scf.if that yields the element of either branch.
  Result branch(mlir::Value condition, mlir::Type type,
                llvm::function_ref<Result()> onTrue,
                llvm::function_ref<Result()> onFalse);
  /// Tests 0 <= expr < extent; null if always true. Sets inRange to an
  /// expression for expr whose range is known inside the test.
  mlir::Value guard(mlir::AffineExpr expr, int64_t extent,
                    mlir::AffineExpr &inRange);
  mlir::FailureOr<mlir::Value>
  cloneBodyOp(mlir::Operation *op, Index loops,
              llvm::DenseMap<mlir::Value, mlir::Value> &map);
  /// The elements of kernel arguments behind the element idx of tensor; fails
  /// where a bounds test lies in between.
  mlir::LogicalResult
  collectBufferReads(mlir::Value tensor, Index idx,
                     llvm::SmallVectorImpl<ElementRead> &reads);
  bool dependsOnLane(mlir::AffineExpr expr) const;
  bool dependsOnLane(Index idx) const {
    return llvm::any_of(idx, [&](auto e) { return dependsOnLane(e); });
  }
  llvm::SmallVector<mlir::AffineExpr> atLane(Index idx, int64_t k) const;

  mlir::OpBuilder &b;
  mlir::Location loc;
  IndexSpace &space;
  mlir::Type indexType;
  ConstantBuffer constantBuffer;
  mlir::AffineExpr lane;
  int64_t laneCount = 1;
  std::optional<size_t> oneLane;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, Lanes> anchors;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Entry, 1>> memo;
  llvm::SmallVector<mlir::Value> log;
};

} // namespace egg

#endif // EGG_KERNEL_ELEMENTEMITTER_H
