//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/JsonSchema.h"
#include "egg/LLM/JsonText.h"
#include "egg/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace egg {

namespace {

constexpr StringLiteral kTypes[] = {"null",   "boolean", "integer", "number",
                                    "string", "array",   "object"};
constexpr StringLiteral kComments[] = {"title",    "description", "default",
                                       "examples", "$schema",     "$id"};
constexpr StringLiteral kCounts[] = {"minLength", "maxLength", "minItems",
                                     "maxItems"};

Error errorAt(StringRef pointer, const Twine &what) {
  return createStringError(inconvertibleErrorCode(),
                           (pointer.empty() ? "the value" : pointer) + ": " +
                               what);
}

/// Untrusted words in a message: short, and on one line.
std::string quote(StringRef text) {
  std::string shown = json::fixUTF8(text.take_front(60));
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return "'" + shown + (text.size() > 60 ? "...'" : "'");
}

/// A part of a JSON pointer.
std::string escape(StringRef key) {
  std::string text;
  for (char c : key.take_front(60))
    text += c == '~' ? std::string("~0") : c == '/' ? "~1" : std::string(1, c);
  return json::isUTF8(text) ? text : json::fixUTF8(text);
}

std::vector<StringRef> typesOf(const json::Object &schema) {
  const json::Value *type = schema.get("type");
  std::vector<StringRef> types;
  if (!type)
    return types;
  if (auto one = type->getAsString())
    return {*one};
  if (const json::Array *several = type->getAsArray())
    for (const json::Value &each : *several)
      types.push_back(each.getAsString().value_or(""));
  return types;
}

bool isInteger(const json::Value &value) {
  if (value.getAsInteger() || value.getAsUINT64())
    return true;
  std::optional<double> number = value.getAsNumber();
  return number && std::isfinite(*number) && std::trunc(*number) == *number;
}

bool hasType(const json::Value &value, StringRef type) {
  switch (value.kind()) {
  case json::Value::Null:
    return type == "null";
  case json::Value::Boolean:
    return type == "boolean";
  case json::Value::Number:
    return type == "number" || (type == "integer" && isInteger(value));
  case json::Value::String:
    return type == "string";
  case json::Value::Array:
    return type == "array";
  case json::Value::Object:
    return type == "object";
  }
  llvm_unreachable("unknown kind");
}

StringRef kindOf(const json::Value &value) {
  for (StringRef type : kTypes)
    if (hasType(value, type))
      return type;
  llvm_unreachable("a value without a type");
}

/// Whether a text is one that the schemas' keywords can be read from.
class SchemaChecker {
public:
  Error check(const json::Value &value, const std::string &pointer) {
    const json::Object *schema = value.getAsObject();
    if (!schema)
      return errorAt(pointer, "a schema is an object");
    for (const auto &[name, keyword] : *schema)
      if (Error error =
              checkKeyword(name, keyword, pointer + "/" + escape(name)))
        return error;
    return Error::success();
  }

private:
  Error checkKeyword(StringRef name, const json::Value &value,
                     const std::string &pointer) {
    if (is_contained(kComments, name) || name == "const")
      return Error::success();
    if (name == "type")
      return checkType(value, pointer);
    if (name == "properties") {
      const json::Object *properties = value.getAsObject();
      if (!properties)
        return errorAt(pointer, "expected an object");
      for (const auto &[key, property] : *properties)
        if (Error error = check(property, pointer + "/" + escape(key)))
          return error;
      return Error::success();
    }
    if (name == "items")
      return check(value, pointer);
    if (name == "additionalProperties")
      return value.getAsBoolean() ? Error::success()
                                  : errorAt(pointer, "expected true or false");
    if (name == "required") {
      const json::Array *names = value.getAsArray();
      return names && all_of(*names,
                             [](const json::Value &each) {
                               return each.getAsString().has_value();
                             })
                 ? Error::success()
                 : errorAt(pointer, "expected an array of strings");
    }
    if (name == "enum") {
      const json::Array *values = value.getAsArray();
      return values && !values->empty()
                 ? Error::success()
                 : errorAt(pointer, "expected an array with elements");
    }
    if (name == "minimum" || name == "maximum")
      return value.getAsNumber() ? Error::success()
                                 : errorAt(pointer, "expected a number");
    if (is_contained(kCounts, name))
      return value.getAsInteger().value_or(-1) >= 0
                 ? Error::success()
                 : errorAt(pointer, "expected an integer of at least 0");
    return errorAt(pointer, "this keyword is not among those that are checked");
  }

