//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sums of products for matrix instructions, as code of the host module: so they
// are computed in whatever arithmetic the module is compiled for.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg::simt;

/// The products of 16-bit and tf32 factors are exact in double, and so, nearly,
/// is the sum of one instruction; like the machine's it is rounded towards zero
/// once. The machine keeps a few bits less while it adds.
static constexpr const char *kDot = R"(
llvm.func @__nv_double2float_rz(f64) -> f32
llvm.func @egg_truncate_tf32(f32) -> f32
llvm.func @egg_dot_{0}(%sum: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %k: i64) {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %start = llvm.load %sum : !llvm.ptr -> f32
  %wide = llvm.fpext %start : f32 to f64
  llvm.br ^loop(%zero, %wide : i64, f64)
^loop(%i: i64, %partial: f64):
  %pa = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {1}
  %pb = llvm.getelementptr %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {1}
  %na = llvm.load %pa : !llvm.ptr -> {1}
  %nb = llvm.load %pb : !llvm.ptr -> {1}
  {2}
  %wa = llvm.fpext %fa : f32 to f64
  %wb = llvm.fpext %fb : f32 to f64
  %product = llvm.fmul %wa, %wb : f64
  %added = llvm.fadd %partial, %product : f64
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "ult" %next, %k : i64
  llvm.cond_br %more, ^loop(%next, %added : i64, f64), ^end
^end:
  %rounded = llvm.call @__nv_double2float_rz(%added) : (f64) -> f32
  llvm.store %rounded, %sum : f32, !llvm.ptr
  llvm.return
}
)";

static constexpr const char *kExtend =
    "%fa = llvm.fpext %na : {0} to f32  %fb = llvm.fpext %nb : {0} to f32";
static constexpr const char *kTruncate =
    "%fa = llvm.call @egg_truncate_tf32(%na) : (f32) -> f32  "
    "%fb = llvm.call @egg_truncate_tf32(%nb) : (f32) -> f32";

LogicalResult egg::simt::addProductFunctions(ModuleOp host) {
  OpBuilder builder = OpBuilder::atBlockEnd(host.getBody());
  for (StringRef name : {"bf16", "f16", "tf32"}) {
    bool isTF32 = name == "tf32";
    std::string text = llvm::formatv(
        kDot, name, isTF32 ? StringRef("f32") : name,
        isTF32 ? std::string(kTruncate) : llvm::formatv(kExtend, name).str());
    auto parsed = parseSourceString<ModuleOp>(text, host.getContext());
    if (!parsed)
      return failure();
    for (auto function : parsed->getOps<LLVM::LLVMFuncOp>())
      if (!host.lookupSymbol(function.getName()))
        builder.clone(*function);
  }
  return success();
}
