//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads an artifact on a device and runs its plan.
//
//===----------------------------------------------------------------------===//
#include "egg/Runtime/LoadedModule.h"
#include <algorithm>

namespace egg::runtime {
namespace {

std::string mebibytes(uint64_t bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

/// "argument 2 'weight'", for messages.
std::string describe(const char *role, size_t number, const Tensor &tensor) {
  return std::string(role) + " " + std::to_string(number) + " '" + tensor.name +
         "'";
}

bool overlap(uint64_t a, uint64_t aBytes, uint64_t b, uint64_t bBytes) {
  return aBytes && bBytes && a < b + bBytes && b < a + aBytes;
}

Status checkAddresses(const char *role, const std::vector<Tensor> &tensors,
                      std::span<const uint64_t> addresses) {
  if (addresses.size() != tensors.size())
    return {EGG_INVALID_ARGUMENT,
            "the module takes " + std::to_string(tensors.size()) + " " + role +
                "s, got " + std::to_string(addresses.size())};
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].bytes && !addresses[i])
      return {EGG_INVALID_ARGUMENT, describe(role, i, tensors[i]) + " is null"};
    if (addresses[i] % kTensorAlignment)
      return {EGG_INVALID_ARGUMENT,
              describe(role, i, tensors[i]) +
                  " is not aligned to 16 bytes, which the kernels assume; copy "
                  "it to aligned memory first"};
  }
  return Status::success();
}

} // namespace

Result<std::unique_ptr<LoadedModule>>
LoadedModule::load(std::shared_ptr<Driver> driver, int device,
                   const Artifact &artifact, EggArena arena) {
  Result<Program> program = readProgram(artifact.plan);
  if (!program.ok())
    return program.status();
  Result<EggDeviceInfo> info = driver->describe(device);
  if (!info.ok())
    return info.status();
  Status status = checkChip(program.value().chip, info.value());
  if (!status.ok())
    return status;
  auto context = PrimaryContext::retain(std::move(driver), device);
  if (!context.ok())
    return context.status();

  std::unique_ptr<LoadedModule> module(new LoadedModule);
  module->plan = std::move(program.value());
  module->context = std::move(context.value());
  status = module->prepareKernels(artifact.cubin, artifact.ptx);
  if (status.ok() && arena == EGG_ARENA_OWN)
    status = module->allocateArena();
  if (!status.ok())
    return status;
  return module;
}

Status LoadedModule::prepareKernels(std::string_view cubin,
                                    std::string_view ptx) {
  addresses.resize(plan.buffers.size());
  kernels.resize(plan.steps.size());
  parameters.resize(plan.steps.size());
  if (numLaunches() == 0)
    return Status::success();
  auto loaded = KernelImage::load(context, cubin, ptx);
  if (!loaded.ok())
    return loaded.status();
  image = std::move(loaded.value());
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    if (step.kind != Step::Kind::Launch)
      continue;
    auto kernel = image->kernel(step.kernel,
                                step.block[0] * step.block[1] * step.block[2],
                                step.dynamicSharedMemory);
    if (!kernel.ok())
      return kernel.status();
    kernels[i] = kernel.value();
    for (int64_t buffer : step.arguments)
      parameters[i].push_back(&addresses[buffer]);
  }
  return Status::success();
}

Status LoadedModule::allocateArena() {
  if (plan.arenaBytes == 0)
    return Status::success();
  PrimaryContext::Scope scope(*context);
  if (!scope.status().ok())
    return scope.status();
  const Driver &driver = context->driver();
  CUdeviceptr base = 0;
  Status status = driver.check(driver.memAlloc(&base, plan.arenaBytes),
                               "allocating " + mebibytes(plan.arenaBytes) +
                                   " for the temporaries");
  if (!status.ok()) {
    size_t free = 0, total = 0;
    if (status.code == EGG_OUT_OF_MEMORY &&
        driver.memGetInfo(&free, &total) == kCudaSuccess)
      status.message += "; " + mebibytes(free) + " of " + mebibytes(total) +
                        " are free: free memory or use a smaller batch";
    return status;
  }
  ownsArena = true;
  placeArena(base);
  return Status::success();
}

LoadedModule::~LoadedModule() {
  if (!ownsArena)
    return;
  PrimaryContext::Scope scope(*context);
  context->driver().memFree(arena);
}

