//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What values are computed from, and when two of them are surely equal.
//
//===----------------------------------------------------------------------===//
#include "Points.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace egg::legality;

std::optional<uint64_t> Evaluator::keyOf(Value value,
                                         const KernelFacts &facts) {
  if (value.getType().isIntOrIndex())
    if (auto number = evaluate(value))
      return llvm::hash_combine(number->value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto condition = isTrue(branch.getCondition());
    if (!condition)
      return std::nullopt;
    unsigned result = cast<OpResult>(value).getResultNumber();
    return keyOf((*condition ? branch.thenYield() : branch.elseYield())
                     .getOperand(result),
                 facts);
  }
  auto access = getAccess(op);
  if (access ? facts.isWritten(access->buffer)
             : !isPure(op) || op->getNumRegions() != 0)
    return std::nullopt;
  llvm::hash_code key =
      llvm::hash_combine(op->getName().getAsOpaquePointer(),
                         op->getAttrDictionary().getAsOpaquePointer(),
                         cast<OpResult>(value).getResultNumber());
  for (Value operand : op->getOperands()) {
    if (isa<MemRefType>(operand.getType())) {
      key = llvm::hash_combine(key, operand.getAsOpaquePointer());
      continue;
    }
    auto part = keyOf(operand, facts);
    if (!part)
      return std::nullopt;
    key = llvm::hash_combine(key, *part);
  }
  return key;
}

Sources egg::legality::sourcesOf(Value value, const KernelFacts &facts) {
  Sources sources;
  llvm::DenseSet<Operation *> seen;
  llvm::SmallVector<Value> left = {value};
  auto visit = [&](Operation *op) {
    if (!seen.insert(op).second)
      return;
    sources.thread |=
        isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp>(op);
    sources.block |= isa<gpu::BlockIdOp>(op);
    sources.exchange |= isa<gpu::ShuffleOp>(op);
    if (auto access = getAccess(op)) {
      sources.memory = true;
      sources.exchange |= facts.isWritten(access->buffer);
    }
    left.append(op->operand_begin(), op->operand_end());
  };
  while (!left.empty()) {
    Value next = left.pop_back_val();
    Operation *op = next.getDefiningOp();
    // A loop's variable or carried value comes from its loop.
    if (!op)
      op = cast<BlockArgument>(next).getOwner()->getParentOp();
    if (!op || isa<gpu::GPUFuncOp>(op))
      continue;
    if (op->getNumRegions() != 0 && !seen.contains(op))
      op->walk([&](Operation *inner) { visit(inner); });
    visit(op);
  }
  return sources;
}
