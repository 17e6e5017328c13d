//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/VerifyKernel.h"
#include "../Exact/ExplainDifference.h"
#include "../Numeric/NumericCheck.h"
#include "../Numeric/NumericRejections.h"
#include "../Proposal/Conclude.h"
#include "../Proposal/ExactCheck.h"
#include "egg/Emulator/Emulation.h"
#include "egg/Emulator/Precision.h"
#include "egg/Host/Residue.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace egg;

namespace {

/// One kernel on its way through the steps.
class KernelCheck {
public:
  KernelCheck(ModuleOp kernel, ModuleOp payload, const VerifyOptions &options,
              llvm::function_ref<void(llvm::StringRef)> onStep)
      : kernel(kernel), payload(payload), options(options),
        diagnostics(kernel.getContext()), onStep(onStep) {
    this->options.handWritten = true;
  }

  Verification run();

private:
  std::optional<Rejection> accept();
  std::optional<Rejection> compare();
  std::optional<Rejection> compareInExactArithmetic();
  void conclude();
  llvm::Expected<std::vector<HostTensor>>
  launchOn(SimtProgram &program, llvm::ArrayRef<HostTensor> inputs,
           bool backwards = false,
           std::vector<ElementsRead> *read = nullptr) const;
  llvm::Error compareOrders(SimtProgram &program,
                            llvm::ArrayRef<HostTensor> inputs,
                            llvm::ArrayRef<HostTensor> outputs) const;
  void changeInputs(std::vector<HostTensor> &inputs,
                    HostArithmetic arithmetic) const;
  std::optional<Rejection> refuse(llvm::Error error, llvm::StringRef step) {
    return explainFailure(std::move(error), step, shapes, options.handWritten,
                          diagnostics);
  }

  ModuleOp kernel, payload;
  VerifyOptions options;
  DiagnosticCollector diagnostics;
  llvm::function_ref<void(llvm::StringRef)> onStep;
  KernelLaunch launch;
  std::vector<TensorSpec> results;
  std::string shapes;
  NumericSummary summary;
  ExactSummary exact;
  Verdict verdict;
};

} // namespace

/// Inputs of the launch are arguments, outputs are results.
static llvm::Error matchBuffers(const KernelLaunch &launch, bool outputs,
                                llvm::ArrayRef<TensorSpec> specs) {
  size_t number = 0;
  for (const KernelLaunch::Buffer &buffer : launch.buffers) {
    if (buffer.output != outputs)
      continue;
    llvm::StringRef what = outputs ? "output" : "input";
    if (number == specs.size())
      return llvm::createStringError(
          llvm::formatv("the launch has more {0}s than the payload, which has "
                        "{1}",
                        what, specs.size()));
    const TensorSpec &spec = specs[number];
    int64_t count = 1;
    for (int64_t extent : spec.shape)
      count *= extent;
    if (buffer.tensor.dtype != spec.dtype ||
        buffer.tensor.getNumElements() != count)
      return llvm::createStringError(llvm::formatv(
          "{0} {1} of the launch has {2} elements of {3}, in the payload it "
          "has {4} of {5}",
          what, number, buffer.tensor.getNumElements(), buffer.tensor.dtype,
          count, spec.dtype));
    ++number;
  }
  if (number != specs.size())
    return llvm::createStringError(
        llvm::formatv("the launch has {0} {1}, the payload {2}", number,
                      outputs ? "outputs" : "inputs", specs.size()));
  return llvm::Error::success();
}

std::optional<Rejection> KernelCheck::accept() {
  onStep("accept");
  auto signature = getPayloadSignature(payload);
  if (!signature)
    return toRejection(signature.takeError(), "accept");
  auto described = readKernelLaunch(kernel);
  if (!described)
    return toRejection(described.takeError(), "accept");
  launch = std::move(*described);
  for (bool outputs : {false, true})
    if (llvm::Error error =
            matchBuffers(launch, outputs,
                         outputs ? signature->results : signature->arguments)) {
      Rejection rejection = toRejection(std::move(error), "accept");
      rejection.remedy = "give the launch one buffer for each argument and "
                         "result, in their order";
      return rejection;
    }
  results = signature->results;
  for (const KernelLaunch::Buffer &buffer : launch.buffers)
    shapes += (shapes.empty() ? "" : ", ") + buffer.tensor.dtype + "[" +
              llvm::join(llvm::map_range(buffer.tensor.shape,
                                         [](int64_t extent) {
                                           return std::to_string(extent);
                                         }),
                         ", ") +
              "]";
  options.changeInputs = [this](std::vector<HostTensor> &inputs,
                                HostArithmetic arithmetic) {
    changeInputs(inputs, arithmetic);
  };
  return std::nullopt;
}

/// Drops what tf32's ten bits of mantissa do not hold.
static double roundToTF32(double value) {
  auto single = float(value);
  uint32_t bits;
  std::memcpy(&bits, &single, 4);
  bits &= ~uint32_t(0x1FFF);
  std::memcpy(&single, &bits, 4);
  return single;
}

void KernelCheck::changeInputs(std::vector<HostTensor> &inputs,
                               HostArithmetic arithmetic) const {
  using Values = KernelLaunch::Buffer::Values;
  auto input = inputs.begin();
  for (const KernelLaunch::Buffer &buffer : launch.buffers) {
    if (buffer.output)
      continue;
    HostTensor &tensor = *input++;
    int64_t planes = buffer.tensor.shape.empty() ? 1 : buffer.tensor.shape[0];
    int64_t count = tensor.getNumElements();
    for (int64_t i = 0; buffer.values != Values::Any && i < count; ++i) {
      int64_t plane = i / std::max<int64_t>(count / planes, 1);
      if (arithmetic == HostArithmetic::Exact) {
        // The products that such kernels leave out vanish.
        if (buffer.values == Values::Split && plane > 1)
          storeResidue(tensor, i, Residue());
      } else if (buffer.values == Values::Split) {
        tensor.setFloat(i, std::ldexp(tensor.getFloat(i), -8 * int(plane)));
      } else {
        tensor.setFloat(i, roundToTF32(tensor.getFloat(i)));
      }
    }
  }
}

