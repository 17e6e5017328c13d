//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Emulation.h"

using namespace mlir;
using namespace egg;

llvm::Expected<std::vector<HostTensor>>
egg::runOnCPU(ModuleOp lowered, const Plan &plan,
              llvm::ArrayRef<HostTensor> arguments,
              const SimtOptions &options) {
  auto program = SimtProgram::compile(lowered, options);
  if (!program)
    return program.takeError();
  return (*program)->run(plan, arguments);
}
