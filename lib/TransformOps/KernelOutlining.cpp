//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace egg {

/// Whether the op only reinterprets its first operand: no data moves.
static bool isAlias(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
      op);
}

bool isFreeOp(Operation *op) {
  if (op->hasAttr(kNameAttrName))
    return false;
  if (isAlias(op) || isa<tensor::EmptyOp, linalg::FillOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  // Scalars: arithmetic, and elements read from tensors.
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         op->getNumResults() != 0 &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

void forEachRead(Operation *op, function_ref<void(Value)> fn) {
  for (Value operand : op->getOperands())
    fn(operand);
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, captured);
  for (Value value : captured)
    if (!llvm::is_contained(op->getOperands(), value))
      fn(value);
}

/// The op of the same block that uses the value, directly or in a region.
static Operation *ancestorIn(Block *block, Operation *user) {
  return block->findAncestorOpInBlock(*user);
}

static std::string describe(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(kNameAttrName))
    return ("\"" + name.getValue() + "\"").str();
  return ("'" + op->getName().getStringRef() + "'").str();
}

namespace {
/// Decides which free ops the kernel gets a copy of.
class FreeOpFinder {
public:
  explicit FreeOpFinder(llvm::SetVector<Operation *> &inside)
      : inside(inside) {}

  /// Adds the op that defines the value, and what it needs, where it is free
  /// and belongs inside. A reshape of a value from outside stays outside: there
  /// it is an alias, while inside it would complicate every index.
  void visit(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || inside.contains(def) || !isFreeOp(def) ||
        !seen.insert(def).second)
      return;
    forEachRead(def, [&](Value operand) { visit(operand); });
    if (isAlias(def)) {
      Operation *source = def->getOperand(0).getDefiningOp();
      if (!source || !inside.contains(source))
        return;
    }
    inside.insert(def);
  }

private:
  llvm::SetVector<Operation *> &inside;
  llvm::DenseSet<Operation *> seen;
};
} // namespace

/// Checks that each op is a compute op of the block and given once.
static LogicalResult
checkMembers(Block *block, ArrayRef<Operation *> ops,
             llvm::SetVector<Operation *> &members,
             function_ref<InFlightDiagnostic()> emitError) {
  for (Operation *op : ops) {
    if (op->getBlock() != block)
      return emitError() << "operation " << describe(op)
                         << " is not in the body of the function; kernels are "
                            "formed from the operations of one function";
    if (!op->hasAttr(kNameAttrName))
      return emitError()
             << "operation " << describe(op)
             << " is no compute op (it has no egg.name); constants, fills, "
                "reshapes and scalar arithmetic come along by themselves";
    if (!members.insert(op))
      return emitError() << "operation " << describe(op)
                         << " is given twice; give it once, in the operations "
                            "or in 'recompute'";
  }
  return success();
}

FailureOr<KernelOutline>
planKernel(func::FuncOp function, ArrayRef<Operation *> ops,
           ArrayRef<Operation *> recompute,
           function_ref<InFlightDiagnostic()> emitError) {
  Block *block = &function.getBody().front();
  auto byPosition = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  llvm::SetVector<Operation *> inside;
  if (failed(checkMembers(block, ops, inside, emitError)) ||
      failed(checkMembers(block, recompute, inside, emitError)))
    return failure();

  KernelOutline outline;
  SmallVector<Operation *> moved(ops);
  llvm::sort(moved, byPosition);
  outline.moved.insert(moved.begin(), moved.end());

  FreeOpFinder finder(inside);
  SmallVector<Operation *> named(inside.begin(), inside.end());
  llvm::sort(named, byPosition);
  for (Operation *op : named)
    forEachRead(op, [&](Value value) { finder.visit(value); });
  outline.body = inside.takeVector();
  llvm::sort(outline.body, byPosition);
  llvm::DenseSet<Operation *> bodySet(outline.body.begin(), outline.body.end());

  for (Operation *op : outline.body)
    forEachRead(op, [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (!def || !bodySet.contains(def))
        outline.arguments.insert(value);
    });

  // Ops outside that depend on a moved op. In block order, one sweep suffices.
  llvm::DenseSet<Operation *> dependent;
  for (auto it = moved.front()->getIterator(); it != block->end(); ++it) {
    Operation *op = &*it;
    if (outline.moved.contains(op))
      continue;
    forEachRead(op, [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (def && (outline.moved.contains(def) || dependent.contains(def)))
        dependent.insert(op);
    });
    if (dependent.contains(op) && op->isBeforeInBlock(moved.back()))
      outline.after.push_back(op);
  }

  for (Value argument : outline.arguments) {
    Operation *def = argument.getDefiningOp();
    if (def && dependent.contains(def)) {
      InFlightDiagnostic diag =
          emitError() << "the kernel needs the result of " << describe(def)
                      << ", which is outside it and depends on it; add "
                      << describe(def)
                      << " to the kernel, or take its users out";
      diag.attachNote(def->getLoc()) << "operation outside the kernel";
      return failure();
    }
    if (!isa<RankedTensorType>(argument.getType())) {
      if (def)
        return emitError() << "the kernel would have the scalar result of "
                           << describe(def)
                           << " as an argument, and arguments are tensors; add "
                           << describe(def) << " to 'recompute'";
      return emitError() << "the kernel would have a scalar argument, and "
                            "arguments are tensors";
    }
  }

  for (Operation *op : recompute) {
    bool used = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return bodySet.contains(ancestorIn(block, user));
    });
    if (!used)
      return emitError() << describe(op)
                         << " of 'recompute' feeds no operation of the kernel; "
                            "remove it from 'recompute'";
  }

  // A value is a result if something that matters uses it. Of free and
  // recomputed ops, which have a copy inside, only their own remaining uses
  // count, and so it is with all ops that nothing may come of.
  llvm::DenseMap<Operation *, bool> remaining;
  auto isUsedOutside = [&](auto &&self, Value value) -> bool {
    for (Operation *user : value.getUsers()) {
      Operation *op = ancestorIn(block, user);
      if (!op || outline.moved.contains(op))
        continue;
      if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
        return true;
      auto [it, isNew] = remaining.try_emplace(op, false);
      if (isNew) {
        bool used = llvm::any_of(
            op->getResults(), [&](Value result) { return self(self, result); });
        remaining[op] = used;
      }
      if (remaining[op])
        return true;
    }
    return false;
  };
  for (Operation *op : outline.moved)
    for (Value result : op->getResults()) {
      if (!isUsedOutside(isUsedOutside, result))
        continue;
      if (!isa<RankedTensorType>(result.getType()))
        return emitError() << "the scalar result of " << describe(op)
                           << " is used outside the kernel, and results are "
                              "tensors; move its users into the kernel, or "
                              "give "
                           << describe(op)
                           << " to 'recompute' where it is used";
      outline.results.push_back(result);
    }
  if (outline.results.empty())
    return emitError() << "no result of the kernel is used; leave these "
                          "operations out of every kernel";
  return outline;
}

