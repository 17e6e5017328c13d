//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integer operations of a substitution that do something at the payload's own
// extents and not at the small ones: overflow, lose bits, repeat themselves.
// What holds at small extents may not hold there.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_UNTRIEDINTEGERS_H
#define EGG_LIB_VERIFY_UNTRIED_UNTRIEDINTEGERS_H

#include "IntegerValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace egg {

struct UntriedInteger {
  mlir::Location location;
  /// Such as "'arith.muli' may leave the range of 32 bits".
  std::string what;
};
/// By the operation's number in the program, the same at all small extents.
using UntriedIntegers = std::map<unsigned, UntriedInteger>;

/// Two programs in one function: what a substitution replaces and what it puts
/// there, and what both have in common.
struct SubstitutedProgram {
  mlir::func::FuncOp function;
  /// Operations of the body that only one of the two has.
  llvm::DenseSet<mlir::Operation *> changed;
  /// Of these, the payload's.
  llvm::DenseSet<mlir::Operation *> payloads;
};

/// `small` is the same function at small extents.
UntriedIntegers findUntriedIntegers(const SubstitutedProgram &program,
                                    mlir::func::FuncOp small,
                                    llvm::ArrayRef<IntegerValue> arguments);

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_UNTRIEDINTEGERS_H
