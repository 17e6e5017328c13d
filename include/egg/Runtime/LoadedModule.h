//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// LoadedModule: a Program and its kernels ready to launch. Everything that may
// allocate or synchronise happens at load, so launches can be captured.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_RUNTIME_LOADEDMODULE_H
#define EGG_RUNTIME_LOADEDMODULE_H

#include "egg/Runtime/KernelImage.h"
#include "egg/Runtime/Program.h"
#include <span>

namespace egg::runtime {

/// Bytes of an artifact; images may be empty.
struct Artifact {
  std::string plan, cubin, ptx;
};

/// Reads plan.json, kernels.cubin and kernels.ptx; the images may be absent.
/// Where there is a report.json, they must be the files that it records.
Result<Artifact> readArtifact(const std::string &directory);

/// The contracts of its functions are those of egg-c/Runtime.h.
class LoadedModule {
public:
  static Result<std::unique_ptr<LoadedModule>>
  load(std::shared_ptr<Driver> driver, int device, const Artifact &artifact,
       EggArena arena);
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;
  ~LoadedModule();

  const Program &program() const { return plan; }
  bool usesCubin() const { return image && image->isCubin(); }
  size_t numLaunches() const;

  Status setArena(uint64_t address, uint64_t bytes);
  Status launch(std::span<const uint64_t> arguments,
                std::span<const uint64_t> results, CUstream stream,
                EggLaunchMode mode);
  Status synchronize(CUstream stream);

private:
  LoadedModule() = default;
  Status prepareKernels(std::string_view cubin, std::string_view ptx);
  Status allocateArena();
  void placeArena(CUdeviceptr base);
  Status bind(std::span<const uint64_t> arguments,
              std::span<const uint64_t> results);
  Status run(const Step &step, size_t number, CUstream stream);

  Program plan;
  std::shared_ptr<PrimaryContext> context;
  std::shared_ptr<KernelImage> image;
  /// Device address of each of the plan's buffers in the current launch.
  std::vector<CUdeviceptr> addresses;
  /// Of each step: its kernel, and pointers into `addresses` as
  /// cuLaunchKernel takes them.
  std::vector<CUfunction> kernels;
  std::vector<std::vector<void *>> parameters;
  CUdeviceptr arena = 0;
  bool ownsArena = false;
};

} // namespace egg::runtime

#endif // EGG_RUNTIME_LOADEDMODULE_H
