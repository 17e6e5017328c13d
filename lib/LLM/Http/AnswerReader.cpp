//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WireFormat.h"
#include "egg/LLM/JsonText.h"

using namespace llvm;

namespace egg {

Error AnswerReader::protocolError(const Twine &what) const {
  return makeChatError(ChatErrorKind::Protocol, what,
                       "see that the base URL is the API of provider '" +
                           provider.name + "'");
}

static void takeText(const json::Value &document, StringRef pointer,
                     std::string &text) {
  if (pointer.empty())
    return;
  for (const json::Value *value : valuesAt(document, pointer))
    text += value->getAsString().value_or("");
}

static void takeName(const json::Value &document, StringRef pointer,
                     std::string &name) {
  std::string found;
  takeText(document, pointer, found);
  if (!found.empty())
    name = std::move(found);
}

/// Whether what the document says is a count, if it says something.
static bool takeCount(const json::Value &document,
                      ArrayRef<std::string> pointers,
                      std::optional<int64_t> &count) {
  for (const std::string &pointer : pointers) {
    const json::Value *value = valueAt(document, pointer);
    if (!value || value->kind() == json::Value::Null)
      continue;
    std::optional<int64_t> number = value->getAsInteger();
    if (!number || *number < 0)
      return false;
    count = *number;
    return true;
  }
  return true;
}

void AnswerReader::takeDocument(const json::Value &document,
                                const AnswerPointers &pointers) {
  takeText(document, pointers.text, text);
  takeText(document, pointers.refusal, refusal);
  takeName(document, pointers.finish, finish);
  takeName(document, pointers.model, answeredBy);
  for (auto [pointersOf, count] :
       {std::pair(&pointers.inputTokens, &inputTokens),
        {&pointers.outputTokens, &outputTokens}})
    oddUsage |= !takeCount(document, *pointersOf, *count);
}

Error AnswerReader::takeBody(StringRef body, StringRef contentType) {
  Expected<json::Value> document = parseUntrustedJson(body);
  if (!document)
    return protocolError("what came is not the API's JSON but '" +
                         showText(contentType) +
                         "': " + toString(document.takeError()) + " in '" +
                         showText(body.take_front(120)) + "'");
  takeDocument(*document, provider.answer);
  return Error::success();
}

bool AnswerReader::takePiece(StringRef piece) {
  if (!eventCount)
    raw += piece;
  events.feed(piece, [this](StringRef data) { takeEvent(data); });
  return !ended && !failed;
}

void AnswerReader::takeEvent(StringRef data) {
  if (ended || failed)
    return;
  ++eventCount;
  if (!provider.endData.empty() && data.trim() == provider.endData) {
    ended = true;
    return;
  }
  Expected<json::Value> document = parseUntrustedJson(data);
  if (!document) {
    failed = takeFacts(protocolError(
        "event " + Twine(eventCount) +
        " of the stream is not JSON: " + toString(document.takeError()) +
        " in '" + showText(data.take_front(120)) + "'"));
    return;
  }
  const json::Object *object = document->getAsObject();
  if (object && object->get("error") &&
      object->get("error")->kind() != json::Value::Null) {
    std::string kind;
    takeText(*document, provider.event.errorKind, kind);
    bool fatal = is_contained(provider.fatalErrors, kind);
    failed = takeFacts(makeChatError(
        fatal ? ChatErrorKind::Protocol : ChatErrorKind::ServerFault,
        "the server ended the stream with an error: " +
            describeErrorBody(provider, data),
        fatal ? "change the request" : "ask again later"));
    return;
  }
  takeDocument(*document, provider.event);
  if (object && !provider.endType.empty() &&
      object->getString("type") == StringRef(provider.endType))
    ended = true;
}

Error AnswerReader::finishStream(StringRef contentType) {
  events.finish([this](StringRef data) { takeEvent(data); });
  if (failed)
    return makeChatError(*failed);
  if (!eventCount) {
    // Some servers do not stream although asked to.
    if (!StringRef(raw).ltrim().starts_with("{"))
      return protocolError("what came is no stream but '" +
                           showText(contentType) + "': '" +
                           showText(StringRef(raw).take_front(120)) + "'");
    notes.push_back("the server does not stream");
    return takeBody(raw, contentType);
  }
  if (ended)
    return Error::success();
  // The model is done when the reason is there; only the end mark is missing.
  if (finish.empty())
    return makeChatError(ChatErrorKind::Unreachable,
                         "the stream ended after " + Twine(eventCount) +
                             " events without the answer's end",
                         "ask again");
  notes.push_back("the stream had no end mark");
  return Error::success();
}

Error AnswerReader::checkModel(bool allowOtherModel) {
  if (answeredBy.empty()) {
    notes.push_back("the server does not say which model answered");
    answeredBy = model;
    return Error::success();
  }
  if (answeredBy == model)
    return Error::success();
  std::string said = "asked for model '" + model + "', '" +
                     showText(answeredBy) + "' answered";
  if (!provider.isNameOf(model, answeredBy) && provider.modelMustMatch &&
      !allowOtherModel) {
    ChatError::Facts facts;
    facts.kind = ChatErrorKind::BadAnswer;
    facts.message = said;
    facts.remedy = "ask for that model by its name, or allow others";
    facts.model = json::fixUTF8(answeredBy);
    return makeChatError(std::move(facts));
  }
  notes.push_back(said);
  return Error::success();
}

Expected<ChatAnswer> AnswerReader::answer(bool allowOtherModel) {
  if (Error error = checkModel(allowOtherModel))
    return std::move(error);
  ChatAnswer answer;
  answer.model = json::fixUTF8(answeredBy);
  answer.text = text;
  if (oddUsage)
    inputTokens = outputTokens = std::nullopt;
  answer.usage = {inputTokens.value_or(inputTokenBound(request)),
                  outputTokens.value_or(request.maxOutputTokens),
                  inputTokens && outputTokens};
  if (!answer.usage.known)
    notes.push_back(
        std::string(oddUsage ? "what the server says of the tokens used is no "
                               "number of them"
                             : "the server does not say how many tokens were "
                               "used") +
        ": an upper bound is counted");
  if (!refusal.empty()) {
    answer.finish = ChatFinish::Refused;
    answer.text = refusal;
  } else {
    auto known = provider.finish.find(finish);
    if (finish.empty())
      return protocolError("the answer does not say how it ended");
    if (known == provider.finish.end())
      return protocolError("the answer ended for the unknown reason '" +
                           showText(finish) + "'");
    answer.finish = known->second;
  }
  if (request.seed && provider.seedField.empty())
    notes.push_back("provider '" + provider.name +
                    "' takes no seed: it was not sent");
  answer.notes = notes;
  return answer;
}

} // namespace egg
