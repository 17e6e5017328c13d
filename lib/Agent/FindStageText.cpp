//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScriptLexer.h"
#include "egg/Agent/ScriptParts.h"

using llvm::StringRef;

namespace egg {

/// The next token that says something.
static ScriptToken nextWord(ScriptLexer &lexer) {
  ScriptToken token = lexer.next();
  while (token.kind == ScriptToken::Kind::Space ||
         token.kind == ScriptToken::Kind::Comment)
    token = lexer.next();
  return token;
}

std::string findStageText(StringRef script, const Stage &stage) {
  bool algorithm = stage.kind == StageKind::Algorithm;
  std::string kernel = "@" + stage.kernel;
  std::string sequence = "@" + stringifyStageKind(stage.kind).str();
  bool inKernel = algorithm;
  const char *begin = nullptr, *end = script.end();
  ScriptLexer lexer(script);
  for (ScriptToken token = nextWord(lexer);
       token.kind != ScriptToken::Kind::End; token = nextWord(lexer)) {
    const char *at = token.text.begin();
    bool opens = token.text == "module";
    bool starts = token.text == "transform.named_sequence" ||
                  (algorithm && token.text == "func.func");
    if (!opens && !starts)
      continue;
    if (begin && (opens || !algorithm)) {
      end = at;
      break;
    }
    ScriptToken name = nextWord(lexer);
    if (opens && !algorithm)
      inKernel = name.text == kernel;
    if (starts && inKernel && !begin && (algorithm || name.text == sequence))
      begin = at;
  }
  StringRef found = begin ? StringRef(begin, end - begin) : script;
  std::string text = dedent(found.ltrim('\n'));
  if (algorithm && begin)
    text = (script.take_front(aliasesEnd(script)) + "\n" + text).str();
  return dedent(text);
}

} // namespace egg
