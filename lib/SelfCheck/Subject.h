//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Subjects: what the self-check breaks. A workload with the kernels that the
// expert makes for it, or one whose kernel is given.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_SELFCHECK_SUBJECT_H
#define EGG_LIB_SELFCHECK_SUBJECT_H

#include "egg/SelfCheck/SelfCheck.h"
#include <memory>

namespace egg::selfcheck {

class Subject {
public:
  virtual ~Subject() = default;
  const std::string &getName() const { return name; }

  /// What a kind of mutation does at each of its places.
  std::vector<std::string> describeSites(const Mutation &mutation) const;
  /// How many places of one kind are broken.
  virtual size_t countMutants(size_t sites) const = 0;

  /// Checks the kernels, broken at the place that `number` picks (modulo their
  /// count) where a mutation is given.
  virtual llvm::Expected<Verification> verify(const Mutation *mutation,
                                              uint64_t number) = 0;
  /// How an accepted mutant's results differ; empty when it is no wrong kernel.
  virtual llvm::Expected<std::string> findDifference(const Mutation &mutation,
                                                     uint64_t number) = 0;

protected:
  Subject(const mlir::DialectRegistry &registry, llvm::StringRef name,
          const SelfCheckOptions &options)
      : context(registry, mlir::MLIRContext::Threading::DISABLED),
        name(name.str()), options(options) {}

  // Children that are forked to run kernels find them here.
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> payload, kernels;
  std::string name;
  const SelfCheckOptions &options;
};

/// Errors: the expert has no script for the payload.
llvm::Expected<std::unique_ptr<Subject>>
makeScheduledSubject(const mlir::DialectRegistry &registry,
                     const WorkloadClass &workload,
                     const SelfCheckOptions &options);

std::unique_ptr<Subject> makeGivenSubject(const mlir::DialectRegistry &registry,
                                          const KernelClass &kernel,
                                          const SelfCheckOptions &options);

/// The payload as the importer would leave it.
mlir::OwningOpRef<mlir::ModuleOp> parsePayload(llvm::StringRef text,
                                               mlir::MLIRContext &context);

} // namespace egg::selfcheck

#endif // EGG_LIB_SELFCHECK_SUBJECT_H
