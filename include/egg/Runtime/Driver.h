//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Driver: the CUDA driver API, found at run time with dlopen. Nothing of CUDA
// is needed at build time; the types below repeat its stable ABI.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_RUNTIME_DRIVER_H
#define EGG_RUNTIME_DRIVER_H

#include "egg/Runtime/Status.h"
#include <cstdint>
#include <memory>
#include <string>

namespace egg::runtime {

using CUresult = int;
using CUdevice = int;
using CUcontext = void *;
using CUmodule = void *;
using CUfunction = void *;
using CUstream = void *;
using CUdeviceptr = unsigned long long;

/// X(member, symbol in libcuda, parameter types)
#define EGG_DRIVER_FUNCTIONS(X)                                                \
  X(init, cuInit, (unsigned))                                                  \
  X(driverGetVersion, cuDriverGetVersion, (int *))                             \
  X(getErrorName, cuGetErrorName, (CUresult, const char **))                   \
  X(getErrorString, cuGetErrorString, (CUresult, const char **))               \
  X(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  X(deviceGet, cuDeviceGet, (CUdevice *, int))                                 \
  X(deviceGetName, cuDeviceGetName, (char *, int, CUdevice))                   \
  X(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, CUdevice))          \
  X(deviceTotalMem, cuDeviceTotalMem_v2, (size_t *, CUdevice))                 \
  X(primaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))       \
  X(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice))               \
  X(ctxPushCurrent, cuCtxPushCurrent_v2, (CUcontext))                          \
  X(ctxPopCurrent, cuCtxPopCurrent_v2, (CUcontext *))                          \
  X(moduleLoadDataEx, cuModuleLoadDataEx,                                      \
    (CUmodule *, const void *, unsigned, int *, void **))                      \
  X(moduleUnload, cuModuleUnload, (CUmodule))                                  \
  X(moduleGetFunction, cuModuleGetFunction,                                    \
    (CUfunction *, CUmodule, const char *))                                    \
  X(funcGetAttribute, cuFuncGetAttribute, (int *, int, CUfunction))            \
  X(funcSetAttribute, cuFuncSetAttribute, (CUfunction, int, int))              \
  X(memGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))                         \
  X(memAlloc, cuMemAlloc_v2, (CUdeviceptr *, size_t))                          \
  X(memFree, cuMemFree_v2, (CUdeviceptr))                                      \
  X(memcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                     \
    (CUdeviceptr, CUdeviceptr, size_t, CUstream))                              \
  X(launchKernel, cuLaunchKernel,                                              \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))                                    \
  X(streamSynchronize, cuStreamSynchronize, (CUstream))

/// Results of the driver the runtime tells apart.
enum : CUresult {
  kCudaSuccess = 0,
  kCudaInvalidValue = 1,
  kCudaOutOfMemory = 2,
  kCudaNoBinaryForDevice = 209,
};

/// An opened and initialised driver. Shared by everything loaded through it.
class Driver {
public:
  /// Opens the library (null: libcuda.so.1) and initialises the driver.
  static Result<std::shared_ptr<Driver>> open(const char *libraryPath);

  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;
  ~Driver();

// NOLINTBEGIN(bugprone-macro-parentheses): they name and type a member.
#define EGG_DECLARE(member, symbol, parameters)                                \
  CUresult(*member) parameters = nullptr;
  EGG_DRIVER_FUNCTIONS(EGG_DECLARE)
#undef EGG_DECLARE
  // NOLINTEND(bugprone-macro-parentheses)

  /// Success, or the error with its name and description; `doing` says what
  /// was tried ("loading the kernels").
  Status check(CUresult result, const std::string &doing) const;

  /// Facts about the device; an error where there is no such device.
  Result<EggDeviceInfo> describe(int device) const;

private:
  Driver() = default;
  void *library = nullptr;
};

/// The primary context of a device, retained while it lives.
class PrimaryContext {
public:
  static Result<std::shared_ptr<PrimaryContext>>
  retain(std::shared_ptr<Driver> driver, int device);
  PrimaryContext(const PrimaryContext &) = delete;
  PrimaryContext &operator=(const PrimaryContext &) = delete;
  ~PrimaryContext();

  const Driver &driver() const { return *owner; }
  int device() const { return number; }
  CUdevice handle() const { return deviceHandle; }

  /// Makes the context current on this thread for a scope.
  class Scope {
  public:
    explicit Scope(const PrimaryContext &context);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    /// Why the context could not be entered, if so.
    const Status &status() const { return entered; }

  private:
    const PrimaryContext &context;
    Status entered;
  };

private:
  PrimaryContext() = default;
  std::shared_ptr<Driver> owner;
  CUcontext context = nullptr;
  CUdevice deviceHandle = 0;
  int number = 0;
};

} // namespace egg::runtime

#endif // EGG_RUNTIME_DRIVER_H
