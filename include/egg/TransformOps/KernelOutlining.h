//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlining a convex set of tensor ops into a kernel function: first a check
// that finds what would move and what the interface would be, then the
// rewrite, which cannot fail.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_KERNELOUTLINING_H
#define EGG_TRANSFORMOPS_KERNELOUTLINING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace egg {

/// Whether the op costs nothing where it is used: a constant, tensor.empty,
/// linalg.fill, a reshape, a cast, or an op whose results are scalars. Such ops
/// carry no egg.name and are copied into every kernel that needs them.
bool isFreeOp(mlir::Operation *op);

/// Calls fn for every value that the op or its regions read from outside it.
void forEachRead(mlir::Operation *op, llvm::function_ref<void(mlir::Value)> fn);

/// What outlining would do. Valid while the function is unchanged.
struct KernelOutline {
  /// Ops that move, in program order.
  llvm::SetVector<mlir::Operation *> moved;
  /// Everything in the kernel's body, in program order: moved, recomputed and
  /// free ops.
  llvm::SmallVector<mlir::Operation *> body;
  /// Values the body reads, in order of first use.
  llvm::SetVector<mlir::Value> arguments;
  /// Values of moved ops that are used outside, in program order.
  llvm::SmallVector<mlir::Value> results;
  /// Ops between the moved ones that depend on them; they go after the call.
  llvm::SmallVector<mlir::Operation *> after;
};

/// Plans the kernel made of `ops` and copies of `recompute`, all compute ops of
/// the entry block of `function`. On failure emits one diagnostic through
/// `emitError` (what is wrong, and what would help), and nothing has changed.
mlir::FailureOr<KernelOutline>
planKernel(mlir::func::FuncOp function, llvm::ArrayRef<mlir::Operation *> ops,
           llvm::ArrayRef<mlir::Operation *> recompute,
           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Builds the kernel function `name` after the other functions of the module,
/// with a copy of the outline's body. The function it came from is unchanged.
mlir::func::FuncOp buildKernel(mlir::OpBuilder &builder,
                               mlir::func::FuncOp function,
                               const KernelOutline &outline,
                               llvm::StringRef name);

/// Puts what `build` makes in place of the moved ops and erases what is dead.
/// `build` creates ops at the rewriter's insertion point, the last of which it
/// returns, and one value for each result of the outline.
struct Replacement {
  mlir::Operation *last;
  llvm::SmallVector<mlir::Value> results;
};
void replaceOutline(mlir::RewriterBase &rewriter, const KernelOutline &outline,
                    llvm::function_ref<Replacement()> build);

/// The same with a call of the kernel.
void replaceByCall(mlir::RewriterBase &rewriter, const KernelOutline &outline,
                   mlir::func::FuncOp kernel);

} // namespace egg

#endif // EGG_TRANSFORMOPS_KERNELOUTLINING_H
