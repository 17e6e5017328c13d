//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FormKernels.h"
#include "egg/Core/Rejection.h"
#include "egg/Core/ScheduleFormat.h"
#include "egg/TransformOps/Vocabulary.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace egg {

llvm::Error rejectScript(StringRef step, const Twine &reason, StringRef place) {
  Rejection rejection;
  rejection.step = step.str();
  rejection.reason = reason.str();
  rejection.location = place.str();
  return llvm::make_error<RejectionError>(std::move(rejection));
}

namespace {
/// Keeps the first error while it lives.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
              !reason.empty())
            return success();
          reason = diagnostic.str();
          if (auto at =
                  diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
            place = (at.getFilename().getValue() + ":" + Twine(at.getLine()) +
                     ":" + Twine(at.getColumn()))
                        .str();
          return success();
        }) {}
  llvm::Error take(StringRef step) {
    return rejectScript(
        step, reason.empty() ? "the step gives no reason" : reason, place);
  }

private:
  std::string reason, place;
  ScopedDiagnosticHandler handler;
};

OwningOpRef<ModuleOp> parse(StringRef script, MLIRContext *context) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(script, "schedule.mlir"),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

/// The interpreter runs whatever it is given: only words may reach it.
llvm::Error checkWords(transform::NamedSequenceOp sequence) {
  std::string other;
  sequence.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (op != sequence && !isa<transform::YieldOp>(op) &&
        !isScriptWord(name, sequence.getSymName()))
      other = name.str();
  });
  if (other.empty())
    return llvm::Error::success();
  return rejectScript("accept", "op '" + other + "' is not accepted in @" +
                                    sequence.getSymName());
}

/// Without a verdict on it: a missing sequence is the acceptance's business.
llvm::Error run(ModuleOp script, StringRef name, func::FuncOp main) {
  auto sequence = script.lookupSymbol<transform::NamedSequenceOp>(name);
  if (!sequence || sequence.isExternal())
    return llvm::Error::success();
  if (llvm::Error error = checkWords(sequence))
    return error;
  FirstError error(script.getContext());
  if (failed(transform::applyTransformNamedSequence(
          main, sequence, ModuleOp(), transform::TransformOptions())))
    return error.take("algorithm");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<FormedKernels> formKernels(ModuleOp payload, StringRef script) {
  MLIRContext *context = payload.getContext();
  FormedKernels formed;
  {
    FirstError error(context);
    formed.schedule = parse(script, context);
    if (!formed.schedule)
      return error.take("accept");
  }
  formed.payload = payload.clone();
  auto main = formed.payload->lookupSymbol<func::FuncOp>("main");
  if (!main)
    return rejectScript("accept", "the payload has no @main; import it with "
                                  "egg-import-torch");
  for (StringRef name : {kSubstitutionName, kAlgorithmName}) {
    if (llvm::Error error = run(*formed.schedule, name, main))
      return std::move(error);
    if (name == kSubstitutionName && formed.schedule->lookupSymbol(name))
      formed.substituted = formed.payload->clone();
  }
  return formed;
}

} // namespace egg
