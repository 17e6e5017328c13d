//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The numeric step: one payload at small extents and its kernels, run on the
// same inputs and compared.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_NUMERIC_NUMERICCHECK_H
#define EGG_LIB_VERIFY_NUMERIC_NUMERICCHECK_H

#include "../Proposal/DiagnosticCollector.h"
#include "egg/Emulator/Emulation.h"
#include "egg/Host/HostTensor.h"
#include "egg/Lowering/LoweredProgram.h"
#include "egg/Verify/VerifyProposal.h"
#include "mlir/IR/BuiltinOps.h"

namespace egg {

/// Inputs that are drawn beyond the planned ones where an error is beyond the
/// precision policy.
inline constexpr int64_t kFurtherDraws = 8;

/// Elements of one result that are NaN in the kernels and not in the payload,
/// over all inputs of one distribution, at some extents, that hold NaN.
struct SpreadNaN {
  /// "result 0 'output_0'".
  std::string result;
  std::string variant, inputs;
  int64_t spread = 0, elements = 0;
};

/// What the runs showed, summed over variants.
struct NumericSummary {
  int64_t runs = 0;
  int64_t launches = 0;
  double maxError = 0, maxRelativeError = 0;
  /// Of each float result, for each variant and distribution.
  std::vector<ResultError> errors;
  /// Number of finite elements compared of each result.
  std::vector<int64_t> finite;
  /// "aligned: x[16, 64]" of each variant that ran, and the same as values.
  std::vector<std::string> shapes;
  std::vector<CheckedExtents> extents;
  /// What the distribution `special` placed where operations tell it apart.
  std::string specials;
  /// Distributions and variants of which kFurtherDraws more inputs were drawn.
  std::vector<std::string> drawnAgain;
  /// Results that a NaN spreads over, where a schedule substitutes.
  std::vector<SpreadNaN> spreadNaNs;
};

/// "aligned: x[16, 64]": a payload's extents for messages.
std::string formatShapes(mlir::ModuleOp payload, ShrinkVariant variant);

/// Runs `payload` in double and natively and `program`, its scheduled form, on
/// every seed and distribution. A difference or a fault
/// comes back as a Rejection.
std::optional<Rejection>
checkNumerically(mlir::ModuleOp payload, const LoweredProgram &program,
                 ShrinkVariant variant, const VerifyOptions &options,
                 DiagnosticCollector &diagnostics,
                 llvm::function_ref<void(llvm::StringRef)> onStep,
                 NumericSummary &summary);

/// Runs kernels on inputs and says, for each input, what they have read of it;
/// the error is a SimtFault or a text.
using NumericCandidate =
    llvm::function_ref<llvm::Expected<std::vector<HostTensor>>(
        llvm::ArrayRef<HostTensor>, std::vector<ElementsRead> &)>;

/// The same for any program, which makes `launches` launches a run; `variant`
/// names the extents and `shapes` describes them in messages.
std::optional<Rejection> compareNumerically(
    mlir::ModuleOp payload, NumericCandidate candidate, int64_t launches,
    llvm::StringRef variant, llvm::StringRef shapes,
    const VerifyOptions &options, DiagnosticCollector &diagnostics,
    llvm::function_ref<void(llvm::StringRef)> onStep, NumericSummary &summary);

} // namespace egg

#endif // EGG_LIB_VERIFY_NUMERIC_NUMERICCHECK_H
