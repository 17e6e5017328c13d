//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/ScriptParts.h"
#include "ScriptLexer.h"
#include "egg/Core/ScheduleFormat.h"
#include "egg/Support/Nesting.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace egg {
namespace {

using Kind = ScriptPart::Kind;

llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// A text that parses, with where its ops are.
class ParsedText {
public:
  static llvm::Expected<std::unique_ptr<ParsedText>>
  parse(StringRef text, MLIRContext *context);

  Block &block() { return top; }
  /// Cuts the ops of a block; `begin` and `end` bound their text.
  void cut(Block &block, size_t begin, size_t end,
           std::vector<ScriptPart> &parts) const;
  /// After the bracket that opens the op's one region.
  size_t insideBegin(Operation *op) const;
  size_t endOf(Operation *op) const;

private:
  size_t offset(llvm::SMLoc place) const {
    return place.getPointer() - text.data();
  }
  const AsmParserState::OperationDefinition &definition(Operation *op) const {
    const auto *found = state.getOpDef(op);
    assert(found && "the parser records every op");
    return *found;
  }
  std::string slice(size_t begin, size_t end) const {
    return text.slice(begin, end).str();
  }

  llvm::SourceMgr sources;
  StringRef text;
  Block top;
  AsmParserState state;
};

llvm::Expected<std::unique_ptr<ParsedText>>
ParsedText::parse(StringRef text, MLIRContext *context) {
  if (std::optional<size_t> deep = findDeepNesting(text, kMaxNesting))
    return makeError("line " + Twine(1 + text.take_front(*deep).count('\n')) +
                     ": more than " + Twine(kMaxNesting) +
                     " brackets are open; a schedule needs fewer than ten");
  if (std::optional<size_t> alias = findLongAlias(text, kMaxAlias))
    return makeError("line " + Twine(1 + text.take_front(*alias).count('\n')) +
                     ": the alias that is defined here has more than " +
                     Twine(kMaxAlias) +
                     " bytes with the aliases in it written out");
  auto parsed = std::make_unique<ParsedText>();
  parsed->sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "script"), llvm::SMLoc());
  parsed->text = parsed->sources.getMemoryBuffer(1)->getBuffer();
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty() &&
        diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        reason = ("line " + Twine(place.getLine()) + ": ").str();
      reason += diagnostic.str();
    }
    return success();
  });
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(parsed->sources, &parsed->top, config,
                                &parsed->state)))
    return makeError("the script does not parse: " +
                     (reason.empty() ? "no reason is given" : reason));
  return parsed;
}

size_t ParsedText::insideBegin(Operation *op) const {
  size_t begin = offset(definition(op).scopeLoc.Start), end = endOf(op);
  for (Operation &inner : op->getRegion(0).front()) {
    end = offset(definition(&inner).scopeLoc.Start);
    break;
  }
  // Attributes have brackets too: the last one opens the region.
  size_t at = begin, found = begin;
  ScriptLexer lexer(text.slice(begin, end));
  for (ScriptToken token = lexer.next(); token.kind != ScriptToken::Kind::End;
       token = lexer.next()) {
    at += token.text.size();
    if (token.text == "{")
      found = at;
  }
  return found;
}

size_t ParsedText::endOf(Operation *op) const {
  return offset(definition(op).scopeLoc.End);
}

void ParsedText::cut(Block &block, size_t begin, size_t end,
                     std::vector<ScriptPart> &parts) const {
  for (Operation &op : block) {
    size_t opEnd = endOf(&op);
    auto module = dyn_cast<ModuleOp>(op);
    if (module && module.getSymName()) {
      std::string name = module.getSymName()->str();
      size_t inside = insideBegin(module);
      parts.push_back({Kind::KernelOpening, name, "", slice(begin, inside)});
      begin = inside;
      for (Operation &inner : *module.getBody()) {
        auto sequence = dyn_cast<transform::NamedSequenceOp>(inner);
        parts.push_back({sequence ? Kind::Sequence : Kind::Other, name,
                         sequence ? sequence.getSymName().str() : "",
                         slice(begin, endOf(&inner))});
        begin = endOf(&inner);
      }
      parts.push_back({Kind::KernelClosing, name, "", slice(begin, opEnd)});
    } else {
      ScriptPart part;
      part.text = slice(begin, opEnd);
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        part.name = symbol.getNameAttr() ? symbol.getName().str() : "";
      if (isa<func::FuncOp>(op))
        part.kind = Kind::Function;
      else if (isa<transform::NamedSequenceOp>(op))
        part.kind = part.name == kAlgorithmName      ? Kind::Algorithm
                    : part.name == kSubstitutionName ? Kind::Substitution
                                                     : Kind::Other;
      parts.push_back(std::move(part));
    }
    begin = opEnd;
  }
  parts.push_back({Kind::Closing, "", "", slice(begin, end)});
}

