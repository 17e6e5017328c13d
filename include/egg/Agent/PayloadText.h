//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a model is shown of a payload and its kernels: their text with nothing
// of the user's in it but the computation, and a table of the ops.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_PAYLOADTEXT_H
#define EGG_AGENT_PAYLOADTEXT_H

#include "egg/Agent/OpNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace egg {

/// The function as MLIR text without locations, attributes of the user's
/// (names of arguments, documentation, unknown attributes), and the values of
/// large constants; ops have the names that `names` shows. At most about
/// `tokens`; a note says how much was cut.
std::string describeFunction(mlir::func::FuncOp function, const OpNames &names,
                             int64_t tokens);

/// A line for each compute op of the payload's @main, all of them: name, loop
/// extents (r: reduced), result, bytes, FLOPs, and what it reads. `formed`, if
/// given, is the payload after a script's algorithm: then each line says which
/// kernels the op is in.
std::string describeGraph(mlir::ModuleOp payload, const OpNames &names,
                          mlir::ModuleOp formed = {});

/// The same for the ops of one kernel function.
std::string describeKernelGraph(mlir::func::FuncOp kernel,
                                const OpNames &names);

/// The structures that the kernel can have, with the extents that decide about
/// each: rows and columns, m, n, k.
std::string describeStructures(mlir::func::FuncOp kernel);

} // namespace egg

#endif // EGG_AGENT_PAYLOADTEXT_H
