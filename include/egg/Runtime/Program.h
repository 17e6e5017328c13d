//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Program: a plan.json as the runtime holds it. Core's Plan is the same format
// written by the compiler; this reader stands alone because the runtime links
// no LLVM. A Program exists only after every check passed.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_RUNTIME_PROGRAM_H
#define EGG_RUNTIME_PROGRAM_H

#include "egg/Runtime/Status.h"
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace egg::runtime {

/// An argument or result of the module; see TensorSpec in egg/Core/Plan.h.
struct Tensor {
  std::string name, kind, dtype;
  std::vector<int64_t> shape;
  int64_t bytes = 0;
};

/// A range of device memory; see PlanBuffer in egg/Core/Plan.h.
struct Buffer {
  enum class Kind { Argument, Result, Arena };
  Kind kind = Kind::Arena;
  int64_t index = 0, offset = 0, bytes = 0;
};

/// A kernel launch, or a copy of arguments[0] to arguments[1].
struct Step {
  enum class Kind { Launch, Copy };
  Kind kind = Kind::Launch;
  std::string kernel;
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  int64_t dynamicSharedMemory = 0;
  std::vector<int64_t> arguments;
};

struct Program {
  std::string chip;
  std::vector<Tensor> arguments, results;
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  int64_t arenaBytes = 0;
};

/// Alignment the kernels assume of every argument and result, in bytes.
inline constexpr uint64_t kTensorAlignment = 16;
/// Alignment of the arena and of every range in it, in bytes.
inline constexpr uint64_t kArenaAlignment = 256;

/// Reads plan.json and checks it: known version and dtypes, buffer numbers in
/// range, sizes that agree with shapes, arena ranges inside the arena, launch
/// extents CUDA accepts. The message names the place in the document.
Result<Program> readProgram(std::string_view text);

} // namespace egg::runtime

#endif // EGG_RUNTIME_PROGRAM_H
