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
#include "egg/Guard/RunOnCopy.h"
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
  LogicalResult run(KernelLaunch &launch);
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

LogicalResult EmulateKernelPass::run(KernelLaunch &launch) {
  auto work = [&](ModuleOp module, StepListener onStep, llvm::raw_ostream &os) {
    auto fail = [&](llvm::Error error) {
      return module.emitError(llvm::toString(std::move(error)));
    };
    onStep("compiling kernel '" + launch.kernel + "' for the CPU");
    auto program = SimtProgram::compile(module);
    if (!program)
      return LogicalResult(fail(program.takeError()));
    onStep("running kernel '" + launch.kernel + "' on the CPU");
    if (llvm::Error error = (*program)->launch(launch))
      return LogicalResult(fail(std::move(error)));
    for (const KernelLaunch::Buffer &buffer : launch.buffers)
      os.write(buffer.tensor.bytes.data(), buffer.tensor.bytes.size());
    return success();
  };
  CopyRun limits = {timeLimit, memoryLimit,
                    "use a smaller grid, or look for a loop that does not end",
                    "leave out parts of the kernel to find which it is"};
  FailureOr<std::string> bytes = runOnCopy(getOperation(), limits, work);
  if (failed(bytes))
    return failure();
  const char *from = bytes->data();
  for (KernelLaunch::Buffer &buffer : launch.buffers) {
    std::copy_n(from, buffer.tensor.bytes.size(), buffer.tensor.bytes.begin());
    from += buffer.tensor.bytes.size();
  }
  return success();
}

void EmulateKernelPass::runOnOperation() {
  auto fail = [&](llvm::Error error) {
    emitError(getOperation().getLoc()) << llvm::toString(std::move(error));
    signalPassFailure();
  };
  if (failed(checkLimits(timeLimit, memoryLimit, getOperation().getLoc())))
    return signalPassFailure();
  auto launch = readKernelLaunch(getOperation());
  if (!launch)
    return fail(launch.takeError());
  if (failed(run(*launch)))
    return signalPassFailure();
  if (!dump.empty())
    if (llvm::Error error = dumpBuffers(*launch))
      return fail(std::move(error));
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
