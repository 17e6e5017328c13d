//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PayloadDims: a payload's extents as a DimSystem, with what has to be
// rewritten in operations when they change.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SHRINK_PAYLOADDIMS_H
#define EGG_LIB_VERIFY_SHRINK_PAYLOADDIMS_H

#include "DimSystem.h"
#include "egg/Verify/ShrinkPayload.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace egg {

/// Extents that are large enough for something to show: the sum of the terms is
/// at least `minimum`, as it is originally.
struct ExtentWish {
  llvm::SmallVector<DimSystem::Term, 4> terms;
  int64_t minimum = 0;
  /// What then matters, and where; none for positions.
  std::optional<mlir::Location> location;
  std::string what;

  bool holds(llvm::ArrayRef<int64_t> extents) const;
};

class PayloadDims {
public:
  using Vars = llvm::SmallVector<DimSystem::Var, 6>;

  /// Reads the constraints off the function; failure (with a diagnostic) when
  /// a tensor's shape is not static.
  mlir::LogicalResult collect(mlir::func::FuncOp function,
                              bool resultsComeTwice = false);

  const DimSystem &getSystem() const { return system; }
  /// What extents should be large enough for, the smallest first, where the
  /// work allows it. A fixed order.
  llvm::ArrayRef<ExtentWish> getWishes() const { return wishes; }
  /// Cost of running the payload with these extents, as estimateWork.
  int64_t estimateWork(llvm::ArrayRef<int64_t> extents) const;
  /// Gives the function's values and attributes the new extents.
  void rewrite(mlir::func::FuncOp function,
               llvm::ArrayRef<int64_t> extents) const;
  /// Gives constants that are the number of elements of sums, or its
  /// reciprocal, the new number, and lists them in `counts`. After rewrite.
  void scaleCounts(mlir::func::FuncOp function, llvm::ArrayRef<int64_t> extents,
                   CountRule rule, std::vector<CountConstant> *counts) const;

private:
  /// How a slice's offset follows its extents.
  struct SliceOffset {
    enum class Kind { Keep, Multiple, FromEnd } kind = Kind::Keep;
    /// Keep: the offset. Multiple: of the slice's size. FromEnd: distance from
    /// the source's end.
    int64_t value = 0;
  };

  /// Where a slice begins or ends, or an element lies, along an extent: the
  /// sum of the terms and a constant.
  struct Position {
    DimSystem::Var extent;
    llvm::SmallVector<DimSystem::Term, 2> terms;
    int64_t constant;
  };

  Vars &dims(mlir::Value value);
  void uniteAll(mlir::ValueRange values);
  void fixAll(mlir::Value value);
  void collectOp(mlir::Operation *op);
  void collectLinalg(mlir::linalg::LinalgOp op);
  void collectMap(mlir::AffineMap map, const Vars &loops, const Vars &operand);
  void collectExtracts(mlir::linalg::LinalgOp op, const Vars &loops);
  void collectReshape(mlir::Value expanded, mlir::Value collapsed,
                      llvm::ArrayRef<mlir::ReassociationIndices> groups);
  void collectPad(mlir::tensor::PadOp pad);
  void collectSlice(mlir::OffsetSizeAndStrideOpInterface slice,
                    mlir::Value outer, mlir::Value inner);
  void rewriteSlice(mlir::OffsetSizeAndStrideOpInterface slice,
                    mlir::Value outer, llvm::ArrayRef<int64_t> extents) const;
  void collectPositions(DimSystem::Var extent, DimSystem::Var size,
                        int64_t stride, const SliceOffset &offset,
                        bool endsWithExtent);
  void collectPositionWishes();
  void collectConstantWishes(mlir::func::FuncOp function);
  bool fixIndexSources(mlir::Value value, llvm::SmallPtrSetImpl<void *> &seen);

  DimSystem system;
  llvm::MapVector<mlir::Value, Vars> valueDims;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<SliceOffset>> offsets;
  /// Variables of the sizes of each slice, dropped dimensions included.
  llvm::DenseMap<mlir::Operation *, Vars> sliceSizes;
  std::vector<Position> positions;
  std::vector<ExtentWish> wishes;
  /// Loop nests, for the work.
  std::vector<Vars> loopNests;
  llvm::DenseMap<mlir::Operation *, size_t> nestOf;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_SHRINK_PAYLOADDIMS_H
