//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace egg::simt;

std::string egg::simt::getHostSymbol(llvm::StringRef kernel) {
  return ("egg_kernel_" + kernel).str();
}

int32_t egg::simt::addSite(HostKernel &kernel, Operation *op) {
  Site site;
  site.op = op->getName().getStringRef().str();
  llvm::raw_string_ostream os(site.location);
  op->getLoc().print(os);
  kernel.sites.push_back(std::move(site));
  return kernel.sites.size() - 1;
}

static FailureOr<HostKernel::Memory> describeMemory(Operation *op, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape() || !memref.getLayout().isIdentity() ||
      !memref.getElementType().isIntOrIndexOrFloat())
    return op->emitError()
           << "cannot run this kernel on the CPU: " << type
           << " is not a memref of static shape with the identity layout";
  int64_t bits = memref.getElementType().isIndex()
                     ? 64
                     : memref.getElementType().getIntOrFloatBitWidth();
  if (bits % 8 != 0)
    return op->emitError() << "cannot run this kernel on the CPU: elements of "
                           << type << " are not whole bytes; store i1 as i8";
  return HostKernel::Memory{memref.getNumElements() * bits / 8, bits / 8};
}

namespace {

/// Converts one kernel into a function of the host module.
class KernelConverter {
public:
  KernelConverter(gpu::GPUFuncOp source, ModuleOp host, HostKernel &kernel)
      : source(source), kernel(kernel), builder(host.getBodyRegion()) {
    builder.setInsertionPointToEnd(host.getBody());
  }

  FailureOr<func::FuncOp> convert();

private:
  LogicalResult convertOp(Operation *op);
  Value readId(Location loc, ThreadIds::Which which, gpu::Dimension dim);
  Value readId(Location loc, ThreadIds::Which which, int64_t dim);
  Value linearThread(Location loc);
  Value constant(Location loc, int64_t value, unsigned bits) {
    return arith::ConstantIntOp::create(builder, loc, value, bits);
  }
  void replaceShuffle(gpu::ShuffleOp op);

  gpu::GPUFuncOp source;
  HostKernel &kernel;
  OpBuilder builder;
  Value thread;
};

} // namespace

FailureOr<func::FuncOp> KernelConverter::convert() {
  MLIRContext *context = builder.getContext();
  kernel.name = source.getName().str();
  if (auto block = source.getKnownBlockSizeAttr())
    kernel.knownBlock.assign(block.asArrayRef().begin(),
                             block.asArrayRef().end());
  if (auto grid = source.getKnownGridSizeAttr())
    kernel.knownGrid.assign(grid.asArrayRef().begin(), grid.asArrayRef().end());

  auto pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> inputs = {pointer};
  for (Type type : source.getFunctionType().getInputs()) {
    auto memory = describeMemory(source, type);
    if (failed(memory))
      return failure();
    kernel.arguments.push_back(*memory);
    inputs.push_back(type);
  }
  for (BlockArgument shared : source.getWorkgroupAttributions()) {
    auto memory = describeMemory(source, shared.getType());
    if (failed(memory))
      return failure();
    kernel.shared.push_back(*memory);
    inputs.push_back(shared.getType());
  }
  auto function =
      func::FuncOp::create(builder, source.getLoc(), getHostSymbol(kernel.name),
                           builder.getFunctionType(inputs, {}));
  IRMapping mapping;
  source.getBody().cloneInto(&function.getBody(), mapping);
  Block &entry = function.getBody().front();
  thread = entry.insertArgument(0u, pointer, source.getLoc());

  // The private attributions are the last arguments of the cloned entry block.
  builder.setInsertionPointToStart(&entry);
  unsigned firstPrivate = inputs.size();
  while (entry.getNumArguments() > firstPrivate) {
    BlockArgument argument = entry.getArgument(firstPrivate);
    Value local = memref::AllocaOp::create(
        builder, source.getLoc(), cast<MemRefType>(argument.getType()));
    argument.replaceAllUsesWith(local);
    entry.eraseArgument(firstPrivate);
  }

  SmallVector<Operation *> gpuOps;
  function.walk([&](Operation *op) {
    if (isa<gpu::GPUDialect>(op->getDialect()) || isa<CallOpInterface>(op))
      gpuOps.push_back(op);
  });
  for (Operation *op : gpuOps)
    if (failed(convertOp(op)))
      return failure();
  return function;
}

Value KernelConverter::readId(Location loc, ThreadIds::Which which,
                              int64_t dim) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value address = LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI64Type(), thread,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(which * 3 + dim))});
  Value id = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), address);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), id);
}

Value KernelConverter::readId(Location loc, ThreadIds::Which which,
                              gpu::Dimension dim) {
  return readId(loc, which, int64_t(dim));
}

Value KernelConverter::linearThread(Location loc) {
  Value linear = readId(loc, ThreadIds::ThreadId, 2);
  for (int64_t dim : {1, 0}) {
    linear = arith::MulIOp::create(builder, loc, linear,
                                   readId(loc, ThreadIds::BlockDim, dim));
    linear = arith::AddIOp::create(builder, loc, linear,
                                   readId(loc, ThreadIds::ThreadId, dim));
  }
  return linear;
}

