//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Rejection.h"
#include "egg/Session/Passes.h"
#include "egg/Session/Session.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FileSystem.h"

namespace egg {

#define GEN_PASS_DEF_OPTIMIZEPASS
#include "egg/Session/Passes.h.inc"

} // namespace egg

using namespace mlir;

/// The check of scripts in a child process, as a session asks for it.
static egg::Verifier makeVerifier(const DialectRegistry &registry,
                                  const egg::VerifyOptions &options) {
  return [&registry, options](
             ModuleOp payload,
             const egg::Proposal &proposal) -> llvm::Expected<egg::Verdict> {
    std::string text;
    llvm::raw_string_ostream os(text);
    // With locations, so that messages point into the file it came from.
    payload.print(os, OpPrintingFlags().enableDebugInfo());
    llvm::Expected<egg::Verification> verification =
        egg::verifyProposal(text, proposal.script, registry, options);
    if (!verification)
      return verification.takeError();
    if (verification->rejection)
      return llvm::make_error<egg::RejectionError>(*verification->rejection);
    return verification->verdict;
  };
}

namespace {
class OptimizePass : public egg::impl::OptimizePassBase<OptimizePass> {
public:
  using OptimizePassBase::OptimizePassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (llvm::Error error = optimize()) {
      getOperation().emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error optimize() {
    if (out.empty())
      return llvm::createStringError(
          "egg-optimize needs a directory for the artifact; write out=DIR");
    // Written so that NaN fails too.
    if (!(verifySeconds > 0))
      return llvm::createStringError(
          "verify-seconds must be a positive number; verify=false skips the "
          "check");
    if (!ptxas.empty() && !llvm::sys::fs::exists(ptxas))
      return llvm::createStringError(
          "there is no ptxas at '" + ptxas +
          "'; leave the option out to search for it");
    if (verifyMemory < 1)
      return llvm::createStringError("verify-memory is " +
                                     llvm::Twine(int64_t(verifyMemory)) +
                                     "; use at least 1 MiB");
    llvm::Expected<egg::Grade> leastGrade = egg::parseRequiredGrade(require);
    if (!leastGrade)
      return leastGrade.takeError();
    llvm::Expected<std::unique_ptr<egg::Agent>> proposer =
        egg::createAgent(agent, schedule);
    if (!proposer)
      return proposer.takeError();
    egg::SessionOptions options;
    options.chip = chip;
    options.seed = seed;
    options.toolchain = {ptxas, libdevice, cudaPath};
    DialectRegistry registry;
    getContext().getDialectRegistry().appendTo(registry);
    egg::VerifyOptions verifyOptions;
    verifyOptions.seed = seed;
    verifyOptions.wallSeconds = verifySeconds;
    verifyOptions.timeOption = "verify-seconds";
    verifyOptions.memoryBytes = uint64_t(verifyMemory) << 20;
    verifyOptions.memoryOption = "verify-memory";
    options.leastGrade = *leastGrade;
    if (verify)
      options.verifier = makeVerifier(registry, verifyOptions);
    llvm::Expected<egg::Artifact> artifact =
        egg::runSession(getOperation(), **proposer, options);
    if (!artifact)
      return artifact.takeError();
    return egg::writeArtifact(*artifact, out);
  }
};
} // namespace
