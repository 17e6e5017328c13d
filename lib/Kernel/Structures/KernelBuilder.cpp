//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelBuilder.h"
#include "egg/Kernel/TensorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace egg {

KernelBuilder::KernelBuilder(func::FuncOp kernel, const KernelConfig &config,
                             const KernelAnalysis &analysis,
                             gpu::GPUFuncOp gpuFunc, OpBuilder &b,
                             Type indexType,
                             ElementEmitter::ConstantBuffer constantBuffer)
    : kernel(kernel), config(config), analysis(analysis), gpuFunc(gpuFunc),
      b(b), loc(kernel.getLoc()), indexType(indexType),
      space(kernel.getContext()),
      emitter(b, loc, space, indexType, std::move(constantBuffer)) {
  unsigned inputs = kernel.getNumArguments();
  for (unsigned i = 0; i < inputs; ++i)
    emitter.bindArgument(kernel.getArgument(i), gpuFunc.getArgument(i));
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    resultBuffers.push_back(gpuFunc.getArgument(inputs + i));
}

LogicalResult KernelBuilder::fail(const Twine &message) {
  return kernel.emitError("kernel '")
         << kernel.getSymName() << "': " << message;
}

void KernelBuilder::createIds() {
  auto id = [&](Value value) {
    return arith::IndexCastUIOp::create(b, loc, indexType, value).getResult();
  };
  threadId = id(gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x));
  blockId = id(gpu::BlockIdOp::create(b, loc, gpu::Dimension::x));
  thread = space.addDim(threads, threadId);
  block = space.addDim(blocks, blockId);
}

Value KernelBuilder::integer(int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(indexType, value));
}

Value KernelBuilder::isBelow(Value value, int64_t bound) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value,
                               integer(bound));
}

void KernelBuilder::barrier() { gpu::BarrierOp::create(b, loc); }

Value KernelBuilder::sharedBuffer(int64_t elements, Type type) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  Value buffer = gpuFunc.addWorkgroupAttribution(
      MemRefType::get({elements}, type, MemRefLayoutAttrInterface(), space),
      loc);
  // Vector accesses of 16 bytes start anywhere their index is a multiple.
  gpuFunc.setWorkgroupAttributionAttr(gpuFunc.getNumWorkgroupAttributions() - 1,
                                      LLVM::LLVMDialect::getAlignAttrName(),
                                      b.getI64IntegerAttr(16));
  return buffer;
}

Type KernelBuilder::elementType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

Value KernelBuilder::result(unsigned i) {
  return kernel.getBody().front().getTerminator()->getOperand(i);
}

SmallVector<AffineExpr> KernelBuilder::resultIndex(unsigned i, AffineExpr row,
                                                   AffineExpr column) {
  SmallVector<AffineExpr> idx;
  for (AffineExpr expr : analysis.results[i].idx)
    idx.push_back(space.simplify(expr.replaceDims({row, column})));
  return idx;
}

LogicalResult KernelBuilder::storeResult(unsigned i, AffineExpr row,
                                         AffineExpr column) {
  SmallVector<AffineExpr> idx = resultIndex(i, row, column);
  auto lanes = emitter.evaluate(result(i), idx);
  if (failed(lanes))
    return failure();
  emitter.store(resultBuffers[i], space.linearize(idx, extentsOf(result(i))),
                *lanes);
  return success();
}

int64_t KernelBuilder::resultWidth(int64_t extent) {
  unsigned bits = 8;
  for (Value buffer : resultBuffers)
    bits = std::max(
        bits, cast<MemRefType>(buffer.getType()).getElementTypeBitWidth());
  return vectorWidth(extent, bits);
}

int64_t KernelBuilder::vectorWidth(int64_t extent, unsigned bits) {
  int64_t width = 1;
  while (width * 2 <= config.vectorWidth && width * 2 * bits <= 128 &&
         extent % (width * 2) == 0)
    width *= 2;
  return width;
}

} // namespace egg