llvm::Expected<std::vector<HostTensor>>
KernelCheck::launchOn(SimtProgram &program, llvm::ArrayRef<HostTensor> inputs,
                      bool backwards, std::vector<ElementsRead> *read) const {
  KernelLaunch copy = launch;
  copy.backwards = backwards;
  size_t next = 0;
  for (KernelLaunch::Buffer &buffer : copy.buffers)
    if (!buffer.output)
      buffer.tensor.bytes = inputs[next++].bytes;
  if (llvm::Error error = program.launch(copy))
    return std::move(error);
  std::vector<HostTensor> outputs;
  for (KernelLaunch::Buffer &buffer : copy.buffers) {
    if (buffer.output) {
      outputs.push_back(std::move(buffer.tensor));
      outputs.back().shape = results[outputs.size() - 1].shape;
    } else if (read) {
      read->push_back(std::move(buffer.read));
    }
  }
  return outputs;
}

/// What a kernel with atomic accesses computes must not depend on who comes
/// first, to the last bit.
llvm::Error
KernelCheck::compareOrders(SimtProgram &program,
                           llvm::ArrayRef<HostTensor> inputs,
                           llvm::ArrayRef<HostTensor> outputs) const {
  auto others = launchOn(program, inputs, /*backwards=*/true);
  if (!others)
    return others.takeError();
  for (auto [number, pair] : llvm::enumerate(llvm::zip(outputs, *others))) {
    const auto &[output, other] = pair;
    auto [mine, its] = llvm::mismatch(output.bytes, other.bytes);
    if (mine == output.bytes.end())
      continue;
    int64_t element =
        (mine - output.bytes.begin()) / *getDtypeBytes(output.dtype);
    Rejection rejection;
    rejection.step = "order";
    rejection.reason = llvm::formatv(
        "output {0} depends on the order in which threads come to atomic or "
        "volatile accesses: where the last block, warp and lane come first, "
        "element {1} has other bits",
        number, element);
    rejection.remedy = "combine in an order that the kernel fixes, or use "
                       "integers";
    return llvm::make_error<RejectionError>(std::move(rejection));
  }
  return llvm::Error::success();
}

std::optional<Rejection> KernelCheck::compare() {
  onStep("emulate");
  auto program = SimtProgram::compile(kernel);
  if (!program)
    return refuse(program.takeError(), "emulate");
  return compareNumerically(
      payload,
      [&](llvm::ArrayRef<HostTensor> inputs, std::vector<ElementsRead> &read)
          -> llvm::Expected<std::vector<HostTensor>> {
        auto outputs = launchOn(**program, inputs, /*backwards=*/false, &read);
        if (outputs && (*program)->dependsOnOrder(launch.kernel))
          if (auto error = compareOrders(**program, inputs, *outputs))
            return std::move(error);
        return outputs;
      },
      /*launches=*/1, "own", shapes, options, diagnostics, onStep, summary);
}

std::optional<Rejection> KernelCheck::compareInExactArithmetic() {
  onStep("exact");
  std::optional<ExactPrograms> programs =
      compileForExact(payload, kernel, diagnostics, exact);
  if (!programs)
    return std::nullopt;
  if (llvm::Error error = compareExactly(
          payload, *programs->reference,
          [&](llvm::ArrayRef<HostTensor> inputs) {
            return launchOn(*programs->kernels, inputs);
          },
          options.seed, options.seeds, exact,
          [&](std::vector<HostTensor> &inputs) {
            changeInputs(inputs, HostArithmetic::Exact);
          }))
    return refuse(std::move(error), "exact");
  withdrawWhereBitsAreSeen(*programs, exact);
  if (exact.difference)
    return toRejection(*exact.difference, results);
  return std::nullopt;
}

void KernelCheck::conclude() {
  egg::conclude(options, summary, exact, /*complete=*/true, verdict);
  if (std::vector<std::string> unknown = findUnknownPrecision(kernel);
      !unknown.empty()) {
    verdict.grade = std::min(verdict.grade, Grade::Tested);
    std::string others;
    if (unknown.size() > 1)
      others = llvm::formatv(" and of {0} more", unknown.size() - 1);
    verdict.skipped.insert(
        verdict.skipped.begin(),
        llvm::formatv("bounded: the GPU approximates {0}{1}, and how well is "
                      "not known on the CPU",
                      unknown.front(), others));
  }
  if (options.matchPrecision)
    verdict.addEvidence("precision",
                        "no result's error is more than twice the payload's "
                        "own in its own precision");
}

Verification KernelCheck::run() {
  Verification verification;
  auto refused = [&](std::optional<Rejection> rejection) {
    verification.rejection = std::move(rejection);
    return verification.rejection.has_value();
  };
  if (refused(accept()) || refused(compare()))
    return verification;
  if (options.exact && refused(compareInExactArithmetic()))
    return verification;
  conclude();
  verification.verdict = std::move(verdict);
  return verification;
}

Verification
egg::verifyKernel(ModuleOp kernel, ModuleOp payload,
                  const VerifyOptions &options,
                  llvm::function_ref<void(llvm::StringRef)> onStep) {
  return KernelCheck(kernel, payload, options, onStep).run();
}
