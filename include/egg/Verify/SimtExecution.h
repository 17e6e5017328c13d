//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// SIMT execution on the CPU: a materialized module's kernels run thread by
// thread with the machine's rules on barriers, shuffles and memory checked.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_VERIFY_SIMTEXECUTION_H
#define EGG_VERIFY_SIMTEXECUTION_H

#include "egg/Core/Plan.h"
#include "egg/Verify/HostArithmetic.h"
#include "egg/Verify/HostTensor.h"
#include "egg/Verify/SimtFault.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace egg {

struct SimtOptions {
  /// Also find uninitialised reads, unwritten outputs and data races; without
  /// it only indices, barriers and shuffles are checked, two to five times as
  /// fast.
  bool checkAccesses = true;
  /// What floats are.
  HostArithmetic arithmetic = HostArithmetic::Native;
  /// Byte that fills results, temporaries and shared memory before use; 0xFF
  /// makes every float a NaN.
  uint8_t poison = 0xFF;
  /// Stack of one thread.
  size_t stackBytes = 64 * 1024;
};

/// The kernels of one materialized module, compiled for the CPU.
class SimtProgram {
public:
  /// Compiles the kernels; the module is left as it is. Errors: an operation
  /// without a CPU form (the diagnostic says which).
  static llvm::Expected<std::unique_ptr<SimtProgram>>
  compile(mlir::ModuleOp materialized, const SimtOptions &options = {});
  ~SimtProgram();

  /// Runs the plan's steps on the arguments and returns the results. The error
  /// is a SimtFault when a kernel breaks a rule, otherwise a text: the plan
  /// does not fit the module or the arguments do not fit the plan.
  llvm::Expected<std::vector<HostTensor>>
  run(const Plan &plan, llvm::ArrayRef<HostTensor> arguments);

private:
  struct Impl;
  explicit SimtProgram(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Compiles and runs once.
llvm::Expected<std::vector<HostTensor>>
runOnCPU(mlir::ModuleOp materialized, const Plan &plan,
         llvm::ArrayRef<HostTensor> arguments, const SimtOptions &options = {});

} // namespace egg

#endif // EGG_VERIFY_SIMTEXECUTION_H
