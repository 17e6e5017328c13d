//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Emulation.h"
#include "Convert/KernelToHost.h"
#include "FitLaunch.h"
#include "egg/Host/HostProgram.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>
#include <sys/mman.h>

using namespace mlir;
using namespace egg;
using namespace egg::simt;

namespace {

/// Address space for the shared windows of a cluster, taken lazily.
class SharedWindows {
public:
  SharedWindows() = default;
  SharedWindows(const SharedWindows &) = delete;
  ~SharedWindows() {
    if (memory)
      munmap(memory, bytes);
  }
  char *get(int64_t ranks) {
    if (!memory) {
      // One more, to align them: addresses swizzle by their own bits.
      bytes = (kMaxCluster + 1) * kSharedStride;
      void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (mapped == MAP_FAILED)
        return nullptr;
      memory = mapped;
    }
    return reinterpret_cast<char *>(
        llvm::alignTo(reinterpret_cast<uintptr_t>(memory), kSharedStride));
  }

private:
  void *memory = nullptr;
  size_t bytes = 0;
};

/// A buffer as a launch sees it.
struct BufferView {
  char *data = nullptr;
  int64_t bytes = 0;
  bool output = false;
  /// What an output holds before the launch counts.
  bool filled = false;
  /// Where reads of an input are marked, one mark for so many bytes.
  ElementsRead *read = nullptr;
  int64_t elementBytes = 1;
};

} // namespace

struct SimtProgram::Impl {
  SimtOptions options;
  StackPool stacks;
  SharedWindows windows;
  HostKernels host;
  llvm::StringMap<HostProgram::Function> functions;
  std::map<std::string, DotFunction> dots;
  /// Leading arguments of each kernel that it only reads.
  llvm::StringMap<size_t> inputCounts;
  std::unique_ptr<HostProgram> program;

  explicit Impl(const SimtOptions &options)
      : options(options), stacks(options.stackBytes) {}

