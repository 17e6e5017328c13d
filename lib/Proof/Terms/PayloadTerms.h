//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the payload defines an element of a tensor to be, as a term.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_PROOF_PAYLOADTERMS_H
#define EGG_PROOF_PAYLOADTERMS_H

#include "Term.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <map>

namespace egg::proof {

/// The tensor that the value has the elements of, in the same row-major order:
/// through reshapes and casts.
mlir::Value rootOf(mlir::Value tensor);

class PayloadTerms {
public:
  explicit PayloadTerms(TermTable &table) : table(table) {}

  /// Elements of this tensor are elements of `source`: definitions are not
  /// followed beyond it.
  void stopAt(mlir::Value tensor, mlir::Value source) {
    stops[tensor] = source;
  }
  /// The element at that row-major position, which is in range.
  const Term *at(mlir::Value tensor, const LinearForm &position);

private:
  using Index = llvm::ArrayRef<LinearForm>;
  /// What the values of a body are at one point of its loops.
  struct Body {
    Index loops;
    llvm::DenseMap<mlir::Value, const Term *> values;
  };
  const Term *at(mlir::Value tensor, Index index);
  const Term *define(mlir::OpResult result, Index index);
  const Term *ofLinalg(mlir::linalg::LinalgOp op, unsigned number, Index index);
  const Term *ofPad(mlir::tensor::PadOp pad, Index index);
  const Term *ofInsert(mlir::tensor::InsertSliceOp insert, Index index);
  const Term *ofConcat(mlir::tensor::ConcatOp concat, Index index);
  const Term *ofScalar(mlir::Value value, Body &body);
  const Term *isBetween(const LinearForm &form, int64_t extent,
                        mlir::Location location);
  const Term *both(const Term *a, const Term *b, mlir::Location location);

  TermTable &table;
  llvm::DenseMap<mlir::Value, mlir::Value> stops;
  std::map<std::pair<void *, std::vector<LinearForm>>, const Term *> known;
};

} // namespace egg::proof

#endif // EGG_PROOF_PAYLOADTERMS_H
