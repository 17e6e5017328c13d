//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replacing what is not host code: special registers, addresses in shared
// memory, and the tools that the conversions of the other files share.
//
//===----------------------------------------------------------------------===//
#include "../Matrix/MatrixTypes.h"
#include "KernelToHost.h"
#include "egg/Host/HostArithmetic.h"
#include "egg/Host/MachineArithmetic.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include <cstddef>

using namespace mlir;
using namespace egg::simt;

static constexpr unsigned kClusterSpace = 7;

Value FunctionConverter::constant(Location loc, int64_t value, unsigned bits) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(bits),
                                  value);
}

Value FunctionConverter::site(Operation *op) {
  auto known = siteOf.find(op);
  return constant(op->getLoc(),
                  known == siteOf.end() ? host.addSite(op) : known->second, 32);
}

Value FunctionConverter::call(Location loc, StringRef name, Type result,
                              ValueRange operands) {
  auto call = LLVM::CallOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), name, operands);
  return result ? call.getResult() : Value();
}

static unsigned bitsOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.getIntOrFloatBitWidth();
}

Value FunctionConverter::toWord(Location loc, Value value, unsigned bits) {
  Type type = value.getType();
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::PtrToIntOp::create(builder, loc, builder.getIntegerType(bits),
                                    value);
  auto integer = builder.getIntegerType(bitsOf(type));
  if (type != integer) {
    auto bits = LLVM::BitcastOp::create(builder, loc, integer, value);
    bits->setAttr(kMovedBitsAttrName, builder.getUnitAttr());
    value = bits;
  }
  auto word = builder.getIntegerType(bits);
  if (integer.getWidth() < bits)
    return LLVM::ZExtOp::create(builder, loc, word, value);
  if (integer.getWidth() > bits)
    return LLVM::TruncOp::create(builder, loc, word, value);
  return value;
}

Value FunctionConverter::fromWord(Location loc, Value word, Type type) {
  auto integer = builder.getIntegerType(bitsOf(type));
  if (word.getType() != integer)
    word = LLVM::TruncOp::create(builder, loc, integer, word);
  if (type != integer)
    word = LLVM::BitcastOp::create(builder, loc, type, word);
  return word;
}

Value FunctionConverter::scratch(Location loc, int64_t offset) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (!scratchMemory) {
    OpBuilder::InsertionGuard keep(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    Value bytes = constant(function.getLoc(), sizeof(WgmmaOperands), 64);
    scratchMemory = LLVM::AllocaOp::create(builder, function.getLoc(), pointer,
                                           builder.getI8Type(), bytes,
                                           /*alignment=*/16);
  }
  if (offset == 0)
    return scratchMemory;
  return LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI8Type(), scratchMemory,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
}

LogicalResult FunctionConverter::replace(Operation *op, Value value) {
  if (value)
    op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return success();
}

LogicalResult FunctionConverter::unsupported(Operation *op) {
  return op->emitError() << "cannot run this kernel on the CPU: '"
                         << op->getName()
                         << "' in this form has no counterpart there; use "
                            "another instruction, or add its emulation";
}

Value FunctionConverter::readRegister(Location loc, int number, Type type) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value address = LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI32Type(), thread(),
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(number))});
  Value value =
      LLVM::LoadOp::create(builder, loc, builder.getI32Type(), address);
  if (type != builder.getI32Type())
    value = LLVM::ZExtOp::create(builder, loc, type, value);
  return value;
}

LogicalResult FunctionConverter::convertPointerOp(Operation *op) {
  Location loc = op->getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto spaceOf = [](Value value) {
    return cast<LLVM::LLVMPointerType>(value.getType()).getAddressSpace();
  };
  if (auto variable = dyn_cast<LLVM::AddressOfOp>(op)) {
    for (const SharedVariable &shared : kernel.shared) {
      if (shared.name != variable.getGlobalName())
        continue;
      // The thread's window lies right behind its registers.
      constexpr size_t offset = offsetof(ThreadRecord, window);
      static_assert(offset == sizeof(ThreadRecord::registers));
      Value slot = LLVM::GEPOp::create(
          builder, loc, pointer, builder.getI8Type(), thread(),
          ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
      Value window = LLVM::LoadOp::create(builder, loc, pointer, slot);
      return replace(op, LLVM::GEPOp::create(
                             builder, loc, pointer, builder.getI8Type(), window,
                             ArrayRef<LLVM::GEPArg>{
                                 LLVM::GEPArg(int32_t(shared.offset))}));
    }
    return success();
  }
  if (isa<LLVM::AddrSpaceCastOp>(op))
    return replace(op, op->getOperand(0));
  if (auto toInt = dyn_cast<LLVM::PtrToIntOp>(op)) {
    unsigned space = spaceOf(toInt.getArg());
    if (space != kSharedSpace && space != kClusterSpace)
      return success();
    Value offset = call(loc, "egg_to_offset", builder.getI64Type(),
                        {thread(), site(op), toInt.getArg(),
                         constant(loc, space == kClusterSpace, 32)});
    return replace(op, fromWord(loc, offset, toInt.getType()));
  }
  if (auto toPointer = dyn_cast<LLVM::IntToPtrOp>(op)) {
    unsigned space = spaceOf(toPointer.getResult());
    if (space != kSharedSpace && space != kClusterSpace)
      return success();
    return replace(op, call(loc, "egg_from_offset", pointer,
                            {thread(), toWord(loc, toPointer.getArg()),
                             constant(loc, space == kClusterSpace, 32)}));
  }
  if (auto map = dyn_cast<NVVM::MapaOp>(op)) {
    traits.synchronizes = traits.needsClocks = true;
    return replace(op, call(loc, "egg_map_shared", pointer,
                            {thread(), site(op), map.getA(), map.getB()}));
  }
  return failure();
}

/// Divides by another number where the division is undefined: the GPU goes on
/// where a CPU traps, and payloads have the same rule
/// (lib/Host/IntegerDivision.h).
void FunctionConverter::defineDivision(Operation *op) {
  bool isSigned = isa<LLVM::SDivOp, LLVM::SRemOp>(op);
  Location loc = op->getLoc();
  Value number = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  llvm::APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() &&
      !(isSigned && known.isAllOnes()))
    return;
  unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto constant = [&](const llvm::APInt &value) -> Value {
    TypedAttr attribute =
        builder.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto shaped = dyn_cast<ShapedType>(type))
      attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
    return LLVM::ConstantOp::create(builder, loc, type, attribute);
  };
  auto equals = [&](Value value, const llvm::APInt &expected) -> Value {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, value,
                                constant(expected));
  };
  Value undefined = equals(divisor, llvm::APInt::getZero(bits));
  if (isSigned) {
    Value overflows = LLVM::AndOp::create(
        builder, loc, equals(number, llvm::APInt::getSignedMinValue(bits)),
        equals(divisor, llvm::APInt::getAllOnes(bits)));
    undefined = LLVM::OrOp::create(builder, loc, undefined, overflows);
  }
  op->setOperand(1, LLVM::SelectOp::create(builder, loc, undefined,
                                           constant(getDivisorInstead(bits)),
                                           divisor));
}

