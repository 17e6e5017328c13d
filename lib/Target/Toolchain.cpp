//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Target/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace egg {

namespace {

/// One of the two files, and where it lies below the places that have it.
struct Wanted {
  StringRef name;
  /// Below the root of a toolkit.
  StringRef inToolkit;
  /// Below Triton's folder of its NVIDIA backend.
  StringRef inTriton;
  bool executable;
};

constexpr Wanted kPtxas = {"ptxas", "bin/ptxas", "bin/ptxas", true};
constexpr Wanted kLibdevice = {"libdevice", "nvvm/libdevice/libdevice.10.bc",
                               "lib/libdevice.10.bc", false};

bool isUsable(StringRef file, const Wanted &wanted) {
  return fs::is_regular_file(file) &&
         (wanted.executable
              ? fs::can_execute(file)
              : fs::access(file, fs::AccessMode::Exist) == std::error_code());
}

std::string joined(StringRef root, StringRef below) {
  SmallString<256> result(root);
  path::append(result, below);
  return result.str().str();
}

/// Entries of a directory whose names start with the prefix, greatest name
/// first, so that the newest version wins and the order is always the same.
SmallVector<std::string> listed(StringRef directory, StringRef prefix) {
  SmallVector<std::string> result;
  std::error_code code;
  for (fs::directory_iterator entry(directory, code), end;
       !code && entry != end; entry.increment(code))
    if (path::filename(entry->path()).starts_with(prefix))
      result.push_back(entry->path());
  llvm::sort(result, std::greater<>());
  return result;
}

/// Virtual environments that may hold NVIDIA's packages.
SmallVector<std::string> virtualEnvironments() {
  SmallVector<std::string> result;
  if (auto active = sys::Process::GetEnv("VIRTUAL_ENV"))
    result.push_back(*active);
  std::string program = fs::getMainExecutable(nullptr, nullptr);
  for (StringRef directory = path::parent_path(program); !directory.empty();
       directory = path::parent_path(directory)) {
    if (fs::exists(joined(directory, "pyvenv.cfg")))
      result.push_back(directory.str());
    if (fs::exists(joined(directory, ".venv/pyvenv.cfg")))
      result.push_back(joined(directory, ".venv"));
  }
  return result;
}

/// Every place to look, best first.
SmallVector<std::string> candidates(const Wanted &wanted) {
  SmallVector<std::string> result;
  auto toolkit = [&](StringRef root) {
    result.push_back(joined(root, wanted.inToolkit));
  };
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (auto root = sys::Process::GetEnv(variable))
      toolkit(*root);
  toolkit("/usr/local/cuda");
  for (const std::string &root : listed("/usr/local", "cuda-"))
    toolkit(root);
  for (const char *root :
       {"/opt/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr/lib/cuda", "/usr"})
    toolkit(root);
  if (ErrorOr<std::string> onPath = sys::findProgramByName("ptxas")) {
    if (wanted.executable)
      result.push_back(*onPath);
    SmallString<256> real;
    if (!fs::real_path(*onPath, real))
      toolkit(path::parent_path(path::parent_path(real)));
  }
  SmallVector<std::string> sitePackages;
  for (const std::string &environment : virtualEnvironments())
    for (const std::string &python :
         listed(joined(environment, "lib"), "python3"))
      sitePackages.push_back(joined(python, "site-packages"));
  for (const std::string &site : sitePackages)
    for (const std::string &package : listed(joined(site, "nvidia"), ""))
      toolkit(package);
  for (const std::string &site : sitePackages)
    result.push_back(
        joined(joined(site, "triton/backends/nvidia"), wanted.inTriton));
  return result;
}

Expected<std::string> find(const Wanted &wanted, StringRef given,
                           StringRef cudaPath) {
  if (!given.empty() || !cudaPath.empty()) {
    std::string file =
        given.empty() ? joined(cudaPath, wanted.inToolkit) : given.str();
    if (isUsable(file, wanted))
      return file;
    return createStringError("no usable " + wanted.name + " at '" + file +
                             "'; correct the path, or leave it out to have it "
                             "searched for");
  }
  for (const std::string &file : candidates(wanted))
    if (isUsable(file, wanted))
      return file;
  return createStringError(
      "cannot find " + wanted.name +
      ": install a CUDA toolkit, or the PyPI package nvidia-cuda-nvcc in the "
      "virtual environment .venv, or give the toolkit's path");
}

} // namespace

Expected<std::string> findPtxas(const ToolchainOptions &options) {
  return find(kPtxas, options.ptxas, options.cudaPath);
}

Expected<std::string> findLibdevice(const ToolchainOptions &options) {
  return find(kLibdevice, options.libdevice, options.cudaPath);
}

} // namespace egg
