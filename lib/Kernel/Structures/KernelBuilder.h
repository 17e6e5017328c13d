//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelBuilder: what the emitters of all structures share while they build
// one gpu.func: the analysis, the buffers, the ids, the launch.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_KERNEL_KERNELBUILDER_H
#define EGG_LIB_KERNEL_KERNELBUILDER_H

#include "egg/Kernel/ElementEmitter.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace egg {

struct KernelBuilder {
  KernelBuilder(mlir::func::FuncOp kernel, const KernelConfig &config,
                const KernelAnalysis &analysis, mlir::gpu::GPUFuncOp gpuFunc,
                mlir::OpBuilder &b, mlir::Type indexType,
                ElementEmitter::ConstantBuffer constantBuffer);

  /// Emits a diagnostic about the kernel.
  mlir::LogicalResult fail(const llvm::Twine &message);

  /// The dims for the thread and the block number; set the launch extents
  /// first, since they are the ranges.
  void createIds();

  mlir::Value integer(int64_t value);
  /// value < bound, for values of the index type.
  mlir::Value isBelow(mlir::Value value, int64_t bound);
  void barrier();
  /// A statically sized buffer in shared memory.
  mlir::Value sharedBuffer(int64_t elements, mlir::Type type);

  /// The type of the elements of a tensor value.
  static mlir::Type elementType(mlir::Value tensor);
  /// Values a function returns.
  mlir::Value result(unsigned i);

  /// Evaluates result i at row and column and stores it.
  mlir::LogicalResult storeResult(unsigned i, mlir::AffineExpr row,
                                  mlir::AffineExpr column);
  /// Index of result i at row and column.
  llvm::SmallVector<mlir::AffineExpr>
  resultIndex(unsigned i, mlir::AffineExpr row, mlir::AffineExpr column);

  /// The largest power of two up to the configured width that divides extent
  /// and whose elements of so many bits fit 16 bytes.
  int64_t vectorWidth(int64_t extent, unsigned bits);
  /// The same for the widest element type among the results.
  int64_t resultWidth(int64_t extent);

  mlir::func::FuncOp kernel;
  const KernelConfig &config;
  const KernelAnalysis &analysis;
  mlir::gpu::GPUFuncOp gpuFunc;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type indexType;
  IndexSpace space;
  ElementEmitter emitter;
  llvm::SmallVector<mlir::Value> resultBuffers;

  /// The launch.
  int64_t threads = 1, blocks = 1;
  mlir::Value threadId, blockId;
  mlir::AffineExpr thread, block;
};

/// One emitter a structure; they set the launch and fill the gpu.func.
mlir::LogicalResult emitMap(KernelBuilder &kb);
mlir::LogicalResult emitRows(KernelBuilder &kb);
mlir::LogicalResult emitContraction(KernelBuilder &kb);
mlir::LogicalResult emitScan(KernelBuilder &kb);

} // namespace egg

#endif // EGG_LIB_KERNEL_KERNELBUILDER_H
