//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RefuseSubstitution.h"
#include "DiagnosticCollector.h"
#include "egg/Core/ScheduleFormat.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;

static Rejection refuse(std::string reason, std::string remedy) {
  Rejection rejection;
  rejection.step = "exact";
  rejection.location = "@" + kSubstitutionName.str();
  rejection.reason = std::move(reason);
  rejection.remedy = std::move(remedy);
  return rejection;
}

Rejection egg::refuseUnproved(const Verdict &verdict, bool isTooLarge) {
  Rejection rejection = refuse(
      llvm::formatv(
          "the substitution was not shown to be equal: the verdict is "
          "'{0}', and a substitution needs 'exact'",
          stringifyGrade(verdict.grade)),
      isTooLarge
          ? "results are compared at small extents, which hold every tile and "
            "part of a split: with fewer parts, smaller tiles, or one split "
            "instead of two they can be smaller, so that the check can run"
          : "use operations whose equality the exact check can decide, or "
            "leave the substitution out");
  for (const std::string &skipped : verdict.skipped)
    rejection.notes.push_back("skipped: " + skipped);
  return rejection;
}

Rejection egg::refuseMerged(const DistinctPairs &merged) {
  Rejection rejection =
      refuse("the substitution was compared only where extents or positions "
             "that differ at full size are equal",
             "use fewer different extents and offsets in the functions that "
             "replace something");
  for (auto [along, a, b] : merged)
    rejection.notes.push_back(
        along == 0 ? llvm::formatv(
                         "{0} and {1} are the same at all small extents", a, b)
                         .str()
                   : llvm::formatv("positions {0} and {1} along an extent of "
                                   "{2} are the same, or in another order, at "
                                   "all small extents",
                                   a, b, along)
                         .str());
  return rejection;
}

/// Constants that are named of those that are numbers of elements.
/// Calls back with each float type that something in the module computes or
/// takes.
static void
forEachFloat(mlir::ModuleOp module,
             llvm::function_ref<void(mlir::FloatType, mlir::Operation *)> see) {
  module.walk([&](mlir::Operation *op) {
    auto seeAll = [&](mlir::TypeRange types) {
      for (mlir::Type type : types)
        if (auto floats = llvm::dyn_cast<mlir::FloatType>(
                mlir::getElementTypeOrSelf(type)))
          see(floats, op);
    };
    seeAll(op->getResultTypes());
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        seeAll(block.getArgumentTypes());
  });
}

std::optional<Rejection> egg::refuseNarrowerFloats(mlir::ModuleOp payload,
                                                   mlir::ModuleOp schedule) {
  mlir::FloatType least, narrower;
  mlir::Operation *place = nullptr;
  forEachFloat(payload, [&](mlir::FloatType type, mlir::Operation *) {
    if (!least || type.getFPMantissaWidth() < least.getFPMantissaWidth())
      least = type;
  });
  forEachFloat(schedule, [&](mlir::FloatType type, mlir::Operation *op) {
    if (least && !narrower &&
        type.getFPMantissaWidth() < least.getFPMantissaWidth()) {
      narrower = type;
      place = op;
    }
  });
  if (!narrower)
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << narrower;
  std::string other;
  llvm::raw_string_ostream(other) << least;
  Rejection rejection =
      refuse(llvm::formatv("the substitution computes in {0}, at {1}; nothing "
                           "of the payload has fewer bits than {2}",
                           name, printLocation(place->getLoc()), other),
             "use " + other + " or more");
  return rejection;
}

static constexpr size_t kMaxNamed = 8;

static std::string describe(const CountConstant &count) {
  std::string constant = llvm::formatv("the constant {0} at {1}",
                                       llvm::format("%.9g", count.value),
                                       printLocation(count.location));
  if (count.scaled)
    return llvm::formatv("{0} was taken for a number of elements: {1} at the "
                         "small extents",
                         constant, llvm::format("%.9g", *count.scaled));
  return constant + " is the number of elements of a sum (or one over it, or "
                    "two) and was left as it is at the small extents, since "
                    "the data flow does not tell of which";
}

void egg::explainCounts(llvm::ArrayRef<CountConstant> counts,
                        Rejection &rejection) {
  auto isKept = [](const CountConstant &count) { return !count.scaled; };
  std::vector<std::string> notes;
  for (bool kept : {true, false})
    for (const CountConstant &count : counts)
      if (isKept(count) == kept)
        if (std::string note = describe(count);
            !llvm::is_contained(notes, note))
          notes.push_back(std::move(note));
  notes.resize(std::min(notes.size(), kMaxNamed));
  llvm::append_range(rejection.notes, notes);
  if (llvm::any_of(counts, isKept))
    rejection.remedy +=
        std::string(rejection.remedy.empty() ? "" : "; ") +
        "or it differs at the small extents alone, where a constant that the "
        "notes name did not follow them: divide each sum by its own number of "
        "elements, directly after it";
}
