//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/Prompt.h"
#include "../FormKernels.h"
#include "../ScriptLexer.h"
#include "Facts.h"
#include "Figures.h"
#include "egg/Agent/PayloadText.h"
#include "egg/Agent/SafeText.h"
#include "egg/Agent/ScriptParts.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/Kernel/KernelWork.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace egg {
namespace {

constexpr std::pair<PromptTask, StringLiteral> kTasks[] = {
    {PromptTask::Judge, "judge"},
    {PromptTask::Seed, "seed"},
    {PromptTask::Optimise, "optimise"},
    {PromptTask::Diagnose, "diagnose"},
    {PromptTask::Repair, "repair"}};

constexpr size_t kMaxScriptShown = 24 << 10;
constexpr size_t kMaxWords = 1600;

llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

class Renderer {
public:
  Renderer(const PromptLibrary &library, const PromptRequest &request,
           const ContextOptions &options)
      : library(library), request(request), view(request.view),
        payload(view.payload), options(options), names(payload) {}

  llvm::Expected<Prompt> run();

private:
  llvm::Error addComputation();
  void addTimes();
  void addWords();
  std::string partOf(const Attempt &attempt, StageKind kind) const;
  std::string exampleText(StringRef structure) const;
  const PromptExample &chooseExample(StringRef structure) const;
  std::string substitutionText() const;
  std::string describeSubstituted(const FormedKernels &formed) const;
  MLIRContext *context() const { return ModuleOp(payload).getContext(); }
  std::string words(StringRef text) const {
    return safeLine(names.showInMessage(text), kMaxWords);
  }

