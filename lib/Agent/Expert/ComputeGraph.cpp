//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ComputeGraph.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;

namespace egg {

bool isNamed(Operation *op) { return op->hasAttr(kNameAttrName); }

StringRef nameOf(Operation *op) {
  return op->getAttrOfType<StringAttr>(kNameAttrName).getValue();
}

static void sortByPosition(SmallVectorImpl<Operation *> &ops) {
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

/// Visits the block-level users of the op, through free ops.
static void visitUsers(Operation *op, llvm::DenseSet<Operation *> &seen,
                       function_ref<void(Operation *)> fn) {
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || !seen.insert(ancestor).second)
      continue;
    if (isFreeOp(ancestor))
      visitUsers(ancestor, seen, fn);
    else
      fn(ancestor);
  }
}

SmallVector<Operation *> computeUsers(Operation *op) {
  SmallVector<Operation *> users;
  llvm::DenseSet<Operation *> seen;
  visitUsers(op, seen, [&](Operation *user) {
    if (isNamed(user))
      users.push_back(user);
  });
  sortByPosition(users);
  return users;
}

bool hasOtherUsers(Operation *op) {
  bool found = false;
  llvm::DenseSet<Operation *> seen;
  visitUsers(op, seen, [&](Operation *user) { found |= !isNamed(user); });
  return found;
}

static void visitProducers(Operation *op, llvm::DenseSet<Operation *> &seen,
                           function_ref<void(Operation *)> fn) {
  forEachRead(op, [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || !seen.insert(def).second)
      return;
    if (isFreeOp(def))
      visitProducers(def, seen, fn);
    else if (isNamed(def))
      fn(def);
  });
}

SmallVector<Operation *> computeProducers(Operation *op) {
  SmallVector<Operation *> producers;
  llvm::DenseSet<Operation *> seen;
  visitProducers(op, seen, [&](Operation *def) { producers.push_back(def); });
  sortByPosition(producers);
  return producers;
}

bool isCheap(Operation *op) {
  if (isa<tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
          tensor::ConcatOp, linalg::TransposeOp, linalg::BroadcastOp,
          linalg::CopyOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() == 0 &&
         llvm::all_of(generic.getBody()->getOperations(), [](Operation &inner) {
           return isa<linalg::YieldOp, linalg::IndexOp, CastOpInterface>(
                      inner) ||
                  inner.hasTrait<OpTrait::ConstantLike>();
         });
}

bool isLight(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumReductionLoops() != 0)
    return false;
  auto body = generic.getBody()->without_terminator();
  auto isMath = [](Operation &inner) {
    return isa<math::MathDialect>(inner.getDialect());
  };
  return llvm::all_of(body,
                      [&](Operation &inner) {
                        return isa<arith::ArithDialect>(inner.getDialect()) ||
                               isMath(inner);
                      }) &&
         llvm::range_size(body) <= 4 && llvm::count_if(body, isMath) <= 1;
}

bool rereadsInputs(Operation *anchor) {
  auto op = dyn_cast<linalg::LinalgOp>(anchor);
  if (!op)
    return false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() != 0 && (!map.isProjectedPermutation() ||
                                     map.getNumResults() != op.getNumLoops()))
      return true;
  }
  return false;
}

int64_t elementCount(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 1;
}

} // namespace egg
