//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/SimtExecution.h"
#include "../HostProgram.h"
#include "KernelToHost.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir;
using namespace egg;
using namespace egg::simt;

struct SimtProgram::Impl {
  SimtOptions options;
  StackPool stacks;
  std::vector<HostKernel> kernels;
  std::vector<HostProgram::Function> functions;
  /// Leading arguments of each kernel that it only reads.
  std::vector<size_t> inputCounts;
  llvm::StringMap<size_t> numbers;
  std::unique_ptr<HostProgram> program;

  explicit Impl(const SimtOptions &options)
      : options(options), stacks(options.stackBytes) {}

  llvm::Error launch(const PlanStep &step, llvm::ArrayRef<char *> buffers,
                     llvm::ArrayRef<PlanBuffer> specs);
};

SimtProgram::SimtProgram(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
SimtProgram::~SimtProgram() = default;

/// Number of operands that the declaration of each kernel takes.
static llvm::StringMap<size_t> countInputs(ModuleOp module) {
  llvm::StringMap<size_t> counts;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto launch = function->getAttrOfType<DictionaryAttr>(kLaunchAttrName))
      if (auto kernel = launch.getAs<SymbolRefAttr>("kernel"))
        counts[kernel.getLeafReference().getValue()] =
            function.getNumArguments();
  return counts;
}

llvm::Expected<std::unique_ptr<SimtProgram>>
SimtProgram::compile(ModuleOp materialized, const SimtOptions &options) {
  auto impl = std::make_unique<Impl>(options);
  llvm::StringMap<size_t> inputCounts = countInputs(materialized);
  OwningOpRef<ModuleOp> host = ModuleOp::create(materialized.getLoc());
  auto gpuModules = materialized.getOps<gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(gpuModules) && !gpuModules.empty())
    return llvm::createStringError(
        "the module has more than one gpu.module; materialization leaves one");
  for (gpu::GPUModuleOp gpuModule : gpuModules) {
    auto kernels = convertKernelsToHost(gpuModule, options.checkAccesses);
    if (failed(kernels))
      return llvm::createStringError(
          "a kernel cannot be run on the CPU; the diagnostics say why");
    host = std::move(kernels->module);
    impl->kernels = std::move(kernels->kernels);
  }
  auto program =
      HostProgram::compile(*host, getRuntimeSymbols(), options.arithmetic);
  if (!program)
    return program.takeError();
  impl->program = std::move(*program);
  for (auto [number, kernel] : llvm::enumerate(impl->kernels)) {
    auto function = impl->program->lookup(getHostSymbol(kernel.name));
    if (!function)
      return function.takeError();
    impl->functions.push_back(*function);
    auto count = inputCounts.find(kernel.name);
    if (count == inputCounts.end())
      return llvm::createStringError(llvm::formatv(
          "kernel '{0}' has no declaration with '{1}', so it is not known "
          "which arguments it writes",
          kernel.name, kLaunchAttrName));
    impl->inputCounts.push_back(count->second);
    impl->numbers[kernel.name] = number;
  }
  return std::unique_ptr<SimtProgram>(new SimtProgram(std::move(impl)));
}

