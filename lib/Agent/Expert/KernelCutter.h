//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelCutter: the expert's algorithm stage. Cuts @main into kernels, greedily
// and always legally: each step is tried on a clone of the payload with the
// same planning and analysis that apply the script later.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_KERNELCUTTER_H
#define EGG_LIB_AGENT_EXPERT_KERNELCUTTER_H

#include "egg/Kernel/KernelConfig.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Error.h"

namespace egg {

/// A reduction made two before kernels are formed.
struct CutSplit {
  /// Name of the op; the first of the two has "_partial" appended.
  std::string op;
  int64_t parts = 1;
  std::string reason;
};

/// One kernel of the cut.
struct CutKernel {
  std::string name;
  /// Splits that precede it.
  std::vector<CutSplit> splits;
  /// Names of the ops that move and that are recomputed, in program order.
  std::vector<std::string> ops, recompute;
  Structure structure = Structure::Map;
  /// Why these ops are together, a line each.
  std::vector<std::string> reasons;
  /// The kernel as formed in the clone.
  mlir::func::FuncOp function;
};

/// Cuts the payload's @main in place (pass a clone): afterwards it only calls
/// the kernels, which are returned in the order of their forming. The error
/// names the operation that fits no kernel, and why.
llvm::Expected<std::vector<CutKernel>> cutIntoKernels(mlir::ModuleOp payload);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_KERNELCUTTER_H
