//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/OpNames.h"
#include "../ScriptLexer.h"
#include "egg/Agent/SafeText.h"
#include "egg/Import/NameOps.h"
#include "egg/Kernel/KernelConfig.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace egg {

static std::string escaped(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::printEscapedString(name, os);
  return text;
}

/// "matmul_12" of a matmul.
static bool isCanonical(Operation *op, StringRef name) {
  std::string kind = getComputeKind(op);
  unsigned number;
  return name.consume_front(kind) && name.consume_front("_") &&
         name.size() <= 7 && !name.getAsInteger(10, number);
}

OpNames::OpNames(ModuleOp payload) {
  OwningOpRef<ModuleOp> clone(payload.clone());
  SmallVector<std::pair<Operation *, std::string>> named;
  clone->walk([&](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(kNameAttrName);
    if (!name || !isComputeOp(op))
      return;
    named.emplace_back(op, name.getValue().str());
    if (!isCanonical(op, name))
      op->removeAttr(kNameAttrName);
  });
  nameComputeOps(*clone);
  for (auto &[op, original] : named) {
    auto name = op->getAttrOfType<StringAttr>(kNameAttrName);
    if (!name)
      continue;
    renamed |= original != name.getValue();
    toShown[escaped(original)] = name.getValue().str();
    toShown[original] = name.getValue().str();
    toOriginal[name.getValue()] = escaped(original);
  }
}

const std::string *OpNames::find(const Map &map, StringRef name,
                                 StringRef &suffix) {
  // The two halves of a split reduction are called after the whole.
  StringRef stem = name;
  for (;;) {
    if (auto found = map.find(stem); found != map.end()) {
      suffix = name.drop_front(stem.size());
      return &found->second;
    }
    if (!stem.consume_back("_partial"))
      return nullptr;
  }
}

std::string OpNames::shown(StringRef name) const {
  StringRef suffix;
  if (const std::string *found = find(toShown, name, suffix))
    return *found + suffix.str();
  return StringRef(plainWords("\"" + name.str() + "\"")).trim('"').str();
}

std::string OpNames::rename(StringRef script, const Map &map) const {
  using Kind = ScriptToken::Kind;
  std::string result;
  bool selecting = false, inList = false;
  std::string last, beforeLast;
  ScriptLexer lexer(script);
  for (ScriptToken token = lexer.next(); token.kind != Kind::End;
       token = lexer.next()) {
    if (token.text == "transform.egg.select")
      selecting = true;
    else if (token.text == "[" && selecting)
      inList = true;
    else if (token.text == "]")
      selecting = inList = false;
    bool isName = token.kind == Kind::String &&
                  (inList || (last == "=" && beforeLast == kNameAttrName));
    StringRef suffix;
    const std::string *found =
        isName ? find(map, token.inside(), suffix) : nullptr;
    if (found)
      result += '"' + *found + suffix.str() + '"';
    else
      result += token.text;
    if (token.kind != Kind::Space && token.kind != Kind::Comment) {
      beforeLast = std::move(last);
      last = token.text.str();
    }
  }
  return result;
}

std::string OpNames::show(StringRef script) const {
  return rename(script, toShown);
}

std::string OpNames::restore(StringRef script) const {
  return rename(script, toOriginal);
}

std::string OpNames::showInMessage(StringRef message) const {
  std::string result;
  while (!message.empty()) {
    auto [before, rest] = message.split('"');
    result += before;
    if (before.size() == message.size())
      break;
    // A name may hold quotes: the longest known one that starts here.
    StringRef best, suffix;
    for (size_t end = rest.find('"'); end != StringRef::npos;
         end = rest.find('"', end + 1)) {
      if (find(toShown, rest.take_front(end), suffix))
        best = rest.take_front(end);
      if (end > 4096)
        break;
    }
    result += '"';
    if (!best.empty()) {
      result += shown(best) + '"';
      rest = rest.drop_front(best.size() + 1);
    }
    message = rest;
  }
  return result;
}

} // namespace egg
