//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// InlinePTX: the text of an inline assembly operation, taken apart.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_CONVERT_INLINEPTX_H
#define EGG_LIB_EMULATOR_CONVERT_INLINEPTX_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace egg::simt {

class InlinePTX {
public:
  struct Instruction {
    /// "@p" or "@!p"; empty where there is none.
    std::string guard;
    std::string opcode;
    std::vector<std::string> operands;
    /// Those that stand before it.
    std::vector<std::string> labels;
  };

  explicit InlinePTX(mlir::LLVM::InlineAsmOp op);

  /// Without declarations.
  const std::vector<Instruction> &instructions() const { return list; }
  /// The first instruction whose opcode starts so, or null.
  const Instruction *find(llvm::StringRef prefix) const;

  /// The elements of "{a, b}", or the operand itself.
  static llvm::SmallVector<std::string> elements(llvm::StringRef operand);
  /// The operand inside "[...]", empty if it has another form.
  static std::string address(llvm::StringRef operand);
  /// What a predicate was set from by setp.ne of an operand and zero; the
  /// operand itself if it is none.
  std::string resolvePredicate(llvm::StringRef operand) const;

  /// Whether the text tries the wait until it succeeds, and does nothing else.
  bool loopsUntilTrue(const Instruction &wait) const;
  /// The first instruction that reads or writes memory, orders accesses or
  /// meets other threads, or null.
  const Instruction *findEffect() const;

  /// The value that "$n" stands for, an integer constant for a literal, null
  /// for anything else.
  mlir::Value value(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::StringRef operand, unsigned literalBits) const;
  /// The number of the result that "$n" stands for, -1 if it is none.
  int result(llvm::StringRef operand) const;

private:
  mlir::Operation *op;
  std::vector<Instruction> list;
  /// At the end of the text.
  std::vector<std::string> lastLabels;
  int results = 0;
};

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_CONVERT_INLINEPTX_H
