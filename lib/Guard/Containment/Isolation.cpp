//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Isolation.h"
#include "egg/Support/Subprocess.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <sys/mman.h>

using namespace mlir;

namespace egg {

namespace {

/// What the child is doing, where the parent can read it after a crash.
class Progress {
public:
  static constexpr size_t kSize = 8192;

  Progress() {
    void *page = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    text = page == MAP_FAILED ? nullptr : static_cast<char *>(page);
  }
  Progress(const Progress &) = delete;
  ~Progress() {
    if (text)
      ::munmap(text, kSize);
  }
  void set(StringRef line) {
    if (!text)
      return;
    line = line.take_front(kSize - 1);
    std::copy(line.begin(), line.end(), text);
    text[line.size()] = 0;
  }
  StringRef get() const { return text ? StringRef(text) : StringRef(); }

private:
  char *text;
};

/// Set in a child only.
Progress *childProgress = nullptr;

constexpr StringRef kMark = "EGG-GUARD-RESULT\n";

std::string printLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  LocationAttr(location).print(os);
  return text;
}

Location parseLocation(StringRef text, Location fallback) {
  // Where the text is no location the fallback is all that there is.
  ScopedDiagnosticHandler quiet(fallback.getContext(),
                                [](Diagnostic &) { return success(); });
  Attribute attribute = parseAttribute(text, fallback.getContext());
  auto location = dyn_cast_or_null<LocationAttr>(attribute);
  return location ? Location(location) : fallback;
}

llvm::json::Object toJSON(Diagnostic &diagnostic) {
  llvm::json::Array notes;
  for (Diagnostic &note : diagnostic.getNotes())
    notes.push_back(toJSON(note));
  return llvm::json::Object{{"severity", int64_t(diagnostic.getSeverity())},
                            {"location", llvm::json::fixUTF8(printLocation(
                                             diagnostic.getLocation()))},
                            {"message", llvm::json::fixUTF8(diagnostic.str())},
                            {"notes", std::move(notes)}};
}

void report(const llvm::json::Object &object, Location fallback) {
  auto severity =
      DiagnosticSeverity(object.getInteger("severity")
                             .value_or(int64_t(DiagnosticSeverity::Error)));
  InFlightDiagnostic diagnostic = fallback.getContext()->getDiagEngine().emit(
      parseLocation(object.getString("location").value_or(""), fallback),
      severity);
  diagnostic << object.getString("message").value_or("");
  if (const llvm::json::Array *notes = object.getArray("notes"))
    for (const llvm::json::Value &note : *notes)
      if (const llvm::json::Object *inner = note.getAsObject())
        diagnostic.attachNote(
            parseLocation(inner->getString("location").value_or(""), fallback))
            << inner->getString("message").value_or("");
}

std::string toBytecode(Operation *op) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  return failed(writeBytecodeToFile(op, os)) ? std::string() : bytes;
}

/// The one operation of the bytecode, in a block of its own.
Operation *fromBytecode(StringRef bytes, Block &block, MLIRContext *context) {
  // What it refers to may be outside of the operation; it was verified there.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  if (failed(parseSourceString(bytes, &block, config)) || block.empty())
    return nullptr;
  return &block.front();
}

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

void noteProgress(StringRef what, Location where) {
  if (childProgress)
    childProgress->set(printLocation(where) + "\n" + what.str());
}

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
        childProgress = &progress;
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
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(diagnostics);
  if (!parsed)
    return op->emitError() << run.name << ": "
                           << llvm::toString(parsed.takeError());
  if (const llvm::json::Array *all = parsed->getAsArray())
    for (const llvm::json::Value &one : *all)
      if (const llvm::json::Object *object = one.getAsObject())
        report(*object, op->getLoc());
  if (result->exitCode != 0)
    return failure();
  if (failed(replace(op, made)))
    return op->emitError() << run.name
                           << ": the result of the child cannot be read; write "
                              "isolate=false to run it here";
  return success();
}

} // namespace egg
