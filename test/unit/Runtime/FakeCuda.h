//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Controls of the simulated CUDA driver (FakeCuda.cpp), for C++ tests and, by
// ctypes, for Python tests.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_FAKECUDA_H
#define EGG_TEST_FAKECUDA_H

extern "C" {
/// Back to one healthy sm_90 device with nothing loaded and an empty log.
void fakeReset();
/// The next call of this driver function returns the error; with `sticky`,
/// so does every later call of any function but the error strings.
void fakeFail(const char *function, int error, int sticky);
void fakeSetCapability(int major, int minor);
void fakeSetDeviceCount(int count);
/// Bytes cuMemAlloc can still give.
void fakeSetFreeMemory(unsigned long long bytes);
/// What cuFuncGetAttribute says of every kernel.
void fakeSetKernelLimits(int maxThreads, int staticSharedBytes);
/// The driver calls that change something, one a line, since the last reset.
const char *fakeLog();
/// Device allocations, modules and context references not given back.
int fakeOutstanding();
}

#endif // EGG_TEST_FAKECUDA_H
