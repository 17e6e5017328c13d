//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names for kernels after what they do: matmul_bias_gelu, softmax_rows.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_KERNELNAMES_H
#define EGG_LIB_AGENT_EXPERT_KERNELNAMES_H

#include "egg/Kernel/KernelConfig.h"

namespace egg {

/// A name for the kernel of these ops (in program order) that no symbol of the
/// module has.
std::string nameKernel(mlir::ModuleOp module,
                       llvm::ArrayRef<mlir::Operation *> ops,
                       Structure structure);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_KERNELNAMES_H
