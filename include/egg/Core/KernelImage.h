//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelImage: the device code of a compiled module, and what ptxas said about
// each kernel in it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_KERNELIMAGE_H
#define EGG_CORE_KERNELIMAGE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace egg {

/// What one kernel uses, as ptxas reports it.
struct KernelResources {
  /// Symbol in the PTX.
  std::string kernel;
  /// 32-bit registers a thread.
  int64_t registers = 0;
  /// Bytes of static shared memory a block.
  int64_t sharedMemory = 0;
  /// Bytes of stack a thread, and of it what spilled registers cost.
  int64_t stack = 0, spillStores = 0, spillLoads = 0;
  bool operator==(const KernelResources &) const = default;

  bool spills() const { return spillStores != 0 || spillLoads != 0; }
};

struct KernelImage {
  /// Chip the code is for, e.g. "sm_90a".
  std::string chip;
  /// PTX text.
  std::string ptx;
  /// Machine code; empty where ptxas was absent or not asked for.
  std::string cubin;
  /// Entry points, in the order of the PTX.
  std::vector<std::string> kernels;
  /// One entry a kernel in the same order; empty where ptxas was absent.
  std::vector<KernelResources> resources;
  /// What ptxas warned of (C75xx: instructions serialised, register limits
  /// ignored).
  std::vector<std::string> warnings;
  /// SHA-256 of the libdevice bitcode that was linked in, since another
  /// release of it gives other PTX; empty if no kernel needed it.
  std::string libdeviceHash;
  bool operator==(const KernelImage &) const = default;
};

/// Indented JSON with a final newline (the cubin in base 64), and back.
std::string toJSON(const KernelImage &image);
llvm::Expected<KernelImage> parseKernelImage(llvm::StringRef text);

/// The same as parts of a larger document.
llvm::json::Value toJSONValue(const KernelResources &resources);
llvm::json::Value toJSONValue(const KernelImage &image);
bool fromJSON(const llvm::json::Value &value, KernelResources &resources,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, KernelImage &image,
              llvm::json::Path path);

} // namespace egg

#endif // EGG_CORE_KERNELIMAGE_H
