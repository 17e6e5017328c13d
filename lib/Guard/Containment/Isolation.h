//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes run on a copy of an operation in a child process.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_GUARD_ISOLATION_H
#define EGG_LIB_GUARD_ISOLATION_H

#include "mlir/Pass/PassManager.h"
#include <optional>

namespace egg {

struct IsolationLimits {
  /// Wall-clock seconds.
  double seconds = 600;
  /// MiB of address space; ignored under AddressSanitizer.
  int64_t memoryMiB = 8192;
};

/// What an isolated run is, for its diagnostics.
struct IsolatedRun {
  /// The pass' name.
  llvm::StringRef name;
  IsolationLimits limits;
};

/// Runs the passes that `build` adds on a copy of the operation in a child
/// process, and puts the result in its place. What the passes report is
/// reported here, what they print is printed. A child that ends otherwise or
/// exceeds its limits is an error, placed at what noteProgress named last.
mlir::LogicalResult
runIsolated(mlir::Operation *op, const IsolatedRun &run,
            llvm::function_ref<void(mlir::OpPassManager &)> build);

/// A pass with the options isolate, time-limit and memory-limit: it runs in a
/// child process, or here where it should not.
template <typename Base> class IsolatedPass : public Base {
public:
  using Base::Base;

  void runOnOperation() final {
    if (!this->isolate)
      return runHere();
    auto build = [&](mlir::OpPassManager &manager) {
      std::unique_ptr<mlir::Pass> inner = this->clone();
      static_cast<IsolatedPass &>(*inner).isolate = false;
      manager.addPass(std::move(inner));
    };
    IsolatedRun run{this->getArgument(), {this->timeLimit, this->memoryLimit}};
    if (mlir::failed(runIsolated(this->getOperation(), run, build)))
      this->signalPassFailure();
  }

private:
  virtual void runHere() = 0;
};

} // namespace egg

#endif // EGG_LIB_GUARD_ISOLATION_H
