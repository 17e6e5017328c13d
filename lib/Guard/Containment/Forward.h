//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes between a process and the child that works on a copy of its IR:
// operations as bytecode, diagnostics, and how far the child has come.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_GUARD_FORWARD_H
#define EGG_LIB_GUARD_FORWARD_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace egg {

/// What the child is doing, where the parent can read it after a crash.
class Progress {
public:
  static constexpr size_t kSize = 8192;

  Progress();
  Progress(const Progress &) = delete;
  ~Progress();
  /// In the child: makes noteProgress write here.
  void enterChild();
  void set(llvm::StringRef line);
  llvm::StringRef get() const { return text ? text : llvm::StringRef(); }

private:
  char *text;
};

/// Tells the parent what is about to run; nothing outside of a child.
void noteProgress(llvm::StringRef what, mlir::Location where);

mlir::Location parseLocation(llvm::StringRef text, mlir::Location fallback);

llvm::json::Object toJSON(mlir::Diagnostic &diagnostic);

/// Emits the diagnostics of a JSON array of them.
llvm::Error reportDiagnostics(llvm::StringRef text, mlir::Location fallback);

/// The one operation of the bytecode, in a block of its own.
mlir::Operation *fromBytecode(llvm::StringRef bytes, mlir::Block &block,
                              mlir::MLIRContext *context);

} // namespace egg

#endif // EGG_LIB_GUARD_FORWARD_H
