//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-emulate-kernel.
//
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Emulation.h"
#include "egg/Emulator/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace egg {
#define GEN_PASS_DEF_EMULATEKERNEL
#include "egg/Emulator/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class EmulateKernelPass
    : public egg::impl::EmulateKernelBase<EmulateKernelPass> {
public:
  using EmulateKernelBase::EmulateKernelBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }
  void runOnOperation() override;

private:
  llvm::Expected<KernelLaunch> run();
  llvm::Error dumpBuffers(const KernelLaunch &launch);
};

} // namespace

llvm::Error EmulateKernelPass::dumpBuffers(const KernelLaunch &launch) {
  for (auto [number, buffer] : llvm::enumerate(launch.buffers)) {
    std::string path = dump + std::to_string(number) + ".bin";
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (!error) {
      file.write(buffer.tensor.bytes.data(), buffer.tensor.bytes.size());
      file.close();
      error = file.error();
      file.clear_error();
    }
    if (error)
      return llvm::createStringError("cannot write '" + path +
                                     "': " + error.message());
  }
  return llvm::Error::success();
}

llvm::Expected<KernelLaunch> EmulateKernelPass::run() {
  auto launch = readKernelLaunch(getOperation());
  if (!launch)
    return launch.takeError();
  auto program = SimtProgram::compile(getOperation());
  if (!program)
    return program.takeError();
  if (llvm::Error error = (*program)->launch(*launch))
    return std::move(error);
  if (!dump.empty())
    if (llvm::Error error = dumpBuffers(*launch))
      return std::move(error);
  return launch;
}

void EmulateKernelPass::runOnOperation() {
  auto launch = run();
  if (!launch) {
    emitError(getOperation().getLoc()) << llvm::toString(launch.takeError());
    return signalPassFailure();
  }
  for (auto [number, buffer] : llvm::enumerate(launch->buffers)) {
    if (!buffer.output)
      continue;
    const HostTensor &tensor = buffer.tensor;
    std::string text;
    llvm::raw_string_ostream os(text);
    int64_t count = std::min<int64_t>(elements, tensor.getNumElements());
    for (int64_t i = 0; i < count; ++i) {
      os << (i ? ", " : "");
      if (tensor.isFloat())
        os << llvm::format("%.6g", tensor.getFloat(i));
      else
        os << tensor.getInteger(i);
    }
    emitRemark(getOperation().getLoc())
        << "buffer " << number << " [" << text
        << (count < tensor.getNumElements() ? ", ...]" : "]");
  }
}
