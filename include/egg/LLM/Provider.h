//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ProviderConfig: how one kind of server is spoken to, as data. The client has
// no code for any single provider; lib/LLM/providers.json says what differs.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LLM_PROVIDER_H
#define EGG_LLM_PROVIDER_H

#include "egg/LLM/Chat.h"
#include <map>

namespace egg {

/// Where in a document of the server things are, as JSON pointers in which "*"
/// is each element of an array. Texts found are joined; of numbers and names
/// the first one counts. Empty: not said.
struct AnswerPointers {
  std::string text, refusal, finish, model;
  std::vector<std::string> inputTokens, outputTokens;
  /// An error's message and its kind ("overloaded_error").
  std::string errorMessage, errorKind;
};

/// A way to have the server hold the answer to the schema.
struct StructuredMode {
  /// "json_schema", "json_object".
  std::string name;
  /// Added to the request; the strings "$schema" and "$name" in it stand for
  /// the schema and its name.
  llvm::json::Object body;
  /// Whether the prompt must show the schema, as the server does not get it.
  bool showSchema = false;
};

struct ProviderConfig {
  std::string name;
  /// Scheme, host and path before `path`; empty: must be given.
  std::string baseUrl, path;
  /// The environment variable that the key is in, the header it goes to, and
  /// what precedes it there.
  std::string keyVariable, keyHeader, keyPrefix;
  bool keyRequired = false;
  std::map<std::string, std::string> headers;
  /// The request's field for system texts; empty: they are messages.
  std::string systemField;
  /// Names of fields; empty: the provider has none, and it is not sent.
  std::string maxTokensField, temperatureField, seedField;
  /// Tried in this order; after them comes the schema in the prompt alone.
  std::vector<StructuredMode> structured;
  /// Added to a request whose answer shall be streamed.
  llvm::json::Object streamBody;
  AnswerPointers answer, event;
  /// What ends a stream: the data of an event, or its field "type".
  std::string endData, endType;
  /// Reasons to finish and what they mean.
  std::map<std::string, ChatFinish> finish;
  /// Kinds of errors in a stream that asking again does not cure.
  std::vector<std::string> fatalErrors;
  /// A regular expression: what the answer's model may have after the name that
  /// was asked for (a date). Empty: nothing.
  std::string modelSuffix;
  /// Whether another model's name in the answer is an error; else it is noted.
  bool modelMustMatch = true;

  /// Whether the name in an answer is that of the model asked: itself, or with
  /// the provider's suffix.
  bool isNameOf(llvm::StringRef model, llvm::StringRef answeredBy) const;
};

/// The providers of lib/LLM/providers.json, compiled in.
const std::vector<ProviderConfig> &builtinProviders();

/// One of them; the error lists their names.
llvm::Expected<ProviderConfig> findProvider(llvm::StringRef name);

/// Reads a document of that format.
llvm::Expected<std::vector<ProviderConfig>>
parseProviders(llvm::StringRef text);

} // namespace egg

#endif // EGG_LLM_PROVIDER_H
