//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_RANDOMPAYLOAD_H
#define EGG_LIB_FUZZ_RANDOMPAYLOAD_H

#include "../Choices.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace egg::fuzz {

/// A small payload of one to six parts, valid, with named compute ops. Reads
/// its tensors at whole extents; what compares or rounds reads exact values.
mlir::OwningOpRef<mlir::ModuleOp> makeRandomPayload(mlir::MLIRContext *context,
                                                    Choices &choices);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_RANDOMPAYLOAD_H
