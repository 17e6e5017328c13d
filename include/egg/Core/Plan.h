//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plan: the host side of a compiled module. Which device buffers exist, where
// the temporaries lie in one arena, and which kernels run on them in which
// order. A value: it prints, parses and compares; only the runtime acts on it.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_CORE_PLAN_H
#define EGG_CORE_PLAN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace egg {

/// Bytes of one element of a dtype by its MLIR name (TensorSpec::dtype); none
/// for an unknown one.
std::optional<int64_t> getDtypeBytes(llvm::StringRef dtype);

/// An argument or result of the entry function: a dense row-major tensor.
struct TensorSpec {
  /// Name in the PyTorch module (a parameter's path, an input's name).
  std::string name;
  /// What it is: "parameter", "buffer" or "input" for arguments; "output" or
  /// "buffer_update" for results.
  std::string kind;
  /// Extents, outermost first; empty for a scalar.
  std::vector<int64_t> shape;
  /// Element type by its MLIR name: f64, f32, f16, bf16, i64, i32, i16, i8, i1
  /// (one byte an element).
  std::string dtype;

  /// Number of bytes the dense tensor occupies.
  int64_t sizeInBytes() const;
  bool operator==(const TensorSpec &) const = default;
};

/// JSON and back; the sizes of what is read do not overflow.
llvm::json::Value toJSONValue(const TensorSpec &spec);
bool fromJSON(const llvm::json::Value &value, TensorSpec &spec,
              llvm::json::Path path);

/// A contiguous range of device memory that launches read or write.
struct PlanBuffer {
  enum class Kind { Argument, Result, Arena };
  Kind kind = Kind::Arena;
  /// Argument or result number; unused for Arena.
  int64_t index = 0;
  /// Byte offset in the arena (a multiple of 256); unused otherwise.
  int64_t offset = 0;
  /// Size in bytes.
  int64_t bytes = 0;
  bool operator==(const PlanBuffer &) const = default;
};

/// One step of the plan, in program order on one stream.
struct PlanStep {
  enum class Kind {
    /// Launch kernel with arguments = buffer numbers, one pointer each.
    Launch,
    /// Copy buffer arguments[0] to arguments[1] (a result that is an argument).
    Copy
  };
  Kind kind = Kind::Launch;
  /// Symbol of the kernel in the PTX.
  std::string kernel;
  /// Extents in x, y, z.
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Bytes of dynamic shared memory a block.
  int64_t dynamicSharedMemory = 0;
  /// Numbers into Plan::buffers.
  std::vector<int64_t> arguments;
  bool operator==(const PlanStep &) const = default;
};

/// The whole host program. Results never alias arguments.
struct Plan {
  /// Format version; parsePlan refuses any other.
  static constexpr int64_t kVersion = 1;
  /// Chip the kernels are for, e.g. "sm_90a".
  std::string chip;
  std::vector<TensorSpec> arguments;
  std::vector<TensorSpec> results;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanStep> steps;
  /// Bytes of the arena that holds every Arena buffer.
  int64_t arenaBytes = 0;
  bool operator==(const Plan &) const = default;
};

/// Prints the plan as indented JSON with a final newline; equal plans print
/// equal text.
std::string toJSON(const Plan &plan);

/// Parses what toJSON prints and checks it: known version, buffer numbers in
/// range, arena ranges inside the arena, positive launch extents. The error
/// names the offending path in the document.
llvm::Expected<Plan> parsePlan(llvm::StringRef text);

} // namespace egg

#endif // EGG_CORE_PLAN_H
