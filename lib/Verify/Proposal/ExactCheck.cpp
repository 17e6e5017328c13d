//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExactCheck.h"
#include "../Exact/ComputedInAdvance.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

Rejection egg::toRejection(const ExactDifference &difference,
                           llvm::ArrayRef<TensorSpec> results) {
  Rejection rejection;
  rejection.step = "exact";
  const std::string &name = results[difference.result].name;
  rejection.location = "result " + std::to_string(difference.result) +
                       (name.empty() ? "" : " '" + name + "'");
  rejection.reason = llvm::formatv(
      "{0} of {1} elements differ from the payload in exact arithmetic, where "
      "rounding plays no part; at {2} it is {3}, should be {4} (residues "
      "modulo {5} and {6})",
      difference.count, difference.total, difference.index, difference.got,
      difference.expected, Residue::kP, Residue::kQ);
  rejection.remedy = difference.suggestion;
  rejection.notes.push_back("inputs: " + difference.draw);
  return rejection;
}

std::optional<ExactPrograms>
egg::compileForExact(ModuleOp payload, ModuleOp kernels,
                     DiagnosticCollector &diagnostics, ExactSummary &summary) {
  auto giveUp = [&](llvm::Error error) {
    std::string reason = llvm::toString(std::move(error));
    summary.inconclusive =
        diagnostics.takeRejection("exact", reason, "").reason;
    return std::nullopt;
  };
  auto reference = PayloadProgram::compile(payload, Precision::Exact);
  if (!reference)
    return giveUp(reference.takeError());
  SimtOptions options;
  options.checkAccesses = false;
  options.arithmetic = HostArithmetic::Exact;
  auto program = SimtProgram::compile(kernels, options);
  if (!program)
    return giveUp(program.takeError());
  return ExactPrograms{std::move(*reference), std::move(*program)};
}

void egg::withdrawWhereBitsAreSeen(const ExactPrograms &programs,
                                   ExactSummary &summary) {
  bool inPayload = programs.reference->getExactUses().bits;
  if (!summary.difference ||
      !(inPayload || programs.kernels->getExactUses().bits))
    return;
  summary.inconclusive = llvm::formatv(
      "the {0} at the bits of floats, which are those of residues in exact "
      "arithmetic, and a result differs",
      inPayload ? "payload looks" : "kernels look");
  summary.difference.reset();
}

std::optional<Rejection>
egg::checkExactly(ModuleOp payload, const LoweredProgram &program,
                  llvm::StringRef shapes, const VerifyOptions &options,
                  DiagnosticCollector &diagnostics, ExactSummary &summary) {
  std::optional<ExactPrograms> programs =
      compileForExact(payload, *program.module, diagnostics, summary);
  if (!programs)
    return std::nullopt;
  llvm::Error error = compareExactly(
      payload, *programs->reference,
      [&](llvm::ArrayRef<HostTensor> inputs) {
        return programs->kernels->run(program.plan, inputs);
      },
      options.seed, options.seeds, summary);
  withdrawWhereBitsAreSeen(*programs, summary);
  std::optional<Rejection> rejection;
  if (error) {
    rejection = toRejection(std::move(error), "exact");
    rejection->remedy =
        "the kernel's control flow or addresses depend on values of floats; "
        "make them depend on indices alone";
  } else if (Operation *op = summary.difference ? findComputedInAdvance(payload)
                                                : nullptr) {
    summary.inconclusive = llvm::formatv(
        "the payload computes '{0}' of constants and indices alone, which the "
        "compiler does in advance and rounds, and a result differs",
        op->getName());
    summary.difference.reset();
  } else if (summary.difference) {
    // The payload compiled, so it has one.
    rejection =
        toRejection(*summary.difference,
                    llvm::cantFail(getPayloadSignature(payload)).results);
  }
  if (rejection)
    rejection->notes.push_back(("at the small extents " + shapes).str());
  return rejection;
}