  llvm::Expected<const HostKernel *> find(llvm::StringRef name);
  llvm::Error launch(const HostKernel &kernel, LaunchSpec &spec,
                     llvm::ArrayRef<BufferView> buffers,
                     llvm::ArrayRef<int32_t> bufferOfArgument,
                     llvm::ArrayRef<TensorMap> maps);
  llvm::Error launchStep(const PlanStep &step,
                         llvm::ArrayRef<BufferView> buffers);
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
SimtProgram::compile(ModuleOp lowered, const SimtOptions &options) {
  auto impl = std::make_unique<Impl>(options);
  impl->inputCounts = countInputs(lowered);
  auto gpuModules = lowered.getOps<gpu::GPUModuleOp>();
  if (!gpuModules.empty() && !llvm::hasSingleElement(gpuModules))
    return llvm::createStringError(
        "the module has more than one gpu.module; lowering leaves one");
  impl->host.module = ModuleOp::create(lowered.getLoc());
  for (gpu::GPUModuleOp gpuModule : gpuModules) {
    auto converted = convertKernelsToHost(gpuModule);
    if (failed(converted))
      return llvm::createStringError(
          "a kernel cannot be run on the CPU; the diagnostics say why");
    impl->host = std::move(*converted);
  }
  auto program = HostProgram::compile(*impl->host.module, getRuntimeSymbols(),
                                      options.arithmetic);
  if (!program)
    return program.takeError();
  impl->program = std::move(*program);
  for (const HostKernel &kernel : impl->host.kernels) {
    auto function = impl->program->lookup(getHostSymbol(kernel.name));
    if (!function)
      return function.takeError();
    impl->functions[kernel.name] = *function;
  }
  if (impl->host.usesProducts)
    for (const char *type : {"bf16", "f16", "tf32"}) {
      auto function = impl->program->lookup(std::string("egg_dot_") + type);
      if (!function)
        return function.takeError();
      impl->dots[type] = *function;
    }
  return std::unique_ptr<SimtProgram>(new SimtProgram(std::move(impl)));
}

llvm::Expected<const HostKernel *>
SimtProgram::Impl::find(llvm::StringRef name) {
  for (const HostKernel &kernel : host.kernels)
    if (kernel.name == name)
      return &kernel;
  return llvm::createStringError(llvm::formatv(
      "the launch names '{0}', which the module does not have", name));
}

llvm::Error SimtProgram::Impl::launch(const HostKernel &kernel,
                                      LaunchSpec &spec,
                                      llvm::ArrayRef<BufferView> buffers,
                                      llvm::ArrayRef<int32_t> bufferOfArgument,
                                      llvm::ArrayRef<TensorMap> maps) {
  if (llvm::Error error = fitLaunch(kernel, spec))
    return error;
  int64_t ranks = spec.cluster[0] * spec.cluster[1] * spec.cluster[2];
  // A cell of shadow memory is what the kernel takes as one element anywhere.
  std::vector<int64_t> elements(buffers.size(), kernel.traits.unknownElement);
  for (auto [argument, buffer] : llvm::enumerate(bufferOfArgument))
    if (buffer >= 0 && argument < kernel.traits.argumentElements.size())
      elements[buffer] =
          std::min(elements[buffer], kernel.traits.argumentElements[argument]);
  for (const TensorMap &map : maps)
    for (auto [buffer, element] : llvm::zip_equal(buffers, elements))
      if (map.base >= buffer.data && map.base < buffer.data + buffer.bytes)
        element = std::min(element, map.elementBytes());
  std::vector<ShadowRegion> regions;
  for (auto [buffer, element] : llvm::zip_equal(buffers, elements)) {
    if (buffer.output && !buffer.filled)
      std::memset(buffer.data, options.poison, buffer.bytes);
    regions.emplace_back(buffer.output ? ShadowRegion::Kind::Output
                                       : ShadowRegion::Kind::Input,
                         buffer.data, buffer.bytes, element);
    if (buffer.filled)
      regions.back().setWritten();
    if (buffer.read)
      regions.back().recordReads(buffer.read->data(),
                                 llvm::Log2_64(buffer.elementBytes));
  }
  spec.windows = windows.get(ranks);
  if (!spec.windows)
    return llvm::createStringError("no memory for shared memory");
  spec.kernel = kernel.name;
  spec.function = functions[kernel.name];
  spec.regions = &regions;
  spec.regionOf.assign(bufferOfArgument.begin(), bufferOfArgument.end());
  spec.sites = &host.sites;
  spec.shared = &kernel.shared;
  spec.sharedElementBytes =
      std::min(kernel.traits.sharedElement, kernel.traits.unknownElement);
  spec.synchronizes = kernel.traits.synchronizes || ranks > 1;
  spec.needsClocks = kernel.traits.needsClocks || ranks > 1;
  spec.checkAccesses = options.checkAccesses;
  spec.poison = options.poison;
  spec.stepLimit = options.stepLimit;
  spec.roundsTF32 = options.arithmetic == HostArithmetic::Native;
  spec.dots = dots;
  Launch launch(spec, stacks);
  if (std::optional<SimtFault> fault = launch.run())
    return llvm::make_error<SimtFault>(std::move(*fault));
  return llvm::Error::success();
}

llvm::Error SimtProgram::Impl::launchStep(const PlanStep &step,
                                          llvm::ArrayRef<BufferView> buffers) {
  auto kernel = find(step.kernel);
  if (!kernel)
    return kernel.takeError();
  if (step.arguments.size() != (*kernel)->isPointer.size() ||
      !llvm::all_of((*kernel)->isPointer, [](bool is) { return is; }))
    return llvm::createStringError(
        llvm::formatv("launch of '{0}': the plan passes other arguments than "
                      "the kernel takes",
                      step.kernel));
  auto inputs = inputCounts.find(step.kernel);
  if (inputs == inputCounts.end())
    return llvm::createStringError(llvm::formatv(
        "kernel '{0}' has no declaration with '{1}', so it is not known "
        "which arguments it writes",
        step.kernel, kLaunchAttrName));
  LaunchSpec spec;
  std::vector<TensorMap> noMaps;
  spec.tensorMaps = &noMaps;
  spec.grid = step.grid;
  spec.block = step.block;
  spec.dynamicBytes = step.dynamicSharedMemory;
  std::vector<BufferView> views;
  std::vector<int32_t> bufferOfArgument;
  std::vector<char *> pointers;
  for (auto [i, buffer] : llvm::enumerate(step.arguments)) {
    views.push_back(buffers[buffer]);
    views.back().output = i >= inputs->second;
    bufferOfArgument.push_back(i);
    pointers.push_back(buffers[buffer].data);
  }
  for (char *&pointer : pointers)
    spec.arguments.push_back(&pointer);
  return launch(**kernel, spec, views, bufferOfArgument, {});
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
SimtProgram::run(const Plan &plan, llvm::ArrayRef<HostTensor> arguments,
                 std::vector<ElementsRead> *read) {
  auto results = allocateResults(plan, arguments, impl->options.poison);
  if (!results)
    return results.takeError();
  // Copies, so that nothing a kernel does reaches the caller's tensors.
  std::vector<HostTensor> inputs(arguments.begin(), arguments.end());
  std::vector<char> arena(plan.arenaBytes + 256, char(impl->options.poison));
  char *arenaBase = reinterpret_cast<char *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(arena.data()), 256));
  if (read) {
    read->clear();
    for (const HostTensor &input : inputs)
      read->emplace_back(input.getNumElements());
  }
  std::vector<BufferView> buffers;
  for (const PlanBuffer &buffer : plan.buffers) {
    BufferView view;
    view.bytes = buffer.bytes;
    switch (buffer.kind) {
    case PlanBuffer::Kind::Argument:
      view.data = inputs[buffer.index].bytes.data();
      view.read = read ? &(*read)[buffer.index] : nullptr;
      view.elementBytes = *getDtypeBytes(inputs[buffer.index].dtype);
      break;
    case PlanBuffer::Kind::Result:
      view.data = (*results)[buffer.index].bytes.data();
      break;
    case PlanBuffer::Kind::Arena:
      view.data = arenaBase + buffer.offset;
      break;
    }
    buffers.push_back(view);
  }
  for (const PlanStep &step : plan.steps) {
    if (step.kind == PlanStep::Kind::Copy) {
      const BufferView &from = buffers[step.arguments[0]],
                       &to = buffers[step.arguments[1]];
      std::memcpy(to.data, from.data, to.bytes);
      if (from.read)
        llvm::fill(*from.read, 1);
      continue;
    }
    if (llvm::Error error = impl->launchStep(step, buffers))
      return std::move(error);
  }
  return results;
}

