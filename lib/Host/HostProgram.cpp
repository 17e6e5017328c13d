//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/HostProgram.h"
#include "Exact/ConvertToExact.h"
#include "Exact/ExactRuntime.h"
#include "HostSymbols.h"
#include "IntegerDivision.h"
#include "egg/Host/HalfConversions.h"
#include "egg/Host/HostTarget.h"
#include "egg/Host/MachineArithmetic.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include <cstdlib>

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kEntryPrefix = "egg_entry_";

/// Buffers of the functions that run on this thread.
static thread_local std::vector<void *> allocations;

extern "C" {
static void *eggAllocate(size_t bytes) {
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, std::max<size_t>(bytes, 64)) != 0)
    llvm::report_bad_alloc_error("no memory for a tensor of the program");
  allocations.push_back(memory);
  return memory;
}
static void eggRelease(void *) {}
}

void HostProgram::releaseAllocations() {
  for (void *memory : allocations)
    free(memory);
  allocations.clear();
}

HostProgram::HostProgram() = default;
HostProgram::~HostProgram() = default;

/// What upstream's passes expand in another way than is wanted here: of pass
/// arith-expand only the divisions, for what it makes of maximumf and minimumf
/// confuses the zeros and LLVM has both; and exp(x) - 1, which pass
/// convert-math-to-llvm puts for expm1, has lost the digits it is called for.
static LogicalResult expandOps(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  populateMathToLibmConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                      arith::FloorDivSIOp, math::ExpM1Op>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

static LogicalResult lowerToLLVMDialect(ModuleOp module) {
  PassManager pm(module.getContext());
  ConvertVectorToLLVMPassOptions vectorOptions;
  ConvertMathToLLVMPassOptions mathOptions;
  // The approximation log(1 + x) loses the digits that log1p is called for.
  mathOptions.approximateLog1p = false;
  ConvertFuncToLLVMPassOptions funcOptions;
  funcOptions.useBarePtrCallConv = true;

  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  if (failed(pm.run(module)) || failed(expandOps(module)))
    return failure();
  // After the expansion, which leaves no other kinds of division.
  defineIntegerDivision(module);
  pm.clear();
  pm.addPass(createConvertMathToLLVMPass(mathOptions));
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass(funcOptions));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}

/// Adds void @egg_entry_<name>(ptr array), which calls @name on the values that
/// the array's elements point to.
static void addEntry(llvm::Function &function) {
  llvm::LLVMContext &context = function.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false),
      llvm::Function::ExternalLinkage, kEntryPrefix + function.getName(),
      function.getParent());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
  llvm::SmallVector<llvm::Value *> arguments;
  for (unsigned i = 0; i < function.arg_size(); ++i) {
    llvm::Value *slot =
        builder.CreateConstGEP1_32(pointer, entry->getArg(0), i);
    llvm::Value *address = builder.CreateLoad(pointer, slot);
    arguments.push_back(
        builder.CreateLoad(function.getArg(i)->getType(), address));
  }
  builder.CreateCall(&function, arguments);
  builder.CreateRetVoid();
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  // Programs run for milliseconds: what costs more to optimise than it saves is
  // left out.
  llvm::ModulePassManager pipeline;
  llvm::cantFail(builder.parsePassPipeline(
      pipeline, "function(sroa,early-cse,simplifycfg,instsimplify,"
                "loop-mssa(licm),early-cse)"));
  pipeline.run(module, modules);
}

static void initializeNativeTarget() {
  [[maybe_unused]] static bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
}

llvm::Expected<std::unique_ptr<HostProgram>>
HostProgram::compile(ModuleOp module, const Symbols &symbols,
                     HostArithmetic arithmetic) {
  initializeNativeTarget();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::vector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      names.push_back(function.getName().str());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      names.push_back(function.getName().str());
  if (failed(lowerToLLVMDialect(module)))
    return llvm::createStringError(
        "lowering for CPU execution failed; the diagnostics say which "
        "operation has no CPU form");
  std::unique_ptr<HostProgram> program(new HostProgram());
  if (arithmetic == HostArithmetic::Exact) {
    auto uses = convertToExact(module);
    if (failed(uses))
      return llvm::createStringError(
          "the program has no form in exact arithmetic; the diagnostics say "
          "which operation lacks a rule");
    program->exactUses = std::move(*uses);
  }
  // Integers are what they are in exact arithmetic too.
  followMachine(module);

  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, *context);
  if (!llvmModule)
    return llvm::createStringError(
        "translation to LLVM IR for CPU execution failed");
  for (const std::string &name : names)
    addEntry(*llvmModule->getFunction(name));

  auto builder = getHostTarget();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvmModule->setDataLayout((*machine)->createDataLayout());
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  optimize(*llvmModule, **machine);

  // A platform, and links by default, would give the program all of the
  // process.
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .setLinkProcessSymbolsByDefault(false)
                 .create();
  if (!jit)
    return jit.takeError();
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  llvm::orc::SymbolMap map;
  auto define = [&](llvm::StringRef name, void *address) {
    map[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported};
  };
  for (const auto &[name, address] : symbols)
    define(name, address);
  for (const auto &[name, address] : getHalfConversionSymbols())
    define(name, address);
  for (const ExactRuntimeFunction &function : getExactRuntime())
    define(function.name, function.address);
  define("malloc", reinterpret_cast<void *>(&eggAllocate));
  define("free", reinterpret_cast<void *>(&eggRelease));
  for (const llvm::Function &function : *llvmModule)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !mayBeCalled(function.getName()) &&
        !map.count((*jit)->mangleAndIntern(function.getName())))
      return llvm::createStringError(
          "it calls '@" + function.getName() +
          "', which it does not define: on the CPU only C's mathematics may "
          "be called");
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(map))))
    return std::move(error);
  // For libm and memcpy.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix(),
      [](const llvm::orc::SymbolStringPtr &symbol) {
        return mayBeCalled(*symbol);
      });
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (llvm::Error error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(context))))
    return std::move(error);
  program->jit = std::move(*jit);
  return std::move(program);
}

llvm::Expected<HostProgram::Function>
HostProgram::lookup(llvm::StringRef name) {
  auto address = jit->lookup((kEntryPrefix + name).str());
  if (!address)
    return address.takeError();
  return address->toPtr<void (*)(void **)>();
}
