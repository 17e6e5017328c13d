//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A schedule file: how its untrusted text becomes an accepted module, and how
// it names the payload it is for.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_SCHEDULE_SCHEDULE_H
#define EGG_SCHEDULE_SCHEDULE_H

#include "egg/Core/ScheduleFormat.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace egg {

/// Whether paddings that stand for operands have them: the number itself
/// (-2^63), written out, passes MLIR's verifier without one, and printing the
/// operation then reads beyond its operands. An error otherwise. Of sizes and
/// offsets the verifiers count the operands.
mlir::LogicalResult checkPrintable(mlir::ModuleOp payload);

/// The payload as text, without locations: what the hash is taken of.
std::string printPayload(mlir::ModuleOp payload);

/// SHA-256 of printPayload, in lower-case hexadecimal.
std::string hashPayload(mlir::ModuleOp payload);

/// Parses and accepts the text of a schedule file; `name` stands for the file
/// in diagnostics. Text is untrusted: it is refused when it is larger than 8
/// MiB, nested deeper than 64, or not a schedule (see acceptSchedule). What
/// does not parse, or a knob whose value is not an option, is one error at its
/// place.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
parseSchedule(llvm::StringRef text, llvm::StringRef name,
              mlir::MLIRContext *context);

/// The text of a schedule file. Without a path, or if the file cannot be read,
/// says so at `where`.
mlir::FailureOr<std::string> readScheduleText(llvm::StringRef path,
                                              mlir::Location where);

/// Accepts a module as a schedule: the version is known; there is `@algorithm`
/// and, in modules of one level, the three hardware sequences; they hold only
/// ops of their stage's list; every knob is resolved to one of its options, and
/// no kernel has two ops that decide the same.
/// Emits one diagnostic a violation, at most ten.
mlir::LogicalResult acceptSchedule(mlir::ModuleOp schedule);

struct ScheduleWarning {
  mlir::Location place;
  std::string text;
};

/// The knobs of an accepted schedule whose value goes nowhere, at most ten: an
/// op was dropped, or uses another value.
llvm::SmallVector<ScheduleWarning> findUnusedKnobs(mlir::ModuleOp schedule);

/// Emits them as warnings.
void warnUnusedKnobs(mlir::ModuleOp schedule);

} // namespace egg

#endif // EGG_SCHEDULE_SCHEDULE_H