  const PromptLibrary &library;
  const PromptRequest &request;
  const StageView &view;
  /// As an operation it is not const.
  ModuleOp payload;
  const ContextOptions &options;
  OpNames names;
  /// By the names of the templates' inputs.
  std::map<std::string, std::string> inputs;
};

/// What an attempt has for the stage, fit to be shown. Only the expert's
/// comments are, which are ours but for the names of ops in them.
std::string Renderer::partOf(const Attempt &attempt, StageKind kind) const {
  Stage stage{kind, view.stage.kernel};
  llvm::Expected<ScriptParts> parts = splitScript(attempt.script, context());
  std::string part =
      parts ? parts->get(stage) : findStageText(attempt.script, stage);
  if (!parts)
    llvm::consumeError(parts.takeError());
  if (attempt.author != "expert" || names.renames())
    part = dropComments(part);
  return safeText(capMiddle(plainWords(names.show(part)), kMaxScriptShown),
                  2 * kMaxScriptShown);
}

/// The kernels' structure as the expert would choose it.
StringRef structureOf(func::FuncOp kernel) {
  FailureOr<KernelAnalysis> analysis = analyzeKernel(kernel);
  if (succeeded(analysis))
    for (Structure structure :
         {Structure::Contraction, Structure::Scan, Structure::Rows})
      if (analysis->supports(structure))
        return stringifyStructure(structure);
  return stringifyStructure(Structure::Map);
}

llvm::Error Renderer::addComputation() {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return makeError("the payload has no @main; import it with "
                     "egg-import-torch");
  inputs["substitution_example"] = inputs["substituted"] = "";
  inputs["payload"] = inputs["graph"] = inputs["kernel"] =
      inputs["kernel_text"] = inputs["kernel_graph"] = inputs["structures"] =
          "";
  bool whole = view.stage.kind == StageKind::Algorithm;
  // A kernel is there once a script has formed it. Only an accepted one is run
  // here.
  const Attempt *script =
      view.best && view.best->accepted() ? view.best : nullptr;
  for (const Attempt &attempt : view.attempts)
    if (!script && attempt.accepted())
      script = &attempt;
  FormedKernels formed;
  if (script) {
    llvm::Expected<FormedKernels> result = formKernels(payload, script->script);
    if (result)
      formed = std::move(*result);
    else if (!whole)
      return result.takeError();
    else
      llvm::consumeError(result.takeError());
  }
  if (whole) {
    inputs["payload"] =
        fence(describeFunction(main, names, options.payloadTokens), "mlir");
    inputs["graph"] =
        fence(describeGraph(payload, names,
                            formed.payload ? *formed.payload : ModuleOp()),
              "text");
    inputs["roofline"] =
        describeRoofline(view.target, measureWork(main), view.stage.kind);
    if (formed.substituted)
      inputs["substituted"] = describeSubstituted(formed);
    inputs["example"] = exampleText("");
    inputs["substitution_example"] = substitutionText();
    return llvm::Error::success();
  }
  auto kernel =
      formed.payload
          ? formed.payload->lookupSymbol<func::FuncOp>(view.stage.kernel)
          : func::FuncOp();
  if (!kernel)
    return makeError("no script forms kernel @" +
                     safeLine(view.stage.kernel, 64) +
                     ", so there is nothing to decide about it; give a script "
                     "whose @algorithm does, and its kernel's name");
  inputs["kernel"] = "@" + plainWords(view.stage.kernel);
  inputs["kernel_text"] =
      fence(describeFunction(kernel, names, options.payloadTokens), "mlir");
  inputs["kernel_graph"] = fence(describeKernelGraph(kernel, names), "text");
  inputs["structures"] = describeStructures(kernel);
  inputs["roofline"] =
      describeRoofline(view.target, measureWork(kernel), view.stage.kind);
  inputs["example"] = exampleText(structureOf(kernel));
  return llvm::Error::success();
}

/// The example whose ops are most like the payload's, of the structure if one
/// is given.
const PromptExample &Renderer::chooseExample(StringRef structure) const {
  const PromptExample *best = &library.examples().front();
  int64_t bestScore = -1;
  for (const PromptExample &example : library.examples()) {
    // It is shown beside.
    if (structure.empty() &&
        StringRef(example.schedule).contains("@substitution"))
      continue;
    int64_t score = 0;
    ModuleOp(payload).walk([&](Operation *op) {
      auto name = op->getAttrOfType<StringAttr>(kNameAttrName);
      if (!name || isa<func::FuncOp>(op))
        return;
      std::string shown = names.shown(name.getValue());
      score += llvm::any_of(example.kinds, [&](const std::string &kind) {
        return StringRef(shown).starts_with(kind);
      });
    });
    // What dominates a payload is not what is most frequent in it.
    if (!structure.empty() && example.structure == structure)
      score += 1000;
    else if (structure.empty() && score > 0 &&
             (example.structure == "contraction" ||
              example.structure == "scan"))
      score += 500;
    if (score > bestScore) {
      bestScore = score;
      best = &example;
    }
  }
  return *best;
}

std::string Renderer::exampleText(StringRef structure) const {
  const PromptExample &example = chooseExample(structure);
  ScopedDiagnosticHandler quiet(context(),
                                [](Diagnostic &) { return success(); });
  auto other = parseSourceString<ModuleOp>(example.payload, context());
  llvm::Expected<ScriptParts> parts = splitScript(example.schedule, context());
  auto main =
      other ? other->lookupSymbol<func::FuncOp>("main") : func::FuncOp();
  if (!parts || !main) {
    // The tests of the examples say why.
    if (!parts)
      llvm::consumeError(parts.takeError());
    return "";
  }
  std::string text = example.teaches + "\n\n";
  OpNames own(*other);
  if (structure.empty())
    return text +
           fence(describeFunction(main, own, options.payloadTokens), "mlir") +
           "\n\nIts script:\n\n" + fence(parts->get(view.stage), "mlir");
  llvm::Expected<FormedKernels> formed = formKernels(*other, example.schedule);
  if (!formed) {
    llvm::consumeError(formed.takeError());
    return text;
  }
  for (const std::string &name : parts->kernels()) {
    auto kernel = formed->payload->lookupSymbol<func::FuncOp>(name);
    if (!kernel || structureOf(kernel) != example.structure)
      continue;
    text +=
        "Its kernel @" + name + " can be\n" + describeStructures(kernel) + "\n";
    std::string sequences;
    for (StageKind kind : {StageKind::ParallelMapping, StageKind::TensorTiling,
                           StageKind::MemoryOptimization})
      sequences += parts->get({kind, name}) + "\n";
    return text + "Its three sequences:\n\n" + fence(sequences, "mlir");
  }
  return text;
}

/// The ops that a script's @substitution leaves, by the names that its author
/// gave them, and the roofline of what they do.
std::string Renderer::describeSubstituted(const FormedKernels &formed) const {
  auto main = ModuleOp(*formed.substituted).lookupSymbol<func::FuncOp>("main");
  return fence(plainWords(safeText(
                   describeGraph(*formed.substituted, names, *formed.payload),
                   kMaxScriptShown)),
               "text") +
         "\nRoofline of it: " +
         describeRoofline(view.target, measureWork(main), view.stage.kind);
}

/// The script of an example with a substitution: what it replaces, its own
/// words say.
std::string Renderer::substitutionText() const {
  for (const PromptExample &example : library.examples()) {
    llvm::Expected<ScriptParts> parts =
        splitScript(example.schedule, context());
    if (!parts) {
      llvm::consumeError(parts.takeError());
      continue;
    }
    std::string text = parts->get(view.stage);
    if (StringRef(text).contains("@substitution"))
      return example.teaches + "\n\n" + fence(text, "mlir");
  }
  return "";
}

void Renderer::addTimes() {
  inputs["target"] = describeTarget(view.target);
  inputs["script"] = inputs["others"] = inputs["counters"] = "";
  inputs["assessment"] = "not assessed\n";
  if (!view.best)
    return;
  inputs["script"] = fence(partOf(*view.best, view.stage.kind), "mlir");
  if (view.stage.kind != StageKind::Algorithm) {
    std::string others;
    for (StageKind kind : {StageKind::ParallelMapping, StageKind::TensorTiling,
                           StageKind::MemoryOptimization})
      if (kind != view.stage.kind)
        others += partOf(*view.best, kind) + "\n";
    inputs["others"] = fence(others, "mlir");
  }
  if (view.best->accepted()) {
    inputs["assessment"] =
        describeAssessment(view.best->assessment(), view.stage.kernel);
    inputs["counters"] = describeCounters(view.best->assessment(), view.stage);
  }
}

void Renderer::addWords() {
  inputs["history"] = inputs["hand_overs"] = "";
  // A stage's first request is the same whether or not later ones tell more.
  if (options.history || view.attempts.empty())
    inputs["history"] = describeHistory(
        compactHistory(view.attempts,
                       [&](const Attempt &attempt) {
                         return partOf(attempt, view.stage.kind);
                       }),
        names, options.historyTokens);
  if (options.handOver)
    inputs["hand_overs"] = describeHandOvers(view.handOvers, names);
  inputs["judgement"] = inputs["diagnosis"] = "";
  if (request.judgement)
    inputs["judgement"] =
        fence("bottleneck: " + words(request.judgement->bottleneck) +
                  "\nmethod: " + words(request.judgement->method) + "\nplan: " +
                  words(request.judgement->plan) + "\nexpected speedup: " +
                  numberText(request.judgement->expectedSpeedup),
              "text");
  if (request.diagnosis)
    inputs["diagnosis"] =
        fence("critical issue: " + words(request.diagnosis->criticalIssue) +
                  "\nwhy: " + words(request.diagnosis->why) +
                  "\nplan: " + words(request.diagnosis->plan),
              "text");
  inputs["refused_script"] = inputs["rejection"] = "";
  if (request.refused && !request.refused->accepted()) {
    inputs["refused_script"] =
        fence(partOf(*request.refused, view.stage.kind), "mlir");
    inputs["rejection"] =
        describeRejection(request.refused->rejection(), names);
  }
}

llvm::Expected<Prompt> Renderer::run() {
  inputs["stage"] = stringifyStageKind(view.stage.kind).str();
  inputs["vocabulary"] = describeVocabulary(view.stage.kind);
  if (llvm::Error error = addComputation())
    return std::move(error);
  addTimes();
  addWords();
  Prompt prompt;
  std::string system = ("system/" + roleOf(request.task) + "/" +
                        stringifyStageKind(view.stage.kind))
                           .str();
  for (auto [file, text] :
       {std::pair(system, &prompt.system),
        std::pair(("user/" + stringifyTask(request.task)).str(),
                  &prompt.user)}) {
    llvm::Expected<std::string> rendered = library.render(file, inputs);
    if (!rendered)
      return rendered.takeError();
    *text = std::move(*rendered);
  }
  prompt.schemaName = request.task == PromptTask::Judge      ? "judgement"
                      : request.task == PromptTask::Diagnose ? "diagnosis"
                                                             : "script";
  prompt.schema = library.schema(prompt.schemaName).str();
  return prompt;
}
} // namespace

StringRef stringifyTask(PromptTask task) {
  for (auto [known, name] : kTasks)
    if (known == task)
      return name;
  llvm_unreachable("unknown task");
}

std::optional<PromptTask> symbolizeTask(StringRef name) {
  for (auto [task, known] : kTasks)
    if (known == name)
      return task;
  return std::nullopt;
}

StringRef roleOf(PromptTask task) {
  return task == PromptTask::Judge      ? "analyst"
         : task == PromptTask::Diagnose ? "debugger"
                                        : "coder";
}

llvm::Expected<Prompt> renderPrompt(const PromptLibrary &library,
                                    const PromptRequest &request,
                                    const ContextOptions &options) {
  return Renderer(library, request, options).run();
}

} // namespace egg
