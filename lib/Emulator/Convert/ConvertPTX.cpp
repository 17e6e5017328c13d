//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inline PTX instructions that have an emulation.
//
//===----------------------------------------------------------------------===//
#include "InlinePTX.h"
#include "KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace egg::simt;

namespace {

/// One memory or arithmetic instruction as LLVM ops.
class PTXExpansion {
public:
  PTXExpansion(LLVM::InlineAsmOp op, OpBuilder &builder)
      : op(op), ptx(op), builder(builder), loc(op.getLoc()) {}

  /// Replaces the operation; false where it is none of these.
  bool expand();

private:
  bool expandFunction(StringRef opcode);
  bool expandLoad(StringRef opcode);
  bool expandStore(StringRef opcode);
  Type elementType(StringRef opcode, int64_t &count);
  Value addressIn(StringRef opcode, StringRef operand);
  Value operand(size_t i) {
    return i < instruction().operands.size()
               ? ptx.value(builder, loc, instruction().operands[i], 32)
               : Value();
  }
  const InlinePTX::Instruction &instruction() {
    return ptx.instructions().front();
  }
  bool fitRegisters(Type element, int64_t count);
  Value toRegister(Value value, Type type, bool isSigned);
  void finish(ArrayRef<Value> results, bool isSigned = false);

  LLVM::InlineAsmOp op;
  InlinePTX ptx;
  OpBuilder &builder;
  Location loc;
};

} // namespace

/// The bits of the value in a register of the type: loads extend what is
/// narrower than that.
Value PTXExpansion::toRegister(Value value, Type type, bool isSigned) {
  if (value.getType() == type)
    return value;
  unsigned from = value.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from == to)
    return LLVM::BitcastOp::create(builder, loc, type, value);
  if (isSigned)
    return LLVM::SExtOp::create(builder, loc, type, value);
  return LLVM::ZExtOp::create(builder, loc, type, value);
}

void PTXExpansion::finish(ArrayRef<Value> results, bool isSigned) {
  if (op->getNumResults()) {
    Value result;
    if (auto record =
            dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType())) {
      result = LLVM::UndefOp::create(builder, loc, record);
      for (auto [i, value, type] : llvm::enumerate(results, record.getBody()))
        result = LLVM::InsertValueOp::create(
            builder, loc, result, toRegister(value, type, isSigned), i);
    } else {
      result =
          toRegister(results.front(), op->getResult(0).getType(), isSigned);
    }
    op->getResult(0).replaceAllUsesWith(result);
  }
  op.erase();
}

bool PTXExpansion::expandFunction(StringRef opcode) {
  // The approximate instructions are computed as well as libdevice's functions
  // are here; the machine's results differ by their own error.
  StringRef function =
      llvm::StringSwitch<StringRef>(opcode)
          .Cases({"ex2.approx.f32", "ex2.approx.ftz.f32"}, "__nv_exp2f")
          .Cases({"lg2.approx.f32", "lg2.approx.ftz.f32"}, "__nv_log2f")
          .Cases({"rsqrt.approx.f32", "rsqrt.approx.ftz.f32"}, "__nv_rsqrtf")
          .Cases({"sqrt.approx.f32", "sqrt.approx.ftz.f32", "sqrt.rn.f32"},
                 "__nv_sqrtf")
          .Cases({"sin.approx.f32", "sin.approx.ftz.f32"}, "__nv_sinf")
          .Cases({"cos.approx.f32", "cos.approx.ftz.f32"}, "__nv_cosf")
          .Case("tanh.approx.f32", "__nv_tanhf")
          .Default("");
  Value argument = operand(1);
  Type f32 = builder.getF32Type();
  if (!argument || argument.getType() != f32)
    return false;
  bool isReciprocal = opcode == "rcp.approx.f32" ||
                      opcode == "rcp.approx.ftz.f32" || opcode == "rcp.rn.f32";
  if (function.empty() && !isReciprocal)
    return false;
  auto call = [&](StringRef name, Value x) -> Value {
    return LLVM::CallOp::create(builder, loc, TypeRange(f32), name,
                                ValueRange(x))
        .getResult();
  };
  auto flush = [&](Value x) {
    return opcode.contains(".ftz.") ? call("egg_flush", x) : x;
  };
  argument = flush(argument);
  Value result;
  if (isReciprocal) {
    Value one =
        LLVM::ConstantOp::create(builder, loc, f32, builder.getF32FloatAttr(1));
    result = LLVM::FDivOp::create(builder, loc, one, argument);
  } else {
    result = call(function, argument);
  }
  finish({flush(result)});
  return true;
}