llvm::Error SimtProgram::Impl::launch(const PlanStep &step,
                                      llvm::ArrayRef<char *> buffers,
                                      llvm::ArrayRef<PlanBuffer> specs) {
  auto number = numbers.find(step.kernel);
  if (number == numbers.end())
    return llvm::createStringError(
        llvm::formatv("the plan launches '{0}', which the module does not have",
                      step.kernel));
  const HostKernel &kernel = kernels[number->second];
  auto mismatch = [&](const char *what) {
    return llvm::createStringError(
        llvm::formatv("launch of '{0}': {1}", step.kernel, what));
  };
  if (step.arguments.size() != kernel.arguments.size())
    return mismatch("the plan passes another number of arguments than the "
                    "kernel takes");
  if (!kernel.knownBlock.empty() && !llvm::equal(kernel.knownBlock, step.block))
    return mismatch("the block is not the kernel's known_block_size");
  if (!kernel.knownGrid.empty() && !llvm::equal(kernel.knownGrid, step.grid))
    return mismatch("the grid is not the kernel's known_grid_size");
  if (step.block[0] * step.block[1] * step.block[2] > 1024)
    return mismatch("a block has more than 1024 threads");
  if (step.dynamicSharedMemory != 0)
    return mismatch("dynamic shared memory is not supported on the CPU");

  std::vector<ShadowRegion> regions;
  for (auto [i, memory] : llvm::enumerate(kernel.arguments)) {
    int64_t buffer = step.arguments[i];
    if (specs[buffer].bytes < memory.bytes)
      return mismatch("a buffer is smaller than the kernel's argument");
    bool input = i < inputCounts[number->second];
    if (!input)
      std::memset(buffers[buffer], options.poison, memory.bytes);
    regions.emplace_back(input ? ShadowRegion::Kind::Input
                               : ShadowRegion::Kind::Output,
                         buffers[buffer], memory.bytes, memory.elementBytes);
  }
  std::vector<std::vector<char>> shared;
  for (const HostKernel::Memory &memory : kernel.shared) {
    // Room to align the start as the machine does.
    shared.emplace_back(memory.bytes + 128);
    auto address = reinterpret_cast<uintptr_t>(shared.back().data());
    regions.emplace_back(ShadowRegion::Kind::Shared,
                         reinterpret_cast<char *>(llvm::alignTo(address, 128)),
                         memory.bytes, memory.elementBytes);
  }

  LaunchSpec spec;
  spec.kernel = kernel.name;
  spec.function = functions[number->second];
  spec.grid = step.grid;
  spec.block = step.block;
  spec.regions = &regions;
  spec.sites = &kernel.sites;
  spec.synchronizes = kernel.synchronizes;
  spec.checkAccesses = options.checkAccesses;
  spec.poison = options.poison;
  Launch launch(spec, stacks);
  if (std::optional<SimtFault> fault = launch.run())
    return llvm::make_error<SimtFault>(std::move(*fault));
  return llvm::Error::success();
}

static llvm::Expected<std::vector<HostTensor>>
allocateResults(const Plan &plan, llvm::ArrayRef<HostTensor> arguments,
                uint8_t poison) {
  if (arguments.size() != plan.arguments.size())
    return llvm::createStringError(
        llvm::formatv("{0} arguments given, the plan takes {1}",
                      arguments.size(), plan.arguments.size()));
  for (auto [given, spec] : llvm::zip_equal(arguments, plan.arguments))
    if (given.shape != spec.shape || given.dtype != spec.dtype)
      return llvm::createStringError(
          llvm::formatv("argument '{0}' has another shape or dtype than the "
                        "plan says",
                        spec.name));
  std::vector<HostTensor> results;
  for (const TensorSpec &spec : plan.results) {
    results.push_back(HostTensor::zeros(spec.shape, spec.dtype));
    std::memset(results.back().bytes.data(), poison,
                results.back().bytes.size());
  }
  return results;
}

llvm::Expected<std::vector<HostTensor>>
SimtProgram::run(const Plan &plan, llvm::ArrayRef<HostTensor> arguments) {
  auto results = allocateResults(plan, arguments, impl->options.poison);
  if (!results)
    return results.takeError();
  // Copies, so that nothing a kernel does reaches the caller's tensors.
  std::vector<HostTensor> inputs(arguments.begin(), arguments.end());
  std::vector<char> arena(plan.arenaBytes + 256, char(impl->options.poison));
  char *arenaBase = reinterpret_cast<char *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(arena.data()), 256));
  std::vector<char *> buffers;
  for (const PlanBuffer &buffer : plan.buffers) {
    switch (buffer.kind) {
    case PlanBuffer::Kind::Argument:
      buffers.push_back(inputs[buffer.index].bytes.data());
      break;
    case PlanBuffer::Kind::Result:
      buffers.push_back((*results)[buffer.index].bytes.data());
      break;
    case PlanBuffer::Kind::Arena:
      buffers.push_back(arenaBase + buffer.offset);
      break;
    }
  }
  for (const PlanStep &step : plan.steps) {
    if (step.kind == PlanStep::Kind::Copy) {
      std::memcpy(buffers[step.arguments[1]], buffers[step.arguments[0]],
                  plan.buffers[step.arguments[1]].bytes);
      continue;
    }
    if (llvm::Error error = impl->launch(step, buffers, plan.buffers))
      return std::move(error);
  }
  return results;
}

llvm::Expected<std::vector<HostTensor>>
egg::runOnCPU(ModuleOp materialized, const Plan &plan,
              llvm::ArrayRef<HostTensor> arguments,
              const SimtOptions &options) {
  auto program = SimtProgram::compile(materialized, options);
  if (!program)
    return program.takeError();
  return (*program)->run(plan, arguments);
}
