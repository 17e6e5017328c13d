//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether two threads can be at one place of a buffer.
//
// A place is a sum of coefficients times atoms. From the largest coefficient
// down, the differences between the atoms of the two threads are searched;
// where the lower atoms together span less than a coefficient, only few
// differences are left (mixed radix). If none is, the threads cannot meet; if
// one is, it is known by how much the atoms differ, and then by how much what
// they are digits of does.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LEGALITY_SAMEPLACE_H
#define EGG_LIB_LEGALITY_SAMEPLACE_H

#include "egg/Legality/KernelFacts.h"
#include <set>

namespace egg::legality {

/// Where an operation writes: width elements from the form on.
struct Place {
  LinearForm form;
  int64_t width = 1;
  mlir::Block *block = nullptr;
};

class SamePlace {
public:
  SamePlace(KernelFacts &facts, const Place &first, const Place &second)
      : facts(facts), a(first), b(second) {}

  /// True if two different threads never meet there, one by the first
  /// operation and one by the second.
  bool isImpossible();

private:
  /// The terms of an equation that are not cancelled, largest first.
  struct Equation {
    llvm::SmallVector<LinearForm::Term> left, right;
    int64_t leftWidth = 1, rightWidth = 1;
  };
  void equate(const LinearForm &left, const LinearForm &right,
              int64_t leftWidth = 1, int64_t rightWidth = 1);
  void search(const Equation &equation, size_t level, int64_t rest);
  Interval spanOf(const Equation &equation, bool isLeft, size_t level);
  /// Left of the first thread less right of the second, where that is known.
  std::optional<int64_t> difference(AtomId left, AtomId right) const;
  std::optional<int64_t> difference(const LinearForm &left,
                                    const LinearForm &right) const;
  /// Takes out pairs of terms whose difference is known; returns what they
  /// add to left less right.
  int64_t cancel(Equation &equation) const;
  void add(AtomId left, AtomId right, int64_t difference);
  void addFixedDigits();
  void addDerived();
  void learnFrom(AtomId left, AtomId right);
  std::optional<LinearForm> resolve(const Atom &atom, mlir::Block *block);
  bool isOneThread() const;

  KernelFacts &facts;
  const Place &a, &b;
  /// By how much an atom of the first thread is more than one of the second.
  std::map<std::pair<AtomId, AtomId>, int64_t> differences;
  std::set<std::pair<AtomId, AtomId>> done;
  bool changed = false, impossible = false;
  // Of the search in hand.
  int steps = 0;
  bool isOpen = false;
  llvm::SmallVector<int64_t> tried;
  std::optional<llvm::SmallVector<int64_t>> solution;
};

} // namespace egg::legality

#endif // EGG_LIB_LEGALITY_SAMEPLACE_H
