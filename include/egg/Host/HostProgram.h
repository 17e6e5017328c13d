//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// HostProgram: a module of functions on memrefs, compiled for the CPU this
// process runs on (HostTarget.h says with which instructions).
//
//===----------------------------------------------------------------------===//
#ifndef EGG_HOST_HOSTPROGRAM_H
#define EGG_HOST_HOSTPROGRAM_H

#include "egg/Host/HostArithmetic.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace egg {

class HostProgram {
public:
  /// A function takes an array that points to the value of each argument.
  using Function = void (*)(void **arguments);
  using Symbols = std::vector<std::pair<std::string, void *>>;

  /// Lowers the module (which it consumes) to machine code. Its functions
  /// (func.func or llvm.func) take static memrefs of identity layout, !llvm.ptr
  /// or scalars and return nothing; they may use scf, affine, arith, math,
  /// index, vector, memref and LLVM ops and call the given symbols. Buffers
  /// they allocate live until releaseAllocations.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  compile(mlir::ModuleOp module, const Symbols &symbols,
          HostArithmetic arithmetic = HostArithmetic::Native);
  ~HostProgram();

  /// The function of that name; an error when there is none.
  llvm::Expected<Function> lookup(llvm::StringRef name);

  /// What the program uses, when it was compiled for exact arithmetic.
  const ExactUses &getExactUses() const { return exactUses; }

  /// Frees every buffer that functions of this thread's programs allocated.
  static void releaseAllocations();

private:
  HostProgram();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  ExactUses exactUses;
};

} // namespace egg

#endif // EGG_HOST_HOSTPROGRAM_H
