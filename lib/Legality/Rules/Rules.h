//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules; each adds what it finds of one kernel to its record.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LEGALITY_RULES_H
#define EGG_LIB_LEGALITY_RULES_H

#include "egg/Legality/KernelFacts.h"
#include "egg/Legality/Legality.h"

namespace egg::legality {

/// Where a rule writes down what it finds.
class Record {
public:
  explicit Record(KernelLegality &kernel) : kernel(kernel) {}

  void proved(Property property) { ++kernel.counts[size_t(property)].proved; }
  void undecided(Property property, mlir::Operation *op, std::string reason) {
    ++kernel.counts[size_t(property)].undecided;
    add({property, Outcome::Undecided, op->getName().getStringRef().str(),
         op->getLoc(), std::move(reason), "", ""});
  }
  void violated(Property property, mlir::Operation *op, std::string reason,
                std::string witness, std::string remedy) {
    ++kernel.counts[size_t(property)].violated;
    add({property, Outcome::Violated, op->getName().getStringRef().str(),
         op->getLoc(), std::move(reason), std::move(witness),
         std::move(remedy)});
  }

private:
  void add(LegalityFinding finding) {
    kernel.findings.push_back(std::move(finding));
  }
  KernelLegality &kernel;
};

/// Bounds, Alignment and IndexWidth of each access.
void checkAccesses(KernelFacts &facts, Record &record);
/// Barriers.
void checkBarriers(KernelFacts &facts, Record &record);
/// Conflicts: stores to memory that the kernel was given.
void checkConflicts(KernelFacts &facts, Record &record);
/// SharedRaces.
void checkSharedMemory(KernelFacts &facts, Record &record);
/// Accumulators.
void checkAccumulators(KernelFacts &facts, Record &record);
/// Resources: the kernel's own and those of the launch (may be null).
void checkResources(mlir::gpu::GPUFuncOp kernel, const Launch *launch,
                    mlir::DictionaryAttr launchAttr, const TargetInfo &target,
                    Record &record);

} // namespace egg::legality

#endif // EGG_LIB_LEGALITY_RULES_H
