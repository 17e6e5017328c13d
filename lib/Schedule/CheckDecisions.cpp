//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CheckDecisions.h"
#include "egg/Schedule/Schedule.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace egg {

/// Of warnings, and of errors.
static constexpr size_t kMaxReported = 10;

/// What the op decides of its kernel, "" if nothing. Of the ops that map a
/// kernel there can be one.
static StringRef getDecision(Operation *op) {
  if (isa<MapElementsOp, MapRowsOp, MapTilesOp, MapScanOp>(op))
    return "mapping";
  if (isa<VectorizeOp, TileContractionOp, UnrollScanOp, StageInSharedOp>(op))
    return op->getName().getStringRef();
  return "";
}

LogicalResult checkDecisions(ModuleOp schedule) {
  size_t found = 0;
  for (auto kernel : schedule.getOps<ModuleOp>()) {
    llvm::StringMap<Operation *> decided;
    kernel.walk([&](Operation *op) {
      StringRef decision = getDecision(op);
      if (decision.empty())
        return;
      auto [first, isFirst] = decided.try_emplace(decision, op);
      if (isFirst || ++found > kMaxReported)
        return;
      InFlightDiagnostic diag =
          emitError(op->getLoc())
          << "[accept] '" << op->getName()
          << "' decides what was decided already for kernel @"
          << kernel.getSymName().value_or("") << "; keep one of the two";
      diag.attachNote(first->second->getLoc())
          << "the first is '" << first->second->getName() << "' here";
    });
  }
  return success(found == 0);
}

SmallVector<ScheduleWarning> findUnusedKnobs(ModuleOp schedule) {
  SmallVector<ScheduleWarning> warnings;
  schedule.walk([&](transform::tune::KnobOp knob) {
    if (knob->use_empty() && warnings.size() < kMaxReported)
      warnings.push_back(
          {knob.getLoc(),
           ("knob '" + knob.getName().getValue().take_front(80) +
            "' is used by nothing: did an op that uses it get lost?")
               .str()});
  });
  return warnings;
}

void warnUnusedKnobs(ModuleOp schedule) {
  for (const ScheduleWarning &warning : findUnusedKnobs(schedule))
    emitWarning(warning.place) << "[accept] " << warning.text;
}

} // namespace egg
