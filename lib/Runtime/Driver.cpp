//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Opens the CUDA driver and turns its results into statuses.
//
//===----------------------------------------------------------------------===//
#include "egg/Runtime/Driver.h"
#include <dlfcn.h>

namespace egg::runtime {
namespace {

// Device attributes of the driver API.
constexpr int kMultiprocessorCount = 16;
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

/// Errors a kernel raises asynchronously and that lose the context.
bool isKernelFault(CUresult result) {
  switch (result) {
  case 214: // ECC_UNCORRECTABLE
  case 700: // ILLEGAL_ADDRESS
  case 702: // LAUNCH_TIMEOUT
  case 709: // CONTEXT_IS_DESTROYED
  case 710: // ASSERT
  case 714: // HARDWARE_STACK_ERROR
  case 715: // ILLEGAL_INSTRUCTION
  case 716: // MISALIGNED_ADDRESS
  case 717: // INVALID_ADDRESS_SPACE
  case 718: // INVALID_PC
  case 719: // LAUNCH_FAILED
    return true;
  default:
    return false;
  }
}

EggStatus codeOf(CUresult result) {
  if (isKernelFault(result))
    return EGG_KERNEL_FAULT;
  switch (result) {
  case kCudaOutOfMemory:
    return EGG_OUT_OF_MEMORY;
  case 100: // NO_DEVICE
  case 101: // INVALID_DEVICE
    return EGG_NO_DEVICE;
  case 34:  // STUB_LIBRARY
  case 803: // SYSTEM_DRIVER_MISMATCH
  case 804: // COMPAT_NOT_SUPPORTED_ON_DEVICE
    return EGG_NO_DRIVER;
  case kCudaNoBinaryForDevice:
    return EGG_WRONG_ARCHITECTURE;
  case 200: // INVALID_IMAGE
  case 218: // INVALID_PTX
  case 222: // UNSUPPORTED_PTX_VERSION
  case 300: // INVALID_SOURCE
  case 500: // NOT_FOUND (a kernel's name)
    return EGG_BAD_ARTIFACT;
  default:
    return EGG_DRIVER_ERROR;
  }
}

} // namespace

Result<std::shared_ptr<Driver>> Driver::open(const char *libraryPath) {
  const char *path = libraryPath ? libraryPath : "libcuda.so.1";
  std::shared_ptr<Driver> driver(new Driver);
  driver->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!driver->library) {
    const char *why = dlerror();
    return Status{EGG_NO_DRIVER, "no CUDA driver: cannot load " +
                                     std::string(path) + " (" +
                                     (why ? why : "unknown reason") +
                                     "); run on a machine with an NVIDIA GPU "
                                     "and its driver installed"};
  }
// NOLINTBEGIN(bugprone-macro-parentheses): a member and its type.
#define EGG_LOAD(member, symbol, parameters)                                   \
  driver->member = reinterpret_cast<CUresult(*) parameters>(                   \
      dlsym(driver->library, #symbol));                                        \
  if (!driver->member)                                                         \
    return Status{EGG_NO_DRIVER, std::string(path) +                           \
                                     " has no " #symbol                        \
                                     ": update the NVIDIA driver"};
  EGG_DRIVER_FUNCTIONS(EGG_LOAD)
#undef EGG_LOAD
  // NOLINTEND(bugprone-macro-parentheses)
  Status status = driver->check(driver->init(0), "initialising the driver");
  if (!status.ok())
    return status;
  return driver;
}

Driver::~Driver() {
  if (library)
    dlclose(library);
}

Status Driver::check(CUresult result, const std::string &doing) const {
  if (result == kCudaSuccess)
    return Status::success();
  const char *name = nullptr, *text = nullptr;
  getErrorName(result, &name);
  getErrorString(result, &text);
  std::string message = doing + ": CUDA error " + std::to_string(result) + " " +
                        (name ? name : "of unknown name") +
                        (text ? std::string(" (") + text + ")" : "");
  EggStatus code = codeOf(result);
  if (code == EGG_KERNEL_FAULT)
    message += "; a kernel faulted and the CUDA context of this process is "
               "lost: start a new process";
  return {code, message};
}

Result<EggDeviceInfo> Driver::describe(int device) const {
  int count = 0;
  Status status = check(deviceGetCount(&count), "counting devices");
  if (!status.ok())
    return status;
  if (device < 0 || device >= count)
    return Status{EGG_NO_DEVICE, "no CUDA device " + std::to_string(device) +
                                     ": the driver sees " +
                                     std::to_string(count)};
  CUdevice handle = 0;
  EggDeviceInfo info = {};
  size_t memory = 0;
  for (CUresult result :
       {deviceGet(&handle, device),
        deviceGetName(info.name, sizeof(info.name), handle),
        deviceGetAttribute(&info.computeMajor, kComputeCapabilityMajor, handle),
        deviceGetAttribute(&info.computeMinor, kComputeCapabilityMinor, handle),
        deviceGetAttribute(&info.multiprocessors, kMultiprocessorCount, handle),
        deviceTotalMem(&memory, handle),
        driverGetVersion(&info.driverVersion)}) {
    status = check(result, "describing device " + std::to_string(device));
    if (!status.ok())
      return status;
  }
  info.totalMemory = memory;
  return info;
}

Result<std::shared_ptr<PrimaryContext>>
PrimaryContext::retain(std::shared_ptr<Driver> driver, int device) {
  std::shared_ptr<PrimaryContext> context(new PrimaryContext);
  std::string doing = "opening device " + std::to_string(device);
  Status status =
      driver->check(driver->deviceGet(&context->deviceHandle, device), doing);
  if (!status.ok())
    return status;
  status = driver->check(
      driver->primaryCtxRetain(&context->context, context->deviceHandle),
      doing);
  if (!status.ok())
    return status;
  context->owner = std::move(driver);
  context->number = device;
  return context;
}

PrimaryContext::~PrimaryContext() {
  if (owner)
    owner->primaryCtxRelease(deviceHandle);
}

PrimaryContext::Scope::Scope(const PrimaryContext &context)
    : context(context),
      entered(context.driver().check(
          context.driver().ctxPushCurrent(context.context),
          "entering the context of device " + std::to_string(context.number))) {
}

PrimaryContext::Scope::~Scope() {
  CUcontext popped = nullptr;
  if (entered.ok())
    context.driver().ctxPopCurrent(&popped);
}

} // namespace egg::runtime
