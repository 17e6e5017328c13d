/*===----------------------------------------------------------------------===*\
|* Part of EGG, under the Apache License v2.0 with LLVM Exceptions.           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*===----------------------------------------------------------------------===*|
|* C API of the runtime: loads what EGG compiled and launches it on a stream  *|
|* of the caller, through the CUDA driver found at run time.                  *|
\*===----------------------------------------------------------------------===*/
#ifndef EGG_C_RUNTIME_H
#define EGG_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(EGG_RUNTIME_BUILDING)
#define EGG_API __attribute__((visibility("default")))
#else
#define EGG_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. Every code but EGG_OK leaves a message in
 * eggLastError(). No call throws, prints or ends the process. */
typedef enum EggStatus {
  EGG_OK = 0,
  /* The caller passed something this module does not take: a count, a null or
   * misaligned pointer, an argument that overlaps a result. */
  EGG_INVALID_ARGUMENT = 1,
  /* There is no usable CUDA driver on the machine. */
  EGG_NO_DRIVER = 2,
  /* The driver sees no device of the number asked for. */
  EGG_NO_DEVICE = 3,
  /* The kernels are for another chip than the device's. */
  EGG_WRONG_ARCHITECTURE = 4,
  /* The device has too little free memory, or a kernel asks for more shared
   * memory or threads than a block of the device may have. */
  EGG_OUT_OF_MEMORY = 5,
  /* plan.json or the kernel image is missing, malformed or inconsistent. */
  EGG_BAD_ARTIFACT = 6,
  /* A kernel faulted. The CUDA context of the process is lost for good: every
   * later call fails alike, and only a new process helps. */
  EGG_KERNEL_FAULT = 7,
  /* Any other error of the driver; the message has its name. */
  EGG_DRIVER_ERROR = 8
} EggStatus;

/* Message of the last call on this thread that did not return EGG_OK; one
 * line, valid until the next such call on the thread. */
EGG_API const char *eggLastError(void);

/* An opened CUDA driver. */
typedef struct EggDriver EggDriver;
/* The kernels and the plan of one artifact, loaded on one device. */
typedef struct EggModule EggModule;

/* Opens the driver library (NULL: libcuda.so.1) and initialises it. */
EGG_API EggStatus eggDriverOpen(const char *libraryPath, EggDriver **driver);
EGG_API void eggDriverClose(EggDriver *driver);

/* Facts about a device. */
typedef struct EggDeviceInfo {
  char name[128];
  int32_t computeMajor;
  int32_t computeMinor;
  int32_t multiprocessors;
  /* Version of the CUDA driver API, as 1000 * major + 10 * minor. */
  int32_t driverVersion;
  uint64_t totalMemory; /* bytes */
} EggDeviceInfo;
EGG_API EggStatus eggDriverDescribe(EggDriver *driver, int32_t device,
                                    EggDeviceInfo *info);

/* Who provides the arena, the memory of the plan's temporaries. */
typedef enum EggArena {
  EGG_ARENA_OWN = 0,   /* allocated at load, freed with the module */
  EGG_ARENA_CALLER = 1 /* set with eggModuleSetArena before the first launch */
} EggArena;

/* Loads a plan (the text of plan.json) and its kernels on a device, in the
 * device's primary context (PyTorch's too). The cubin is preferred; where
 * there is none, or it is not for this device, the driver compiles the PTX.
 * Either image may be NULL with size 0, not both unless the plan launches
 * nothing. Images already loaded on the device are shared. */
EGG_API EggStatus eggModuleLoad(EggDriver *driver, int32_t device,
                                const char *plan, size_t planSize,
                                const void *cubin, size_t cubinSize,
                                const char *ptx, size_t ptxSize, EggArena arena,
                                EggModule **module);
/* The same from an artifact directory: plan.json, kernels.cubin, kernels.ptx,
 * which must be those that its report.json records, if there is one. */
EGG_API EggStatus eggModuleLoadDirectory(EggDriver *driver, int32_t device,
                                         const char *directory, EggArena arena,
                                         EggModule **module);
/* Waits for launches under way where memory of the module's is freed. */
EGG_API void eggModuleUnload(EggModule *module);

/* An argument or result: a dense row-major tensor. */
typedef struct EggTensor {
  const char *name; /* in the PyTorch module */
  /* "parameter", "buffer", "input"; "output", "buffer_update" */
  const char *kind;
  const char *dtype;    /* MLIR's name; i1 takes a byte an element */
  const int64_t *shape; /* outermost first */
  size_t rank;
  uint64_t bytes;
} EggTensor;
/* The strings and shapes live as long as the module. */
EGG_API size_t eggModuleNumArguments(const EggModule *module);
EGG_API size_t eggModuleNumResults(const EggModule *module);
EGG_API EggStatus eggModuleArgument(const EggModule *module, size_t index,
                                    EggTensor *tensor);
EGG_API EggStatus eggModuleResult(const EggModule *module, size_t index,
                                  EggTensor *tensor);
EGG_API size_t eggModuleNumLaunches(const EggModule *module);
EGG_API uint64_t eggModuleArenaBytes(const EggModule *module);
/* 1 when the kernels came from the cubin, 0 when the driver compiled PTX. */
EGG_API int32_t eggModuleUsesCubin(const EggModule *module);

/* Gives the module the caller's memory as its arena: device memory of at least
 * eggModuleArenaBytes bytes, aligned to 256 bytes, alive during launches. */
EGG_API EggStatus eggModuleSetArena(EggModule *module, uint64_t address,
                                    uint64_t bytes);

typedef enum EggLaunchMode {
  EGG_LAUNCH_ASYNC = 0,
  /* Waits after each step, so that a fault is reported with the kernel's name.
   * Not capturable. */
  EGG_LAUNCH_STEP_BY_STEP = 1
} EggLaunchMode;

/* Enqueues the plan on a stream (NULL: the legacy default stream). Addresses
 * are device memory of the tensors' sizes, aligned to 16 bytes (results of 0
 * bytes may be 0); no result may overlap an argument. Neither allocates nor
 * synchronises, so a CUDA graph can capture it. One thread at a time, and one
 * stream at a time: the arena is shared by all launches of the module. */
EGG_API EggStatus eggModuleLaunch(EggModule *module, const uint64_t *arguments,
                                  size_t numArguments, const uint64_t *results,
                                  size_t numResults, void *stream,
                                  EggLaunchMode mode);

/* Waits for the stream and reports a fault of a kernel launched on it. A
 * kernel that hangs makes this call hang: run what is not trusted in a child
 * process with a time limit. */
EGG_API EggStatus eggModuleSynchronize(EggModule *module, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* EGG_C_RUNTIME_H */
