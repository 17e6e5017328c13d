//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PricesData.h"
#include "egg/LLM/Budget.h"
#include "egg/LLM/JsonText.h"
#include "egg/Support/Files.h"
#include <cmath>

using namespace llvm;

namespace egg {

static bool fromJSON(const json::Value &value, Price &price, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("provider", price.provider) ||
      !map.map("model", price.model) ||
      !map.map("input_per_million", price.inputPerMillion) ||
      !map.map("output_per_million", price.outputPerMillion) ||
      !map.mapOptional("up_to_input_tokens", price.upToInputTokens) ||
      !map.map("date", price.date) || !map.map("source", price.source))
    return false;
  for (double amount : {price.inputPerMillion, price.outputPerMillion})
    if (!std::isfinite(amount) || amount < 0) {
      path.report("a price is a number of at least 0");
      return false;
    }
  return true;
}

const PriceTable &PriceTable::builtin() {
  static const PriceTable table =
      cantFail(parse(kPricesData, "lib/LLM/prices.json"));
  return table;
}

Expected<PriceTable> PriceTable::read(StringRef path) {
  if (path.empty())
    return builtin();
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  return parse(*text, path);
}

Expected<PriceTable> PriceTable::parse(StringRef text, StringRef name) {
  Expected<json::Value> value = parseUntrustedJson(text);
  if (!value)
    return createStringError(inconvertibleErrorCode(),
                             "cannot read prices from '" + name +
                                 "': " + toString(value.takeError()));
  json::Path::Root root(name);
  PriceTable table;
  json::Path path(root);
  json::ObjectMapper map(*value, path);
  if (!map || !map.map("prices", table.prices))
    return createStringError(
        inconvertibleErrorCode(),
        "cannot read prices from '" + name + "': " + toString(root.getError()) +
            "; lib/LLM/prices.json is an example of the format");
  return table;
}

const Price *PriceTable::find(StringRef provider, StringRef model) const {
  const Price *best = nullptr;
  for (const Price &price : prices) {
    StringRef pattern = price.model;
    bool matches = pattern.consume_back("*") ? model.starts_with(pattern)
                                             : model == pattern;
    // An exact name is as long as the model's, so it wins.
    if (matches && price.provider == provider &&
        (!best || price.model.size() > best->model.size() ||
         price.model == model))
      best = &price;
  }
  return best;
}

} // namespace egg
