//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Collecting diagnostics as values, so that a step's refusal becomes a
// Rejection instead of output.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_PROPOSAL_DIAGNOSTICCOLLECTOR_H
#define EGG_LIB_VERIFY_PROPOSAL_DIAGNOSTICCOLLECTOR_H

#include "egg/Core/Rejection.h"
#include "mlir/IR/Diagnostics.h"
#include <vector>

namespace egg {

/// While it exists, the context's diagnostics go here.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  /// The errors since the last call as a Rejection of the step.
  Rejection takeRejection(llvm::StringRef step, llvm::StringRef fallbackReason,
                          llvm::StringRef remedy);

private:
  struct Entry {
    std::string location, message;
    bool isError;
  };
  std::vector<Entry> entries;
  mlir::ScopedDiagnosticHandler handler;
};

/// "file:line:column", or how the location prints if it has none.
std::string printLocation(mlir::Location location);

} // namespace egg

#endif // EGG_LIB_VERIFY_PROPOSAL_DIAGNOSTICCOLLECTOR_H
