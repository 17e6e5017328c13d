//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks before memory accesses: each index against its extent, inline, then a
// call that knows who else touched the elements.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace egg::simt;

namespace {

/// A contiguous access: `counts[d]` elements from `indices[d]`; only the last
/// count may exceed one.
struct DenseAccess {
  Value memref;
  SmallVector<Value> indices;
  SmallVector<int64_t> counts;
  bool write = false;
};

class Instrumenter {
public:
  Instrumenter(func::FuncOp function, HostKernel &kernel, bool checkAccesses)
      : function(function), kernel(kernel), checkAccesses(checkAccesses),
        builder(function) {}

  LogicalResult run();

private:
  void check(Operation *op, const DenseAccess &access);
  void checkIndex(Operation *op, int32_t site, int64_t dim, Value index,
                  Value limit);
  Value constant(Location loc, int64_t value, unsigned bits) {
    return arith::ConstantIntOp::create(builder, loc, value, bits);
  }

  func::FuncOp function;
  HostKernel &kernel;
  bool checkAccesses;
  OpBuilder builder;
};

} // namespace

/// Describes the access of an operation that touches memory; failure when it
/// is of a kind that is not known here.
static FailureOr<DenseAccess> describeAccess(Operation *op) {
  DenseAccess access;
  VectorType vector;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    access = {load.getMemRef(), llvm::to_vector(load.getIndices()), {}, false};
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    access = {store.getMemRef(), llvm::to_vector(store.getIndices()), {}, true};
  } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
    access = {load.getBase(), llvm::to_vector(load.getIndices()), {}, false};
    vector = load.getVectorType();
  } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
    access = {store.getBase(), llvm::to_vector(store.getIndices()), {}, true};
    vector = store.getVectorType();
  } else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    if (transfer.getMask() || transfer.hasOutOfBoundsDim() ||
        !transfer.getPermutationMap().isMinorIdentity())
      return failure();
    access = {transfer.getBase(),
              llvm::to_vector(transfer.getIndices()),
              {},
              isa<vector::TransferWriteOp>(op)};
    vector = transfer.getVectorType();
  } else {
    return failure();
  }
  access.counts.assign(access.indices.size(), 1);
  if (vector) {
    // Outer dimensions would be further ranges of memory.
    if (vector.getRank() > 1 &&
        vector.getNumElements() != vector.getShape().back())
      return failure();
    if (vector.getRank() > 0)
      access.counts.back() = vector.getShape().back();
  }
  return access;
}

static bool isHarmless(Operation *op) {
  if (isa<memref::AllocaOp, LLVM::LoadOp>(op) || isa<CallOpInterface>(op))
    return true;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.hasNoEffect();
}

LogicalResult Instrumenter::run() {
  SmallVector<std::pair<Operation *, DenseAccess>> accesses;
  WalkResult result = function.walk([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    auto access = describeAccess(op);
    if (succeeded(access)) {
      accesses.emplace_back(op, std::move(*access));
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
  for (auto &[op, access] : accesses)
    check(op, access);
  return success();
}

void Instrumenter::checkIndex(Operation *op, int32_t site, int64_t dim,
                              Value index, Value limit) {
  Location loc = op->getLoc();
  // One unsigned comparison also catches negative indices.
  Value outside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                        index, limit);
  auto guard = scf::IfOp::create(builder, loc, outside, /*withElse=*/false);
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(guard.thenBlock());
  auto widen = [&](Value value) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  };
  func::CallOp::create(
      builder, loc, "egg_simt_index_error", TypeRange{},
      ValueRange{function.getArgument(0), constant(loc, site, 32),
                 constant(loc, dim, 64), widen(index), widen(limit)});
}

/// The argument of the function that the memref is a view of: its number
/// without the thread pointer, -1 if unknown, -2 if it is private memory.
static int32_t findBuffer(func::FuncOp function, Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(memref))
    return argument.getOwner() == &function.getBody().front()
               ? int32_t(argument.getArgNumber()) - 1
               : -1;
  Operation *op = memref.getDefiningOp();
  return isa<memref::AllocaOp, memref::GetGlobalOp>(op) ? -2 : -1;
}

void Instrumenter::check(Operation *op, const DenseAccess &access) {
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  int32_t site = addSite(kernel, op);
  auto type = cast<MemRefType>(access.memref.getType());
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    // The last admissible index plus one: the extent less the rest of a
    // vector.
    int64_t rest = access.counts[dim] - 1;
    Value limit;
    if (!type.isDynamicDim(dim)) {
      limit = arith::ConstantIndexOp::create(
          builder, loc, std::max<int64_t>(type.getDimSize(dim) - rest, 0));
    } else {
      limit = memref::DimOp::create(builder, loc, access.memref, dim);
      Value restValue = arith::ConstantIndexOp::create(builder, loc, rest);
      limit = arith::SubIOp::create(builder, loc, limit, restValue);
    }
    checkIndex(op, site, dim, index, limit);
  }
  int32_t buffer = findBuffer(function, access.memref);
  if (!checkAccesses || buffer == -2)
    return;

  // The address, from the view's own strides.
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, access.memref);
  Value element = metadata.getOffset();
  for (auto [index, stride] :
       llvm::zip_equal(access.indices, metadata.getStrides())) {
    Value step = arith::MulIOp::create(builder, loc, index, stride);
    element = arith::AddIOp::create(builder, loc, element, step);
  }
  int64_t elementBytes =
      type.getElementType().isIndex()
          ? 8
          : llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  Value scale = arith::ConstantIndexOp::create(builder, loc, elementBytes);
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                              access.memref);
  Value offset = arith::MulIOp::create(builder, loc, element, scale);
  Value address = arith::AddIOp::create(builder, loc, base, offset);
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), integer);
  int64_t bytes =
      elementBytes * (access.counts.empty() ? 1 : access.counts.back());
  func::CallOp::create(
      builder, loc, "egg_simt_access", TypeRange{},
      ValueRange{function.getArgument(0), constant(loc, site, 32),
                 constant(loc, buffer, 32), pointer, constant(loc, bytes, 64),
                 constant(loc, access.write, 1)});
}

LogicalResult egg::simt::instrumentAccesses(func::FuncOp function,
                                            HostKernel &kernel,
                                            bool checkAccesses) {
  return Instrumenter(function, kernel, checkAccesses).run();
}
