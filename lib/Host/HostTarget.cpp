//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/HostTarget.h"
#include "llvm/TargetParser/Host.h"

using namespace egg;
using llvm::orc::JITTargetMachineBuilder;

/// What x86-64-v3 adds to the levels below it, as far as LLVM generates it
/// (System V ABI, AMD64 supplement, table "Micro-Architecture Levels").
static constexpr llvm::StringLiteral kLevel3[] = {
    "sse4.2", "popcnt", "cx16", "avx",   "avx2",  "bmi",
    "bmi2",   "f16c",   "fma",  "lzcnt", "movbe", "xsave"};

llvm::Expected<JITTargetMachineBuilder>
egg::getHostTarget(const llvm::Triple &triple,
                   const llvm::StringMap<bool> &features) {
  if (triple.getArch() != llvm::Triple::x86_64)
    return JITTargetMachineBuilder::detectHost();
  bool isLevel3 = llvm::all_of(
      kLevel3, [&](llvm::StringRef name) { return features.lookup(name); });
  JITTargetMachineBuilder builder(triple);
  builder.setCPU(isLevel3 ? "x86-64-v3" : "x86-64");
  return builder;
}

llvm::Expected<JITTargetMachineBuilder> egg::getHostTarget() {
  return getHostTarget(llvm::Triple(llvm::sys::getProcessTriple()),
                       llvm::sys::getHostCPUFeatures());
}