/// The element type and number of elements of a load or store.
Type PTXExpansion::elementType(StringRef opcode, int64_t &count) {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  count = 1;
  for (StringRef part : parts)
    if (part == "v2" || part == "v4")
      count = part == "v2" ? 2 : 4;
  unsigned bits = 0;
  StringRef type = parts.back();
  bool isFloat = type.consume_front("f");
  if (!isFloat && !type.consume_front("b") && !type.consume_front("u") &&
      !type.consume_front("s"))
    return {};
  if (type.getAsInteger(10, bits) || bits < 8 || bits > 64)
    return {};
  if (!isFloat)
    return builder.getIntegerType(bits);
  return bits == 64   ? Type(builder.getF64Type())
         : bits == 32 ? Type(builder.getF32Type())
                      : Type(builder.getF16Type());
}

static Type vectorOf(Type element, int64_t count) {
  return count == 1 ? element : Type(VectorType::get({count}, element));
}

/// The address with the space that the instruction names. An address of global
/// memory is the same as a generic one; of shared memory it is not.
Value PTXExpansion::addressIn(StringRef opcode, StringRef operand) {
  Value address = ptx.value(builder, loc, InlinePTX::address(operand), 64);
  auto type = address ? dyn_cast<LLVM::LLVMPointerType>(address.getType())
                      : LLVM::LLVMPointerType();
  if (!type)
    return {};
  unsigned space = type.getAddressSpace();
  if (opcode.contains(".shared"))
    return space == 3 || space == 7 ? address : Value();
  if (space == 1)
    return address;
  if (space != 0)
    return {};
  return LLVM::AddrSpaceCastOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 1),
      address);
}

/// Whether the assembly's results are registers for so many elements.
bool PTXExpansion::fitRegisters(Type element, int64_t count) {
  if (op->getNumResults() != 1)
    return false;
  SmallVector<Type> types = {op->getResult(0).getType()};
  if (auto record = dyn_cast<LLVM::LLVMStructType>(types[0]))
    types = llvm::to_vector(record.getBody());
  unsigned bits = element.getIntOrFloatBitWidth();
  return int64_t(types.size()) == count && llvm::all_of(types, [&](Type type) {
           return type.isIntOrFloat() &&
                  (type.getIntOrFloatBitWidth() == bits ||
                   (element.isInteger() && type.isInteger() &&
                    type.getIntOrFloatBitWidth() > bits));
         });
}

bool PTXExpansion::expandLoad(StringRef opcode) {
  if (!opcode.starts_with("ld.global") && !opcode.starts_with("ld.shared"))
    return false;
  int64_t count;
  Type element = elementType(opcode, count);
  if (!element || instruction().operands.size() < 2)
    return false;
  Value address = addressIn(opcode, instruction().operands[1]);
  if (!address || !fitRegisters(element, count))
    return false;
  bool polls = opcode.contains(".volatile") || opcode.contains(".acquire") ||
               opcode.contains(".relaxed");
  auto loaded = LLVM::LoadOp::create(builder, loc, vectorOf(element, count),
                                     address, /*alignment=*/0, polls);
  loaded.setInvariant(opcode.contains(".nc"));
  SmallVector<Value> results;
  for (int64_t i = 0; i < count; ++i) {
    Value value = loaded;
    if (count > 1) {
      Value at =
          LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), i);
      value = LLVM::ExtractElementOp::create(builder, loc, loaded, at);
    }
    results.push_back(value);
  }
  finish(results, opcode.rsplit('.').second.starts_with("s"));
  return true;
}

bool PTXExpansion::expandStore(StringRef opcode) {
  if (!opcode.starts_with("st.global") && !opcode.starts_with("st.shared"))
    return false;
  int64_t count;
  Type element = elementType(opcode, count);
  if (!element || instruction().operands.size() < 2)
    return false;
  Value address = addressIn(opcode, instruction().operands[0]);
  SmallVector<std::string> texts =
      InlinePTX::elements(instruction().operands[1]);
  if (!address || int64_t(texts.size()) != count)
    return false;
  SmallVector<Value> values;
  for (const std::string &text : texts) {
    values.push_back(
        ptx.value(builder, loc, text, element.getIntOrFloatBitWidth()));
    if (!values.back() || values.back().getType() != element)
      return false;
  }
  Value stored = values.front();
  if (count > 1) {
    stored = LLVM::UndefOp::create(builder, loc, vectorOf(element, count));
    for (auto [i, value] : llvm::enumerate(values))
      stored = LLVM::InsertElementOp::create(
          builder, loc, stored, value,
          LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                   int64_t(i)));
  }
  LLVM::StoreOp::create(builder, loc, stored, address);
  finish({});
  return true;
}

bool PTXExpansion::expand() {
  if (ptx.instructions().size() != 1 || !instruction().guard.empty())
    return false;
  std::string opcode = instruction().opcode;
  return expandFunction(opcode) || expandLoad(opcode) || expandStore(opcode);
}

