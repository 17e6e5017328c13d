//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PayloadBuilder: a payload under construction, with the tensors that further
// operations may read.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_PAYLOADBUILDER_H
#define EGG_LIB_FUZZ_PAYLOADBUILDER_H

#include "../Choices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace egg::fuzz {

using Shape = llvm::SmallVector<int64_t>;

/// What operations read: a tensor through a map from the loops.
struct Access {
  mlir::Value tensor;
  mlir::AffineMap map;
};

class PayloadBuilder {
public:
  PayloadBuilder(mlir::MLIRContext *context, Choices &choices);

  /// A new argument of @main.
  mlir::Value addInput(mlir::ArrayRef<int64_t> shape, mlir::Type element);
  /// A tensor of the number.
  mlir::Value fill(mlir::ArrayRef<int64_t> shape, mlir::TypedAttr number);
  mlir::Value empty(mlir::ArrayRef<int64_t> shape, mlir::Type element);
  /// linalg.generic; one init and result map each result.
  mlir::linalg::GenericOp
  generic(mlir::ArrayRef<Access> inputs, mlir::ArrayRef<Access> inits,
          mlir::ArrayRef<mlir::utils::IteratorType> iterators,
          llvm::function_ref<void(mlir::OpBuilder &, mlir::Location,
                                  mlir::ValueRange)>
              body);
  /// linalg.generic without reductions, with the loops' shape as its result's.
  mlir::Value
  map(mlir::ArrayRef<int64_t> loops, mlir::Type result,
      mlir::ArrayRef<Access> inputs,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>
          body);

  /// Makes the value one that later operations may read. `rounded` values are
  /// right only up to rounding: nothing that jumps may read them.
  void offer(mlir::Value value, bool rounded);
  bool isRounded(mlir::Value value) const { return rounded.contains(value); }
  /// Some tensor: one there is, or a new input.
  mlir::Value pickTensor();
  /// A tensor of exactly that type, or null.
  mlir::Value findTensor(mlir::Type type);
  /// An access of some tensor of that element type over loops of that shape:
  /// one there is where it fits; permuted, broadcast, strided or backwards.
  Access pickAccess(mlir::ArrayRef<int64_t> loops, mlir::Type element);

  /// Extents: few different ones, so that tensors fit each other.
  int64_t pickExtent() { return choices.pick(extents); }
  Shape pickShape(int64_t leastRank, int64_t mostRank, int64_t mostElements);
  mlir::Type pickElement();
  mlir::Type pickFloat();

  mlir::AffineMap identity(unsigned rank) {
    return b.getMultiDimIdentityMap(rank);
  }

  /// Returns what nothing reads and some of the rest; names the compute ops.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  mlir::OpBuilder b;
  mlir::Location loc;
  Choices &choices;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  Shape extents;
  llvm::SmallVector<mlir::Type> elements;
  llvm::SmallVector<mlir::Value> pool;
  llvm::DenseSet<mlir::Value> rounded;
};

llvm::ArrayRef<int64_t> shapeOf(mlir::Value tensor);
mlir::Type elementOf(mlir::Value tensor);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_PAYLOADBUILDER_H
