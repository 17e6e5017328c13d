//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The child process of a verification: it says which step it is in, so that a
// crash can be told from where it happened, and ends with its result as JSON.
//
//===----------------------------------------------------------------------===//
#include "egg/Support/Subprocess.h"
#include "egg/Verify/VerifyProposal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;

static constexpr llvm::StringLiteral kStepMark = "@step ";
static constexpr llvm::StringLiteral kResultMark = "@result\n";

/// The step that the child's output names last.
static std::string getLastStep(llvm::StringRef output) {
  size_t position = output.rfind(kStepMark);
  if (position == llvm::StringRef::npos)
    return "accept";
  return output.substr(position + kStepMark.size()).split('\n').first.str();
}

static std::string raise(llvm::StringRef option) {
  return ("raise " + option).str();
}

static std::string needsMoreMemory(const VerifyOptions &options) {
  return llvm::formatv("the check needs more than {0} MiB of memory",
                       options.memoryBytes >> 20);
}

/// Where an allocation failed and was reported, if only to standard error as
/// the JIT does, the limit is the reason.
static void recogniseMemoryLimit(Rejection &rejection,
                                 llvm::StringRef standardError,
                                 const VerifyOptions &options) {
  std::string refused =
      std::make_error_code(std::errc::not_enough_memory).message();
  auto tells = [&](llvm::StringRef text) {
    return text.contains(refused) || text.contains("no memory for");
  };
  if (!tells(rejection.reason) && !tells(standardError) &&
      llvm::none_of(rejection.notes, tells))
    return;
  rejection.notes.insert(rejection.notes.begin(), rejection.reason);
  rejection.reason = needsMoreMemory(options);
  rejection.remedy = raise(options.memoryOption);
  rejection.undecided = true;
}

llvm::Expected<Verification>
egg::verifyProposal(llvm::StringRef payloadText, llvm::StringRef scheduleText,
                    const mlir::DialectRegistry &registry,
                    const VerifyOptions &options) {
  return verifyInChild(options, [&](StepListener onStep) {
    return verifyInProcess(payloadText, scheduleText, registry, options,
                           onStep);
  });
}

llvm::Expected<Verification>
egg::verifyInChild(const VerifyOptions &options,
                   llvm::function_ref<Verification(StepListener)> check) {
  ProcessLimits limits;
  limits.wallSeconds = options.wallSeconds;
  limits.cpuSeconds = uint64_t(options.wallSeconds) + 1;
  limits.fileBytes = 0;
  limits.addressSpaceBytes = options.memoryBytes;
  auto result = runInChild(
      [&](llvm::raw_ostream &os) {
        Verification verification = check([&](llvm::StringRef step) {
          os << kStepMark << step << '\n';
          os.flush();
        });
        os << kResultMark << toJSON(verification);
        os.flush();
        return 0;
      },
      limits);
  if (!result)
    return result.takeError();

  llvm::StringRef output = result->standardOutput;
  size_t position = output.rfind(kResultMark);
  if (result->succeeded() && position != llvm::StringRef::npos) {
    llvm::Expected<Verification> verification =
        parseVerification(output.substr(position + kResultMark.size()));
    if (verification && verification->rejection)
      recogniseMemoryLimit(*verification->rejection, result->standardError,
                           options);
    return verification;
  }

  Verification verification;
  Rejection &rejection = verification.rejection.emplace();
  rejection.step = getLastStep(output);
  if (result->end == ProcessResult::End::OutOfMemory) {
    rejection.reason = needsMoreMemory(options);
    rejection.remedy = raise(options.memoryOption);
    rejection.undecided = true;
    return verification;
  }
  if (result->ranOutOfTime()) {
    rejection.reason = llvm::formatv("the check needs more than {0} s",
                                     llvm::format("%.6g", options.wallSeconds));
    rejection.remedy = raise(options.timeOption) + ", or " + options.ifSlow;
    rejection.undecided = true;
    return verification;
  }
  rejection.reason = "the check " + result->describeEnd();
  rejection.remedy = options.ifCrashed;
  // What the child said last is often the reason of a crash.
  llvm::StringRef errors = result->standardError;
  for (llvm::StringRef line : llvm::split(errors.take_back(2000).rtrim(), '\n'))
    if (!line.empty() && rejection.notes.size() < 8)
      rejection.notes.push_back(line.str());
  return verification;
}
