//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The verification's child process in trouble, at the point where a proposal's
// kernels are about to run: whatever happens there, the parent gets a Rejection
// with the step and what to do, and no process is left.
//
//===----------------------------------------------------------------------===//
#include "egg/Dialect/EggDialect.h"
#include "egg/Schedule/Schedule.h"
#include "egg/TransformOps/TransformOps.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace egg;

namespace {

constexpr const char *kPayload = R"(
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
})";

constexpr const char *kSchedule = R"(
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
                   egg.target = "sm_90a", egg.payload = ""} {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %0 = transform.egg.select %f ["exp_0"] : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %0 {name = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @k attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %t = transform.param.constant 64 : i64 -> !transform.param<i64>
      transform.egg.map_elements %k threads(%t) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  }
})";

class IsolationTest : public ::testing::Test {
protected:
  DialectRegistry registry;
  VerifyOptions options;

  IsolationTest() {
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<EggDialect>();
    registerTransformOps(registry);
    options.checkPayload = false;
    options.seeds = 1;
    options.wallSeconds = 60;
  }

  Verification verify() {
    return llvm::cantFail(
        verifyProposal(kPayload, kSchedule, registry, options));
  }

  /// The refusal when `trouble` happens in the child.
  Rejection refusal(std::function<void()> trouble) {
    options.changeKernels = [trouble](ModuleOp) { trouble(); };
    Verification verification = verify();
    EXPECT_FALSE(verification.accepted());
    // Nobody is left to wait for.
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    if (verification.accepted())
      return {};
    EXPECT_EQ(verification.rejection->step, "apply");
    EXPECT_FALSE(verification.rejection->remedy.empty());
    return *verification.rejection;
  }

  void expectRefused(std::function<void()> trouble, const char *reason) {
    Rejection rejection = refusal(std::move(trouble));
    EXPECT_NE(rejection.reason.find(reason), std::string::npos)
        << rejection.str();
  }
};

TEST_F(IsolationTest, WithoutTroubleItIsAccepted) {
  options.changeKernels = [](ModuleOp) {};
  Verification verification = verify();
  ASSERT_TRUE(verification.accepted()) << verification.rejection->str();
  EXPECT_EQ(verification.verdict.grade, Grade::Proved);
}

TEST_F(IsolationTest, Crashes) {
  expectRefused([] { ::abort(); }, "crashed: Aborted");
  expectRefused([] { ::raise(SIGSEGV); }, "crashed: Segmentation fault");
  expectRefused([] { ::raise(SIGKILL); }, "was stopped: Killed");
  expectRefused([] { ::_exit(0); }, "exited with code 0");
}

TEST_F(IsolationTest, LoopsForever) {
  options.wallSeconds = 1.5;
  auto start = std::chrono::steady_clock::now();
  Rejection rejection = refusal([] {
    for (volatile int i = 0;; i = i + 1) {
    }
  });
  EXPECT_EQ(rejection.reason, "the check needs more than 1.5 s");
  EXPECT_TRUE(rejection.undecided);
  EXPECT_EQ(rejection.remedy.find("raise time-limit"), 0u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(IsolationTest, SleepsForever) {
  options.wallSeconds = 1.5;
  expectRefused([] { ::pause(); }, "needs more than 1.5 s");
}

#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
TEST_F(IsolationTest, TakesAllMemory) {
  options.memoryBytes = uint64_t(2) << 30;
  // What nobody keeps need not be allocated at all.
  static char *volatile kept;
  expectRefused(
      [] {
        for (;;) {
          char *block = new char[1 << 20];
          std::memset(block, 1, 1 << 20);
          kept = block;
        }
      },
      "the check needs more than 2048 MiB of memory");
  // At once, and never touched.
  expectRefused([] { kept = new char[size_t(100) << 30]; },
                "the check needs more than 2048 MiB of memory");
}
#endif

TEST_F(IsolationTest, WritesWithoutEnd) {
  expectRefused(
      [] {
        std::string text(1 << 20, 'x');
        while (::write(2, text.data(), text.size()) > 0) {
        }
      },
      "was stopped for writing too much output");
}

TEST_F(IsolationTest, WritesAFile) {
  char name[] = "egg-isolation-XXXXXX";
  int fd = ::mkstemp(name);
  ASSERT_GE(fd, 0);
  ::unlink(name);
  expectRefused(
      [fd] {
        // A limit of no bytes at all.
        (void)!::write(fd, "x", 1);
        ::_exit(3);
      },
      "was stopped: File size limit exceeded");
  EXPECT_EQ(::lseek(fd, 0, SEEK_END), 0);
  ::close(fd);
}

TEST_F(IsolationTest, LeavesAProcess) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  expectRefused(
      [&] {
        if (::fork() == 0)
          ::pause();
        ::_exit(5);
      },
      "exited with code 5");
  // The pipe closes when the last process that has it ends.
  ::close(ends[1]);
  char byte;
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  ssize_t got = -1;
  for (int attempt = 0; attempt < 500 && got != 0; ++attempt) {
    got = ::read(ends[0], &byte, 1);
    ::usleep(10000);
  }
  EXPECT_EQ(got, 0) << "a process lives on";
  ::close(ends[0]);
}

} // namespace
