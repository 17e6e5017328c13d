//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Findings: the operations that do something at full size that they did not at
// the small extents.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_UNTRIED_FINDINGS_H
#define EGG_LIB_VERIFY_UNTRIED_FINDINGS_H

#include "Progression.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include <set>
#include <string>

namespace egg {

class Findings {
public:
  /// What is found meanwhile counts or does not: an op is looked at several
  /// times, or is the same in both programs.
  void enable(bool on) { isEnabled = on; }

  /// `what` follows the op's name: "may leave the range of i32".
  void add(mlir::Operation *op, const std::string &what);
  /// The op's result shows all that it does only after some positions.
  void addRepeating(mlir::Operation *op, const Progression &progression);
  /// Adds the ops whose repetition the small extents do not cover, together
  /// with that of the others along loops of these extents.
  void closeRepeating();

  const llvm::MapVector<mlir::Operation *, std::string> &get() const {
    return found;
  }

private:
  /// Along the loops of one extent at full size and of one at the small one.
  struct Repeating {
    std::set<Integer> periods;
    unsigned degree = 1;
    llvm::MapVector<mlir::Operation *, Integer> ops;
  };

  bool isEnabled = true;
  llvm::MapVector<mlir::Operation *, std::string> found;
  std::map<std::pair<int64_t, int64_t>, Repeating> repeating;
};

} // namespace egg

#endif // EGG_LIB_VERIFY_UNTRIED_FINDINGS_H
