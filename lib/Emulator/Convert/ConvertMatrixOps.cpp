//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix instructions: operands go through memory of the function.
//
//===----------------------------------------------------------------------===//
#include "../Matrix/MatrixTypes.h"
#include "InlinePTX.h"
#include "KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include <cstddef>

using namespace mlir;
using namespace egg::simt;

static std::optional<FactorType> factorType(NVVM::MMATypes type) {
  switch (type) {
  case NVVM::MMATypes::bf16:
    return FactorType::BF16;
  case NVVM::MMATypes::f16:
    return FactorType::F16;
  case NVVM::MMATypes::tf32:
    return FactorType::TF32;
  default:
    return std::nullopt;
  }
}

LogicalResult FunctionConverter::convertMatrixOp(Operation *op) {
  Location loc = op->getLoc();
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  auto meet = [&](Meeting meeting, int64_t mode, int64_t detail, Value first) {
    traits.synchronizes = true;
    call(loc, "egg_meet_in_memory", {},
         {thread(), site(op), constant(loc, int64_t(meeting), 32),
          constant(loc, mode, 32), constant(loc, detail, 32),
          first ? toWord(loc, first) : constant(loc, 0, 64),
          constant(loc, 0, 64), scratch(loc)});
  };
  // Loads `count` values of a type and makes the result of them.
  auto loadResult = [&](Type element, int64_t count, int64_t offset) {
    Type type = op->getResult(0).getType();
    auto record = dyn_cast<LLVM::LLVMStructType>(type);
    if (!record)
      return Value(
          LLVM::LoadOp::create(builder, loc, type, scratch(loc, offset)));
    Value result = LLVM::UndefOp::create(builder, loc, record);
    for (int64_t i = 0; i < count; ++i)
      result = LLVM::InsertValueOp::create(
          builder, loc, result,
          LLVM::LoadOp::create(builder, loc, element,
                               scratch(loc, offset + i * 4)),
          i);
    return result;
  };
  auto isPlain = [](NVVM::LdStMatrixShapeAttr shape,
                    NVVM::LdStMatrixEltType type) {
    return shape.getM() == 8 && shape.getN() == 8 &&
           type == NVVM::LdStMatrixEltType::B16;
  };
  if (auto load = dyn_cast<NVVM::LdMatrixOp>(op)) {
    if (!isPlain(load.getShape(), load.getEltType()))
      return failure();
    meet(Meeting::LoadMatrix, load.getNum(),
         load.getLayout() == NVVM::MMALayout::col, load.getPtr());
    return replace(op, loadResult(i32, load.getNum(), 0));
  }
  if (auto store = dyn_cast<NVVM::StMatrixOp>(op)) {
    if (!isPlain(store.getShape(), store.getEltType()))
      return failure();
    for (auto [i, word] : llvm::enumerate(store.getSources()))
      LLVM::StoreOp::create(builder, loc, word, scratch(loc, i * 4));
    meet(Meeting::StoreMatrix, store.getSources().size(),
         store.getLayout() == NVVM::MMALayout::col, store.getPtr());
    return replace(op, {});
  }
  if (auto mma = dyn_cast<NVVM::MmaOp>(op)) {
    auto typeA = mma.getMultiplicandAPtxType(),
         typeB = mma.getMultiplicandBPtxType();
    auto type = typeA ? factorType(*typeA) : std::nullopt;
    auto shape = mma.getShape();
    auto result = dyn_cast<LLVM::LLVMStructType>(mma.getRes().getType());
    if (!type || typeA != typeB || !result || result.getBody().size() != 4 ||
        !result.getBody()[0].isF32() || shape.getM() != 16 ||
        shape.getN() != 8 || shape.getK() * factorBytes(*type) > 32 ||
        shape.getK() * factorBytes(*type) < 16 || mma.getB1Op() ||
        mma.getLayoutA() != NVVM::MMALayout::row ||
        mma.getLayoutB() != NVVM::MMALayout::col)
      return failure();
    auto storeAll = [&](ValueRange values, size_t offset) {
      for (auto [i, value] : llvm::enumerate(values))
        LLVM::StoreOp::create(builder, loc, value,
                              scratch(loc, offset + i * 4));
    };
    storeAll(mma.getOperandA(), offsetof(MmaOperands, a));
    storeAll(mma.getOperandB(), offsetof(MmaOperands, b));
    storeAll(mma.getOperandC(), offsetof(MmaOperands, accumulators));
    host.usesProducts = true;
    meet(Meeting::Multiply, int64_t(*type), shape.getK(), {});
    return replace(op, loadResult(f32, 4, offsetof(MmaOperands, accumulators)));
  }
  auto warpgroup = [&](Meeting meeting, int64_t detail) {
    traits.synchronizes = traits.needsClocks = true;
    call(loc, "egg_meet", builder.getI64Type(),
         {thread(), site(op), constant(loc, int64_t(meeting), 32),
          constant(loc, -1, 32), constant(loc, 0, 32),
          constant(loc, detail, 32), constant(loc, 0, 64),
          constant(loc, 0, 64)});
    return replace(op, {});
  };
  if (isa<NVVM::WgmmaFenceAlignedOp>(op))
    return warpgroup(Meeting::WgmmaFence, 0);
  if (isa<NVVM::WgmmaGroupSyncAlignedOp>(op))
    return warpgroup(Meeting::WgmmaCommit, 0);
  if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(op))
    return warpgroup(Meeting::WgmmaWait, wait.getGroup());
  return failure();
}