bool isAlgorithm(const ScriptPart &part) {
  return part.kind == Kind::Aliases || part.kind == Kind::Function ||
         part.kind == Kind::Substitution || part.kind == Kind::Algorithm;
}

bool isOfKernel(const ScriptPart &part, StringRef kernel) {
  switch (part.kind) {
  case Kind::KernelOpening:
  case Kind::Sequence:
  case Kind::KernelClosing:
    return part.name == kernel;
  default:
    return false;
  }
}

bool isOfStage(const ScriptPart &part, const Stage &stage) {
  if (stage.kind == StageKind::Algorithm)
    return isAlgorithm(part);
  return part.kind == Kind::Sequence && part.name == stage.kernel &&
         part.sequence == stringifyStageKind(stage.kind);
}

/// Models like to put what they write into a Markdown fence.
StringRef withoutFence(StringRef answer) {
  answer = answer.trim();
  if (answer.starts_with("```") && answer.ends_with("```") &&
      answer.contains('\n'))
    answer = answer.split('\n').second.drop_back(3).trim();
  return answer;
}
} // namespace

std::vector<std::string> ScriptParts::kernels() const {
  std::vector<std::string> names;
  for (const ScriptPart &part : parts)
    if (part.kind == Kind::KernelOpening)
      names.push_back(part.name);
  return names;
}

bool ScriptParts::hasKernel(StringRef kernel) const {
  return llvm::is_contained(kernels(), kernel);
}

std::string ScriptParts::get(const Stage &stage) const {
  std::string aliases, text;
  for (const ScriptPart &part : parts)
    if (isOfStage(part, stage))
      (part.kind == Kind::Aliases ? aliases : text) += part.text;
  if (aliases.empty() || text.empty())
    return dedent(text);
  return dedent(aliases) + "\n" + dedent(text);
}

bool ScriptParts::replace(const Stage &stage, StringRef text) {
  if (stage.kind == StageKind::Algorithm) {
    llvm::erase_if(parts, [](const ScriptPart &part) {
      return part.kind == Kind::Aliases;
    });
    size_t end = aliasesEnd(text);
    if (end > 0)
      parts.insert(parts.begin(), {Kind::Aliases, "", "",
                                   dedent(text.take_front(end)) + "\n"});
    text = text.drop_front(end);
  }
  bool algorithm = stage.kind == StageKind::Algorithm;
  std::string name = algorithm ? "" : stringifyStageKind(stage.kind).str();
  ScriptPart part{
      algorithm ? Kind::Algorithm : Kind::Sequence,
      algorithm ? kAlgorithmName.str() : stage.kernel, name,
      "\n" + StringRef(indent(dedent(text), algorithm ? 2 : 4)).rtrim().str()};
  auto matches = [&](const ScriptPart &other) {
    return isOfStage(other, stage) && other.kind != Kind::Aliases;
  };
  auto at = llvm::find_if(parts, matches);
  if (at == parts.end())
    // Where it would be: after the opening, or before the kernel's end.
    at = llvm::find_if(parts, [&](const ScriptPart &other) {
      return algorithm
                 ? other.kind != Kind::Aliases && other.kind != Kind::Opening
                 : other.kind == Kind::KernelClosing &&
                       other.name == stage.kernel;
    });
  if (at == parts.end())
    return false;
  size_t index = at - parts.begin();
  llvm::erase_if(parts, matches);
  parts.insert(parts.begin() + index, std::move(part));
  return true;
}

