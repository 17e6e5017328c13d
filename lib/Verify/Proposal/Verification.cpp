//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/VerifyProposal.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace egg;

std::string egg::toJSON(const Verification &verification) {
  llvm::json::Object object;
  if (verification.rejection)
    object["rejection"] = toJSONValue(*verification.rejection);
  else
    object["verdict"] = toJSONValue(verification.verdict);
  return llvm::formatv("{0:2}", llvm::json::Value(std::move(object))).str() +
         "\n";
}

llvm::Expected<Verification> egg::parseVerification(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  llvm::json::Path::Root root("verification");
  llvm::json::ObjectMapper mapper(*value, root);
  Verification verification;
  if (!mapper)
    return root.getError();
  if (value->getAsObject()->get("rejection")) {
    if (!mapper.map("rejection", verification.rejection.emplace()))
      return root.getError();
  } else if (!mapper.map("verdict", verification.verdict)) {
    return root.getError();
  }
  return verification;
}
