//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From a materialized module to its Plan.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_BUILDPLAN_H
#define EGG_LOWERING_BUILDPLAN_H

#include "egg/Core/Plan.h"
#include "egg/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Reads @main and the egg.launch attributes of the kernels it calls. Works
/// before and after the kernels are lowered. Buffers 0..A-1 are the arguments,
/// A..A+R-1 the results, then come arena ranges in the order of the calls that
/// write them. Reshapes and casts share their operand's buffer. A value that is
/// returned lives in its result's buffer; an argument that is returned, and a
/// value that is returned again, is copied at the end.
///
/// The Error names the place (file:line:column) and what is wrong: an op that
/// is no call, reshape or cast, a constant that is used, a type that is not
/// static, a declaration without egg.launch, a launch the target cannot do, a
/// kernel whose arguments do not match the call.
llvm::Expected<Plan> buildPlan(mlir::ModuleOp module, const TargetInfo &target);

} // namespace egg

#endif // EGG_LOWERING_BUILDPLAN_H
