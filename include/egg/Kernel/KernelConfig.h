//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelConfig: what the hardware stage decided for one kernel. The transform
// ops of the stage fill it in and store it on the kernel function as the
// dictionary attribute 'egg.config'; materializing the kernel reads it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_KERNEL_KERNELCONFIG_H
#define EGG_KERNEL_KERNELCONFIG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace egg {

/// Unit attribute that marks a function as one kernel (one launch).
inline constexpr llvm::StringLiteral kKernelAttrName = "egg.kernel";
/// Dictionary attribute on a kernel function: its KernelConfig.
inline constexpr llvm::StringLiteral kConfigAttrName = "egg.config";
/// String attribute on each compute op of a payload: its name in scripts.
inline constexpr llvm::StringLiteral kNameAttrName = "egg.name";
/// Dictionary attribute on a materialized kernel's declaration: the launch.
inline constexpr llvm::StringLiteral kLaunchAttrName = "egg.launch";

/// The shape of a kernel's parallelism.
enum class Structure {
  /// No reduction: a thread computes a few neighbouring output elements.
  Map,
  /// Reductions over the columns of rows: a group of threads works on one row.
  Rows,
  /// A contraction (matrix product, convolution): a block computes a tile of
  /// the output from tiles of both operands staged in shared memory.
  Contraction,
  /// A scan along one dimension: a block walks one row in chunks.
  Scan
};
llvm::StringRef stringifyStructure(Structure structure);
std::optional<Structure> symbolizeStructure(llvm::StringRef name);

/// The decisions. Fields that the structure does not use keep their defaults.
struct KernelConfig {
  Structure structure = Structure::Map;

  // Parallel mapping.
  /// Threads a block (Map, Scan). A multiple of 32, at most 1024.
  int64_t threads = 256;
  /// Rows: threads that work on one row: 1, or a power of two up to 1024.
  int64_t threadsPerRow = 256;
  /// Rows: rows a block; threadsPerRow * rowsPerBlock is at most 1024.
  int64_t rowsPerBlock = 1;
  /// Contraction: rows (M) and columns (N) of the output tile of a block.
  int64_t tileM = 64, tileN = 64;

  // Tensor tiling.
  /// Map, Rows: elements of one access, at most 16 bytes. Accesses that cannot
  /// be proved contiguous and aligned fall back to single elements.
  int64_t vectorWidth = 1;
  /// Contraction: depth of the tile; rows and columns a thread accumulates.
  int64_t tileK = 8;
  int64_t threadM = 4, threadN = 4;
  /// Scan: neighbouring elements a thread scans before the block combines.
  int64_t itemsPerThread = 4;

  // Memory optimisation.
  /// Contraction: operand tiles in flight in shared memory: 1 or 2.
  int64_t stages = 1;
  /// Contraction: elements of padding after each row of a tile in shared
  /// memory.
  int64_t sharedPadding = 0;

  bool operator==(const KernelConfig &) const = default;
};

/// Reads the config of a kernel function; failure (without a diagnostic) when
/// it has none or the dictionary is malformed.
mlir::FailureOr<KernelConfig> getKernelConfig(mlir::func::FuncOp kernel);

/// Stores the config on the function.
void setKernelConfig(mlir::func::FuncOp kernel, const KernelConfig &config);

} // namespace egg

#endif // EGG_KERNEL_KERNELCONFIG_H
