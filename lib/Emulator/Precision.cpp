//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Precision.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace egg;

/// The instruction in the text whose error is large, or empty. Those that are
/// left out have an error of at most 2 units in the last place for every
/// operand, in the words of the PTX ISA.
static StringRef findApproximation(StringRef text) {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, " \t\n\r;{}@");
  for (StringRef word : words) {
    if (!word.contains(".approx") && !word.contains(".full"))
      continue;
    bool isClose =
        llvm::StringSwitch<bool>(word)
            .Cases({"ex2.approx.f32", "ex2.approx.ftz.f32"}, true)
            .Cases({"rcp.approx.f32", "rcp.approx.ftz.f32"}, true)
            .Cases({"rsqrt.approx.f32", "rsqrt.approx.ftz.f32"}, true)
            .Cases({"sqrt.approx.f32", "sqrt.approx.ftz.f32"}, true)
            .Default(false);
    if (!isClose)
      return word;
  }
  return {};
}

/// What the operation is called if the GPU approximates it, or empty.
static StringRef nameApproximation(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return findApproximation(assembly.getAsmString());
  if (auto assembly = dyn_cast<NVVM::InlinePtxOp>(op))
    return findApproximation(assembly.getPtxCode());
  if (isa<LLVM::FRemOp>(op))
    return name;
  // Of f32 it is ex2.approx.f32.
  if (isa<LLVM::Exp2Op>(op) && !getElementTypeOrSelf(op->getResult(0)).isF32())
    return name;
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    if (auto callee = call.getCallee();
        callee && callee->starts_with("__nv_fast_"))
      return *callee;
  auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  if (!flags || !flags.getFastmathAttr() ||
      !bitEnumContainsAll(flags.getFastmathAttr().getValue(),
                          LLVM::FastmathFlags::afn))
    return {};
  if (isa<LLVM::FDivOp, LLVM::CallOp>(op) || name.starts_with("llvm.intr."))
    return name;
  return {};
}

std::vector<std::string> egg::findUnknownPrecision(ModuleOp kernels) {
  std::vector<std::string> found;
  kernels.walk([&](Operation *op) {
    StringRef name = nameApproximation(op);
    if (name.empty())
      return;
    llvm::raw_string_ostream os(found.emplace_back());
    os << "'" << name << "' at ";
    op->getLoc().print(os);
  });
  return found;
}
