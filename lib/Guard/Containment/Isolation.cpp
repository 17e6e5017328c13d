//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Isolation.h"
#include "Forward.h"
#include "egg/Guard/RunOnCopy.h"
#include "egg/Support/Subprocess.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

using namespace mlir;

namespace egg {

namespace {

constexpr StringRef kMark = "EGG-GUARD-RESULT\n";

/// The work of the child: bytecode to bytecode, in a context of its own.
class Child {
public:
  Child(const DialectRegistry &registry, bool allowUnregistered)
      : context(registry, MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects(allowUnregistered);
    context.printOpOnDiagnostic(false);
  }

  bool loadLibrary(StringRef bytes) {
    if (bytes.empty())
      return true;
    auto library = parseSourceString<ModuleOp>(bytes, &context);
    return library &&
           succeeded(context.getOrLoadDialect<transform::TransformDialect>()
                         ->loadIntoLibraryModule(std::move(library)));
  }

  /// Writes the diagnostics and the result, if there is one.
  bool run(StringRef bytes, StringRef library,
           llvm::function_ref<void(OpPassManager &)> build,
           llvm::raw_ostream &os) {
    llvm::json::Array diagnostics;
    std::string result;
    {
      ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
        diagnostics.push_back(toJSON(diagnostic));
        return success();
      });
      // Conversions of a nested operation look at what it lies in.
      OwningOpRef<ModuleOp> outer = ModuleOp::create(UnknownLoc::get(&context));
      Block alone;
      if (Operation *op = loadLibrary(library)
                              ? fromBytecode(bytes, alone, &context)
                              : nullptr) {
        if (!isa<ModuleOp>(op))
          op->moveBefore(outer->getBody(), outer->getBody()->end());
        PassManager manager(&context, op->getName().getStringRef());
        build(manager);
        if (succeeded(manager.run(op)))
          result = toBytecode(op);
      }
    }
    llvm::outs().flush();
    os << kMark << llvm::json::Value(std::move(diagnostics)) << '\n' << result;
    os.flush();
    return !result.empty();
  }

private:
  MLIRContext context;
};

/// Puts what the child made in the operation's place.
LogicalResult replace(Operation *op, StringRef bytes) {
  Block block;
  Operation *made = fromBytecode(bytes, block, op->getContext());
  if (!made || made->getName() != op->getName())
    return failure();
  op->setAttrs(made->getAttrDictionary());
  for (auto [region, from] : llvm::zip(op->getRegions(), made->getRegions()))
    region.takeBody(from);
  return success();
}

/// Why the child gave no result.
LogicalResult reportEnd(Operation *op, const IsolatedRun &run,
                        const ProcessResult &result, StringRef progress) {
  auto [where, what] = progress.split('\n');
  Location location = parseLocation(where, op->getLoc());
  std::string subject = what.empty() ? run.name.str() : what.str();
  InFlightDiagnostic error = emitError(location);
  bool slow = result.end == ProcessResult::End::TimedOut;
  if (slow || result.end == ProcessResult::End::OutOfMemory)
    error << run.name << " " << result.describeEnd() << " in " << subject
          << "; raise " << (slow ? "time-limit" : "memory-limit")
          << " if it has to take so much";
  else if (result.end == ProcessResult::End::Exited)
    error << subject
          << " ended the process; leave it out, or try another form "
             "of it";
  else
    error << subject << " " << result.describeEnd()
          << "; leave it out, or try another form of it";
  // The last lines often are the reason.
  SmallVector<StringRef> lines;
  StringRef(result.standardError).trim().split(lines, '\n', -1, false);
  for (StringRef line : ArrayRef(lines).take_back(4))
    error.attachNote(location) << "it said: " << line.take_front(400);
  return error;
}

} // namespace

LogicalResult runIsolated(Operation *op, const IsolatedRun &run,
                          llvm::function_ref<void(OpPassManager &)> build) {
  MLIRContext *context = op->getContext();
  std::string bytes = toBytecode(op), library;
  if (bytes.empty())
    return op->emitError() << run.name
                           << " cannot copy this to a child process; write "
                              "isolate=false to run it here";
  if (ModuleOp preloaded =
          transform::detail::getPreloadedTransformModule(context))
    library = toBytecode(preloaded);
  ProcessLimits limits;
  limits.wallSeconds = run.limits.seconds;
  limits.outputBytes = uint64_t(2) << 30;
  limits.addressSpaceBytes = uint64_t(run.limits.memoryMiB) << 20;
  Progress progress;
  llvm::Expected<ProcessResult> result = runInChild(
      [&](llvm::raw_ostream &os) {
        progress.enterChild();
        llvm::outs().SetUnbuffered();
        Child child(context->getDialectRegistry(),
                    context->allowsUnregisteredDialects());
        bool ok = child.run(bytes, library, build, os);
        llvm::errs().flush();
        // Destroying what a hostile script left behind could still crash.
        ::_exit(ok ? 0 : 1);
        return 0;
      },
      limits);
  if (!result)
    return op->emitError() << run.name << ": "
                           << llvm::toString(result.takeError());
  StringRef output = result->standardOutput;
  size_t mark = output.rfind(kMark);
  if (result->end != ProcessResult::End::Exited || mark == StringRef::npos) {
    llvm::outs() << output.take_front(mark);
    return reportEnd(op, run, *result, progress.get());
  }
  llvm::outs() << output.take_front(mark);
  llvm::errs() << result->standardError;
  auto [diagnostics, made] = output.substr(mark + kMark.size()).split('\n');
  if (llvm::Error error = reportDiagnostics(diagnostics, op->getLoc()))
    return op->emitError() << run.name << ": "
                           << llvm::toString(std::move(error));
  if (result->exitCode != 0)
    return failure();
  if (failed(replace(op, made)))
    return op->emitError() << run.name
                           << ": the result of the child cannot be read; write "
                              "isolate=false to run it here";
  return success();
}

} // namespace egg
