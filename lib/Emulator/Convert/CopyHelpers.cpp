//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every kernel gets its own copy of the functions it calls, as its shared
// memory has a layout of its own.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"

using namespace mlir;
using namespace egg::simt;

void egg::simt::copyHelpers(ModuleOp module, HostKernels &host) {
  llvm::SetVector<Operation *> helpers;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      helpers.insert(function);
  for (HostKernel &kernel : host.kernels)
    helpers.remove(kernel.functions.front());
  SymbolTable symbols(module);
  for (HostKernel &kernel : host.kernels) {
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> copies;
    // Grows on the way.
    for (size_t i = 0; i < kernel.functions.size(); ++i)
      kernel.functions[i].walk([&](LLVM::CallOp call) {
        auto callee =
            symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee().value_or(""));
        if (!callee || !helpers.contains(callee))
          return;
        LLVM::LLVMFuncOp &copy = copies[callee];
        if (!copy) {
          copy = callee.clone();
          symbols.insert(copy);
          kernel.functions.push_back(copy);
        }
        call.setCallee(copy.getName());
      });
  }
  for (Operation *helper : helpers)
    symbols.erase(helper);
}
