//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A simulated CUDA driver with the symbols the runtime looks up. Device memory
// is host memory and streams run at once. Images are "PTX" or "CUBIN" followed
// by the kernels' names; a kernel's name says what it does:
//   add_one_*  out[i] = in[i] + 1 on f32, one element a thread
//   fault_*    faults: the following calls return a sticky error
//   hang_*     never ends: waiting for it sleeps
//   others     do nothing
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

struct Kernel {
  std::string name;
};
struct Module {
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};

struct State {
  int major = 9, minor = 0, deviceCount = 1;
  int maxThreads = 1024, staticShared = 0;
  unsigned long long freeMemory = 1ull << 30;
  std::string failFunction;
  int failError = 0, failSticky = 0;
  int stickyError = 0;
  bool hanging = false;
  std::string log;
  std::map<void *, size_t> allocations;
  std::set<Module *> modules;
  int contextReferences = 0;
  std::vector<void *> contextStack;
};
State state;

/// What a call of the function returns before it does anything.
int enter(const char *function) {
  if (state.stickyError)
    return state.stickyError;
  if (state.failFunction != function)
    return 0;
  state.failFunction.clear();
  if (state.failSticky)
    state.stickyError = state.failError;
  return state.failError;
}

void note(const std::string &line) { state.log += line + "\n"; }

/// The kernel add_one. A GPU does not stop at the end of a buffer either, and
/// tests launch too many threads on purpose: AddressSanitizer looks away.
__attribute__((no_sanitize("address"), noinline)) void
runAddOne(const float *in, float *out, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    out[i] = in[i] + 1.0f;
}

} // namespace

#define ENTER                                                                  \
  if (int error = enter(__func__))                                             \
  return error

extern "C" {

void fakeReset() {
  for (auto &[address, bytes] : state.allocations)
    free(address);
  for (Module *module : state.modules)
    delete module;
  state = State();
}
void fakeFail(const char *function, int error, int sticky) {
  state.failFunction = function;
  state.failError = error;
  state.failSticky = sticky;
}
void fakeSetCapability(int major, int minor) {
  state.major = major;
  state.minor = minor;
}
void fakeSetDeviceCount(int count) { state.deviceCount = count; }
void fakeSetFreeMemory(unsigned long long bytes) { state.freeMemory = bytes; }
void fakeSetKernelLimits(int maxThreads, int staticSharedBytes) {
  state.maxThreads = maxThreads;
  state.staticShared = staticSharedBytes;
}
const char *fakeLog() { return state.log.c_str(); }
int fakeOutstanding() {
  return state.allocations.size() + state.modules.size() +
         state.contextReferences + state.contextStack.size();
}

int cuInit(unsigned) {
  ENTER;
  return 0;
}
int cuDriverGetVersion(int *version) {
  ENTER;
  *version = 13000;
  return 0;
}
int cuGetErrorName(int error, const char **name) {
  static const std::map<int, const char *> names = {
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {3, "CUDA_ERROR_NOT_INITIALIZED"},
      {100, "CUDA_ERROR_NO_DEVICE"},
      {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {218, "CUDA_ERROR_INVALID_PTX"},
      {500, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"}};
  auto it = names.find(error);
  *name = it == names.end() ? nullptr : it->second;
  return it == names.end();
}
int cuGetErrorString(int error, const char **text) {
  *text = error == 700 ? "an illegal memory access was encountered" : nullptr;
  return 0;
}
int cuDeviceGetCount(int *count) {
  ENTER;
  *count = state.deviceCount;
  return 0;
}
int cuDeviceGet(int *device, int number) {
  ENTER;
  *device = number;
  return number < state.deviceCount ? 0 : 101;
}
int cuDeviceGetName(char *name, int size, int) {
  ENTER;
  strncpy(name, "Simulated GPU", size);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  ENTER;
  *value = attribute == 75   ? state.major
           : attribute == 76 ? state.minor
           : attribute == 97 ? 227 * 1024
                             : 132;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  ENTER;
  *bytes = 1ull << 30;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  ENTER;
  ++state.contextReferences;
  *context = &state;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state.contextReferences;
  return 0;
}
int cuCtxPushCurrent_v2(void *context) {
  // Works on a lost context, as the real one does.
  state.contextStack.push_back(context);
  return 0;
}
int cuCtxPopCurrent_v2(void **context) {
  *context = state.contextStack.back();
  state.contextStack.pop_back();
  return 0;
}
int cuModuleLoadDataEx(void **out, const void *image, unsigned numOptions,
                       int *options, void **values) {
  std::istringstream words(static_cast<const char *>(image));
  std::string format, name;
  words >> format;
  ENTER;
  if (format == "BROKEN") {
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == 5)
        strcpy(static_cast<char *>(values[i]), "ptxas: line 1; syntax error");
    return 218;
  }
  auto *module = new Module;
  while (words >> name)
    module->kernels[name] = std::make_unique<Kernel>(Kernel{name});
  state.modules.insert(module);
  note("load " + format);
  *out = module;
  return 0;
}
int cuModuleUnload(void *module) {
  // One that outlived a reset is gone already.
  if (state.modules.erase(static_cast<Module *>(module)))
    delete static_cast<Module *>(module);
  return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  ENTER;
  auto &kernels = static_cast<Module *>(module)->kernels;
  auto it = kernels.find(name);
  if (it == kernels.end())
    return 500;
  *function = it->second.get();
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *) {
  ENTER;
  *value = attribute == 0 ? state.maxThreads : state.staticShared;
  return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  ENTER;
  note("attribute " + static_cast<Kernel *>(function)->name + " " +
       std::to_string(attribute) + " " + std::to_string(value));
  return 0;
}
int cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER;
  *free = state.freeMemory;
  *total = 1ull << 30;
  return 0;
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  ENTER;
  if (bytes > state.freeMemory)
    return 2;
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  state.allocations[memory] = bytes;
  note("allocate " + std::to_string(bytes));
  *address = reinterpret_cast<unsigned long long>(memory);
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  void *memory = reinterpret_cast<void *>(address);
  if (state.allocations.erase(memory))
    free(memory);
  return 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from,
                         size_t bytes, void *) {
  ENTER;
  note("copy " + std::to_string(bytes));
  memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  return 0;
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **parameters, void **) {
  ENTER;
  const std::string &name = static_cast<Kernel *>(function)->name;
  std::ostringstream line;
  line << "launch " << name << " grid " << gridX << "x" << gridY << "x" << gridZ
       << " block " << blockX << "x" << blockY << "x" << blockZ << " shared "
       << sharedBytes << " stream " << stream;
  note(line.str());
  if (name.rfind("add_one", 0) == 0) {
    auto *in = *static_cast<float **>(parameters[0]);
    auto *out = *static_cast<float **>(parameters[1]);
    runAddOne(in, out, gridX * blockX);
  } else if (name.rfind("fault", 0) == 0) {
    state.stickyError = 700;
  } else if (name.rfind("hang", 0) == 0) {
    state.hanging = true;
  }
  return 0;
}
int cuStreamSynchronize(void *) {
  ENTER;
  while (state.hanging)
    sleep(1);
  note("synchronize");
  return 0;
}
}
