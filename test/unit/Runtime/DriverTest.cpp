//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Opening the driver: none, an old one, a broken one, no device.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

namespace {

class DriverTest : public ::testing::Test {
protected:
  void SetUp() override { fakeReset(); }
  void TearDown() override { eggDriverClose(driver); }
  EggDriver *driver = nullptr;
};

TEST_F(DriverTest, DescribesTheDevice) {
  ASSERT_EQ(eggDriverOpen(EGG_FAKE_CUDA, &driver), EGG_OK);
  EggDeviceInfo info;
  ASSERT_EQ(eggDriverDescribe(driver, 0, &info), EGG_OK);
  EXPECT_STREQ(info.name, "Simulated GPU");
  EXPECT_EQ(info.computeMajor, 9);
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_EQ(info.totalMemory, 1ull << 30);
}

TEST_F(DriverTest, NoLibrary) {
  EXPECT_ERROR(eggDriverOpen("/nonexistent/libcuda.so.1", &driver),
               EGG_NO_DRIVER, "no CUDA driver", "/nonexistent/libcuda.so.1",
               "NVIDIA GPU");
  EXPECT_EQ(driver, nullptr);
}

TEST_F(DriverTest, LibraryWithoutTheSymbols) {
  EXPECT_ERROR(eggDriverOpen("libm.so.6", &driver), EGG_NO_DRIVER,
               "libm.so.6 has no cuInit", "update");
}

TEST_F(DriverTest, DriverAndKernelModuleDisagree) {
  fakeFail("cuInit", 803, 0);
  EXPECT_ERROR(eggDriverOpen(EGG_FAKE_CUDA, &driver), EGG_NO_DRIVER,
               "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH");
}

TEST_F(DriverTest, NoDeviceAtInitialisation) {
  fakeFail("cuInit", 100, 0);
  EXPECT_ERROR(eggDriverOpen(EGG_FAKE_CUDA, &driver), EGG_NO_DEVICE,
               "CUDA_ERROR_NO_DEVICE");
}

TEST_F(DriverTest, DeviceNumberOutOfRange) {
  ASSERT_EQ(eggDriverOpen(EGG_FAKE_CUDA, &driver), EGG_OK);
  EggDeviceInfo info;
  EXPECT_ERROR(eggDriverDescribe(driver, 3, &info), EGG_NO_DEVICE,
               "no CUDA device 3", "sees 1");
  EXPECT_ERROR(eggDriverDescribe(driver, -1, &info), EGG_NO_DEVICE,
               "no CUDA device -1");
}

TEST_F(DriverTest, NullPointers) {
  EXPECT_ERROR(eggDriverOpen(EGG_FAKE_CUDA, nullptr), EGG_INVALID_ARGUMENT,
               "driver is null");
  EXPECT_ERROR(eggDriverDescribe(nullptr, 0, nullptr), EGG_INVALID_ARGUMENT,
               "driver is null");
}

} // namespace
