//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Emulation: kernels as they are lowered for the GPU, compiled for the CPU and
// run lane by lane, with the machine's rules on barriers, warps, asynchronous
// copies and memory checked.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_EMULATOR_EMULATION_H
#define EGG_EMULATOR_EMULATION_H

#include "egg/Core/Plan.h"
#include "egg/Emulator/SimtFault.h"
#include "egg/Emulator/TensorMap.h"
#include "egg/Host/HostArithmetic.h"
#include "egg/Host/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace egg {

struct SimtOptions {
  /// Also find uninitialised reads, unwritten outputs, data races and missing
  /// waits; without it only bounds, barriers and meetings of lanes are checked.
  bool checkAccesses = true;
  /// What floats are.
  HostArithmetic arithmetic = HostArithmetic::Native;
  /// Byte that fills results, temporaries and shared memory before use; 0xFF
  /// makes every float a NaN.
  uint8_t poison = 0xFF;
  /// Stack of one thread.
  size_t stackBytes = 192 * 1024;
  /// Rounds of loops that one thread may take.
  int64_t stepLimit = 100000000;
};

/// By element of an input, in row-major order: whether any thread, asynchronous
/// copy or copy between buffers has read it. Reads are recorded where accesses
/// are checked.
using ElementsRead = std::vector<uint8_t>;

/// One argument of a kernel that is launched by hand.
struct LaunchArgument {
  enum class Kind { Buffer, Map, Scalar };
  Kind kind = Kind::Buffer;
  /// The buffer passed, or that the tensor map is of.
  size_t buffer = 0;
  TensorMap map;
  /// Bytes of a scalar.
  std::vector<char> scalar;
};

/// A launch that no plan describes. Outputs are poisoned before it, unless what
/// they hold counts.
struct KernelLaunch {
  struct Buffer {
    /// What the kernel relies on in the values of an input: none, that tf32
    /// holds them, or that the planes along the first extent are the terms
    /// that a float was split into, each some 2^-8 of the one before.
    enum class Values { Any, TF32, Split };
    HostTensor tensor;
    bool output = false, filled = false;
    Values values = Values::Any;
    /// Of an input: what the launch has read of it.
    ElementsRead read;
  };
  std::string kernel;
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  int64_t dynamicSharedMemory = 0;
  /// Blocks, warps and lanes take turns from the last to the first: whoever
  /// relies on an order that the machine does not promise computes otherwise.
  bool backwards = false;
  std::vector<Buffer> buffers;
  std::vector<LaunchArgument> arguments;
};

/// The kernels of one lowered module, compiled for the CPU.
class SimtProgram {
public:
  /// Compiles the kernels of the module's gpu.module, which egg-lower-to-nvvm
  /// left or somebody wrote in the LLVM and NVVM dialects; the module is left
  /// as it is. Errors: an operation without a CPU form (the diagnostic says
  /// which).
  static llvm::Expected<std::unique_ptr<SimtProgram>>
  compile(mlir::ModuleOp lowered, const SimtOptions &options = {});
  ~SimtProgram();

  /// Runs the plan's steps on the arguments and returns the results. The error
  /// is a SimtFault when a kernel breaks a rule, otherwise a text: the plan
  /// does not fit the module or the arguments do not fit the plan. `read` gets,
  /// for each argument, what the steps have read of it.
  llvm::Expected<std::vector<HostTensor>>
  run(const Plan &plan, llvm::ArrayRef<HostTensor> arguments,
      std::vector<ElementsRead> *read = nullptr);

  /// Runs one launch; outputs are left in its buffers, as is what it has read
  /// of its inputs. Errors as for run.
  llvm::Error launch(KernelLaunch &launch);

  /// Whether what the kernel does may depend on the order of its threads though
  /// nothing races: it has atomic or volatile accesses, or clusters of several
  /// blocks, of which one may have ended when another one reads its memory.
  bool dependsOnOrder(llvm::StringRef kernel) const;
  /// What the kernels use, when they were compiled for exact arithmetic.
  const ExactUses &getExactUses() const;

private:
  struct Impl;
  explicit SimtProgram(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Compiles and runs once.
llvm::Expected<std::vector<HostTensor>>
runOnCPU(mlir::ModuleOp lowered, const Plan &plan,
         llvm::ArrayRef<HostTensor> arguments, const SimtOptions &options = {});

/// Reads the launch that attribute `egg.emulate` of the module describes (see
/// pass egg-emulate-kernel) with its inputs drawn. The error says what is
/// malformed.
llvm::Expected<KernelLaunch> readKernelLaunch(mlir::ModuleOp module);

} // namespace egg

#endif // EGG_EMULATOR_EMULATION_H
