//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns and attributes that must be in place before the upstream
// conversions run.
//
//===----------------------------------------------------------------------===//
#include "Alignment.h"
#include "KernelPreparation.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace egg {

namespace {

/// An fma is one instruction at every width; upstream would take libdevice's,
/// and round narrow ones twice.
struct FmaToIntrinsic : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getType(), op.getA(),
                                             op.getB(), op.getC());
    return success();
  }
};

/// Shuffles of 8 and 16 bits travel in 32: hardware knows no smaller ones.
struct WidenShuffle : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32)
      return failure();
    Location loc = op.getLoc();
    Type bits = rewriter.getIntegerType(type.getIntOrFloatBitWidth());
    Value value = op.getValue();
    if (type != bits)
      value = arith::BitcastOp::create(rewriter, loc, bits, value);
    value = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), value);
    auto wide = gpu::ShuffleOp::create(rewriter, loc, value, op.getOffset(),
                                       op.getWidth(), op.getMode());
    value =
        arith::TruncIOp::create(rewriter, loc, bits, wide.getShuffleResult());
    if (type != bits)
      value = arith::BitcastOp::create(rewriter, loc, type, value);
    rewriter.replaceOp(op, {value, wide.getValid()});
    return success();
  }
};

} // namespace

static bool isOnlyRead(BlockArgument buffer) {
  return llvm::all_of(buffer.getUsers(), [](Operation *user) {
    return isa<memref::LoadOp, vector::LoadOp>(user);
  });
}

/// States what the plan promises: results never alias arguments or each other,
/// so no stored buffer has another name.
static void annotateArguments(gpu::GPUFuncOp kernel) {
  Builder b(kernel.getContext());
  for (auto [i, buffer] : llvm::enumerate(kernel.getArguments().take_front(
           kernel.getFunctionType().getNumInputs()))) {
    kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      b.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(kBufferAlignment));
    if (isOnlyRead(buffer))
      kernel.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                        b.getUnitAttr());
  }
  for (unsigned i = 0, e = kernel.getNumWorkgroupAttributions(); i < e; ++i) {
    StringRef align = LLVM::LLVMDialect::getAlignAttrName();
    if (!kernel.getWorkgroupAttributionAttr(i, align))
      kernel.setWorkgroupAttributionAttr(i, align,
                                         b.getI64IntegerAttr(kBufferAlignment));
  }
}

/// The vector conversion does not know the GPU's address spaces by name, so
/// they become the numbers it understands.
static void numberAddressSpaces(gpu::GPUModuleOp kernels) {
  MLIRContext *context = kernels.getContext();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
    if (!space || space.getValue() != gpu::AddressSpace::Workgroup)
      return std::nullopt;
    return MemRefType::get(
        type.getShape(), type.getElementType(), type.getLayout(),
        IntegerAttr::get(IntegerType::get(context, 64),
                         int64_t(NVVM::NVVMMemorySpace::Shared)));
  });
  replacer.recursivelyReplaceElementsIn(kernels, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult prepareKernels(gpu::GPUModuleOp kernels) {
  RewritePatternSet patterns(kernels.getContext());
  patterns.add<FmaToIntrinsic, WidenShuffle>(patterns.getContext());
  math::populateExpansionPatterns(patterns, {"clampf"});
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  if (failed(applyPatternsGreedily(kernels, std::move(patterns))))
    return kernels.emitError("preparing the kernels did not come to an end");
  numberAddressSpaces(kernels);
  for (auto global : kernels.getOps<memref::GlobalOp>())
    if (!global.getAlignment())
      global.setAlignment(kBufferAlignment);
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    annotateArguments(kernel);
    annotateVectorAlignment(kernel);
  }
  return success();
}

} // namespace egg