func::FuncOp buildKernel(OpBuilder &builder, func::FuncOp function,
                         const KernelOutline &outline, StringRef name) {
  OpBuilder::InsertionGuard guard(builder);
  auto module = function->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());

  ArrayRef<Value> arguments = outline.arguments.getArrayRef();
  SmallVector<Location> locations = llvm::map_to_vector(
      outline.moved, [](Operation *op) { return op->getLoc(); });
  auto type = builder.getFunctionType(TypeRange(ValueRange(arguments)),
                                      TypeRange(ValueRange(outline.results)));
  auto kernel = func::FuncOp::create(
      builder, FusedLoc::get(builder.getContext(), locations), name, type);
  kernel.setPrivate();
  kernel->setAttr(kKernelAttrName, builder.getUnitAttr());

  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(ValueRange(arguments), entry->getArguments());
  for (Operation *op : outline.body)
    builder.clone(*op, mapping);
  SmallVector<Value> returned = llvm::map_to_vector(
      outline.results, [&](Value value) { return mapping.lookup(value); });
  func::ReturnOp::create(builder, kernel.getLoc(), returned);
  return kernel;
}

/// Erases the ops that use the op and of which nothing comes: they did not make
/// it a result.
static void eraseDeadUsers(RewriterBase &rewriter, Operation *op) {
  llvm::SetVector<Operation *> found;
  found.insert(op);
  for (size_t i = 0; i < found.size(); ++i)
    for (Operation *user : found[i]->getUsers())
      if (user->getBlock() == op->getBlock() && isMemoryEffectFree(user))
        found.insert(user);
  SmallVector<Operation *> users(found.begin() + 1, found.end());
  llvm::sort(users,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *user : users)
    if (isOpTriviallyDead(user))
      rewriter.eraseOp(user);
}

void replaceOutline(RewriterBase &rewriter, const KernelOutline &outline,
                    function_ref<Replacement()> build) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(outline.moved.back());
  Replacement replacement = build();
  Operation *position = replacement.last;
  for (Operation *op : outline.after) {
    rewriter.moveOpAfter(op, position);
    position = op;
  }
  Block *block = outline.moved.back()->getBlock();
  for (auto [from, to] : llvm::zip_equal(outline.results, replacement.results))
    rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
      return !outline.moved.contains(ancestorIn(block, use.getOwner()));
    });

  // Users first; copies of recomputed and free ops remain where still used.
  for (Operation *op : llvm::reverse(outline.body)) {
    if (outline.moved.contains(op))
      eraseDeadUsers(rewriter, op);
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  }
}

void replaceByCall(RewriterBase &rewriter, const KernelOutline &outline,
                   func::FuncOp kernel) {
  replaceOutline(rewriter, outline, [&]() -> Replacement {
    auto call = func::CallOp::create(rewriter, kernel.getLoc(), kernel,
                                     outline.arguments.getArrayRef());
    return {call, llvm::to_vector_of<Value>(call.getResults())};
  });
}

} // namespace egg
