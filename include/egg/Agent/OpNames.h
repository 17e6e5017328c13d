//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// OpNames: the names of a payload's ops as a model sees them. They are what
// the importer calls them (kind and number), whatever the payload's file calls
// them: a name can hold any text.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_OPNAMES_H
#define EGG_AGENT_OPNAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace egg {

class OpNames {
public:
  /// Of the payload's named compute ops. A name that is one kind and number
  /// already stays.
  explicit OpNames(mlir::ModuleOp payload);

  /// The name for a model of an op of that name; a name that no op has comes
  /// back as a plain word.
  std::string shown(llvm::StringRef name) const;

  /// The names in a script's selects and egg.name attributes, for a model and
  /// back. What follows "_partial" of a known name is kept.
  std::string show(llvm::StringRef script) const;
  std::string restore(llvm::StringRef script) const;

  /// Every known name between quotes in a message.
  std::string showInMessage(llvm::StringRef message) const;

  /// Whether an op has another name for a model than in the payload: then its
  /// names may hold anything.
  bool renames() const { return renamed; }

private:
  using Map = llvm::StringMap<std::string>;
  static const std::string *find(const Map &map, llvm::StringRef name,
                                 llvm::StringRef &suffix);
  std::string rename(llvm::StringRef script, const Map &map) const;

  /// By the name as it stands between quotes in MLIR text.
  Map toShown, toOriginal;
  bool renamed = false;
};

} // namespace egg

#endif // EGG_AGENT_OPNAMES_H
