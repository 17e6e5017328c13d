//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The machine that host programs are compiled for.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_HOSTTARGET_H
#define EGG_HOST_HOSTTARGET_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"

namespace egg {

/// A machine that computes what IEEE 754 says, with the same bits on every
/// processor of its architecture. On x86-64 it is the level x86-64-v3 where
/// the processor has all of its instructions, else the baseline: newer
/// extensions are left out, since some compute something else. VCVTNEPS2BF16
/// (AVX512_BF16, AVX-NE-CONVERT) and the arithmetic of AVX10.2 on bf16 take
/// denormals as zeros and flush denormal results, whatever MXCSR says (Intel
/// 64 and IA-32 Architectures Software Developer's Manual, volume 2). Other
/// architectures: this processor. `features` is what the processor has, as
/// llvm::sys::getHostCPUFeatures gives it. An error: this processor is unknown
/// to LLVM.
llvm::Expected<llvm::orc::JITTargetMachineBuilder>
getHostTarget(const llvm::Triple &triple,
              const llvm::StringMap<bool> &features);

/// The same for the processor this runs on.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> getHostTarget();

} // namespace egg

#endif // EGG_HOST_HOSTTARGET_H
