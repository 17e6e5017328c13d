//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace egg {

static Value findBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

void collectAccesses(Operation *root, SmallVectorImpl<Access> &found) {
  root->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        op->hasTrait<OpTrait::IsTerminator>() || isa<gpu::BarrierOp>(op))
      return;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    if (!effects) {
      found.push_back({op, Value(), true});
      return;
    }
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
      if (!isWrite && !isa<MemoryEffects::Read>(effect.getEffect()))
        continue;
      Value buffer =
          effect.getValue() ? findBuffer(effect.getValue()) : Value();
      // What a thread allocates is its own.
      if (buffer && buffer.getDefiningOp() &&
          isa<memref::AllocaOp, memref::AllocOp>(buffer.getDefiningOp()) &&
          buffer.getDefiningOp()->getParentOfType<gpu::LaunchOp>())
        continue;
      found.push_back({op, buffer, isWrite});
    }
  });
}

} // namespace egg