llvm::Error SimtProgram::launch(KernelLaunch &launch) {
  auto kernel = impl->find(launch.kernel);
  if (!kernel)
    return kernel.takeError();
  auto mismatch = [&](const char *what) {
    return llvm::createStringError(
        llvm::formatv("launch of '{0}': {1}", launch.kernel, what));
  };
  if (launch.arguments.size() != (*kernel)->isPointer.size())
    return mismatch("another number of arguments than the kernel takes");
  LaunchSpec spec;
  spec.grid = launch.grid;
  spec.block = launch.block;
  spec.dynamicBytes = launch.dynamicSharedMemory;
  spec.backwards = launch.backwards;
  // Aligned as the driver aligns what it allocates.
  std::vector<std::unique_ptr<char[]>> storage;
  std::vector<BufferView> views;
  for (KernelLaunch::Buffer &buffer : launch.buffers) {
    size_t bytes = buffer.tensor.bytes.size();
    storage.emplace_back(new char[bytes + 256]);
    auto *data = reinterpret_cast<char *>(
        llvm::alignTo(reinterpret_cast<uintptr_t>(storage.back().get()), 256));
    std::memcpy(data, buffer.tensor.bytes.data(), bytes);
    buffer.read.assign(buffer.output ? 0 : buffer.tensor.getNumElements(), 0);
    views.push_back({data, int64_t(bytes), buffer.output, buffer.filled,
                     buffer.output ? nullptr : &buffer.read,
                     *getDtypeBytes(buffer.tensor.dtype)});
  }
  std::vector<int32_t> bufferOfArgument;
  std::vector<TensorMap> maps;
  maps.reserve(launch.arguments.size());
  std::vector<void *> values(launch.arguments.size());
  for (auto [i, argument] : llvm::enumerate(launch.arguments)) {
    bool scalar = argument.kind == LaunchArgument::Kind::Scalar;
    if (scalar != !(*kernel)->isPointer[i] ||
        (scalar &&
         int64_t(argument.scalar.size()) != (*kernel)->argumentBytes[i]))
      return mismatch("an argument is not of the kind that the kernel takes");
    if (!scalar && argument.buffer >= views.size())
      return mismatch("an argument names a buffer that the launch has not");
    bufferOfArgument.push_back(scalar ? -1 : int32_t(argument.buffer));
    spec.arguments.push_back(&values[i]);
    switch (argument.kind) {
    case LaunchArgument::Kind::Scalar:
      spec.arguments.back() = argument.scalar.data();
      break;
    case LaunchArgument::Kind::Buffer:
      values[i] = views[argument.buffer].data;
      break;
    case LaunchArgument::Kind::Map:
      maps.push_back(argument.map);
      maps.back().base = views[argument.buffer].data;
      if (llvm::Error error = maps.back().check())
        return error;
      values[i] = &maps.back();
      break;
    }
  }
  for (auto [i, buffer] : llvm::enumerate(bufferOfArgument))
    if (buffer >= 0 && (*kernel)->isAlone[i] && views[buffer].output &&
        llvm::count(bufferOfArgument, buffer) > 1)
      return mismatch("an output is passed twice, one argument says noalias");
  spec.tensorMaps = &maps;
  if (llvm::Error error =
          impl->launch(**kernel, spec, views, bufferOfArgument, maps))
    return error;
  for (auto [buffer, view] : llvm::zip_equal(launch.buffers, views))
    std::memcpy(buffer.tensor.bytes.data(), view.data, view.bytes);
  return llvm::Error::success();
}

bool SimtProgram::dependsOnOrder(llvm::StringRef kernel) const {
  return llvm::any_of(impl->host.kernels, [&](const HostKernel &candidate) {
    return candidate.name == kernel &&
           (candidate.traits.hasAtomics ||
            llvm::any_of(candidate.cluster,
                         [](int64_t extent) { return extent > 1; }));
  });
}

const ExactUses &SimtProgram::getExactUses() const {
  return impl->program->getExactUses();
}
