//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An llvm::Error that remembers where in the IR it is about, so that a pass can
// turn it into a diagnostic there.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LOWERING_LOCATEDERROR_H
#define EGG_LIB_LOWERING_LOCATEDERROR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"
#include <string>

namespace egg {

class LocatedError : public llvm::ErrorInfo<LocatedError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): llvm::ErrorInfo
  LocatedError(mlir::Location location, std::string message)
      : location(location), text(std::move(message)) {}

  mlir::Location getLocation() const { return location; }
  /// What is wrong, without the place.
  llvm::StringRef getText() const { return text; }

  /// "file:line:column: what".
  void log(llvm::raw_ostream &os) const override {
    if (auto file = location->findInstanceOf<mlir::FileLineColLoc>())
      os << file.getFilename().getValue() << ":" << file.getLine() << ":"
         << file.getColumn() << ": ";
    os << text;
  }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  mlir::Location location;
  std::string text;
};

} // namespace egg

#endif // EGG_LIB_LOWERING_LOCATEDERROR_H
