//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-selfcheck.
//
//===----------------------------------------------------------------------===//
#include "egg/SelfCheck/Passes.h"
#include "egg/SelfCheck/SelfCheck.h"
#include "egg/Support/Files.h"

namespace egg {
#define GEN_PASS_DEF_SELFCHECKPASS
#include "egg/SelfCheck/Passes.h.inc"
} // namespace egg

using namespace mlir;

namespace {

class SelfCheckPass : public egg::impl::SelfCheckPassBase<SelfCheckPass> {
public:
  using SelfCheckPassBase::SelfCheckPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (llvm::Error error = check()) {
      getOperation().emitError()
          << "[selfcheck] " << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error write(llvm::StringRef text);
  llvm::Error writePayloads(const egg::SelfCheckOptions &options);
  llvm::Error check();
};

} // namespace

llvm::Error SelfCheckPass::write(llvm::StringRef text) {
  if (output != "-")
    return egg::writeFileAtomically(output, text);
  llvm::outs() << text;
  return llvm::Error::success();
}

llvm::Error SelfCheckPass::writePayloads(const egg::SelfCheckOptions &options) {
  DialectRegistry registry;
  getContext().getDialectRegistry().appendTo(registry);
  auto texts = egg::generatePayloads(registry, options);
  if (!texts)
    return texts.takeError();
  for (const auto &[name, text] : *texts)
    if (llvm::Error error =
            egg::writeFileAtomically(payloads + "/" + name + ".mlir", text))
      return error;
  return llvm::Error::success();
}

/// What there is, one a line.
static std::string listClasses() {
  std::string text;
  for (const egg::WorkloadClass &workload : egg::getWorkloadClasses())
    text += (workload.name + "\n").str();
  for (const egg::KernelClass &kernel : egg::getKernelClasses())
    text += (kernel.name + "\n").str();
  return text;
}

static std::string listMutations() {
  std::string text;
  for (const egg::Mutation &mutation : egg::getMutations())
    text += (mutation.name + ": " + mutation.description + "\n").str();
  return text;
}

llvm::Error SelfCheckPass::check() {
  egg::SelfCheckOptions options;
  llvm::append_range(options.classes, classes);
  llvm::append_range(options.kinds, mutations);
  if (options.classes == std::vector<std::string>{"list"})
    return write(listClasses());
  if (options.kinds == std::vector<std::string>{"list"})
    return write(listMutations());
  if (mutants < 1)
    return llvm::createStringError("mutants must be 1 or more");
  if (!(timeLimit > 0))
    return llvm::createStringError("time-limit must be a positive number");
  options.mutants = mutants;
  options.seed = seed;
  options.chip = chip;
  options.verify.wallSeconds = timeLimit;
  if (!payloads.empty())
    return writePayloads(options);
  DialectRegistry registry;
  getContext().getDialectRegistry().appendTo(registry);
  auto result = egg::runSelfCheck(registry, options);
  if (!result)
    return result.takeError();
  if (llvm::Error error = write(egg::formatTable(*result)))
    return error;
  if (!json.empty())
    if (llvm::Error error =
            egg::writeFileAtomically(json, egg::toJSON(*result)))
      return error;
  if (result->passed())
    return llvm::Error::success();
  return llvm::createStringError(
      "the check lets wrong kernels through or refuses right ones; the table "
      "names them");
}
