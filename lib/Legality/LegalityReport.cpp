//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Legality/Legality.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace egg;

static constexpr std::array<llvm::StringLiteral, kProperties> kNames = {
    "bounds",    "alignment",    "index-width",  "barriers",
    "conflicts", "shared-races", "accumulators", "resources"};

/// What is counted, one and several, and what is proved of it.
static constexpr std::array<std::array<llvm::StringLiteral, 3>, kProperties>
    kSentences = {
        {{"access", "accesses", "in bounds"},
         {"vector access", "vector accesses", "aligned"},
         {"index", "indices", "free of overflow"},
         {"barrier or shuffle", "barriers and shuffles", "met by all threads"},
         {"store", "stores", "of one thread an element"},
         {"shared buffer", "shared buffers", "free of races"},
         {"accumulator", "accumulators", "started right"},
         {"limit", "limits", "kept"}}};

llvm::StringRef egg::stringifyProperty(Property property) {
  return kNames[size_t(property)];
}

llvm::StringRef egg::stringifyOutcome(Outcome outcome) {
  switch (outcome) {
  case Outcome::Proved:
    return "proved";
  case Outcome::Violated:
    return "violated";
  case Outcome::Undecided:
    return "undecided";
  }
  llvm_unreachable("all outcomes are listed");
}

std::pair<const KernelLegality *, const LegalityFinding *>
LegalityReport::firstViolation() const {
  for (const KernelLegality &kernel : kernels)
    for (const LegalityFinding &finding : kernel.findings)
      if (finding.outcome == Outcome::Violated)
        return {&kernel, &finding};
  return {nullptr, nullptr};
}

PropertyCount LegalityReport::total(Property property) const {
  PropertyCount sum;
  for (const KernelLegality &kernel : kernels) {
    sum.proved += kernel[property].proved;
    sum.violated += kernel[property].violated;
    sum.undecided += kernel[property].undecided;
  }
  return sum;
}

std::string LegalityReport::summary() const {
  if (kernels.empty())
    return "there are no kernels";
  std::string text, left;
  for (size_t i = 0; i < kProperties; ++i) {
    PropertyCount count = total(Property(i));
    if (count.total() == 0)
      continue;
    text += llvm::formatv("{0}{1} of {2} {3} {4}", text.empty() ? "" : ", ",
                          count.proved, count.total(),
                          kSentences[i][count.total() == 1 ? 0 : 1],
                          kSentences[i][2]);
    if (count.undecided != 0)
      left += llvm::formatv("{0}{1} of {2}", left.empty() ? "" : ", ",
                            count.undecided, kNames[i]);
  }
  if (left.empty())
    return text;
  // The distinct reasons; there are few.
  std::set<std::string> reasons;
  for (const KernelLegality &kernel : kernels)
    for (const LegalityFinding &finding : kernel.findings)
      if (finding.outcome == Outcome::Undecided && reasons.size() < 4)
        reasons.insert(finding.reason);
  return text + "; left to emulation: " + left + " (" +
         llvm::join(reasons, "; ") + ")";
}

std::string egg::describe(const KernelLegality &kernel,
                          const LegalityFinding &finding) {
  std::string text = "kernel '" + kernel.kernel + "': ";
  if (!finding.operation.empty())
    text += finding.operation + ": ";
  text += finding.reason;
  if (!finding.witness.empty())
    text += "; " + finding.witness;
  return text;
}

static std::string printLocation(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  return text;
}

/// Notes that a Rejection keeps.
static constexpr size_t kMostNotes = 10;

std::optional<Rejection> egg::toRejection(const LegalityReport &report) {
  auto [kernel, first] = report.firstViolation();
  if (!first)
    return std::nullopt;
  Rejection rejection;
  rejection.step = "legality";
  rejection.location = printLocation(first->location);
  if (rejection.location.empty())
    rejection.location = "kernel " + kernel->kernel;
  rejection.reason = describe(*kernel, *first);
  rejection.remedy = first->remedy;
  for (const KernelLegality &other : report.kernels)
    for (const LegalityFinding &finding : other.findings)
      if (finding.outcome == Outcome::Violated && &finding != first &&
          rejection.notes.size() < kMostNotes)
        rejection.notes.push_back(describe(other, finding));
  return rejection;
}

llvm::json::Value egg::toJSONValue(const LegalityReport &report) {
  llvm::json::Array kernels;
  for (const KernelLegality &kernel : report.kernels) {
    llvm::json::Object counts;
    for (size_t i = 0; i < kProperties; ++i)
      if (kernel.counts[i].total() != 0)
        counts[kNames[i]] =
            llvm::json::Object{{"proved", kernel.counts[i].proved},
                               {"violated", kernel.counts[i].violated},
                               {"undecided", kernel.counts[i].undecided}};
    llvm::json::Array findings;
    for (const LegalityFinding &finding : kernel.findings) {
      findings.push_back(
          llvm::json::Object{{"property", stringifyProperty(finding.property)},
                             {"outcome", stringifyOutcome(finding.outcome)},
                             {"operation", finding.operation},
                             {"location", printLocation(finding.location)},
                             {"reason", finding.reason},
                             {"witness", finding.witness},
                             {"remedy", finding.remedy}});
    }
    kernels.push_back(llvm::json::Object{{"kernel", kernel.kernel},
                                         {"counts", std::move(counts)},
                                         {"findings", std::move(findings)}});
  }
  return llvm::json::Object{{"kernels", std::move(kernels)}};
}
