//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How a fault of a kernel, or a result that differs, is told to the author of
// a schedule, or of the kernel itself (VerifyOptions::handWritten).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_NUMERIC_NUMERICREJECTIONS_H
#define EGG_LIB_VERIFY_NUMERIC_NUMERICREJECTIONS_H

#include "../Proposal/DiagnosticCollector.h"
#include "egg/Core/Plan.h"
#include "egg/Core/Rejection.h"
#include "egg/Host/HostTensor.h"
#include "egg/Verify/Compare.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace egg {

/// An error from running a payload or its kernels, as a Rejection; a diagnostic
/// says more than the error that follows from it.
Rejection explainFailure(llvm::Error error, llvm::StringRef step,
                         llvm::StringRef shapes, bool handWritten,
                         DiagnosticCollector &diagnostics);

/// At which extents it was found, as a note.
std::string noteExtents(llvm::StringRef shapes, bool handWritten);

/// "result 0 'output_0'".
std::string nameResult(size_t number, const TensorSpec &spec);

/// The worst element of result `number` that is not the payload's.
Rejection describeMismatch(const Comparison &comparison, size_t number,
                           const TensorSpec &spec, const HostTensor &got,
                           bool handWritten);

/// The rule `match`, over all elements of a result.
std::optional<Rejection> checkPrecision(const HostTensor &reference,
                                        const HostTensor &native,
                                        const HostTensor &got, size_t number,
                                        const TensorSpec &spec);

/// A zero of the other sign than the payload's.
Rejection describeWrongZero(int64_t element, size_t number,
                            const TensorSpec &spec, const HostTensor &got);

} // namespace egg

#endif // EGG_LIB_VERIFY_NUMERIC_NUMERICREJECTIONS_H
