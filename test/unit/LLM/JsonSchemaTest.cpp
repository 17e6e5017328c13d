//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/LLM/JsonSchema.h"
#include "Fakes.h"
#include "egg/LLM/JsonText.h"

using namespace egg;
using namespace egg::test;
namespace json = llvm::json;

/// Why the schema does not accept the value; "" if it does.
static std::string reason(llvm::StringRef schema, llvm::StringRef value) {
  llvm::Expected<JsonSchema> parsed = JsonSchema::parse(schema);
  if (!parsed)
    return "schema: " + llvm::toString(parsed.takeError());
  return llvm::toString(
      parsed->validate(llvm::cantFail(parseUntrustedJson(value))));
}

TEST(JsonSchemaTest, EveryKeywordRefuses) {
  struct Case {
    const char *schema, *good, *bad, *why;
  } cases[] = {
      {R"({"type":"null"})", "null", "0",
       "the value: expected null, found integer"},
      {R"({"type":"boolean"})", "true", "1", "expected boolean"},
      {R"({"type":"integer"})", "3.0", "3.5", "expected integer, found number"},
      {R"({"type":"integer"})", "18446744073709551615", "\"3\"",
       "expected integer, found string"},
      {R"({"type":"number"})", "3", "[]", "expected number, found array"},
      {R"({"type":["string","null"]})", "null", "1",
       "expected string or null, found integer"},
      {R"({"type":"array"})", "[]", "{}", "expected array, found object"},
      {R"({"enum":["a",1,null]})", "1", "\"b\"",
       "expected one of \"a\", 1, null, found '\"b\"'"},
      {R"({"const":2})", "2", "3", "expected 2"},
      {R"({"minimum":0})", "0", "-1", "expected at least 0"},
      {R"({"maximum":10})", "10", "10.5", "expected at most 10"},
      {R"({"minLength":2})", R"("ab")", R"("a")",
       "expected at least 2 characters, found 1"},
      // Characters, not bytes.
      {R"({"maxLength":2})", R"("éé")", R"("abc")",
       "expected at most 2 characters, found 3"},
      {R"({"minItems":1})", "[1]", "[]", "at least 1 element, found 0"},
      {R"({"maxItems":1})", "[1]", "[1,2]", "at most 1 element, found 2"},
      {R"({"items":{"type":"string"}})", R"(["a"])", R"(["a",1])",
       "/1: expected string, found integer"},
      {R"({"required":["a"]})", R"({"a":1})", R"({"b":1})",
       "the field 'a' is missing"},
      {R"({"properties":{"a":{"type":"string"}}})", R"({"b":1})", R"({"a":1})",
       "/a: expected string, found integer"},
      {R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1})",
       R"({"a":1,"zz":2})", "there is no field 'zz'"},
      {R"({"properties":{"a/b":{"items":{"maximum":1}}}})", R"({"a/b":[1]})",
       R"({"a/b":[0,2]})", "/a~1b/1: expected at most 1"},
  };
  for (const Case &each : cases) {
    EXPECT_EQ(reason(each.schema, each.good), "") << each.schema;
    EXPECT_TRUE(contains(reason(each.schema, each.bad), each.why))
        << each.schema;
  }
}

TEST(JsonSchemaTest, HugeNumbersAreRefused) {
  EXPECT_TRUE(contains(reason(R"({"type":"number"})", "1e999"), "too large"));
}

TEST(JsonSchemaTest, HostileNamesDoNotFillTheMessage) {
  std::string name(100000, 'n');
  EXPECT_LT(reason(R"({"additionalProperties":false})", "{\"" + name + "\":1}")
                .size(),
            300u);
  EXPECT_LT(reason(R"({"enum":["a"]})", "\"" + name + "\"").size(), 300u);
}

TEST(JsonSchemaTest, SchemasThatWouldNotBeCheckedAreRefused) {
  const char *cases[][2] = {
      {R"({"pattern":"a+"})", "/pattern: this keyword is not among"},
      {R"({"anyOf":[]})", "/anyOf: this keyword is not among"},
      {R"({"properties":{"a":{"oneOf":[]}}})", "/properties/a/oneOf: this"},
      {R"({"type":"text"})", "/type: expected one of null, boolean"},
      {R"({"type":[]})", "/type: expected a type"},
      {R"({"required":[1]})", "/required: expected an array of strings"},
      {R"({"enum":[]})", "/enum: expected an array with elements"},
      {R"({"minLength":-1})", "/minLength: expected an integer"},
      {R"({"minimum":"1"})", "/minimum: expected a number"},
      {R"({"additionalProperties":{}})", "expected true or false"},
      {R"({"items":3})", "/items: a schema is an object"},
      {"[]", "the value: a schema is an object"},
      {"{", "it does not parse"}};
  for (auto &[schema, why] : cases)
    EXPECT_TRUE(contains(reason(schema, "1"), why)) << schema;
}

TEST(JsonTextTest, LimitsComeBeforeParsing) {
  auto why = [](std::string text, JsonLimits limits = {}) {
    auto value = parseUntrustedJson(text, limits);
    return value ? "" : llvm::toString(value.takeError());
  };
  EXPECT_TRUE(contains(why(std::string(10'000'000, '[')),
                       "the text has 10000000 bytes, the limit is 8388608"));
  EXPECT_TRUE(contains(why(std::string(5'000'000, '[')),
                       "more than 64 brackets are open (line 1 column 65)"));
  std::string wide = "[";
  for (int i = 0; i < 600000; ++i)
    wide += "0,";
  EXPECT_TRUE(contains(why(wide + "0]"), "more than 500000 values"));
  EXPECT_TRUE(contains(why("{\n\"a\": \"\xc3\x28\"}"), "is not UTF-8 (line 2"));
  EXPECT_TRUE(contains(why("{\"a\": }"), "it does not parse"));
  // Brackets in strings do not count; an escaped quote ends none.
  EXPECT_EQ(why("\"\\\"" + std::string(1000, '[') + "\""), "");
  EXPECT_EQ(why(std::string(64, '[') + std::string(64, ']')), "");
}

TEST(JsonTextTest, OnlyAWholeFenceIsStripped) {
  EXPECT_EQ(stripMarkdownFence(" ```json\n{}\n``` "), "{}");
  EXPECT_EQ(stripMarkdownFence("```\n{}\n```"), "{}");
  EXPECT_EQ(stripMarkdownFence(" {} "), "{}");
  for (const char *kept :
       {"text ```json\n{}\n```", "```json\n{}\n``` text",
        "```json\n{}\n```\n```json\n{}\n```", "```not a tag\n{}\n```",
        "```{}```", "```", "``````"})
    EXPECT_EQ(stripMarkdownFence(kept), kept);
}

TEST(JsonTextTest, PointersFindValues) {
  json::Value document = llvm::cantFail(
      json::parse(R"({"a":[{"t":"x"},{"u":1},{"t":"y"}],"b/c":{"~":2}})"));
  auto texts = valuesAt(document, "/a/*/t");
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(*texts[1]->getAsString(), "y");
  EXPECT_EQ(valueAt(document, "/a/1/u")->getAsInteger(), 1);
  EXPECT_EQ(valueAt(document, "/b~1c/~0")->getAsInteger(), 2);
  EXPECT_EQ(valueAt(document, "/a/3/t"), nullptr);
  EXPECT_EQ(valueAt(document, "/a/x"), nullptr);
  EXPECT_EQ(valueAt(document, "/none"), nullptr);
}