/// A GPU fuses what may be fused, and rounds halves once: a CPU would round
/// the product too, or round to f32 in between. Doubles hold the product of
/// halves exactly.
Value FunctionConverter::fuse(Operation *op) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  SmallVector<Value> operands = llvm::to_vector(op->getOperands());
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() != 16)
    return LLVM::FMAOp::create(builder, loc, type, operands);
  Type wide = builder.getF64Type();
  if (auto vector = dyn_cast<VectorType>(type))
    wide = VectorType::get(vector.getShape(), wide);
  for (Value &operand : operands)
    operand = LLVM::FPExtOp::create(builder, loc, wide, operand);
  Value product =
      LLVM::FMulOp::create(builder, loc, wide, operands[0], operands[1]);
  Value sum = LLVM::FAddOp::create(builder, loc, wide, product, operands[2]);
  return LLVM::FPTruncOp::create(builder, loc, type, sum);
}

LogicalResult FunctionConverter::convertOp(Operation *op) {
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  if (isa<LLVM::FMAOp, LLVM::FMulAddOp>(op))
    return replace(op, fuse(op));
  if (isa<LLVM::AddressOfOp, LLVM::AddrSpaceCastOp, LLVM::PtrToIntOp,
          LLVM::IntToPtrOp, NVVM::MapaOp>(op))
    return convertPointerOp(op);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return convertInlineAsm(assembly);
  if (isa<LLVM::SDivOp, LLVM::SRemOp, LLVM::UDivOp, LLVM::URemOp>(op)) {
    defineDivision(op);
    return success();
  }
  if (isa<LLVM::UnreachableOp>(op)) {
    call(loc, "egg_unreachable", {}, {thread(), site(op)});
    return success();
  }
  if (auto assume = dyn_cast<LLVM::AssumeOp>(op)) {
    call(loc, "egg_assume", {},
         {thread(), site(op), toWord(loc, assume.getCond(), 32)});
    return replace(op, {});
  }
  if (isa<LLVM::FenceOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
    return replace(op, {});
  if (isa<LLVM::CallIntrinsicOp>(op))
    return unsupported(op);
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("nvvm.read.ptx.sreg.")) {
    int number = lookupRegister(name);
    if (number < 0)
      return unsupported(op);
    return replace(op, readRegister(loc, number, op->getResult(0).getType()));
  }
  if (op->getName().getDialectNamespace() != "nvvm")
    return success();
  if (isa<NVVM::RcpApproxFtzF32Op>(op)) {
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getF32Type(),
                                         builder.getF32FloatAttr(1));
    auto flush = [&](Value x) {
      return call(loc, "egg_flush", builder.getF32Type(), x);
    };
    Value quotient =
        LLVM::FDivOp::create(builder, loc, one, flush(op->getOperand(0)));
    return replace(op, flush(quotient));
  }
  // Hints and fences of which nothing that is emulated depends.
  if (isa<NVVM::PrefetchOp, NVVM::CpAsyncBulkPrefetchOp,
          NVVM::CpAsyncBulkTensorPrefetchOp, NVVM::GriddepcontrolOp,
          NVVM::NanosleepOp, NVVM::PMEventOp, NVVM::MembarOp,
          NVVM::FenceScClusterOp, NVVM::FenceSyncRestrictOp>(op))
    return replace(op, {});
  for (auto convert :
       {&FunctionConverter::convertWarpOp, &FunctionConverter::convertBarrierOp,
        &FunctionConverter::convertAsyncOp,
        &FunctionConverter::convertMatrixOp}) {
    builder.setInsertionPoint(op);
    // Success means that the op is gone, or one of these diagnosed it.
    auto result = (this->*convert)(op);
    if (succeeded(result))
      return success();
  }
  return unsupported(op);
}

LogicalResult FunctionConverter::convertOps() {
  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (failed(convertOp(op)))
      return failure();
  return success();
}
