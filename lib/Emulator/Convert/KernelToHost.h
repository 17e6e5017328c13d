//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Turning lowered kernels into host functions: special registers become loads
// from the thread's record, NVVM ops and inline PTX become calls of the
// runtime, address spaces become one, and each memory access is preceded by its
// checks. Float arithmetic stays as it is.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_CONVERT_KERNELTOHOST_H
#define EGG_LIB_EMULATOR_CONVERT_KERNELTOHOST_H

#include "../Runtime/Launch.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg::simt {

/// The address spaces of a block's shared memory and of constants.
inline constexpr unsigned kSharedSpace = 3, kConstantSpace = 4;

/// What is known of a function before it runs.
struct FunctionTraits {
  bool synchronizes = false;
  bool needsClocks = false;
  /// Atomic or volatile accesses, whose order is that of the threads.
  bool hasAtomics = false;
  /// Least bytes that any access takes as one element: by argument of the
  /// kernel, in shared memory, and where the address is of unknown origin.
  std::vector<int64_t> argumentElements;
  int64_t sharedElement = 4, unknownElement = 4;

  void add(const FunctionTraits &callee);
};

/// A kernel's host function: its arguments follow the thread pointer.
struct HostKernel {
  std::string name;
  /// The kernel itself, then its own copies of the functions that it calls.
  std::vector<mlir::LLVM::LLVMFuncOp> functions;
  /// Of all of them.
  FunctionTraits traits;
  /// Bytes of each argument as it lies in memory.
  std::vector<int64_t> argumentBytes;
  /// Whether it is a pointer, and one of the memory of which no other argument
  /// has any (llvm.noalias).
  std::vector<bool> isPointer, isAlone;
  /// The extents stated on the function; empty when it states none. Exact ones
  /// bind the block, others bound its number of threads.
  std::vector<int64_t> exactBlock, maxBlock, cluster;
  /// The most blocks of a cluster, where it is stated.
  std::optional<int64_t> maxClusterBlocks;
  /// The variables in shared memory that its functions name.
  std::vector<SharedVariable> shared;
  /// Bytes of static shared memory, the machine's own kilobyte not counted,
  /// and where dynamic shared memory begins in the window.
  int64_t staticBytes = 0, dynamicStart = kSharedStart;
};

/// The host functions of a gpu.module in a module of their own:
/// llvm.func @<getHostSymbol(kernel)>(!llvm.ptr, arguments...).
struct HostKernels {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<HostKernel> kernels;
  std::vector<Site> sites;
  /// Whether any function multiplies matrices.
  bool usesProducts = false;

  /// Records a site for the operation and returns its number.
  int32_t addSite(mlir::Operation *op);
};

/// The symbol of a function on the host: apart from those of the C library,
/// whose functions kernels call there (a kernel may be named "tanh").
std::string getHostSymbol(llvm::StringRef function);

/// Converts every function of the module. Fails with a diagnostic on what has
/// no counterpart on the host.
mlir::FailureOr<HostKernels>
convertKernelsToHost(mlir::gpu::GPUModuleOp module);

/// One function on its way to the host; argument 0 is the thread already.
class FunctionConverter {
public:
  FunctionConverter(mlir::LLVM::LLVMFuncOp function, const HostKernel &kernel,
                    HostKernels &host, FunctionTraits &traits)
      : function(function), kernel(kernel), host(host), traits(traits),
        builder(function.getContext()) {}

  /// Tells the runtime of local variables.
  void instrumentLocals();
  /// Inserts the checks before each memory access. Fails on accesses that
  /// cannot be checked.
  mlir::LogicalResult instrumentAccesses();
  /// Counts the rounds of loops.
  void instrumentLoops();
  /// Replaces inline PTX that the LLVM dialect can say by LLVM ops, so that
  /// the other steps see them.
  mlir::LogicalResult expandInlinePTX();
  /// Checks uses of the results of asynchronous products.
  void instrumentAccumulators();
  /// Replaces everything that is not host code.
  mlir::LogicalResult convertOps();

private:
  friend class PTXConverter;

