//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PromptLibrary: the prompts, which are files: Markdown with front matter,
// schemas of answers as JSON, and examples as payload and schedule. They are
// embedded at build time; a directory can stand in for them.
//
//   system/<role>/<stage>.md   what a role must know in a stage
//   user/<task>.md             what it is asked, with the facts
//   parts/<name>.md            what several of them share ({{>name}})
//   schemas/<name>.json        what it answers
//   examples/<name>/{payload,schedule}.mlir, examples/examples.json
//
//===----------------------------------------------------------------------===//
#ifndef EGG_AGENT_PROMPTLIBRARY_H
#define EGG_AGENT_PROMPTLIBRARY_H

#include "egg/Core/Stage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace egg {

/// One file of Markdown, taken apart.
struct PromptFile {
  /// Its path without ".md": "system/coder/algorithm".
  std::string name;
  /// Front matter. The role is analyst, coder, debugger or any; the stage a
  /// stage or any.
  std::string role, stage;
  std::vector<std::string> inputs;
  int64_t version = 0;
  /// A Mustache template over the inputs.
  std::string body;
};

/// Takes a file apart and checks it; the error names the file and the line.
llvm::Expected<PromptFile> parsePromptFile(llvm::StringRef name,
                                           llvm::StringRef text);

/// The names that a template uses: {{x}}, {{{x}}}, {{#x}}, {{^x}}; partials as
/// ">x".
std::vector<std::string> findPlaceholders(llvm::StringRef body);

struct PromptExample {
  std::string name;
  /// What a kernel of it is: map, rows, contraction or scan.
  std::string structure;
  /// The example fits payloads with an op whose name starts with one of these.
  std::vector<std::string> kinds;
  /// What it teaches, in a sentence.
  std::string teaches;
  std::string payload, schedule;
};

class PromptLibrary {
public:
  /// The files that are built in.
  static llvm::Expected<PromptLibrary> embedded();
  /// The files below a directory, all of them. The first that is missing or
  /// ill-formed is the error.
  static llvm::Expected<PromptLibrary> fromDirectory(llvm::StringRef path);
  /// The directory if one is given.
  static llvm::Expected<PromptLibrary> open(llvm::StringRef directory) {
    return directory.empty() ? embedded() : fromDirectory(directory);
  }

  /// Fills a template. Every input of the front matter must have a value, a
  /// string; an empty one leaves its sections out.
  llvm::Expected<std::string>
  render(llvm::StringRef name,
         const std::map<std::string, std::string> &inputs) const;

  const PromptFile &get(llvm::StringRef name) const;
  llvm::ArrayRef<PromptFile> files() const { return prompts; }
  /// A schema by its name: judgement, script, diagnosis.
  llvm::StringRef schema(llvm::StringRef name) const;
  llvm::ArrayRef<PromptExample> examples() const { return pairs; }
  /// SHA-256 of all files: the version of the prompts, for records.
  llvm::StringRef hash() const { return digest; }

private:
  using Files = std::map<std::string, std::string>;
  static llvm::Expected<PromptLibrary> build(const Files &files,
                                             llvm::StringRef where);
  llvm::Error addExamples(const Files &files, llvm::StringRef where);

  std::vector<PromptFile> prompts;
  std::map<std::string, std::string> schemas;
  std::vector<PromptExample> pairs;
  std::string digest;
};

} // namespace egg

#endif // EGG_AGENT_PROMPTLIBRARY_H