bool egg::simt::isWgmma(LLVM::InlineAsmOp op) {
  return op.getAsmString().contains("wgmma.mma_async");
}

// "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {D}, A, B, scale-d,
// scale-a, scale-b[, transposed a][, transposed b]".
LogicalResult FunctionConverter::convertWgmma(LLVM::InlineAsmOp op) {
  Location loc = op.getLoc();
  InlinePTX ptx(op);
  const InlinePTX::Instruction *product = ptx.find("wgmma.mma_async");
  auto refuse = [&](const Twine &why) {
    return op.emitError() << "cannot run this kernel on the CPU: " << why
                          << " in '" << product->opcode << "'";
  };
  SmallVector<StringRef> parts;
  StringRef(product->opcode).split(parts, '.');
  if (parts.size() < 8)
    return refuse("unknown form");
  StringRef shape = parts[4];
  unsigned n = 0;
  if (!shape.consume_front("m64n") || shape.consumeInteger(10, n) || n % 8 ||
      n == 0 || n > 256)
    return refuse("unknown shape");
  std::optional<FactorType> type;
  for (FactorType candidate :
       {FactorType::BF16, FactorType::F16, FactorType::TF32})
    if (parts[6] == kFactorNames[int(candidate)] && parts[7] == parts[6])
      type = candidate;
  if (parts[5] != "f32" || !type)
    return refuse("only f32 accumulators and bf16, f16 or tf32 factors are "
                  "emulated");
  const auto &operands = product->operands;
  size_t minimum = 6;
  if (operands.size() < minimum)
    return refuse("too few operands");
  SmallVector<std::string> accumulators = InlinePTX::elements(operands[0]);
  SmallVector<std::string> registers = InlinePTX::elements(operands[1]);
  bool aInRegisters = registers.size() == 4;
  auto results = dyn_cast<LLVM::LLVMStructType>(op.getRes().getType());
  if (accumulators.size() != n / 2 || !results ||
      results.getBody().size() != n / 2 || !results.getBody()[0].isF32())
    return refuse("another number of accumulators than the shape has");
  auto storeWord = [&](Value value, size_t offset, unsigned bits) {
    LLVM::StoreOp::create(builder, loc, toWord(loc, value, bits),
                          scratch(loc, offset));
  };
  auto operand = [&](StringRef text, unsigned bits) {
    return ptx.value(builder, loc, text, bits);
  };
  // scale-d may be a predicate that the text sets from an operand.
  std::string scale = ptx.resolvePredicate(operands[3]);
  struct Word {
    std::string text;
    size_t offset;
    unsigned bits;
  };
  SmallVector<Word> words = {
      {operands[2], offsetof(WgmmaOperands, b), 64},
      {scale, offsetof(WgmmaOperands, scaleD), 32},
      {operands[4], offsetof(WgmmaOperands, scaleA), 32},
      {operands[5], offsetof(WgmmaOperands, scaleB), 32}};
  size_t next = 6;
  auto transposed = [&](size_t offset) {
    words.push_back(
        {next < operands.size() ? operands[next++] : "0", offset, 32});
  };
  if (aInRegisters) {
    words.push_back({"0", offsetof(WgmmaOperands, transposeA), 32});
    for (auto [i, text] : llvm::enumerate(registers))
      words.push_back({text, offsetof(WgmmaOperands, aRegisters) + i * 4, 32});
  } else {
    words.push_back({operands[1], offsetof(WgmmaOperands, a), 64});
    transposed(offsetof(WgmmaOperands, transposeA));
  }
  transposed(offsetof(WgmmaOperands, transposeB));
  for (const Word &word : words) {
    Value value = operand(word.text, word.bits);
    if (!value)
      return refuse("operand '" + word.text + "' is not understood");
    storeWord(value, word.offset, word.bits);
  }
  // The accumulators are the first inputs, tied to the results.
  for (unsigned i = 0; i < n / 2; ++i)
    LLVM::StoreOp::create(
        builder, loc, op.getOperands()[i],
        scratch(loc, offsetof(WgmmaOperands, accumulators) + i * 4));
  traits.synchronizes = traits.needsClocks = true;
  host.usesProducts = true;
  call(loc, "egg_meet_in_memory", {},
       {thread(), site(op), constant(loc, int64_t(Meeting::Wgmma), 32),
        constant(loc, int64_t(*type), 32), constant(loc, aInRegisters, 32),
        constant(loc, 0, 64), constant(loc, n, 64), scratch(loc)});
  Value result = LLVM::UndefOp::create(builder, loc, results);
  for (unsigned i = 0; i < n / 2; ++i)
    result = LLVM::InsertValueOp::create(
        builder, loc, result,
        LLVM::LoadOp::create(
            builder, loc, builder.getF32Type(),
            scratch(loc, offsetof(WgmmaOperands, accumulators) + i * 4)),
        i);
  return replace(op, result);
}
