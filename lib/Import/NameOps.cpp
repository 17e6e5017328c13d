//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names of compute ops: kind and number in program order.
//
//===----------------------------------------------------------------------===//
#include "egg/Import/NameOps.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Import/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace egg {
#define GEN_PASS_DEF_NAMEOPS
#include "egg/Import/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

constexpr llvm::StringLiteral kName = "egg.name";

/// "addf" and "addi" are both "add"; "maximumf" and "maxsi" are both "max".
std::string getScalarKind(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return name.str();
  for (StringRef kind : {"max", "min", "shr"})
    if (name.starts_with(kind))
      return kind.str();
  for (StringRef kind : {"add", "sub", "mul", "div", "neg", "cmp", "rem"})
    if (name.starts_with(kind))
      return kind.str();
  if (name == "andi" || name == "ori" || name == "xori")
    return name.drop_back().str();
  if (isa<CastOpInterface>(op))
    return "cast";
  return name.str();
}

/// Constants and indices do not say what a body does.
bool saysNothing(Operation &op) {
  return op.hasTrait<OpTrait::ConstantLike>() ||
         op.hasTrait<OpTrait::IsTerminator>() || isa<linalg::IndexOp>(op);
}

std::string getMapKind(linalg::GenericOp op) {
  Operation *only = nullptr;
  for (Operation &inner : *op.getBody()) {
    if (isa<tensor::ExtractOp>(inner))
      return "gather";
    if (saysNothing(inner))
      continue;
    if (only)
      return "map";
    only = &inner;
  }
  return only ? getScalarKind(only) : "copy";
}

std::string getReductionKind(linalg::GenericOp op) {
  if (linalg::isaContractionOpInterface(op))
    return "contract";
  if (op->getNumResults() == 1) {
    Operation *combiner =
        op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    if (combiner && combiner->getNumOperands() == 2)
      return "reduce_" + getScalarKind(combiner);
  }
  return "reduce";
}

struct NameOps : egg::impl::NameOpsBase<NameOps> {
  void runOnOperation() override { nameComputeOps(getOperation()); }
};

} // namespace

bool egg::isComputeOp(Operation *op) {
  if (!isa_and_nonnull<func::FuncOp>(op->getParentOp()) ||
      op->getNumResults() == 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  return !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<tensor::EmptyOp, linalg::FillOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp, tensor::ReshapeOp, tensor::CastOp,
              func::CallOp>(op);
}

std::string egg::getComputeKind(Operation *op) {
  if (auto scan = dyn_cast<ScanOp>(op))
    return ("scan_" + stringifyScanKind(scan.getKind())).str();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.getNumReductionLoops() ? getReductionKind(generic)
                                          : getMapKind(generic);
  return op->getName().stripDialect().str();
}

void egg::nameComputeOps(ModuleOp module) {
  llvm::StringSet<> taken;
  SmallVector<Operation *> unnamed;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isComputeOp(op))
      return;
    // A copy of a named op must not keep the name.
    auto name = op->getAttrOfType<StringAttr>(kName);
    if (!name || !taken.insert(name).second)
      unnamed.push_back(op);
  });
  llvm::StringMap<int64_t> next;
  for (Operation *op : unnamed) {
    std::string kind = getComputeKind(op), name;
    do
      name = kind + "_" + std::to_string(next[kind]++);
    while (!taken.insert(name).second);
    op->setAttr(kName, StringAttr::get(op->getContext(), name));
  }
}
