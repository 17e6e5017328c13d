//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the variables of a module lie in the shared memory of a block: as
// ptxas does, a kernel gets those that it and the functions it calls name.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace egg::simt;

using KernelsOf = llvm::StringMap<llvm::SetVector<HostKernel *>>;

/// By variable: the kernels that use it. Calls have been checked: they name
/// their functions, without recursion.
static KernelsOf findUsers(ModuleOp module, HostKernels &host) {
  KernelsOf users;
  for (HostKernel &kernel : host.kernels) {
    llvm::SetVector<Operation *> functions;
    functions.insert(module.lookupSymbol(kernel.name));
    // Grows on the way.
    for (size_t i = 0; i < functions.size(); ++i)
      functions[i]->walk([&](Operation *op) {
        if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
          users[address.getGlobalName()].insert(&kernel);
        auto call = dyn_cast<LLVM::CallOp>(op);
        if (!call || !call.getCallee())
          return;
        if (Operation *callee = module.lookupSymbol(*call.getCallee()))
          functions.insert(callee);
      });
  }
  return users;
}

LogicalResult egg::simt::layOutShared(ModuleOp module, HostKernels &host) {
  KernelsOf users = findUsers(module, host);
  DataLayout layout(module);
  auto place = [&](LLVM::GlobalOp global, int64_t bytes, bool dynamic) {
    auto alignment = std::max<uint64_t>(
        global.getAlignment().value_or(
            layout.getTypeABIAlignment(global.getType())),
        1);
    SharedVariable variable;
    variable.name = global.getSymName().str();
    variable.bytes = dynamic ? -1 : bytes;
    // The code of a function is the same in all kernels that call it, so that
    // the offset is too; a kernel may get a gap here that it has not on a GPU.
    variable.offset = kSharedStart;
    const auto &kernels = users[variable.name];
    for (HostKernel *kernel : kernels)
      variable.offset = std::max(variable.offset, kernel->dynamicStart);
    variable.offset = llvm::alignTo(variable.offset, alignment);
    for (HostKernel *kernel : kernels) {
      variable.kernels.push_back(kernel->name);
      kernel->dynamicStart = variable.offset + bytes;
      if (!dynamic)
        kernel->staticBytes =
            llvm::alignTo(kernel->staticBytes, alignment) + bytes;
    }
    host.shared.push_back(std::move(variable));
  };
  for (bool dynamic : {false, true})
    for (auto global : module.getOps<LLVM::GlobalOp>()) {
      if (global.getAddrSpace() != kSharedSpace)
        continue;
      int64_t bytes =
          llvm::divideCeil(layout.getTypeSizeInBits(global.getType()), 8);
      if (bytes == 0 && global.getLinkage() == LLVM::Linkage::Internal)
        return global.emitError()
               << "shared variable '" << global.getSymName()
               << "' has no size and internal linkage, so it overlaps static "
                  "shared memory when lowered; make it external";
      if (dynamic == (bytes == 0))
        place(global, bytes, dynamic);
    }
  return success();
}
