//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Materialization of kernel functions (pass egg-materialize-kernels).
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/Materialize.h"
#include "Structures/KernelBuilder.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/Kernel/Passes.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace egg {

#define GEN_PASS_DEF_MATERIALIZEKERNELS
#include "egg/Kernel/Passes.h.inc"

namespace {

/// The flattened buffer of a tensor: one dimension, bools as bytes.
MemRefType bufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8);
  return MemRefType::get({std::max<int64_t>(tensor.getNumElements(), 1)},
                         element);
}

/// 32-bit index arithmetic wherever no index can reach 2^31: division on the
/// GPU costs several times more in 64 bits.
Type chooseIndexType(func::FuncOp kernel) {
  int64_t largest = 0;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (tensor.hasStaticShape())
          largest = std::max(largest, tensor.getNumElements());
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      int64_t columns = 1;
      SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
      for (auto [extent, type] :
           llvm::zip_equal(extents, linalgOp.getIteratorTypesArray()))
        if (type == utils::IteratorType::reduction)
          columns *= extent;
      largest = std::max(largest, columns);
    }
  });
  for (Type type : kernel.getArgumentTypes())
    largest = std::max(largest, cast<RankedTensorType>(type).getNumElements());
  // Room for the surplus threads of the last block and the tile.
  unsigned bits = largest < (int64_t(1) << 31) - (int64_t(1) << 22) ? 32 : 64;
  return IntegerType::get(kernel.getContext(), bits);
}

class Materializer {
public:
  explicit Materializer(ModuleOp module)
      : module(module), b(module.getContext()) {}

  LogicalResult run() {
    SmallVector<func::FuncOp> kernels;
    for (auto func : module.getOps<func::FuncOp>())
      if (func->hasAttr(kKernelAttrName) && !func.isExternal())
        kernels.push_back(func);
    if (kernels.empty())
      return module.getOps<gpu::GPUModuleOp>().empty()
                 ? checkNeedsNoKernels(module)
                 : success();
    b.setInsertionPointToEnd(module.getBody());
    gpuModule = gpu::GPUModuleOp::create(b, module.getLoc(), "kernels");
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    b.getUnitAttr());
    for (func::FuncOp kernel : kernels)
      if (failed(materialize(kernel)))
        return failure();
    return cleanUp();
  }

private:
  LogicalResult materialize(func::FuncOp kernel);
  Value constantBuffer(DenseElementsAttr attr, Location loc);
  void dropOverflowFlags();
  LogicalResult cleanUp();

  ModuleOp module;
  OpBuilder b;
  gpu::GPUModuleOp gpuModule;
  DenseMap<Attribute, memref::GlobalOp> globals;
};

Value Materializer::constantBuffer(DenseElementsAttr attr, Location loc) {
  // Constants live in global memory; one global for equal constants.
  auto elements = cast<DenseElementsAttr>(attr);
  int64_t count = elements.getNumElements();
  Type element = elements.getElementType();
  DenseElementsAttr flat =
      elements.reshape(RankedTensorType::get({count}, element));
  if (element.isInteger(1)) {
    SmallVector<int8_t> bytes;
    for (bool bit : flat.getValues<bool>())
      bytes.push_back(bit);
    flat = DenseElementsAttr::get(RankedTensorType::get({count}, b.getI8Type()),
                                  ArrayRef<int8_t>(bytes));
  }
  auto type =
      MemRefType::get({count}, flat.getElementType(),
                      MemRefLayoutAttrInterface(), b.getI32IntegerAttr(1));
  memref::GlobalOp &global = globals[flat];
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(gpuModule.getBody());
    global = memref::GlobalOp::create(
        b, loc, "constant_" + std::to_string(globals.size() - 1),
        b.getStringAttr("private"), type, flat, /*constant=*/true,
        b.getI64IntegerAttr(16));
  }
  return memref::GetGlobalOp::create(b, loc, type, global.getSymName());
}

