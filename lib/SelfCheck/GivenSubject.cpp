//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that are given. They are lowered once; every mutant is made in the
// child that checks it.
//
//===----------------------------------------------------------------------===//
#include "Subject.h"
#include "egg/Verify/VerifyKernel.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

namespace {

class GivenSubject : public Subject {
public:
  GivenSubject(const DialectRegistry &registry, const KernelClass &kernel,
               const SelfCheckOptions &options)
      : Subject(registry, kernel.name, options) {
    GivenKernel given = kernel.generate(options.seed);
    payload = parsePayload(given.payload, context);
    kernels = parseSourceString<ModuleOp>(given.kernel, &context);
    assert(kernels && "given kernels are valid");
    PassManager lowering(&context);
    lowering.addPass(createSCFToControlFlowPass());
    lowering.addPass(createArithToLLVMConversionPass());
    lowering.addPass(createConvertControlFlowToLLVMPass());
    lowering.addPass(createReconcileUnrealizedCastsPass());
    [[maybe_unused]] LogicalResult lowered = lowering.run(*kernels);
    assert(succeeded(lowered) && "given kernels can be lowered");
  }

  /// All: there are few, and each orders something else.
  size_t countMutants(size_t sites) const override { return sites; }

  llvm::Expected<Verification> verify(const Mutation *mutation,
                                      uint64_t number) override {
    VerifyOptions verify = options.verify;
    verify.seed = options.seed;
    return verifyInChild(verify, [&](StepListener onStep) {
      if (mutation)
        applyMutation(*mutation, *kernels, number);
      return verifyKernel(*kernels, *payload, verify, onStep);
    });
  }

  /// What it breaks is an order: that a run came out right says nothing.
  llvm::Expected<std::string> findDifference(const Mutation &,
                                             uint64_t) override {
    return "every place of a given kernel orders something";
  }
};

} // namespace

std::unique_ptr<Subject>
egg::selfcheck::makeGivenSubject(const DialectRegistry &registry,
                                 const KernelClass &kernel,
                                 const SelfCheckOptions &options) {
  return std::make_unique<GivenSubject>(registry, kernel, options);
}
