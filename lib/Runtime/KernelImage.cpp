//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads kernels, keeps one copy a device, and checks what a launch asks for.
//
//===----------------------------------------------------------------------===//
#include "egg/Runtime/KernelImage.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <mutex>
#include <vector>

namespace egg::runtime {
namespace {

// Function and device attributes and JIT options of the driver API.
constexpr int kFuncMaxThreadsPerBlock = 0;
constexpr int kFuncSharedSizeBytes = 1;
constexpr int kFuncMaxDynamicSharedSizeBytes = 8;
constexpr int kDeviceMaxSharedMemoryOptin = 97;
constexpr int kJitErrorLogBuffer = 5;
constexpr int kJitErrorLogBufferSizeBytes = 6;

/// Shared memory a block may have without asking for more.
constexpr int64_t kDefaultSharedMemory = int64_t(48) * 1024;

/// Images loaded now, by device and bytes.
struct ImageCache {
  using Key = std::pair<int, std::string>;
  std::mutex mutex;
  std::map<Key, std::weak_ptr<KernelImage>> images;
};

ImageCache &imageCache() {
  static ImageCache cache;
  return cache;
}

std::string capability(const EggDeviceInfo &device) {
  return "sm_" + std::to_string(device.computeMajor * 10 + device.computeMinor);
}

} // namespace

Status checkChip(const std::string &chip, const EggDeviceInfo &device) {
  size_t digits = 0;
  int number = 0;
  if (chip.starts_with("sm_"))
    for (digits = 0; 3 + digits < chip.size() && digits < 4 &&
                     isdigit(static_cast<unsigned char>(chip[3 + digits]));
         ++digits)
      number = number * 10 + (chip[3 + digits] - '0');
  std::string suffix = digits ? chip.substr(3 + digits) : "";
  if (digits < 2 || (!suffix.empty() && suffix != "a" && suffix != "f"))
    return {EGG_BAD_ARTIFACT,
            "plan.json: chip: '" + chip + "' is not a chip such as sm_90a"};

  int have = device.computeMajor * 10 + device.computeMinor;
  // 'a' kernels run on that chip alone, 'f' ones within its family, others on
  // any later chip through PTX.
  bool runs = suffix == "a"   ? have == number
              : suffix == "f" ? have / 10 == number / 10 && have >= number
                              : have >= number;
  if (runs)
    return Status::success();
  std::string wanted = capability(device) + (have >= 90 ? "a" : "");
  return {EGG_WRONG_ARCHITECTURE,
          "the kernels are for " + chip + ", the device (" + device.name +
              ") is " + capability(device) + ": compile with --chip " + wanted};
}

Result<std::shared_ptr<KernelImage>>
KernelImage::loadOne(const std::shared_ptr<PrimaryContext> &context,
                     std::string_view bytes, bool cubin) {
  ImageCache &cache = imageCache();
  std::lock_guard<std::mutex> lock(cache.mutex);
  std::erase_if(cache.images,
                [](const auto &entry) { return entry.second.expired(); });
  ImageCache::Key key(context->device(), bytes);
  if (auto it = cache.images.find(key); it != cache.images.end())
    if (auto image = it->second.lock())
      return image;

  std::array<char, 4096> log = {};
  std::array<int, 2> options = {kJitErrorLogBuffer,
                                kJitErrorLogBufferSizeBytes};
  std::array<void *, 2> values = {
      log.data(), reinterpret_cast<void *>(uintptr_t(log.size() - 1))};
  std::shared_ptr<KernelImage> image(new KernelImage);
  CUmodule module = nullptr;
  // key.second is the bytes with a final NUL, which PTX needs.
  Status status = context->driver().check(
      context->driver().moduleLoadDataEx(&module, key.second.c_str(),
                                         options.size(), options.data(),
                                         values.data()),
      cubin ? "loading kernels.cubin" : "compiling kernels.ptx in the driver");
  if (!status.ok()) {
    std::string detail(log.data());
    std::replace(detail.begin(), detail.end(), '\n', ' ');
    if (!detail.empty())
      status.message += ": " + detail;
    return status;
  }
  image->context = context;
  image->module = module;
  image->cubin = cubin;
  cache.images[std::move(key)] = image;
  return image;
}

Result<std::shared_ptr<KernelImage>>
KernelImage::load(std::shared_ptr<PrimaryContext> context,
                  std::string_view cubin, std::string_view ptx) {
  PrimaryContext::Scope scope(*context);
  if (!scope.status().ok())
    return scope.status();
  if (cubin.empty() && ptx.empty())
    return Status{EGG_BAD_ARTIFACT, "there is neither kernels.cubin nor "
                                    "kernels.ptx; compile the module again"};
  if (!cubin.empty()) {
    auto image = loadOne(context, cubin, /*cubin=*/true);
    // A cubin is for one chip; its PTX may still serve a later one.
    bool tryPTX = !image.ok() && !ptx.empty() &&
                  (image.status().code == EGG_WRONG_ARCHITECTURE ||
                   image.status().code == EGG_BAD_ARTIFACT);
    if (!tryPTX)
      return image;
  }
  return loadOne(context, ptx, /*cubin=*/false);
}

KernelImage::~KernelImage() {
  if (!module)
    return;
  PrimaryContext::Scope scope(*context);
  context->driver().moduleUnload(module);
}

Result<CUfunction> KernelImage::kernel(const std::string &name, int64_t threads,
                                       int64_t dynamicSharedMemory) const {
  const Driver &driver = context->driver();
  PrimaryContext::Scope scope(*context);
  if (!scope.status().ok())
    return scope.status();
  std::string where = "kernel '" + name + "'";
  CUfunction function = nullptr;
  Status status =
      driver.check(driver.moduleGetFunction(&function, module, name.c_str()),
                   "looking up " + where);
  if (!status.ok())
    return status;

  int maxThreads = 0, staticShared = 0, maxShared = 0;
  for (CUresult result :
       {driver.funcGetAttribute(&maxThreads, kFuncMaxThreadsPerBlock, function),
        driver.funcGetAttribute(&staticShared, kFuncSharedSizeBytes, function),
        driver.deviceGetAttribute(&maxShared, kDeviceMaxSharedMemoryOptin,
                                  context->handle())}) {
    status = driver.check(result, "inspecting " + where);
    if (!status.ok())
      return status;
  }
  if (threads > maxThreads)
    return Status{EGG_OUT_OF_MEMORY,
                  where + " is launched with " + std::to_string(threads) +
                      " threads a block, but its registers allow " +
                      std::to_string(maxThreads) + "; map it to fewer threads"};
  int64_t shared = staticShared + dynamicSharedMemory;
  if (shared > maxShared && dynamicSharedMemory > 0)
    return Status{EGG_OUT_OF_MEMORY,
                  where + " needs " + std::to_string(shared) +
                      " bytes of shared memory a block, the device has " +
                      std::to_string(maxShared) + "; choose smaller tiles"};
  if (dynamicSharedMemory > 0 && shared > kDefaultSharedMemory) {
    status = driver.check(
        driver.funcSetAttribute(function, kFuncMaxDynamicSharedSizeBytes,
                                int(dynamicSharedMemory)),
        "reserving shared memory for " + where);
    if (!status.ok())
      return status;
  }
  return function;
}

} // namespace egg::runtime
