//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From floats to residues, on the LLVM dialect: every float type becomes the
// integer type of its width, so that memory, shuffles and layouts stay what
// they are, and every operation on floats a call of the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_HOST_EXACT_CONVERTTOEXACT_H
#define EGG_LIB_HOST_EXACT_CONVERTTOEXACT_H

#include "egg/Host/HostArithmetic.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Converts every function of the module in place; libm and libdevice calls
/// too. Fails with a diagnostic that names an operation without a rule.
mlir::FailureOr<ExactUses> convertToExact(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_LIB_HOST_EXACT_CONVERTTOEXACT_H
