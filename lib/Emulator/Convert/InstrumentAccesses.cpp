//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks before memory accesses, and counters in loops.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace egg::simt;

namespace {

struct MemoryAccess {
  Value address;
  Type type;
  bool write = false, atomic = false;
  std::optional<uint64_t> alignment;
};

/// Where an address comes from.
struct Origin {
  int32_t argument = -1;
  StringRef variable;
  LLVM::AllocaOp local;
};

} // namespace

static std::optional<MemoryAccess> describeAccess(Operation *op) {
  MemoryAccess access;
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    access.address = load.getAddr();
    access.type = load.getType();
    access.alignment = load.getAlignment();
    access.atomic = load.getVolatile_() ||
                    load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
    return access;
  }
  access.write = true;
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    access.address = store.getAddr();
    access.type = store.getValue().getType();
    access.alignment = store.getAlignment();
    access.atomic = store.getVolatile_() ||
                    store.getOrdering() != LLVM::AtomicOrdering::not_atomic;
    return access;
  }
  access.atomic = true;
  if (auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    access.address = rmw.getPtr();
    access.type = rmw.getVal().getType();
    access.alignment = rmw.getAlignment();
    return access;
  }
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    access.address = exchange.getPtr();
    access.type = exchange.getVal().getType();
    access.alignment = exchange.getAlignment();
    return access;
  }
  return std::nullopt;
}

static Origin findOrigin(LLVM::LLVMFuncOp function, Value address) {
  Origin origin;
  while (Operation *op = address.getDefiningOp()) {
    if (auto element = dyn_cast<LLVM::GEPOp>(op))
      address = element.getBase();
    else if (isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      address = op->getOperand(0);
    else
      break;
  }
  if (auto argument = dyn_cast<BlockArgument>(address)) {
    if (argument.getOwner() == &function.getBody().front() &&
        argument.getArgNumber() > 0)
      origin.argument = int32_t(argument.getArgNumber()) - 1;
  } else if (auto variable = address.getDefiningOp<LLVM::AddressOfOp>()) {
    origin.variable = variable.getGlobalName();
  } else {
    origin.local = address.getDefiningOp<LLVM::AllocaOp>();
  }
  return origin;
}

static bool isHarmless(Operation *op) {
  if (isa<LLVM::AllocaOp, LLVM::CallOp, LLVM::InlineAsmOp, LLVM::FenceOp,
          LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      op->getName().getDialectNamespace() == "nvvm")
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.hasNoEffect();
}

void FunctionConverter::noteElement(int32_t argument, bool shared,
                                    int64_t bytes) {
  int64_t &least = argument >= 0 ? traits.argumentElements[argument]
                   : shared      ? traits.sharedElement
                                 : traits.unknownElement;
  least = std::min(least, bytes);
}

LogicalResult FunctionConverter::instrumentAccesses() {
  auto module = function->getParentOfType<ModuleOp>();
  DataLayout layout(module);
  SmallVector<std::pair<Operation *, MemoryAccess>> accesses;
  WalkResult result = function.getBody().walk([&](Operation *op) {
    if (auto access = describeAccess(op)) {
      accesses.emplace_back(op, *access);
      return WalkResult::advance();
    }
    if (isHarmless(op))
      return WalkResult::advance();
    op->emitError() << "cannot run this kernel on the CPU: memory accesses of '"
                    << op->getName() << "' cannot be checked in this form";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto &[op, access] : accesses) {
    Location loc = op->getLoc();
    builder.setInsertionPoint(op);
    Origin origin = findOrigin(function, access.address);
    int32_t number = host.addSite(op);
    Site &site = host.sites[number];
    site.bytes = layout.getTypeSize(access.type);
    site.write = access.write;
    site.atomic = access.atomic;
    // What the code promises; beyond 16 bytes no instruction needs it.
    site.alignment = std::min<int64_t>(
        access.alignment.value_or(layout.getTypeABIAlignment(access.type)), 16);
    traits.needsClocks |= access.atomic;
    Type element = access.type;
    if (auto vector = dyn_cast<VectorType>(element))
      element = vector.getElementType();
    int64_t elementBytes =
        llvm::bit_floor(uint64_t(layout.getTypeSize(element)));
    if (origin.local) {
      Type type = origin.local.getElemType();
      Value bytes = constant(loc, layout.getTypeSize(type), 64);
      Value count = toWord(loc, origin.local.getArraySize());
      bytes = LLVM::MulOp::create(builder, loc, bytes, count);
      call(loc, "egg_private_access", {},
           {thread(), constant(loc, number, 32), origin.local, bytes,
            access.address});
      continue;
    }
    site.argument = origin.argument;
    if (!origin.variable.empty()) {
      for (auto [i, variable] : llvm::enumerate(host.shared))
        if (variable.name == origin.variable)
          site.variable = i;
      // A constant of the module.
      if (site.variable < 0)
        continue;
    }
    bool shared = site.variable >= 0 ||
                  cast<LLVM::LLVMPointerType>(access.address.getType())
                          .getAddressSpace() == 3;
    noteElement(site.argument, shared, elementBytes);
    auto store = dyn_cast<LLVM::StoreOp>(op);
    bool isWord = store && site.bytes <= 8 && element.isIntOrFloat();
    SmallVector<Value> operands = {thread(), constant(loc, number, 32),
                                   access.address};
    if (isWord)
      operands.push_back(toWord(loc, store.getValue()));
    call(loc, isWord ? "egg_store" : "egg_access", {}, operands);
  }
  return success();
}

void FunctionConverter::instrumentLoops() {
  DominanceInfo dominance(function);
  for (Block &block : function.getBody())
    for (Block *latch : block.getPredecessors()) {
      if (!dominance.dominates(&block, latch))
        continue;
      Operation *back = latch->getTerminator();
      builder.setInsertionPoint(back);
      call(back->getLoc(), "egg_step", {},
           {thread(), constant(back->getLoc(), host.addSite(back), 32)});
    }
}
