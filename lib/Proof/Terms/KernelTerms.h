//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Symbolic execution of a materialized kernel: one thread for all of them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_KERNELTERMS_H
#define EGG_PROOF_KERNELTERMS_H

#include "Term.h"
#include "egg/Legality/KernelFacts.h"

namespace egg::proof {

/// What a kernel does not let be followed.
struct Obstacle {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// One store operation: lanes, from the position on, to a buffer.
struct Store {
  mlir::Operation *op = nullptr;
  mlir::Value buffer;
  LinearForm position;
  llvm::SmallVector<const Term *> lanes;
};

class KernelTerms {
public:
  KernelTerms(legality::KernelFacts &facts, TermTable &table)
      : facts(facts), table(table) {}

  /// Loads from the buffer are elements of the tensor `source`; of its
  /// constant, if it has the values of one.
  void bind(mlir::Value buffer, mlir::Value source) {
    sources[buffer] = source;
  }
  /// Executes the body; nothing may be asked before. Fails where an operation
  /// is none of those that are followed.
  std::optional<Obstacle> run();

  llvm::ArrayRef<Store> stores() const { return found; }
  /// The term of a scalar.
  const Term *of(mlir::Value value) { return lanesOf(value).front(); }

private:
  using Lanes = llvm::SmallVector<const Term *>;
  std::optional<Obstacle> checkRange(mlir::Operation *op);
  std::optional<Obstacle> store(mlir::Operation *op);
  const Lanes &lanesOf(mlir::Value value);
  Lanes compute(mlir::Value value);
  Lanes load(mlir::Operation *op);
  bool isOfPositions(const LinearForm &form) const;

  legality::KernelFacts &facts;
  TermTable &table;
  llvm::DenseMap<mlir::Value, mlir::Value> sources;
  std::map<void *, Lanes> known;
  std::vector<Store> found;
};

} // namespace egg::proof

#endif // EGG_PROOF_KERNELTERMS_H
