//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the variables of a module lie. In the shared memory of a block, as
// ptxas does it, a kernel has those that it and the functions it calls name;
// constants lie one behind the other, named or not.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "egg/Target/LaunchLimits.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace egg::simt;

static int64_t getBytes(LLVM::GlobalOp global) {
  return llvm::divideCeil(
      DataLayout::closest(global).getTypeSizeInBits(global.getType()), 8);
}

static int64_t getAlignment(LLVM::GlobalOp global) {
  return std::max<int64_t>(
      global.getAlignment().value_or(
          DataLayout::closest(global).getTypeABIAlignment(global.getType())),
      1);
}

LogicalResult egg::simt::checkVariables(ModuleOp module) {
  int64_t constants = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() == kConstantSpace) {
      constants = llvm::alignTo(constants, getAlignment(global));
      // Together they could be more than 64 bits count.
      if (getBytes(global) > kMaxConstantBytes ||
          (constants += getBytes(global)) > kMaxConstantBytes)
        return global.emitError()
               << "with '" << global.getSymName()
               << "' the module has more than " << kMaxConstantBytes
               << " bytes of constant memory, which is all that a GPU has; put "
                  "large tables into global memory (address space 1)";
    }
    if (global.getAddrSpace() == kSharedSpace && getBytes(global) == 0 &&
        global.getLinkage() == LLVM::Linkage::Internal)
      return global.emitError()
             << "shared variable '" << global.getSymName()
             << "' has no size and internal linkage, so it overlaps static "
                "shared memory when lowered; make it external";
  }
  return success();
}

void egg::simt::layOutShared(ModuleOp module, HostKernel &kernel) {
  llvm::StringSet<> used;
  for (LLVM::LLVMFuncOp function : kernel.functions)
    function.walk([&](LLVM::AddressOfOp address) {
      used.insert(address.getGlobalName());
    });
  SmallVector<LLVM::GlobalOp> dynamic;
  int64_t end = kSharedStart;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != kSharedSpace ||
        !used.contains(global.getSymName()))
      continue;
    int64_t bytes = getBytes(global);
    if (bytes == 0) {
      dynamic.push_back(global);
      continue;
    }
    int64_t offset = llvm::alignTo(end, getAlignment(global));
    kernel.shared.push_back({global.getSymName().str(), offset, bytes});
    end = offset + bytes;
  }
  kernel.staticBytes = end - kSharedStart;
  // All dynamic variables begin where the launch's memory does.
  for (LLVM::GlobalOp global : dynamic)
    end = llvm::alignTo(end, getAlignment(global));
  for (LLVM::GlobalOp global : dynamic)
    kernel.shared.push_back({global.getSymName().str(), end, -1});
  kernel.dynamicStart = end;
}
