//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks before memory accesses, and counters in loops.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace egg::simt;

namespace {

struct MemoryAccess {
  Value address;
  Type type;
  bool write = false, atomic = false, update = false;
  /// Through the read-only cache.
  bool invariant = false;
  std::optional<uint64_t> alignment = std::nullopt;
};

/// Where an address comes from: an argument of the kernel, a variable of the
/// module, a local one, or not known.
struct Origin {
  int32_t argument = -1;
  LLVM::AddressOfOp variable;
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
    access.invariant = load.getInvariant();
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
  access.atomic = access.update = true;
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

static Space spaceOf(unsigned addressSpace) {
  switch (addressSpace) {
  case 1:
    return Space::Global;
  case kSharedSpace:
  case 7: // of the whole cluster
    return Space::Shared;
  case kConstantSpace:
    return Space::Constant;
  case 5:
    return Space::Local;
  default:
    return Space::Generic;
  }
}

/// Functions of libdevice write through the pointers that they take.
static void describeResults(LLVM::CallOp call,
                            SmallVectorImpl<MemoryAccess> &accesses) {
  if (!StringRef(call.getCallee().value_or("")).starts_with("__nv_"))
    return;
  for (Value operand : call.getCalleeOperands())
    if (isa<LLVM::LLVMPointerType>(operand.getType()))
      accesses.push_back({operand, call.getCalleeOperands()[0].getType(),
                          /*write=*/true});
}

static Origin findOrigin(LLVM::LLVMFuncOp function, bool isKernel,
                         Value address) {
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
    if (isKernel && argument.getOwner() == &function.getBody().front() &&
        argument.getArgNumber() > 0)
      origin.argument = int32_t(argument.getArgNumber()) - 1;
  } else if (auto variable = address.getDefiningOp<LLVM::AddressOfOp>()) {
    origin.variable = variable;
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

/// Tells of local variables as they come to be.
void FunctionConverter::instrumentLocals() {
  DataLayout layout(function->getParentOfType<ModuleOp>());
  SmallVector<LLVM::AllocaOp> locals;
  function.getBody().walk([&](LLVM::AllocaOp op) { locals.push_back(op); });
  for (LLVM::AllocaOp local : locals) {
    Location loc = local.getLoc();
    builder.setInsertionPoint(local);
    Value bytes = LLVM::MulOp::create(
        builder, loc,
        constant(loc, layout.getTypeSize(local.getElemType()), 64),
        toWord(loc, local.getArraySize()));
    if (!getStaticBytes(local))
      call(loc, "egg_reserve_local", {}, {thread(), site(local), bytes});
    builder.setInsertionPointAfter(local);
    call(loc, "egg_enter_local", {}, {thread(), local, bytes});
  }
}

/// The check of an access to a variable of the module, which kernels may only
/// read: of their writes to it nothing could be told.
LogicalResult FunctionConverter::checkVariable(Operation *op, int32_t number,
                                               LLVM::AddressOfOp variable,
                                               Value address) {
  auto module = function->getParentOfType<ModuleOp>();
  auto global = dyn_cast_or_null<LLVM::GlobalOp>(
      module.lookupSymbol(variable.getGlobalName()));
  if (!global)
    return op->emitError() << "cannot run this kernel on the CPU: it takes '@"
                           << variable.getGlobalName() << "' for memory";
  Site &site = host.sites[number];
  if (site.write)
    return op->emitError()
           << "cannot run this kernel on the CPU: it writes to '@"
           << variable.getGlobalName()
           << "', a variable of the module, where accesses are not ordered; "
              "pass a buffer as an argument";
  site.home =
      global.getAddrSpace() == kConstantSpace ? Space::Constant : Space::Global;
  Location loc = op->getLoc();
  int64_t bytes = DataLayout(module).getTypeSize(global.getType());
  call(loc, "egg_variable_access", {},
       {thread(), constant(loc, number, 32), variable, constant(loc, bytes, 64),
        address});
  return success();
}

LogicalResult FunctionConverter::instrumentAccesses() {
  auto module = function->getParentOfType<ModuleOp>();
  DataLayout layout(module);
  SmallVector<std::pair<Operation *, MemoryAccess>> accesses;
  WalkResult result = function.getBody().walk([&](Operation *op) {
    if (op->hasAttr(kOwnAccessAttrName))
      return WalkResult::advance();
    if (auto access = describeAccess(op)) {
      accesses.emplace_back(op, *access);
      return WalkResult::advance();
    }
    if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      SmallVector<MemoryAccess> results;
      describeResults(call, results);
      for (const MemoryAccess &access : results)
        accesses.emplace_back(op, access);
    }
    if (isHarmless(op))
      return WalkResult::advance();
    op->emitError() << "cannot run this kernel on the CPU: memory accesses of '"
                    << op->getName() << "' cannot be checked in this form";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  bool isKernel = function == kernel.functions.front();
  for (auto &[op, access] : accesses) {
    Location loc = op->getLoc();
    builder.setInsertionPoint(op);
    Origin origin = findOrigin(function, isKernel, access.address);
    int32_t number = host.addSite(op);
    Site &site = host.sites[number];
    site.bytes = layout.getTypeSize(access.type);
    site.write = access.write;
    site.atomic = access.atomic;
    site.update = access.update;
    site.invariant = access.invariant;
    site.space = spaceOf(cast<LLVM::LLVMPointerType>(access.address.getType())
                             .getAddressSpace());
    // What the code promises; beyond 16 bytes no instruction needs it.
    site.alignment = std::min<int64_t>(
        access.alignment.value_or(layout.getTypeABIAlignment(access.type)), 16);
    traits.needsClocks |= access.atomic;
    traits.hasAtomics |= access.atomic;
    Type element = access.type;
    if (auto vector = dyn_cast<VectorType>(element))
      element = vector.getElementType();
    int64_t elementBytes =
        llvm::bit_floor(uint64_t(layout.getTypeSize(element)));
    if (origin.local) {
      call(loc, "egg_local_access", {},
           {thread(), constant(loc, number, 32), origin.local, access.address});
      continue;
    }
    site.argument = origin.argument;
    if (origin.variable) {
      for (auto [i, variable] : llvm::enumerate(kernel.shared))
        if (variable.name == origin.variable.getGlobalName())
          site.variable = i;
      if (site.variable < 0) {
        if (failed(checkVariable(op, number, origin.variable, access.address)))
          return failure();
        continue;
      }
    }
    bool shared = site.variable >= 0 || site.space == Space::Shared;
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
  // Each cycle, reducible or not, has an edge to a block whose successors a
  // depth-first search is not done with.
  llvm::SmallSetVector<Block *, 8> latches;
  llvm::DenseSet<Block *> seen, open;
  SmallVector<std::pair<Block *, unsigned>> path;
  auto enter = [&](Block *block) {
    seen.insert(block);
    open.insert(block);
    path.push_back({block, 0});
  };
  enter(&function.getBody().front());
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->getNumSuccessors()) {
      open.erase(block);
      path.pop_back();
      continue;
    }
    Block *successor = block->getSuccessor(next++);
    if (open.contains(successor))
      latches.insert(block);
    else if (!seen.contains(successor))
      enter(successor);
  }
  for (Block *latch : latches) {
    Operation *back = latch->getTerminator();
    builder.setInsertionPoint(back);
    call(back->getLoc(), "egg_step", {},
         {thread(), constant(back->getLoc(), host.addSite(back), 32)});
  }
}
