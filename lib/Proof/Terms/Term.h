//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Expressions of elements, each kept once (hash-consing): equal terms are one
// object.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_TERM_H
#define EGG_PROOF_TERM_H

#include "egg/Legality/IndexDomain.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <set>
#include <string>

namespace egg::proof {

using legality::AtomId;
using legality::IndexDomain;
using legality::Interval;
using legality::LinearForm;

struct Term {
  enum class Kind {
    /// The number or bit that the attribute is; its bits count.
    Constant,
    /// An integer that is computed from positions: the form, exactly.
    Integer,
    /// An element of the tensor `source`, or of the constant `attribute`, by
    /// its row-major position.
    Element,
    /// `operation` on the operands, with the attributes of the dictionary.
    Operation,
    /// What is not known; equal to nothing, itself included.
    Unknown
  };
  Kind kind = Kind::Unknown;
  mlir::Type type;
  mlir::Attribute attribute;
  mlir::StringAttr operation;
  mlir::Value source;
  /// Without remainders; `raw` is the same as it was found.
  LinearForm form;
  llvm::SmallVector<const Term *, 3> operands;

  // Not part of what the term is.
  LinearForm raw;
  /// Where it was first met, and, if unknown, why.
  mlir::Location location;
  std::string reason;

  explicit Term(mlir::Location location) : location(location) {}
  bool is(Kind other) const { return kind == other; }
  bool isOperation(llvm::StringRef name) const {
    return is(Kind::Operation) && operation == name;
  }
  bool operator<(const Term &other) const;
};

/// The steps that are left of a proof.
class Budget {
public:
  explicit Budget(int64_t steps) : left(steps) {}
  void spend(int64_t steps = 1) { left -= steps; }
  bool isSpent() const { return left < 0; }

private:
  int64_t left;
};

/// Makes terms; those of one table share a domain.
class TermTable {
public:
  TermTable(IndexDomain &domain, Budget &budget)
      : domain(domain), budget(budget) {}

  const Term *constant(mlir::TypedAttr value, mlir::Location location);
  /// Constant where the form is.
  const Term *integer(mlir::Type type, const LinearForm &form,
                      mlir::Location location);
  const Term *element(mlir::Value source, const LinearForm &position,
                      mlir::Location location);
  /// Of a constant tensor; non-uniform bools are read from bytes, as kernels
  /// keep them.
  const Term *element(mlir::DenseElementsAttr values,
                      const LinearForm &position, mlir::Location location);
  const Term *unknown(mlir::Location location, std::string reason);
  /// The operation on the operands, by the rules of Rules.cpp.
  const Term *apply(mlir::StringAttr name, mlir::DictionaryAttr attributes,
                    mlir::Type type, llvm::ArrayRef<const Term *> operands,
                    mlir::Location location);
  /// The same for an operation whose operands have these terms; of vectors,
  /// for one lane.
  const Term *apply(mlir::Operation *op, llvm::ArrayRef<const Term *> operands,
                    bool isDefinition);
  /// The bit as the byte that kernels keep it as.
  const Term *asByte(const Term *bit, mlir::Location location);
  const Term *select(const Term *condition, const Term *onTrue,
                     const Term *onFalse, mlir::Location location);
  /// `predicate` (of arith.cmpi) on two integers of positions.
  const Term *compare(int64_t predicate, const Term *a, const Term *b,
                      mlir::Location location);

  IndexDomain &domain;
  Budget &budget;

private:
  const Term *keep(Term term);
  const Term *byRule(mlir::StringAttr name, mlir::DictionaryAttr attributes,
                     mlir::Type type, llvm::ArrayRef<const Term *> operands,
                     mlir::Location location);
  const Term *ofPositions(llvm::StringRef name, mlir::Type type,
                          llvm::ArrayRef<const Term *> operands,
                          mlir::Location location);

  std::set<Term> terms;
};

/// The form with each remainder as what its quotient leaves, so that digits
/// that are put together again are the number that they were taken from.
LinearForm withoutRemainders(const IndexDomain &domain, const LinearForm &form);
/// The integer that a term of an integer type other than i1 is, if it is a
/// number or computed from positions.
std::optional<LinearForm> formOf(const Term *term);
/// The operation's attributes. A promise of no overflow counts where a kernel
/// makes it; where the payload's definition does, it is dropped: a term without
/// it has the same bits wherever the promise holds, and nothing is defined
/// where it does not.
mlir::DictionaryAttr attributesOf(mlir::Operation *op, bool isDefinition);
/// The scalar type of lanes, or the type itself.
mlir::Type elementTypeOf(mlir::Type type);

} // namespace egg::proof

#endif // EGG_PROOF_TERM_H
