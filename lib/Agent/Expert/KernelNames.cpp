//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelNames.h"
#include "ComputeGraph.h"
#include "egg/Import/NameOps.h"
#include "egg/Kernel/KernelNames.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace egg {
namespace {

constexpr size_t kMaxTags = 3;

/// Whether the importer calls ops so: what the op is, or was before it was
/// split.
bool isKind(Operation *op, StringRef stem) {
  return stem == getComputeKind(op) || stem == "contract" ||
         RegisteredOperationName::lookup(("linalg." + stem).str(),
                                         op->getContext());
}

/// The name without its number: "matmul_0" -> "matmul"; of the first part of a
/// split reduction: "reduce_add_0_partial" -> "partial_reduce_add". A name that
/// is not the importer's may hold any text, and does not become a kernel's.
std::string stemOf(Operation *op) {
  StringRef name = nameOf(op);
  std::string prefix;
  while (name.consume_back("_partial"))
    prefix = "partial_";
  StringRef stem = name.rtrim("0123456789");
  if (stem.size() < name.size() && stem.ends_with("_"))
    name = stem.drop_back();
  return prefix + (isKind(op, name) ? name.str() : getComputeKind(op));
}

template <typename... OpTys> int64_t countInside(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *inner) { count += isa<OpTys...>(inner); });
  return count;
}

template <typename... OpTys> bool anyHas(ArrayRef<Operation *> ops) {
  return llvm::any_of(ops,
                      [](Operation *op) { return countInside<OpTys...>(op); });
}

bool isRelu(Operation *op) {
  bool found = false;
  op->walk([&](arith::MaximumFOp max) {
    for (Value operand : max->getOperands())
      if (auto constant = operand.getDefiningOp<arith::ConstantOp>())
        if (auto value = dyn_cast<FloatAttr>(constant.getValue()))
          found |= value.getValue().isZero();
  });
  op->walk([&](Operation *inner) {
    if (isa<arith::SelectOp>(inner) && countInside<arith::CmpFOp>(op) == 1 &&
        op->getNumRegions() == 1 &&
        op->getRegion(0).front().getOperations().size() == 3)
      found = true;
  });
  return found;
}

/// What pointwise ops do together, most telling first.
SmallVector<std::string> tagsOf(ArrayRef<Operation *> ops) {
  SmallVector<std::string> tags;
  auto add = [&](StringRef tag) {
    if (tags.size() < kMaxTags && !llvm::is_contained(tags, tag))
      tags.push_back(tag.str());
  };
  bool gelu = anyHas<math::ErfOp>(ops);
  bool sigmoid = anyHas<math::ExpOp>(ops) && anyHas<arith::DivFOp>(ops) &&
                 anyHas<arith::NegFOp>(ops);
  for (Operation *op : ops) {
    if (isCheap(op))
      continue;
    if (countInside<math::ErfOp>(op))
      add("gelu");
    else if (gelu && countInside<arith::MulFOp, arith::AddFOp>(op))
      continue;
    else if (sigmoid && countInside<math::ExpOp>(op))
      add("sigmoid");
    else if (sigmoid && countInside<arith::NegFOp, arith::DivFOp>(op))
      continue;
    else if (isRelu(op))
      add("relu");
    else if (stemOf(op) != "map")
      add(stemOf(op));
  }
  for (Operation *op : ops)
    if (tags.empty() && isCheap(op))
      add(stemOf(op));
  return tags;
}

std::string anchorTag(Operation *anchor) {
  std::string stem = stemOf(anchor);
  StringRef kind = anchor->getName().stripDialect();
  for (auto [prefix, tag] : {std::pair<StringRef, StringRef>{
                                 "depthwise_conv_1d", "depthwise_conv1d"},
                             {"depthwise_conv_2d", "depthwise_conv2d"},
                             {"depthwise_conv_3d", "depthwise_conv3d"},
                             {"conv_1d", "conv1d"},
                             {"conv_2d", "conv2d"},
                             {"conv_3d", "conv3d"},
                             {"pooling_nchw_max", "max_pool2d"},
                             {"pooling_ncw_max", "max_pool1d"},
                             {"pooling_nchw_sum", "sum_pool2d"},
                             {"pooling_ncw_sum", "sum_pool1d"},
                             {"pooling", "pool"}})
    if (kind.starts_with(prefix))
      return tag.str();
  if (stem == "contract")
    return "contraction";
  if (stem == "scan_add")
    return "cumsum";
  if (stem == "scan_mul")
    return "cumprod";
  return stem;
}

std::string rowsTag(ArrayRef<Operation *> anchors, ArrayRef<Operation *> rest) {
  if (anchors.size() >= 2 && anyHas<math::ExpOp>(rest)) {
    bool max = llvm::any_of(anchors, [](Operation *op) {
      return countInside<arith::MaximumFOp, arith::MaxNumFOp, arith::CmpFOp>(
          op);
    });
    if (max)
      return anyHas<math::LogOp>(rest) ? "log_softmax_rows" : "softmax_rows";
  }
  bool normalizes =
      anyHas<math::RsqrtOp, math::SqrtOp>(rest) || anyHas<arith::DivFOp>(rest);
  if (anyHas<math::RsqrtOp, math::SqrtOp>(rest) && anchors.size() >= 2)
    return "normalize_rows";
  if (anyHas<math::RsqrtOp, math::SqrtOp>(rest) && normalizes)
    return "rms_rows";
  return "";
}
} // namespace

std::string nameKernel(ModuleOp module, ArrayRef<Operation *> ops,
                       Structure structure) {
  SmallVector<Operation *> anchors, rest, after;
  for (Operation *op : ops) {
    (isAnchor(op) ? anchors : rest).push_back(op);
    if (!isAnchor(op) && !anchors.empty())
      after.push_back(op);
  }
  SmallVector<std::string> parts;
  if (structure == Structure::Rows && !rowsTag(anchors, rest).empty()) {
    parts.push_back(rowsTag(anchors, rest));
  } else {
    if (!anchors.empty())
      parts.push_back(anchorTag(anchors.front()));
    for (std::string &tag : tagsOf(anchors.empty() ? rest : after))
      parts.push_back(tag);
  }
  if (parts.empty())
    parts.push_back(stringifyStructure(structure).str());
  std::string base = llvm::join(parts, "_");
  for (char &c : base)
    if (!llvm::isAlnum(c))
      c = '_';
  if (!llvm::isAlpha(base.front()))
    base = "k_" + base;
  base.resize(std::min<size_t>(base.size(), 56));
  std::string name = base;
  for (int64_t number = 2;
       module.lookupSymbol(name) || !explainKernelName(name).empty(); ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

} // namespace egg
