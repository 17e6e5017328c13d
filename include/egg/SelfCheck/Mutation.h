//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mutations: ways in which a kernel goes wrong, applied to materialized kernels
// or, where they concern asynchronous work, to lowered ones. A checker that is
// worth its name refuses every one.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SELFCHECK_MUTATION_H
#define EGG_SELFCHECK_MUTATION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <optional>
#include <string>

namespace egg {

/// A place where a mutation can be made. Places of one module are independent
/// of each other until one is applied; then all are stale.
struct MutationSite {
  /// What goes wrong there, for people: "the sum starts at 1".
  std::string what;
  std::function<void()> apply;
};

/// One kind of fault.
struct Mutation {
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  /// The places of a module of kernels, in program order.
  llvm::SmallVector<MutationSite> (*findSites)(mlir::ModuleOp kernels);
};

/// Every kind, in the order of reports.
llvm::ArrayRef<Mutation> getMutations();

/// Mutates the module at the place that `number` picks (modulo their count);
/// returns what was changed, or nothing where the module has no such place.
std::optional<std::string> applyMutation(const Mutation &mutation,
                                         mlir::ModuleOp kernels,
                                         uint64_t number);

} // namespace egg

#endif // EGG_SELFCHECK_MUTATION_H