size_t LoadedModule::numLaunches() const {
  return std::count_if(
      plan.steps.begin(), plan.steps.end(),
      [](const Step &step) { return step.kind == Step::Kind::Launch; });
}

void LoadedModule::placeArena(CUdeviceptr base) {
  arena = base;
  for (size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].kind == Buffer::Kind::Arena)
      addresses[i] = base + plan.buffers[i].offset;
}

Status LoadedModule::setArena(uint64_t address, uint64_t bytes) {
  if (ownsArena)
    return {EGG_INVALID_ARGUMENT,
            "the module allocated its own arena; load it with the caller's"};
  if (bytes < uint64_t(plan.arenaBytes))
    return {EGG_INVALID_ARGUMENT, "the arena has " + std::to_string(bytes) +
                                      " bytes, the plan needs " +
                                      std::to_string(plan.arenaBytes)};
  if ((!address && plan.arenaBytes) || address % kArenaAlignment)
    return {EGG_INVALID_ARGUMENT,
            "the arena's address is null or not aligned to 256 bytes"};
  placeArena(address);
  return Status::success();
}

Status LoadedModule::bind(std::span<const uint64_t> arguments,
                          std::span<const uint64_t> results) {
  Status status = checkAddresses("argument", plan.arguments, arguments);
  if (status.ok())
    status = checkAddresses("result", plan.results, results);
  if (!status.ok())
    return status;
  if (plan.arenaBytes && !arena)
    return {EGG_INVALID_ARGUMENT,
            "the module has no arena yet: set one before the first launch"};
  for (size_t r = 0; r < results.size(); ++r)
    for (size_t a = 0; a < arguments.size(); ++a)
      if (overlap(results[r], plan.results[r].bytes, arguments[a],
                  plan.arguments[a].bytes))
        return {EGG_INVALID_ARGUMENT,
                describe("result", r, plan.results[r]) + " overlaps " +
                    describe("argument", a, plan.arguments[a]) +
                    "; kernels read arguments while they write results"};
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer &buffer = plan.buffers[i];
    if (buffer.kind == Buffer::Kind::Argument)
      addresses[i] = arguments[buffer.index];
    else if (buffer.kind == Buffer::Kind::Result)
      addresses[i] = results[buffer.index];
  }
  return Status::success();
}

Status LoadedModule::run(const Step &step, size_t number, CUstream stream) {
  const Driver &driver = context->driver();
  CUresult result = kCudaSuccess;
  if (step.kind == Step::Kind::Copy) {
    size_t bytes = plan.buffers[step.arguments[0]].bytes;
    if (bytes)
      result =
          driver.memcpyDtoDAsync(addresses[step.arguments[1]],
                                 addresses[step.arguments[0]], bytes, stream);
  } else {
    result = driver.launchKernel(kernels[number], step.grid[0], step.grid[1],
                                 step.grid[2], step.block[0], step.block[1],
                                 step.block[2], step.dynamicSharedMemory,
                                 stream, parameters[number].data(), nullptr);
  }
  if (result == kCudaSuccess)
    return Status::success();
  return driver.check(result, step.kind == Step::Kind::Copy
                                  ? "copying an argument to a result"
                                  : "launching kernel '" + step.kernel + "'");
}

Status LoadedModule::launch(std::span<const uint64_t> arguments,
                            std::span<const uint64_t> results, CUstream stream,
                            EggLaunchMode mode) {
  Status status = bind(arguments, results);
  if (!status.ok())
    return status;
  PrimaryContext::Scope scope(*context);
  if (!scope.status().ok())
    return scope.status();
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    status = run(plan.steps[i], i, stream);
    if (status.ok() && mode == EGG_LAUNCH_STEP_BY_STEP)
      status = context->driver().check(
          context->driver().streamSynchronize(stream),
          "running step " + std::to_string(i) +
              (plan.steps[i].kernel.empty()
                   ? " (a copy)"
                   : ", kernel '" + plan.steps[i].kernel + "'"));
    if (!status.ok())
      return status;
  }
  return Status::success();
}

Status LoadedModule::synchronize(CUstream stream) {
  PrimaryContext::Scope scope(*context);
  if (!scope.status().ok())
    return scope.status();
  return context->driver().check(context->driver().streamSynchronize(stream),
                                 "waiting for the kernels");
}

} // namespace egg::runtime
