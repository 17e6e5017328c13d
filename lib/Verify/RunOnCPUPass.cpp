//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-run-on-cpu: payloads in plain loops, kernels by SIMT execution.
//
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Emulation.h"
#include "egg/Guard/RunOnCopy.h"
#include "egg/Lowering/LoweredProgram.h"
#include "egg/Support/Files.h"
#include "egg/Verify/Inputs.h"
#include "egg/Verify/Passes.h"
#include "egg/Verify/PayloadProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace egg {
#define GEN_PASS_DEF_RUNONCPU
#include "egg/Verify/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class RunOnCPUPass : public egg::impl::RunOnCPUBase<RunOnCPUPass> {
public:
  using RunOnCPUBase::RunOnCPUBase;
  void runOnOperation() override;

private:
  llvm::Expected<std::vector<HostTensor>>
  execute(ModuleOp module, ArrayRef<HostTensor> arguments, StepListener onStep);
  FailureOr<std::vector<HostTensor>>
  executeInChild(ArrayRef<HostTensor> arguments);
};

} // namespace

llvm::Expected<std::vector<HostTensor>>
RunOnCPUPass::execute(ModuleOp module, ArrayRef<HostTensor> arguments,
                      StepListener onStep) {
  if (!module.getOps<gpu::GPUModuleOp>().empty()) {
    auto target = lookupTarget(chip);
    if (!target)
      return target.takeError();
    onStep("lowering the kernels");
    auto program = lowerProgram(module, *target);
    if (!program)
      return program.takeError();
    onStep("running the kernels on the CPU");
    return runOnCPU(*program->module, program->plan, arguments);
  }
  onStep("running the payload on the CPU");
  auto program = PayloadProgram::compile(
      module, precision == "double" ? Precision::Double : Precision::Native);
  if (!program)
    return program.takeError();
  return (*program)->run(arguments);
}

/// The tensors as text and bytes, and back.
static void write(llvm::raw_ostream &os, ArrayRef<HostTensor> tensors) {
  for (const HostTensor &tensor : tensors) {
    os << tensor.dtype;
    for (int64_t extent : tensor.shape)
      os << ' ' << extent;
    os << '\n' << StringRef(tensor.bytes.data(), tensor.bytes.size());
  }
}

static std::vector<HostTensor> read(StringRef text) {
  std::vector<HostTensor> tensors;
  while (!text.empty()) {
    auto [header, rest] = text.split('\n');
    auto [dtype, extents] = header.split(' ');
    std::vector<int64_t> shape;
    for (StringRef extent : llvm::split(extents, ' '))
      if (int64_t value; !extent.getAsInteger(10, value))
        shape.push_back(value);
    HostTensor tensor = HostTensor::zeros(shape, dtype.str());
    size_t bytes = tensor.bytes.size();
    std::copy_n(rest.data(), bytes, tensor.bytes.begin());
    text = rest.drop_front(bytes);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

FailureOr<std::vector<HostTensor>>
RunOnCPUPass::executeInChild(ArrayRef<HostTensor> arguments) {
  CopyRun limits = {timeLimit, memoryLimit,
                    "use smaller extents, or look for a loop that does not end",
                    "leave out parts of the program to find which it is"};
  FailureOr<std::string> output = runOnCopy(
      getOperation(), limits,
      [&](ModuleOp module, StepListener onStep,
          llvm::raw_ostream &os) -> LogicalResult {
        auto results = execute(module, arguments, onStep);
        if (!results)
          return module.emitError(llvm::toString(results.takeError()));
        write(os, *results);
        return success();
      });
  if (failed(output))
    return failure();
  return read(*output);
}

/// Puts the bytes of the file in place of the arguments'.
static llvm::Error readArguments(StringRef path,
                                 std::vector<HostTensor> &arguments) {
  llvm::Expected<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.takeError();
  size_t size = 0;
  for (const HostTensor &argument : arguments)
    size += argument.bytes.size();
  if (bytes->size() != size)
    return llvm::createStringError(
        path + " has " + Twine(bytes->size()) +
        " bytes, and the arguments have " + Twine(size) +
        "; write the elements of each, one after the other");
  const char *from = bytes->data();
  for (HostTensor &argument : arguments) {
    std::copy_n(from, argument.bytes.size(), argument.bytes.begin());
    from += argument.bytes.size();
  }
  return llvm::Error::success();
}

static llvm::Error writeResults(StringRef path, ArrayRef<HostTensor> results) {
  std::string bytes;
  for (const HostTensor &result : results)
    bytes.append(result.bytes.begin(), result.bytes.end());
  return writeFileAtomically(path, bytes);
}

static void print(Diagnostic &diagnostic, const HostTensor &tensor,
                  int64_t limit) {
  int64_t count = std::min(limit, tensor.getNumElements());
  diagnostic << '[';
  for (int64_t i = 0; i < count; ++i) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (tensor.isFloat())
      os << llvm::format("%.6g", tensor.getFloat(i));
    else
      os << tensor.getInteger(i);
    diagnostic << (i ? ", " : "") << text;
  }
  diagnostic << (count < tensor.getNumElements() ? ", ...]" : "]");
}

void RunOnCPUPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto fail = [&](const Twine &message) {
    module.emitError() << message;
    signalPassFailure();
  };
  std::optional<Distribution> drawn = symbolizeDistribution(distribution);
  if (!drawn)
    return fail(
        "unknown distribution '" + distribution +
        "': use uniform, normal, wide, large-mean, ties, constant or special");
  if (precision != "native" && precision != "double")
    return fail("unknown precision '" + precision + "': use native or double");
  if (failed(checkLimits(timeLimit, memoryLimit, module.getLoc())))
    return signalPassFailure();
  auto arguments = makeInputs(module, *drawn, seed);
  if (!arguments)
    return fail(llvm::toString(arguments.takeError()));
  if (!inputs.empty())
    if (llvm::Error error = readArguments(inputs, *arguments))
      return fail(llvm::toString(std::move(error)));
  auto results = executeInChild(*arguments);
  if (failed(results))
    return signalPassFailure();
  if (!outputs.empty())
    if (llvm::Error error = writeResults(outputs, *results))
      return fail(llvm::toString(std::move(error)));
  if (!dump.empty()) {
    size_t number = 0;
    for (ArrayRef<HostTensor> tensors :
         {ArrayRef(*arguments), ArrayRef(*results)})
      for (const HostTensor &tensor : tensors)
        if (llvm::Error error = writeFileAtomically(
                dump + std::to_string(number++) + ".bin",
                StringRef(tensor.bytes.data(), tensor.bytes.size())))
          return fail(llvm::toString(std::move(error)));
  }
  Operation *main = module.lookupSymbol("main");
  for (auto [number, tensor] : llvm::enumerate(*results)) {
    // At the location, as the operation itself need not be printed again.
    InFlightDiagnostic remark = emitRemark(main->getLoc())
                                << "result " << number << " ";
    print(*remark.getUnderlyingDiagnostic(), tensor, elements);
  }
}
