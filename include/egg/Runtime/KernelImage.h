//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelImage: compiled kernels loaded on a device, shared by every module of
// the process that uses the same bytes there.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_RUNTIME_KERNELIMAGE_H
#define EGG_RUNTIME_KERNELIMAGE_H

#include "egg/Runtime/Driver.h"
#include <string>
#include <string_view>

namespace egg::runtime {

/// Kernels of one cubin or PTX text on one device; unloaded with its last
/// owner.
class KernelImage {
public:
  /// Loads the cubin, or where it is empty or not for this device the PTX.
  static Result<std::shared_ptr<KernelImage>>
  load(std::shared_ptr<PrimaryContext> context, std::string_view cubin,
       std::string_view ptx);

  KernelImage(const KernelImage &) = delete;
  KernelImage &operator=(const KernelImage &) = delete;
  ~KernelImage();

  bool isCubin() const { return cubin; }
  /// The kernel of this name, checked against and prepared for a launch with
  /// this many threads a block and this dynamic shared memory.
  Result<CUfunction> kernel(const std::string &name, int64_t threads,
                            int64_t dynamicSharedMemory) const;

private:
  KernelImage() = default;
  static Result<std::shared_ptr<KernelImage>>
  loadOne(const std::shared_ptr<PrimaryContext> &context,
          std::string_view bytes, bool cubin);

  std::shared_ptr<PrimaryContext> context;
  CUmodule module = nullptr;
  bool cubin = false;
};

/// Whether kernels compiled for `chip` ("sm_90a") run on compute capability
/// major.minor; where not, the message says what to compile for instead.
Status checkChip(const std::string &chip, const EggDeviceInfo &device);

} // namespace egg::runtime

#endif // EGG_RUNTIME_KERNELIMAGE_H