bool ScriptParts::removeKernel(StringRef kernel) {
  size_t before = parts.size();
  llvm::erase_if(parts, [&](const ScriptPart &part) {
    return isOfKernel(part, kernel) ||
           (part.kind == Kind::Other && part.name == kernel);
  });
  return parts.size() != before;
}

void ScriptParts::append(StringRef module) {
  auto at = llvm::find_if(
      parts, [](const ScriptPart &part) { return part.kind == Kind::Closing; });
  ScriptPart part;
  part.text = "\n\n" + StringRef(indent(dedent(module), 2)).rtrim().str();
  parts.insert(at, std::move(part));
}

llvm::Expected<ScriptParts> splitScript(StringRef script,
                                        MLIRContext *context) {
  if (script.size() > kMaxScriptBytes)
    return makeError("the script has " + Twine(script.size()) +
                     " bytes; at most " + Twine(kMaxScriptBytes) +
                     " are accepted");
  auto parsed = ParsedText::parse(script, context);
  if (!parsed)
    return parsed.takeError();
  Block &block = (*parsed)->block();
  auto module = llvm::hasSingleElement(block)
                    ? dyn_cast<ModuleOp>(block.front())
                    : ModuleOp();
  if (!module)
    return makeError("the script is no schedule: write one module that holds "
                     "@algorithm and the kernels' modules");
  ScriptParts result;
  size_t inside = (*parsed)->insideBegin(module);
  size_t aliases = aliasesEnd(script);
  if (aliases > 0)
    result.parts.push_back(
        {Kind::Aliases, "", "", script.take_front(aliases).str()});
  result.parts.push_back(
      {Kind::Opening, "", "", script.slice(aliases, inside).str()});
  (*parsed)->cut(*module.getBody(), inside, script.size(), result.parts);
  return result;
}

std::string joinScript(const ScriptParts &parts) {
  std::string text;
  for (const ScriptPart &part : parts.parts)
    text += part.text;
  return text;
}

llvm::Expected<std::string> spliceAnswer(StringRef script, const Stage &stage,
                                         StringRef answer,
                                         MLIRContext *context) {
  answer = withoutFence(answer);
  if (answer.empty())
    return makeError("the answer has an empty script; write the sequence of "
                     "the stage");
  if (answer.size() > kMaxAnswerScriptBytes)
    return makeError("the answer's script has " + Twine(answer.size()) +
                     " bytes; at most " + Twine(kMaxAnswerScriptBytes) +
                     " are accepted");
  llvm::Expected<ScriptParts> parts = splitScript(script, context);
  if (!parts)
    return parts.takeError();
  if (stage.kind != StageKind::Algorithm && !parts->hasKernel(stage.kernel))
    return makeError("the script has no module @" + stage.kernel +
                     ", so there is nothing to change");

  std::string text = answer.str();
  auto parsed = ParsedText::parse(answer, context);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
  } else {
    ScriptParts given;
    size_t aliases = aliasesEnd(answer);
    if (aliases > 0)
      given.parts.push_back(
          {Kind::Aliases, "", "", answer.take_front(aliases).str() + "\n"});
    Block &block = (*parsed)->block();
    auto module = llvm::hasSingleElement(block)
                      ? dyn_cast<ModuleOp>(block.front())
                      : ModuleOp();
    if (module && !module.getSymName())
      (*parsed)->cut(*module.getBody(), (*parsed)->insideBegin(module),
                     (*parsed)->endOf(module), given.parts);
    else
      (*parsed)->cut(block, aliases, answer.size(), given.parts);
    std::string found = given.get(stage);
    bool ofStage = !found.empty();
    if (ofStage)
      text = std::move(found);
    if (ofStage && stage.kind == StageKind::Algorithm)
      for (const std::string &kernel : given.kernels()) {
        std::string kernelText;
        for (const ScriptPart &part : given.parts)
          if (isOfKernel(part, kernel))
            kernelText += part.text;
        parts->removeKernel(kernel);
        parts->append(kernelText);
      }
  }
  parts->replace(stage, text);
  return joinScript(*parts);
}

} // namespace egg