  mlir::LogicalResult convertOp(mlir::Operation *op);
  mlir::LogicalResult convertWarpOp(mlir::Operation *op);
  mlir::LogicalResult convertBarrierOp(mlir::Operation *op);
  mlir::LogicalResult convertAsyncOp(mlir::Operation *op);
  mlir::LogicalResult convertMatrixOp(mlir::Operation *op);
  mlir::LogicalResult convertPointerOp(mlir::Operation *op);
  void defineDivision(mlir::Operation *op);
  mlir::Value fuse(mlir::Operation *op);
  mlir::LogicalResult convertInlineAsm(mlir::LLVM::InlineAsmOp op);
  mlir::LogicalResult convertWgmma(mlir::LLVM::InlineAsmOp op);

  mlir::Value thread() { return function.getArgument(0); }
  mlir::Value constant(mlir::Location loc, int64_t value, unsigned bits);
  mlir::Value site(mlir::Operation *op);
  mlir::Value readRegister(mlir::Location loc, int number, mlir::Type type);
  /// The value as an integer of 64 bits, or of 32.
  mlir::Value toWord(mlir::Location loc, mlir::Value value, unsigned bits = 64);
  mlir::Value fromWord(mlir::Location loc, mlir::Value word, mlir::Type type);
  /// Calls a function of the runtime; null type for no result.
  mlir::Value call(mlir::Location loc, llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange operands);
  /// Memory of the function for operands, at the given byte.
  mlir::Value scratch(mlir::Location loc, int64_t offset = 0);
  mlir::LogicalResult replace(mlir::Operation *op, mlir::Value value);
  mlir::LogicalResult unsupported(mlir::Operation *op);
  mlir::LogicalResult checkVariable(mlir::Operation *op, int32_t number,
                                    mlir::LLVM::AddressOfOp variable,
                                    mlir::Value address);
  void noteElement(int32_t argument, bool shared, int64_t bytes);

  mlir::LLVM::LLVMFuncOp function;
  const HostKernel &kernel;
  HostKernels &host;
  FunctionTraits &traits;
  mlir::OpBuilder builder;
  mlir::Value scratchMemory;
  llvm::DenseMap<mlir::Operation *, int32_t> siteOf;
};

/// Refuses, where the functions of the module call what the GPU does not have,
/// kernels, or each other in a circle, or need more memory of a thread than it
/// has here.
mlir::LogicalResult checkCalls(mlir::ModuleOp module);

/// Refuses what a kernel promises, or lets the compiler do, that the emulator
/// does not follow.
mlir::LogicalResult checkPromises(mlir::gpu::GPUModuleOp module);

/// On accesses of the emulator's own, which are not checked.
inline constexpr llvm::StringLiteral kOwnAccessAttrName = "egg.own_access";

/// Replaces what the GPU's compiler may choose by numbers that change.
void spoilPoison(mlir::ModuleOp module);

/// Replaces the functions that kernels call by a copy for each kernel. Calls
/// have been checked.
void copyHelpers(mlir::ModuleOp module, HostKernels &host);

/// Refuses a variable in shared memory of no size that is not external, and
/// more constants than a GPU has memory for.
mlir::LogicalResult checkVariables(mlir::ModuleOp module);

/// Places the variables in shared memory that the kernel's functions name:
/// static ones in order, then the dynamic ones, all at one place.
void layOutShared(mlir::ModuleOp module, HostKernel &kernel);

/// The bytes of an alloca that is part of the function's frame.
std::optional<int64_t> getStaticBytes(mlir::LLVM::AllocaOp op);

/// Whether the inline assembly is an asynchronous product.
bool isWgmma(mlir::LLVM::InlineAsmOp op);

/// Adds the functions that compute products of matrix instructions in the
/// module's own arithmetic: void @egg_dot_<type>(ptr sum, ptr a, ptr b, i64 k).
mlir::LogicalResult addProductFunctions(mlir::ModuleOp host);

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_CONVERT_KERNELTOHOST_H
