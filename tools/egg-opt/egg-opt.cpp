//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// egg-opt: mlir-opt with EGG's dialects, transform ops and passes. Other than
// mlir-opt it reports an output that cannot be written as an error, leaves no
// half-written file, and prints no whole operations with its diagnostics.
//
//===----------------------------------------------------------------------===//
#include "egg/InitAll.h"
#include "egg/Support/Files.h"
#include "egg/Support/Nesting.h"
#include "egg/Support/Version.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

/// Whoever pipes a payload in knows a file of the same text, or writes one, so
/// that a place in it can be looked up.
static llvm::cl::opt<std::string> stdinName(
    "stdin-name", llvm::cl::init("<stdin>"), llvm::cl::value_desc("name"),
    llvm::cl::desc("What messages and locations call the standard input"));

/// LLVM opens /dev/null where a standard stream is closed, so that output would
/// vanish. A descriptor that cannot be written makes it an error.
static void keepClosedOutputClosed() {
  if (::fcntl(STDOUT_FILENO, F_GETFD) != -1 || errno != EBADF)
    return;
  int fd = ::open("/dev/null", O_RDONLY);
  if (fd >= 0 && fd != STDOUT_FILENO) {
    ::dup2(fd, STDOUT_FILENO);
    ::close(fd);
  }
}

/// An operation can be the whole payload. --mlir-print-op-on-diagnostic asks
/// for it.
static void printNoOpsOnDiagnostics() {
  mlir::registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("mlir-print-op-on-diagnostic");
  assert(found != options.end() && "MLIR has renamed its option");
  if (found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setInitialValue(false);
}

/// Flushes the stream; false, with a message, if not all of it was written.
/// LLVM would otherwise end the process when the stream is destroyed.
static bool finish(llvm::raw_fd_ostream &stream, llvm::StringRef name) {
  stream.flush();
  if (!stream.has_error())
    return true;
  std::string reason = stream.error().message();
  stream.clear_error();
  llvm::errs() << "egg-opt: cannot write " << name << ": " << reason
               << "; make room there or redirect it elsewhere\n";
  return false;
}

/// The parser recurses on brackets: more than this could exhaust the stack.
static constexpr int64_t kMaxNesting = 256;

/// Whether the text is fit for the parser; else says why not. Bytecode is.
static bool isParsable(llvm::StringRef text, llvm::StringRef name) {
  if (text.starts_with("ML\xEFR"))
    return true;
  std::optional<size_t> offset = egg::findDeepNesting(text, kMaxNesting);
  if (!offset)
    return true;
  llvm::errs() << name << ":" << 1 + text.take_front(*offset).count('\n')
               << ": error: more than " << kMaxNesting
               << " brackets are open here; payloads and schedules need fewer "
                  "than twenty\n";
  return false;
}

/// Runs the passes and writes the output; true on success. Without --help and
/// the like, which end the process, this is what MlirOptMain does, but for how
/// the output is written.
static bool run(int argc, char **argv, mlir::DialectRegistry &registry) {
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "EGG optimizer driver\n", registry);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return succeeded(mlir::MlirOptMain(argc, argv, input, output, registry));
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(0))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      mlir::openInputFile(input, &message);
  if (!buffer) {
    llvm::errs() << "egg-opt: " << message << "\n";
    return false;
  }
  if (input == "-")
    buffer =
        llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(), stdinName);
  if (!isParsable(buffer->getBuffer(), buffer->getBufferIdentifier()))
    return false;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(mlir::MlirOptMain(os, std::move(buffer), registry, config))) {
    // What --split-input-file and --verify-diagnostics got to.
    if (output == "-")
      llvm::outs() << text;
    return false;
  }
  if (output == "-") {
    llvm::outs() << text;
    return true;
  }
  if (llvm::Error error = egg::writeFileAtomically(output, text)) {
    llvm::errs() << "egg-opt: " << llvm::toString(std::move(error)) << "\n";
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  keepClosedOutputClosed();
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  // A full disk or a closed pipe is an error of the write, which is reported.
  for (int signal : {SIGPIPE, SIGXFSZ})
    ::signal(signal, SIG_IGN);
  mlir::DialectRegistry registry;
  egg::registerAllDialects(registry);
  egg::registerAllPasses();
  printNoOpsOnDiagnostics();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "EGG version " << egg::getVersion() << "\n  Revision "
       << egg::getRevision() << ".\n";
  });
  bool ok = run(argc, argv, registry);
  ok &= finish(llvm::outs(), "standard output");
  // There is nowhere left to say why; the exit code tells.
  llvm::errs().flush();
  if (llvm::errs().has_error()) {
    llvm::errs().clear_error();
    ok = false;
  }
  return mlir::asMainReturnCode(mlir::success(ok));
}
