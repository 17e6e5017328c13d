//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// JsonSchema: the subset of JSON Schema (draft 2020-12) that EGG's requests
// use, to check here what a server promised elsewhere. Keywords: type,
// properties, required, additionalProperties (true or false), enum, const,
// items, minimum, maximum, minLength, maxLength, minItems, maxItems; title,
// description, default, examples, $schema and $id are comments. Any other
// keyword is refused when the schema is read, so none is silently not checked.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_JSONSCHEMA_H
#define EGG_LLM_JSONSCHEMA_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace egg {

class JsonSchema {
public:
  /// The error names the place in the schema and what is wrong with it.
  static llvm::Expected<JsonSchema> parse(llvm::StringRef text);

  /// Whether the schema accepts the value; the error names the first place
  /// that it does not, by JSON pointer: "/kernels/2/name: expected a string of
  /// at most 40 characters, found one of 52".
  llvm::Error validate(const llvm::json::Value &value) const;

  const llvm::json::Value &document() const { return schema; }

private:
  explicit JsonSchema(llvm::json::Value schema) : schema(std::move(schema)) {}
  llvm::json::Value schema;
};

} // namespace egg

#endif // EGG_LLM_JSONSCHEMA_H
