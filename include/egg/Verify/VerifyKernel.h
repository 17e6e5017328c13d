//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The checks of a schedule's kernels for a kernel that somebody wrote in the
// LLVM and NVVM dialects: thread by thread, in fp64, and in exact arithmetic.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_VERIFYKERNEL_H
#define EGG_VERIFY_VERIFYKERNEL_H

#include "egg/Verify/VerifyProposal.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Compares the kernel of the launch that `kernel` describes (attribute
/// egg.emulate, see pass egg-emulate-kernel) with the payload's @main. Inputs
/// of the launch are the payload's arguments in order, outputs its results:
/// the same dtypes and numbers of elements. `onStep` is told the steps accept,
/// emulate, numeric and exact as they begin. Runs in this process (see
/// verifyInChild), at the extents that are written; of the options, limits and
/// variants do not apply.
Verification verifyKernel(mlir::ModuleOp kernel, mlir::ModuleOp payload,
                          const VerifyOptions &options,
                          llvm::function_ref<void(llvm::StringRef)> onStep);

} // namespace egg

#endif // EGG_VERIFY_VERIFYKERNEL_H
