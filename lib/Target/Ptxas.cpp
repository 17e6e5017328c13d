//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Running ptxas and reading its report.
//
//===----------------------------------------------------------------------===//
#include "egg/Support/Files.h"
#include "egg/Support/Subprocess.h"
#include "egg/Target/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace egg {

/// The number that stands before the words, or 0: "128 bytes smem".
static int64_t numberBefore(StringRef line, StringRef words) {
  SmallVector<StringRef, 2> match;
  int64_t number = 0;
  if (Regex(("([0-9]+) " + words).str()).match(line, &match))
    match[1].getAsInteger(10, number);
  return number;
}

/// The quoted name in "Compiling entry function 'name' for 'sm_90a'".
static StringRef quotedName(StringRef line) {
  return line.split('\'').second.split('\'').first;
}

AssembledPTX parsePtxasReport(StringRef report) {
  AssembledPTX result;
  // Properties of device functions that were not inlined are reported too;
  // only entry functions open an entry of ours.
  KernelResources *current = nullptr;
  for (StringRef line : split(report, '\n')) {
    line = line.trim();
    if (line.contains("Compiling entry function")) {
      current = &result.resources.emplace_back();
      current->kernel = quotedName(line).str();
      continue;
    }
    if (line.contains("warning") || line.contains("(C75")) {
      result.warnings.push_back(line.str());
      continue;
    }
    if (!current)
      continue;
    if (line.contains("bytes stack frame")) {
      current->stack += numberBefore(line, "bytes stack frame");
      current->spillStores += numberBefore(line, "bytes spill stores");
      current->spillLoads += numberBefore(line, "bytes spill loads");
    } else if (line.contains("Used ") && line.contains(" registers")) {
      current->registers = numberBefore(line, "registers");
      current->sharedMemory = numberBefore(line, "bytes smem");
    }
  }
  return result;
}

/// Entry points in the order of the text; ptxas reports in its own.
static SmallVector<StringRef> entriesOf(StringRef ptx) {
  SmallVector<StringRef> names;
  for (StringRef line : split(ptx, '\n')) {
    size_t at = line.find(".entry ");
    if (at != StringRef::npos)
      names.push_back(line.substr(at + 7).ltrim().take_until(
          [](char c) { return c == '(' || isSpace(c); }));
  }
  return names;
}

Expected<AssembledPTX> assemblePTX(StringRef ptx, StringRef chip,
                                   StringRef ptxas, double wallSeconds) {
  SmallString<128> directory;
  if (std::error_code code = fs::createUniqueDirectory("egg-ptxas", directory))
    return createStringError("cannot create a temporary directory: " +
                             code.message());
  auto cleanUp = scope_exit([&] { (void)fs::remove_directories(directory); });
  // Relative names, and the same ones always: ptxas puts them in the cubin.
  if (Error error =
          writeFileAtomically((directory + "/kernels.ptx").str(), ptx))
    return std::move(error);
  ProcessRequest request;
  request.program = ptxas.str();
  request.arguments = {"-arch=" + chip.str(), "-O3",        "-v", "-o",
                       "kernels.cubin",       "kernels.ptx"};
  request.workingDirectory = directory.str().str();
  request.limits.wallSeconds = wallSeconds;
  Expected<ProcessResult> run = runProcess(request);
  if (!run)
    return run.takeError();
  std::string report = run->standardError + run->standardOutput;
  if (!run->succeeded())
    return createStringError("ptxas for " + chip + " " + run->describeEnd() +
                             ": " + StringRef(report).trim().take_front(4000));
  AssembledPTX result = parsePtxasReport(report);
  Expected<std::string> cubin = readFile((directory + "/kernels.cubin").str());
  if (!cubin)
    return cubin.takeError();
  result.cubin = std::move(*cubin);
  SmallVector<StringRef> entries = entriesOf(ptx);
  llvm::sort(result.resources, [&](const KernelResources &a,
                                   const KernelResources &b) {
    return llvm::find(entries, a.kernel) < llvm::find(entries, b.kernel);
  });
  return result;
}

std::string getPtxasVersion(StringRef ptxas) {
  ProcessRequest request;
  request.program = ptxas.str();
  request.arguments = {"--version"};
  request.limits.wallSeconds = 30;
  Expected<ProcessResult> run = runProcess(request);
  if (!run) {
    consumeError(run.takeError());
    return "";
  }
  // "Cuda compilation tools, release 13.0, V13.0.88"
  StringRef text = run->standardOutput;
  size_t at = text.find(", V");
  if (at == StringRef::npos)
    return "";
  return text.substr(at + 3)
      .take_while([](char c) { return isDigit(c) || c == '.'; })
      .str();
}

} // namespace egg
