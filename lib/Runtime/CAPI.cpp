//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C API: checks pointers, catches what must not cross the border, and
// keeps the last message.
//
//===----------------------------------------------------------------------===//
#include "egg-c/Runtime.h"
#include "egg/Runtime/LoadedModule.h"
#include <new>

using namespace egg::runtime;

struct EggDriver {
  std::shared_ptr<Driver> driver;
};
struct EggModule {
  std::unique_ptr<LoadedModule> module;
};

namespace {

thread_local std::string lastError;

EggStatus report(Status status) noexcept {
  if (!status.ok())
    lastError.swap(status.message);
  return status.code;
}

/// Runs the body of a call; no exception leaves it.
template <typename Body> EggStatus guarded(Body body) noexcept {
  try {
    return report(body());
  } catch (const std::bad_alloc &) {
    // Short enough not to allocate.
    lastError = "out of memory";
    return EGG_OUT_OF_MEMORY;
  } catch (...) {
    return report({EGG_DRIVER_ERROR, "internal error"});
  }
}

Status nullPointer(const char *what) {
  return {EGG_INVALID_ARGUMENT, std::string(what) + " is null"};
}

std::string bytes(const void *data, size_t size) {
  return data ? std::string(static_cast<const char *>(data), size)
              : std::string();
}

Status loadModule(EggDriver *driver, int32_t device, const Artifact &artifact,
                  EggArena arena, EggModule **module) {
  auto loaded = LoadedModule::load(driver->driver, device, artifact, arena);
  if (!loaded.ok())
    return loaded.status();
  *module = new EggModule{std::move(loaded.value())};
  return Status::success();
}

Status describeTensor(const std::vector<Tensor> &tensors, size_t index,
                      EggTensor *out) {
  if (!out)
    return nullPointer("tensor");
  if (index >= tensors.size())
    return {EGG_INVALID_ARGUMENT,
            "there is no tensor " + std::to_string(index) +
                ": the module has " + std::to_string(tensors.size())};
  const Tensor &tensor = tensors[index];
  *out = {tensor.name.c_str(), tensor.kind.c_str(), tensor.dtype.c_str(),
          tensor.shape.data(), tensor.shape.size(), uint64_t(tensor.bytes)};
  return Status::success();
}

} // namespace

const char *eggLastError(void) { return lastError.c_str(); }

EggStatus eggDriverOpen(const char *libraryPath, EggDriver **driver) {
  return guarded([&]() -> Status {
    if (!driver)
      return nullPointer("driver");
    *driver = nullptr;
    auto opened = Driver::open(libraryPath);
    if (!opened.ok())
      return opened.status();
    *driver = new EggDriver{std::move(opened.value())};
    return Status::success();
  });
}

void eggDriverClose(EggDriver *driver) { delete driver; }

EggStatus eggDriverDescribe(EggDriver *driver, int32_t device,
                            EggDeviceInfo *info) {
  return guarded([&]() -> Status {
    if (!driver || !info)
      return nullPointer(driver ? "info" : "driver");
    auto described = driver->driver->describe(device);
    if (!described.ok())
      return described.status();
    *info = described.value();
    return Status::success();
  });
}

EggStatus eggModuleLoad(EggDriver *driver, int32_t device, const char *plan,
                        size_t planSize, const void *cubin, size_t cubinSize,
                        const char *ptx, size_t ptxSize, EggArena arena,
                        EggModule **module) {
  return guarded([&]() -> Status {
    if (!driver || !plan || !module)
      return nullPointer(!driver ? "driver" : !plan ? "plan" : "module");
    *module = nullptr;
    return loadModule(
        driver, device,
        {bytes(plan, planSize), bytes(cubin, cubinSize), bytes(ptx, ptxSize)},
        arena, module);
  });
}

EggStatus eggModuleLoadDirectory(EggDriver *driver, int32_t device,
                                 const char *directory, EggArena arena,
                                 EggModule **module) {
  return guarded([&]() -> Status {
    if (!driver || !directory || !module)
      return nullPointer(!driver      ? "driver"
                         : !directory ? "directory"
                                      : "module");
    *module = nullptr;
    auto artifact = readArtifact(directory);
    if (!artifact.ok())
      return artifact.status();
    return loadModule(driver, device, artifact.value(), arena, module);
  });
}

void eggModuleUnload(EggModule *module) { delete module; }

size_t eggModuleNumArguments(const EggModule *module) {
  return module ? module->module->program().arguments.size() : 0;
}

size_t eggModuleNumResults(const EggModule *module) {
  return module ? module->module->program().results.size() : 0;
}

EggStatus eggModuleArgument(const EggModule *module, size_t index,
                            EggTensor *tensor) {
  return guarded([&] {
    return module ? describeTensor(module->module->program().arguments, index,
                                   tensor)
                  : nullPointer("module");
  });
}

EggStatus eggModuleResult(const EggModule *module, size_t index,
                          EggTensor *tensor) {
  return guarded([&] {
    return module ? describeTensor(module->module->program().results, index,
                                   tensor)
                  : nullPointer("module");
  });
}

size_t eggModuleNumLaunches(const EggModule *module) {
  return module ? module->module->numLaunches() : 0;
}

uint64_t eggModuleArenaBytes(const EggModule *module) {
  return module ? module->module->program().arenaBytes : 0;
}

int32_t eggModuleUsesCubin(const EggModule *module) {
  return module && module->module->usesCubin();
}

EggStatus eggModuleSetArena(EggModule *module, uint64_t address,
                            uint64_t bytes) {
  return guarded([&] {
    return module ? module->module->setArena(address, bytes)
                  : nullPointer("module");
  });
}

EggStatus eggModuleLaunch(EggModule *module, const uint64_t *arguments,
                          size_t numArguments, const uint64_t *results,
                          size_t numResults, void *stream, EggLaunchMode mode) {
  return guarded([&]() -> Status {
    if (!module || (!arguments && numArguments) || (!results && numResults))
      return nullPointer(!module ? "module" : "an address list");
    return module->module->launch({arguments, numArguments},
                                  {results, numResults}, stream, mode);
  });
}

EggStatus eggModuleSynchronize(EggModule *module, void *stream) {
  return guarded([&] {
    return module ? module->module->synchronize(stream) : nullPointer("module");
  });
}
