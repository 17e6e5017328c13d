//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The two pieces of NVIDIA's toolkit that compiling uses: libdevice, the math
// library as LLVM bitcode, and ptxas, the assembler. Finding them, and running
// ptxas in a child process.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TARGET_TOOLCHAIN_H
#define EGG_TARGET_TOOLCHAIN_H

#include "egg/Core/KernelImage.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace egg {

/// Where to look. What is given is used or is an error; what is not given is
/// searched for.
struct ToolchainOptions {
  /// Paths of the files themselves.
  std::string ptxas, libdevice;
  /// Root of a CUDA toolkit (has bin/ptxas and nvvm/libdevice).
  std::string cudaPath;
};

/// The file's path. Searched in this order: the options, CUDA_HOME, CUDA_PATH
/// and CUDA_ROOT, /usr/local/cuda and its numbered siblings, distributions'
/// places, PATH, the PyPI packages nvidia-cuda-nvcc and nvidia-nvvm in a
/// virtual environment ($VIRTUAL_ENV, or .venv above this program), Triton's
/// copy there. The error says how to install it.
llvm::Expected<std::string> findPtxas(const ToolchainOptions &options = {});
llvm::Expected<std::string> findLibdevice(const ToolchainOptions &options = {});

/// What the ptxas at this path calls itself, "13.0.88"; empty if it does not
/// say.
std::string getPtxasVersion(llvm::StringRef ptxas);

/// What ptxas made and said.
struct AssembledPTX {
  /// ELF bytes.
  std::string cubin;
  /// One entry a kernel, in the order of the PTX.
  std::vector<KernelResources> resources;
  /// Lines of warning, and information lines that carry a C75xx code.
  std::vector<std::string> warnings;
};

/// Assembles PTX for a chip with the ptxas at `ptxas`, in a child process that
/// may take `wallSeconds`. The error carries what ptxas complained of.
llvm::Expected<AssembledPTX> assemblePTX(llvm::StringRef ptx,
                                         llvm::StringRef chip,
                                         llvm::StringRef ptxas,
                                         double wallSeconds = 300);

/// Reads the report that `ptxas -v` writes, for the kernels it names.
AssembledPTX parsePtxasReport(llvm::StringRef report);

} // namespace egg

#endif // EGG_TARGET_TOOLCHAIN_H