LogicalResult Materializer::materialize(func::FuncOp kernel) {
  auto config = getKernelConfig(kernel);
  if (failed(config))
    return kernel.emitError("kernel '")
           << kernel.getSymName()
           << "' has no valid 'egg.config'; its hardware sequences must map it "
              "to the GPU";
  auto analysis = analyzeKernel(kernel, [&]() {
    return kernel.emitError("kernel '") << kernel.getSymName() << "': ";
  });
  if (failed(analysis))
    return failure();
  if (!analysis->supports(config->structure))
    return kernel.emitError("kernel '")
           << kernel.getSymName() << "' cannot be materialized with structure '"
           << stringifyStructure(config->structure) << "'";

  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(bufferType(type));
  for (Type type : kernel.getResultTypes())
    types.push_back(bufferType(type));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(gpuModule.getBody());
  auto gpuFunc = gpu::GPUFuncOp::create(b, kernel.getLoc(), kernel.getSymName(),
                                        b.getFunctionType(types, {}));
  gpuFunc->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  b.setInsertionPointToStart(&gpuFunc.getBody().front());
  KernelBuilder kb(kernel, *config, *analysis, gpuFunc, b,
                   chooseIndexType(kernel), [&](DenseElementsAttr attr) {
                     return constantBuffer(attr, kernel.getLoc());
                   });
  LogicalResult emitted = failure();
  switch (config->structure) {
  case Structure::Map:
    emitted = emitMap(kb);
    break;
  case Structure::Rows:
    emitted = emitRows(kb);
    break;
  case Structure::Contraction:
    emitted = emitContraction(kb);
    break;
  case Structure::Scan:
    emitted = emitScan(kb);
    break;
  }
  if (failed(emitted))
    return failure();
  gpu::ReturnOp::create(b, kernel.getLoc());
  auto extent = [&](int64_t x) {
    return b.getDenseI32ArrayAttr({static_cast<int32_t>(x), 1, 1});
  };
  if (kb.blocks >= (int64_t(1) << 31))
    return kernel.emitError("kernel '")
           << kernel.getSymName() << "' needs " << kb.blocks
           << " blocks; a launch has at most 2147483647";
  gpuFunc.setKnownBlockSizeAttr(extent(kb.threads));
  gpuFunc.setKnownGridSizeAttr(extent(kb.blocks));

  // The function becomes the declaration that @main calls.
  auto reference = SymbolRefAttr::get(
      b.getContext(), gpuModule.getName(),
      {FlatSymbolRefAttr::get(b.getContext(), kernel.getSymName())});
  kernel->setAttr(
      kLaunchAttrName,
      b.getDictionaryAttr(
          {b.getNamedAttr("kernel", reference),
           b.getNamedAttr("grid", b.getDenseI64ArrayAttr({kb.blocks, 1, 1})),
           b.getNamedAttr("block", b.getDenseI64ArrayAttr({kb.threads, 1, 1})),
           b.getNamedAttr("dynamic_shared_memory", b.getI64IntegerAttr(0))}));
  kernel->removeAttr(kConfigAttrName);
  kernel.eraseBody();
  kernel.setPrivate();
  return success();
}

/// Partial results are sums that the payload never forms: what it promises of
/// its own sums (nsw, nuw) does not hold for them.
void Materializer::dropOverflowFlags() {
  auto none = arith::IntegerOverflowFlagsAttr::get(
      b.getContext(), arith::IntegerOverflowFlags::none);
  gpuModule.walk([&](arith::ArithIntegerOverflowFlagsInterface op) {
    op->setAttr(op.getIntegerOverflowAttrName(), none);
  });
}

LogicalResult Materializer::cleanUp() {
  dropOverflowFlags();
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (auto *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (llvm::is_contained({"arith", "scf", "memref", "vector", "gpu", "math"},
                           op.getDialectNamespace()))
      op.getCanonicalizationPatterns(patterns, context);
  FrozenRewritePatternSet frozen(std::move(patterns));
  IRRewriter rewriter(context);
  auto simplify = [&]() {
    (void)applyPatternsGreedily(gpuModule, frozen);
    DominanceInfo dominance(gpuModule);
    eliminateCommonSubExpressions(rewriter, dominance, gpuModule);
  };
  simplify();
  gpuModule.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
  simplify();
  return success();
}

class MaterializeKernelsPass
    : public impl::MaterializeKernelsBase<MaterializeKernelsPass> {
  void runOnOperation() override {
    if (failed(materializeKernels(getOperation())))
      signalPassFailure();
  }
};

} // namespace

LogicalResult materializeKernels(ModuleOp module) {
  return Materializer(module).run();
}

} // namespace egg