void KernelConverter::replaceShuffle(gpu::ShuffleOp op) {
  Location loc = op.getLoc();
  Type type = op.getValue().getType();
  unsigned bits = type.isIntOrFloat()
                      ? type.getIntOrFloatBitWidth()
                      : cast<VectorType>(type).getNumElements() *
                            cast<VectorType>(type).getElementTypeBitWidth();
  auto integer = builder.getIntegerType(bits);
  Value value = op.getValue();
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, loc, integer, value);
  if (bits < 64)
    value = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value);
  kernel.synchronizes = true;
  Value mode = constant(loc, int64_t(op.getMode()), 32);
  Value site = constant(loc, addSite(kernel, op), 32);
  Value result =
      func::CallOp::create(
          builder, loc, "egg_simt_shuffle", builder.getI64Type(),
          ValueRange{thread, site, mode, value, op.getOffset(), op.getWidth()})
          .getResult(0);
  if (bits < 64)
    result = arith::TruncIOp::create(builder, loc, integer, result);
  if (type != integer)
    result = LLVM::BitcastOp::create(builder, loc, type, result);
  Value valid = func::CallOp::create(builder, loc, "egg_simt_shuffle_valid",
                                     builder.getI1Type(), ValueRange{thread})
                    .getResult(0);
  op.replaceAllUsesWith(ValueRange{result, valid});
  op.erase();
}

LogicalResult KernelConverter::convertOp(Operation *op) {
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto replace = [&](Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return replace(readId(loc, ThreadIds::ThreadId, id.getDimension()));
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return replace(readId(loc, ThreadIds::BlockId, id.getDimension()));
  if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    return replace(readId(loc, ThreadIds::BlockDim, dim.getDimension()));
  if (auto dim = dyn_cast<gpu::GridDimOp>(op))
    return replace(readId(loc, ThreadIds::GridDim, dim.getDimension()));
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
    Value start = arith::MulIOp::create(
        builder, loc, readId(loc, ThreadIds::BlockId, id.getDimension()),
        readId(loc, ThreadIds::BlockDim, id.getDimension()));
    return replace(arith::AddIOp::create(
        builder, loc, start,
        readId(loc, ThreadIds::ThreadId, id.getDimension())));
  }
  if (isa<gpu::LaneIdOp, gpu::SubgroupIdOp>(op)) {
    Value warp = arith::ConstantIndexOp::create(builder, loc, 32);
    Value linear = linearThread(loc);
    if (isa<gpu::LaneIdOp>(op))
      return replace(arith::RemUIOp::create(builder, loc, linear, warp));
    return replace(arith::DivUIOp::create(builder, loc, linear, warp));
  }
  if (isa<gpu::SubgroupSizeOp>(op))
    return replace(arith::ConstantIndexOp::create(builder, loc, 32));
  if (isa<gpu::BarrierOp>(op)) {
    kernel.synchronizes = true;
    Value site = constant(loc, addSite(kernel, op), 32);
    func::CallOp::create(builder, loc, "egg_simt_barrier", TypeRange{},
                         ValueRange{thread, site});
    op->erase();
    return success();
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    Type type = shuffle.getValue().getType();
    unsigned bits = type.isIntOrFloat()
                        ? type.getIntOrFloatBitWidth()
                        : cast<VectorType>(type).getNumElements() *
                              cast<VectorType>(type).getElementTypeBitWidth();
    if (bits > 64)
      return op->emitError() << "cannot run this kernel on the CPU: it "
                                "shuffles more than 64 bits at once";
    replaceShuffle(shuffle);
    return success();
  }
  if (isa<gpu::ReturnOp>(op)) {
    func::ReturnOp::create(builder, loc);
    op->erase();
    return success();
  }
  return op->emitError() << "cannot run this kernel on the CPU: '"
                         << op->getName() << "' has no counterpart there";
}

static void declareRuntime(ModuleOp host) {
  OpBuilder builder(host.getBodyRegion());
  builder.setInsertionPointToStart(host.getBody());
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i1 = builder.getI1Type(), i32 = builder.getI32Type(),
       i64 = builder.getI64Type();
  auto declare = [&](StringRef name, ArrayRef<Type> inputs,
                     ArrayRef<Type> results) {
    func::FuncOp::create(builder, host.getLoc(), name,
                         builder.getFunctionType(inputs, results))
        .setPrivate();
  };
  declare("egg_simt_barrier", {pointer, i32}, {});
  declare("egg_simt_shuffle", {pointer, i32, i32, i64, i32, i32}, {i64});
  declare("egg_simt_shuffle_valid", {pointer}, {i1});
  declare("egg_simt_access", {pointer, i32, i32, pointer, i64, i1}, {});
  declare("egg_simt_index_error", {pointer, i32, i64, i64, i64}, {});
}

FailureOr<HostKernels> egg::simt::convertKernelsToHost(gpu::GPUModuleOp module,
                                                       bool checkAccesses) {
  MLIRContext *context = module.getContext();
  context
      ->loadDialect<func::FuncDialect, LLVM::LLVMDialect, arith::ArithDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  HostKernels result;
  result.module = ModuleOp::create(module.getLoc());
  ModuleOp host = *result.module;
  declareRuntime(host);
  for (Operation &op : module.getBodyRegion().front()) {
    if (auto global = dyn_cast<memref::GlobalOp>(op)) {
      OpBuilder builder(host.getBodyRegion());
      builder.setInsertionPointToEnd(host.getBody());
      builder.clone(op);
      continue;
    }
    auto function = dyn_cast<gpu::GPUFuncOp>(op);
    if (!function || !function.isKernel()) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        continue;
      op.emitError() << "cannot run this module on the CPU: '" << op.getName()
                     << "' is neither a kernel nor a constant";
      return failure();
    }
    HostKernel kernel;
    auto converted = KernelConverter(function, host, kernel).convert();
    if (failed(converted) ||
        failed(instrumentAccesses(*converted, kernel, checkAccesses)))
      return failure();
    result.kernels.push_back(std::move(kernel));
  }

  // The host has one memory.
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.recursivelyReplaceElementsIn(host, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  if (failed(verify(host)))
    return failure();
  return std::move(result);
}