LogicalResult FunctionConverter::expandInlinePTX() {
  SmallVector<LLVM::InlineAsmOp> assemblies;
  function.walk([&](LLVM::InlineAsmOp op) { assemblies.push_back(op); });
  for (LLVM::InlineAsmOp op : assemblies) {
    builder.setInsertionPoint(op);
    PTXExpansion(op, builder).expand();
  }
  return success();
}

LogicalResult FunctionConverter::convertInlineAsm(LLVM::InlineAsmOp op) {
  Location loc = op.getLoc();
  if (isWgmma(op))
    return convertWgmma(op);
  InlinePTX ptx(op);
  auto refuse = [&] {
    StringRef name = ptx.instructions().empty()
                         ? StringRef(op.getAsmString())
                         : StringRef(ptx.instructions().front().opcode);
    return op.emitError() << "cannot run this kernel on the CPU: the inline "
                             "PTX instruction '"
                          << name
                          << "' has no emulation in this form; use an op of "
                             "the NVVM dialect, or add one";
  };
  auto run = [&](StringRef name, Type result, ArrayRef<Value> operands) {
    traits.synchronizes = traits.needsClocks = true;
    SmallVector<Value> all = {thread(), site(op)};
    llvm::append_range(all, operands);
    return call(loc, name, result, all);
  };
  auto operand = [&](const InlinePTX::Instruction &instruction, size_t i) {
    if (i >= instruction.operands.size())
      return Value();
    std::string inner = InlinePTX::address(instruction.operands[i]);
    return ptx.value(builder, loc,
                     inner.empty() ? instruction.operands[i] : inner, 32);
  };
  // The loop around try_wait that nvvm.mbarrier.try_wait.parity becomes.
  const auto *wait = ptx.find("mbarrier.try_wait");
  if (!wait)
    wait = ptx.find("mbarrier.test_wait");
  if (wait) {
    if (!ptx.loopsUntilTrue(*wait))
      return op.emitError()
             << "cannot run this kernel on the CPU: inline PTX tries '"
             << wait->opcode
             << "', which may fail at any time, and does not go back to it "
                "until it succeeds; put a label before it and branch to the "
                "label where its predicate is false, or use "
                "nvvm.mbarrier.try_wait.parity, which does so";
    Value address = operand(*wait, 1), parity = operand(*wait, 2);
    if (!StringRef(wait->opcode).contains(".parity") || !address || !parity ||
        op->getNumResults())
      return refuse();
    run("egg_mbarrier_test", builder.getI1Type(),
        {address, toWord(loc, parity), constant(loc, 6, 32)});
    op.erase();
    return success();
  }
  if (ptx.instructions().size() != 1 ||
      !ptx.instructions().front().guard.empty())
    return refuse();
  const InlinePTX::Instruction &instruction = ptx.instructions().front();
  StringRef opcode = instruction.opcode;
  if (opcode.starts_with("mbarrier.arrive.") &&
      opcode.contains("shared::cluster") && instruction.operands.size() == 2 &&
      instruction.operands[0] == "_") {
    Value address = operand(instruction, 1);
    if (!address || opcode.contains("expect_tx"))
      return refuse();
    run("egg_mbarrier_arrive", builder.getI64Type(),
        {address, constant(loc, 1, 32), constant(loc, 0, 32),
         constant(loc, !opcode.contains("relaxed"), 32)});
    op.erase();
    return success();
  }
  if (opcode == "bar.arrive" || opcode == "barrier.cta.arrive.aligned") {
    Value id = operand(instruction, 0), count = operand(instruction, 1);
    if (!id || !count)
      return refuse();
    run("egg_barrier", {}, {id, toWord(loc, count), constant(loc, 0, 32)});
    op.erase();
    return success();
  }
  if (opcode.starts_with("fence.proxy.async")) {
    auto spaces =
        llvm::StringSwitch<std::optional<FencedSpaces>>(opcode)
            .Case("fence.proxy.async", FencedSpaces::All)
            .Case("fence.proxy.async.global", FencedSpaces::Global)
            .Case("fence.proxy.async.shared::cta", FencedSpaces::Block)
            .Case("fence.proxy.async.shared::cluster", FencedSpaces::Cluster)
            .Default(std::nullopt);
    if (!spaces)
      return refuse();
    call(loc, "egg_proxy_fence", {},
         {thread(), constant(loc, int64_t(*spaces), 32)});
    op.erase();
    return success();
  }
  if (opcode.starts_with("fence.mbarrier_init")) {
    call(loc, "egg_publish_mbarriers", {}, {thread()});
    op.erase();
    return success();
  }
  // Hints.
  if (opcode.starts_with("prefetch")) {
    op.erase();
    return success();
  }
  return refuse();
}
