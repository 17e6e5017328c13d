//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "InlinePTX.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace egg::simt;

std::string egg::simt::getHostSymbol(llvm::StringRef function) {
  return ("egg_kernel_" + function).str();
}

int32_t HostKernels::addSite(Operation *op) {
  Site site;
  site.op = op->getName().getStringRef().str();
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op)) {
    // Text is called by its instruction.
    InlinePTX ptx(assembly);
    for (const InlinePTX::Instruction &instruction : ptx.instructions())
      if (!StringRef(instruction.opcode).starts_with("setp")) {
        site.op = instruction.opcode;
        break;
      }
  }
  llvm::raw_string_ostream os(site.location);
  op->getLoc().print(os);
  sites.push_back(std::move(site));
  return sites.size() - 1;
}

void FunctionTraits::add(const FunctionTraits &callee) {
  synchronizes |= callee.synchronizes;
  needsClocks |= callee.needsClocks;
  hasAtomics |= callee.hasAtomics;
  sharedElement = std::min(sharedElement, callee.sharedElement);
  unknownElement = std::min(unknownElement, callee.unknownElement);
}

/// Three extents, those that are left out 1; none without the attribute.
static std::vector<int64_t> readExtents(Operation *op, StringRef name) {
  auto extents = op->getAttrOfType<DenseI32ArrayAttr>(name);
  if (!extents)
    return {};
  std::vector<int64_t> result(extents.asArrayRef().begin(),
                              extents.asArrayRef().end());
  result.resize(3, 1);
  return result;
}

static HostKernel describeKernel(LLVM::LLVMFuncOp function) {
  HostKernel kernel;
  kernel.name = function.getName().str();
  kernel.functions.push_back(function);
  kernel.exactBlock =
      readExtents(function, NVVM::NVVMDialect::getReqntidAttrName());
  kernel.maxBlock =
      readExtents(function, NVVM::NVVMDialect::getMaxntidAttrName());
  kernel.cluster =
      readExtents(function, NVVM::NVVMDialect::getClusterDimAttrName());
  if (auto most = function->getAttrOfType<IntegerAttr>(
          NVVM::NVVMDialect::getClusterMaxBlocksAttrName()))
    kernel.maxClusterBlocks = most.getInt();
  DataLayout layout(function->getParentOfType<ModuleOp>());
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    kernel.isAlone.push_back(
        function.getArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName()) !=
        nullptr);
    kernel.isPointer.push_back(isa<LLVM::LLVMPointerType>(type));
    kernel.argumentBytes.push_back(
        kernel.isPointer.back()
            ? 8
            : llvm::divideCeil(layout.getTypeSizeInBits(type), 8));
  }
  return kernel;
}

/// Gives every function of the module the thread as its first argument.
static void addThreadArguments(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    auto type = function.getFunctionType();
    SmallVector<Type> inputs = {pointer};
    llvm::append_range(inputs, type.getParams());
    function.setType(LLVM::LLVMFunctionType::get(type.getReturnType(), inputs));
    function.getBody().front().insertArgument(0u, pointer, function.getLoc());
    function.removeArgAttrsAttr();
    function.removeResAttrsAttr();
    // The host knows nothing of the device's attributes.
    for (NamedAttribute attribute :
         llvm::to_vector(function->getDiscardableAttrs()))
      function->removeDiscardableAttr(attribute.getName());
    function.setLinkage(LLVM::Linkage::External);
    function.setCConv(LLVM::CConv::C);
  }
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) { calls.push_back(call); });
  for (LLVM::CallOp call : calls) {
    auto callee = call.getCallee();
    auto function =
        callee ? module.lookupSymbol<LLVM::LLVMFuncOp>(*callee) : nullptr;
    if (!function || function.isExternal())
      continue;
    SmallVector<Value> operands = {
        call->getParentOfType<LLVM::LLVMFuncOp>().getArgument(0)};
    llvm::append_range(operands, call.getCalleeOperands());
    OpBuilder builder(call);
    auto replacement =
        LLVM::CallOp::create(builder, call.getLoc(), call->getResultTypes(),
                             getHostSymbol(*callee), operands);
    call->replaceAllUsesWith(replacement->getResults());
    call.erase();
  }
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      function.setSymName(getHostSymbol(function.getName()));
}

/// Declares what the functions call, from how they call it.
static void declareRuntime(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto none = LLVM::LLVMVoidType::get(module.getContext());
  module.walk([&](LLVM::CallOp call) {
    auto callee = call.getCallee();
    if (!callee || module.lookupSymbol(*callee))
      return;
    LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), *callee,
        LLVM::LLVMFunctionType::get(
            call->getNumResults() ? call->getResult(0).getType() : none,
            llvm::to_vector(call.getCalleeOperands().getTypes())));
  });
}

/// The host has one memory.
static void flattenAddressSpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](LLVM::LLVMPointerType type) -> std::optional<Type> {
        if (type.getAddressSpace() == 0)
          return std::nullopt;
        return LLVM::LLVMPointerType::get(type.getContext());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>())) {
    if (global.getAddrSpace() == kSharedSpace)
      global.erase();
    else
      global.setAddrSpace(0);
  }
}

static LogicalResult convertFunctions(HostKernels &host) {
  for (HostKernel &kernel : host.kernels)
    for (LLVM::LLVMFuncOp function : kernel.functions) {
      FunctionTraits traits;
      traits.argumentElements.assign(function.getNumArguments() - 1, 4);
      FunctionConverter converter(function, kernel, host, traits);
      if (failed(converter.expandInlinePTX()) ||
          failed(converter.instrumentAccesses()))
        return failure();
      converter.instrumentLocals();
      converter.instrumentLoops();
      converter.instrumentAccumulators();
      if (failed(converter.convertOps()))
        return failure();
      if (function == kernel.functions.front())
        kernel.traits = std::move(traits);
      else
        kernel.traits.add(traits);
    }
  return success();
}

FailureOr<HostKernels>
egg::simt::convertKernelsToHost(gpu::GPUModuleOp source) {
  MLIRContext *context = source.getContext();
  context->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  if (failed(checkPromises(source)))
    return failure();
  HostKernels result;
  result.module = ModuleOp::create(source.getLoc());
  ModuleOp module = *result.module;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  for (Operation &op : source.getBodyRegion().front()) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op)) {
      op.emitError() << "cannot run this module on the CPU: '" << op.getName()
                     << "' is neither a lowered function nor a variable; lower "
                        "the module with egg-lower-to-nvvm first";
      return failure();
    }
    builder.clone(op);
  }
  // Ops that are instructions in text become it, here as for the GPU.
  PassManager manager(context, ModuleOp::getOperationName());
  manager.addPass(createConvertNVVMToLLVMPass());
  if (failed(manager.run(module)) || failed(checkCalls(module)) ||
      failed(checkVariables(module)))
    return failure();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() &&
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      result.kernels.push_back(describeKernel(function));
  spoilPoison(module);
  copyHelpers(module, result);
  for (HostKernel &kernel : result.kernels)
    layOutShared(module, kernel);
  addThreadArguments(module);
  if (failed(convertFunctions(result)))
    return failure();
  flattenAddressSpaces(module);
  if (result.usesProducts && failed(addProductFunctions(module)))
    return failure();
  declareRuntime(module);
  if (failed(verify(module)))
    return failure();
  return std::move(result);
}
