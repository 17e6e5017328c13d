//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DeviceLibrary.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace egg {

bool needsLibdevice(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && !function.use_empty() &&
           function.getName().starts_with("__nv_");
  });
}

/// libdevice asks __nvvm_reflect how precise to be. LLVM answers 0 to what it
/// does not know, and that is the approximate square root.
static void askForPreciseSquareRoot(Module &module) {
  SmallVector<CallInst *> queries;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (const Function *callee = call->getCalledFunction())
          if (callee->getName() == "__nvvm_reflect" ||
              callee->getName().starts_with("llvm.nvvm.reflect"))
            queries.push_back(call);
  for (CallInst *query : queries) {
    auto *name =
        dyn_cast<GlobalVariable>(getUnderlyingObject(query->getArgOperand(0)));
    if (!name || !name->hasInitializer())
      continue;
    auto *text = dyn_cast<ConstantDataSequential>(name->getInitializer());
    if (!text || !text->isCString() ||
        text->getAsCString() != "__CUDA_PREC_SQRT")
      continue;
    query->replaceAllUsesWith(ConstantInt::get(query->getType(), 1));
    query->eraseFromParent();
  }
}

Error linkLibdevice(Module &module, StringRef bitcode, StringRef path) {
  auto library =
      parseBitcodeFile(MemoryBufferRef(bitcode, path), module.getContext());
  if (!library)
    return createStringError("cannot read libdevice '" + path +
                             "': " + toString(library.takeError()));
  // The file states neither; the linker would warn of the difference.
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  StringSet<> ours;
  for (const Function &function : module)
    if (!function.isDeclaration())
      ours.insert(function.getName());
  if (Linker::linkModules(module, std::move(*library),
                          Linker::Flags::LinkOnlyNeeded))
    return createStringError("cannot link libdevice '" + path + "'");
  for (Function &function : module)
    if (!function.isDeclaration() && !ours.contains(function.getName()))
      function.setLinkage(GlobalValue::InternalLinkage);
  askForPreciseSquareRoot(module);
  return Error::success();
}

/// Intrinsics without an instruction for f32 and f64 on NVPTX.
static bool hasNoInstruction(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::acos:
  case Intrinsic::asin:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::cos:
  case Intrinsic::cosh:
  case Intrinsic::exp:
  case Intrinsic::exp10:
  case Intrinsic::exp2:
  case Intrinsic::frexp:
  case Intrinsic::ldexp:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::log2:
  case Intrinsic::modf:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::sin:
  case Intrinsic::sincos:
  case Intrinsic::sinh:
  case Intrinsic::tan:
  case Intrinsic::tanh:
    return true;
  default:
    return false;
  }
}

Error checkSelfContained(const Module &module) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee)
        return createStringError("kernel code '" + function.getName() +
                                 "' calls through a pointer; call nothing");
      if (!callee->isDeclaration() || callee->getName() == "__nvvm_reflect")
        continue;
      if (callee->isIntrinsic() && !hasNoInstruction(callee->getIntrinsicID()))
        continue;
      return createStringError(
          "kernel code '" + function.getName() + "' calls '" +
          callee->getName() +
          "', which has no body on the GPU; build the kernel from ops that "
          "lower to instructions or to libdevice");
    }
  return Error::success();
}

} // namespace egg
