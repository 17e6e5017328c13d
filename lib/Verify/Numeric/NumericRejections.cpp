//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NumericRejections.h"
#include "egg/Emulator/Emulation.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace egg;

/// What can be done about a fault by the author of a kernel, or of a schedule.
static llvm::StringRef adviseOn(SimtFault::Kind kind, bool handWritten) {
  switch (kind) {
  case SimtFault::Kind::DataRace:
  case SimtFault::Kind::UninitializedRead:
  case SimtFault::Kind::DivergentBarrier:
  case SimtFault::Kind::DivergentShuffle:
  case SimtFault::Kind::Deadlock:
  case SimtFault::Kind::MissingWait:
  case SimtFault::Kind::MissingFence:
  case SimtFault::Kind::InvalidOperation:
    return handWritten
               ? "look at the barriers, waits and fences on the way there; the "
                 "fault is in how the kernel's threads cooperate"
               : "map the kernel to threads in another way (threads a row, "
                 "tile sizes, stages); the fault is in how its threads "
                 "cooperate";
  case SimtFault::Kind::OutOfBounds:
  case SimtFault::Kind::UnwrittenOutput:
  case SimtFault::Kind::Misaligned:
    return handWritten
               ? "look at the kernel's indices, and at the conditions that "
                 "guard them where a buffer ends"
               : "choose tile sizes or vector widths whose remainders the "
                 "kernel handles; the fault shows at the edge of a tensor";
  case SimtFault::Kind::WrongSpace:
    return "give the pointer the address space of the memory that it is "
           "derived from";
  case SimtFault::Kind::WriteToInput:
    return handWritten ? "make the buffer an output of the launch"
                       : "form the kernel so that it returns what it writes";
  }
  llvm_unreachable("all kinds are listed");
}

static Rejection toNumericRejection(llvm::Error error, llvm::StringRef step,
                                    bool handWritten) {
  Rejection rejection;
  rejection.step = step.str();
  llvm::handleAllErrors(
      std::move(error),
      [&](const SimtFault &fault) {
        rejection.location =
            fault.location.empty() ? "kernel " + fault.kernel : fault.location;
        rejection.reason = fault.message();
        rejection.remedy = adviseOn(fault.kind, handWritten).str();
      },
      [&](const RejectionError &refused) {
        rejection = refused.get();
        rejection.step = step.str();
      },
      [&](const llvm::ErrorInfoBase &other) {
        rejection.reason = other.message();
        rejection.remedy = "write the kernel with ops that the CPU execution "
                           "knows, or report the op";
      });
  return rejection;
}

std::string egg::nameResult(size_t number, const TensorSpec &spec) {
  return "result " + std::to_string(number) +
         (spec.name.empty() ? "" : " '" + spec.name + "'");
}

/// Errors beyond this many times of what is allowed are not called rounding.
static constexpr double kMostOfRounding = 100;

Rejection egg::describeMismatch(const Comparison &comparison, size_t number,
                                const TensorSpec &spec, const HostTensor &got,
                                bool handWritten) {
  Rejection rejection;
  rejection.step = "numeric";
  rejection.location = nameResult(number, spec);
  rejection.reason = llvm::formatv(
      "{0} of {1} elements differ from the payload; the worst at "
      "{2} is {3}, should be {4} (fp64; the payload in its own "
      "precision gives {5}); allowed is a difference of {6}, by what the "
      "payload's own rounding explains",
      comparison.mismatches, got.getNumElements(),
      got.formatIndex(comparison.worst), llvm::format("%.9g", comparison.got),
      llvm::format("%.9g", comparison.expected),
      llvm::format("%.9g", comparison.native),
      llvm::format("%.3g", comparison.tolerance));
  std::string look = handWritten ? "look at what the kernel writes there: "
                                 : "look at the kernel that writes this "
                                   "result: ";
  double times =
      std::abs(comparison.got - comparison.expected) / comparison.tolerance;
  if (times < kMostOfRounding)
    rejection.remedy =
        look +
        llvm::formatv("at {0} times of what is allowed it may be the same "
                      "formula with coarser rounding (differences of large "
                      "sums, factors that amplify errors), or a small term "
                      "that is missing",
                      llvm::format("%.2g", times))
            .str();
  else
    rejection.remedy = look + "it is something else, not the same with other "
                              "rounding";
  return rejection;
}

std::optional<Rejection> egg::checkPrecision(const HostTensor &reference,
                                             const HostTensor &native,
                                             const HostTensor &got,
                                             size_t number,
                                             const TensorSpec &spec) {
  if (!got.isFloat())
    return std::nullopt;
  RmsErrors errors = measureRmsErrors(reference, native, got);
  // Written so that NaN fails too.
  if (errors.got <= errors.allowed)
    return std::nullopt;
  Rejection rejection;
  rejection.step = "precision";
  rejection.location = nameResult(number, spec);
  rejection.reason = llvm::formatv(
      "the error against fp64 is {0} (root mean square over all elements), "
      "that of the payload in its own precision {1}; allowed is twice that, "
      "{2}",
      llvm::format("%.3g", errors.got), llvm::format("%.3g", errors.native),
      llvm::format("%.3g", errors.allowed));
  rejection.remedy = "add the products of fewer steps in the tensor cores' "
                     "accumulators before they are added in f32, or ask for "
                     "less precision";
  return rejection;
}

Rejection egg::describeWrongZero(int64_t element, size_t number,
                                 const TensorSpec &spec,
                                 const HostTensor &got) {
  Rejection rejection;
  rejection.step = "numeric";
  rejection.location = nameResult(number, spec);
  rejection.reason = llvm::formatv(
      "the zero at {0} has the other sign than in the payload, which adds "
      "nothing on the way there; it should be {1}0",
      got.formatIndex(element),
      std::signbit(got.getFloat(element)) ? "+" : "-");
  rejection.remedy =
      "compute with the payload's operations where the sign of "
      "a zero counts: 0 - x is not -x, nor a selection a maximum";
  return rejection;
}

Rejection egg::explainFailure(llvm::Error error, llvm::StringRef step,
                              llvm::StringRef shapes, bool handWritten,
                              DiagnosticCollector &diagnostics) {
  Rejection rejection = toNumericRejection(std::move(error), step, handWritten);
  Rejection diagnosed =
      diagnostics.takeRejection(step, rejection.reason, rejection.remedy);
  if (rejection.location.empty())
    rejection = std::move(diagnosed);
  rejection.notes.push_back(noteExtents(shapes, handWritten));
  return rejection;
}

std::string egg::noteExtents(llvm::StringRef shapes, bool handWritten) {
  return ((handWritten ? "at the extents " : "at the small extents ") + shapes)
      .str();
}
