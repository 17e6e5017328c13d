//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Results whose zeros have a sign that the order of operations does not decide.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SPECIAL_SIGNEDZEROS_H
#define EGG_LIB_VERIFY_SPECIAL_SIGNEDZEROS_H

#include "egg/Host/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace egg {

/// For each result of @main: whether nothing on the way to it adds, so that the
/// sign of a zero follows from its inputs alone. Only operations that are known
/// to give zeros a sign count: products, quotients, maxima, comparisons,
/// selections, signs, square roots, conversions between floats.
llvm::SmallVector<bool> findSignedZeros(mlir::ModuleOp payload);

/// The first element that is a zero of one sign in the reference and in the
/// payload's own precision, and of the other sign in `got`.
std::optional<int64_t> findWrongZero(const HostTensor &reference,
                                     const HostTensor &native,
                                     const HostTensor &got);

} // namespace egg

#endif // EGG_LIB_VERIFY_SPECIAL_SIGNEDZEROS_H
