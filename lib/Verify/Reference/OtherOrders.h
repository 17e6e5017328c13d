//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What overflows in one order of a reduction and not in another.
//
// Of the sum of 3e38, 3e38, -3e38 and -3e38 in f32 any of 0, both infinities
// and NaN is the result of some order; what the payload's own order gives is a
// matter of luck. So before an element is refused that is no finite number in
// the payload or in the kernels, the payload runs in its own dtypes with the
// rounds of each reduction in random orders, and in every second run each sum
// made of two parts: of what cancels, that may be zero where no order of one
// sum is, and what it divides no number. A tree of more parts may add
// infinities that none of these adds (OrderOutcomes in Compare.h has the rule).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_REFERENCE_OTHERORDERS_H
#define EGG_LIB_VERIFY_REFERENCE_OTHERORDERS_H

#include "egg/Host/HostProgram.h"
#include "egg/Verify/Compare.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace egg {

/// Lowers the linalg operations of a module on buffers to loops. Those of sums,
/// products and extrema ask the runtime for their order; reductions by other
/// means, such as a comparison and a selection, mean the order they are in.
mlir::LogicalResult lowerReductionsReordered(mlir::ModuleOp module);

/// What these loops need. Outside of runInOtherOrders the order is as written.
HostProgram::Symbols getOrderSymbols();

/// One result of the payload in kOrders orders.
inline constexpr uint64_t kOrders = 64;
llvm::Expected<OrderOutcomes>
runInOtherOrders(mlir::ModuleOp payload, llvm::ArrayRef<HostTensor> inputs,
                 size_t result);

} // namespace egg

#endif // EGG_LIB_VERIFY_REFERENCE_OTHERORDERS_H