  static Error checkType(const json::Value &value, StringRef pointer) {
    SmallVector<const json::Value *> types;
    if (const json::Array *several = value.getAsArray())
      for (const json::Value &each : *several)
        types.push_back(&each);
    else
      types.push_back(&value);
    for (const json::Value *each : types) {
      auto type = each->getAsString();
      if (!type || !is_contained(kTypes, *type))
        return errorAt(pointer,
                       "expected one of " + join(ArrayRef(kTypes), ", "));
    }
    return types.empty() ? errorAt(pointer, "expected a type")
                         : Error::success();
  }
};

Error checkCount(const json::Object &schema, StringRef least, StringRef most,
                 int64_t count, StringRef one, StringRef several,
                 StringRef pointer) {
  if (auto limit = schema.getInteger(least); limit && count < *limit)
    return errorAt(pointer, "expected at least " +
                                countOf(*limit, one, several) + ", found " +
                                Twine(count));
  if (auto limit = schema.getInteger(most); limit && count > *limit)
    return errorAt(pointer, "expected at most " +
                                countOf(*limit, one, several) + ", found " +
                                Twine(count));
  return Error::success();
}

Error validateValue(const json::Object &schema, const json::Value &value,
                    const std::string &pointer);

Error validateObject(const json::Object &schema, const json::Object &object,
                     const std::string &pointer) {
  if (const json::Array *required = schema.getArray("required"))
    for (const json::Value &name : *required)
      if (!object.get(*name.getAsString()))
        return errorAt(pointer, "the field " + quote(*name.getAsString()) +
                                    " is missing");
  const json::Object *properties = schema.getObject("properties");
  bool others = schema.getBoolean("additionalProperties").value_or(true);
  // In the order of the keys, so that the message is always the same one.
  std::vector<StringRef> names;
  for (const auto &field : object)
    names.push_back(field.first);
  llvm::sort(names);
  for (StringRef name : names) {
    const json::Object *property =
        properties ? properties->getObject(name) : nullptr;
    if (property) {
      if (Error error = validateValue(*property, *object.get(name),
                                      pointer + "/" + escape(name)))
        return error;
    } else if (!others) {
      return errorAt(pointer, "there is no field " + quote(name));
    }
  }
  return Error::success();
}

Error validateNumber(const json::Object &schema, double number,
                     StringRef pointer) {
  if (!std::isfinite(number))
    return errorAt(pointer, "the number is too large");
  if (auto least = schema.getNumber("minimum"); least && number < *least)
    return errorAt(
        pointer,
        formatv("expected at least {0}, found {1}", *least, number).str());
  if (auto most = schema.getNumber("maximum"); most && number > *most)
    return errorAt(
        pointer,
        formatv("expected at most {0}, found {1}", *most, number).str());
  return Error::success();
}

int64_t countCharacters(StringRef text) {
  return count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

Error validateValue(const json::Object &schema, const json::Value &value,
                    const std::string &pointer) {
  std::vector<StringRef> types = typesOf(schema);
  if (!types.empty() &&
      none_of(types, [&](StringRef type) { return hasType(value, type); }))
    return errorAt(pointer, "expected " + join(types, " or ") + ", found " +
                                kindOf(value));
  if (const json::Array *values = schema.getArray("enum"))
    if (!is_contained(*values, value)) {
      std::string shown;
      for (const json::Value &each : *values)
        shown += (shown.empty() ? "" : ", ") + formatv("{0}", each).str();
      return errorAt(pointer, "expected one of " + shown + ", found " +
                                  quote(formatv("{0}", value).str()));
    }
  if (const json::Value *only = schema.get("const"); only && *only != value)
    return errorAt(pointer, formatv("expected {0}", *only).str());
  if (auto number = value.getAsNumber())
    return validateNumber(schema, *number, pointer);
  if (auto text = value.getAsString())
    return checkCount(schema, "minLength", "maxLength", countCharacters(*text),
                      "character", "characters", pointer);
  if (const json::Array *array = value.getAsArray()) {
    if (Error error =
            checkCount(schema, "minItems", "maxItems", int64_t(array->size()),
                       "element", "elements", pointer))
      return error;
    if (const json::Object *items = schema.getObject("items"))
      for (auto [index, element] : enumerate(*array))
        if (Error error = validateValue(*items, element,
                                        pointer + "/" + std::to_string(index)))
          return error;
    return Error::success();
  }
  if (const json::Object *object = value.getAsObject())
    return validateObject(schema, *object, pointer);
  return Error::success();
}

} // namespace

Expected<JsonSchema> JsonSchema::parse(StringRef text) {
  JsonLimits limits;
  limits.maxBytes = size_t(1) << 20;
  limits.maxDepth = 64;
  Expected<json::Value> schema = parseUntrustedJson(text, limits);
  if (!schema)
    return schema.takeError();
  if (Error error = SchemaChecker().check(*schema, ""))
    return std::move(error);
  return JsonSchema(std::move(*schema));
}

Error JsonSchema::validate(const json::Value &value) const {
  return validateValue(*schema.getAsObject(), value, "");
}

} // namespace egg
