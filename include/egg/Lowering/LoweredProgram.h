//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// LoweredProgram: what the GPU would get of a materialized module, as values
// for whoever runs it without one.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_LOWEREDPROGRAM_H
#define EGG_LOWERING_LOWEREDPROGRAM_H

#include "egg/Core/Plan.h"
#include "egg/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace egg {

struct LoweredProgram {
  Plan plan;
  /// The module after egg-lower-to-nvvm.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Plans the module and lowers a copy of it. The Error says which of the two
/// failed; where it is the lowering, diagnostics say why.
llvm::Expected<LoweredProgram> lowerProgram(mlir::ModuleOp materialized,
                                            const TargetInfo &target);

} // namespace egg

#endif // EGG_LOWERING_LOWEREDPROGRAM_H
