//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel says to the compiler that the emulator does not follow:
// assembly without effects that has some, attributes and flags that change
// arithmetic, and operations that the GPU's backend has no code for.
//
//===----------------------------------------------------------------------===//
#include "../InlinePTX.h"
#include "../KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace egg::simt;

/// Assembly that declares no effect is merged and moved as an addition is.
static LogicalResult checkEffects(LLVM::InlineAsmOp op) {
  if (op.getHasSideEffects() || op.getConstraints().contains("~{memory}"))
    return success();
  InlinePTX ptx(op);
  const InlinePTX::Instruction *effect = ptx.findEffect();
  if (!effect)
    return success();
  return op.emitError()
         << "the inline PTX instruction '" << effect->opcode
         << "' touches memory or meets other threads, but the operation "
            "declares no side effect: the compiler may merge it with its like, "
            "move it over barriers and stores, or drop it; add "
            "'has_side_effects'";
}

static bool isHarmlessPassthrough(StringRef key, StringRef value) {
  static const llvm::StringSet<> names = {
      "alwaysinline", "cold",     "convergent",   "hot",
      "inlinehint",   "minsize",  "mustprogress", "noinline",
      "norecurse",    "nounwind", "nvvm.maxnreg", "nvvm.minctasm",
      "optnone",      "optsize",  "target-cpu",   "target-features",
      "willreturn"};
  if (names.contains(key))
    return true;
  return llvm::StringSwitch<bool>(key)
      .Cases({"denormal-fp-math", "denormal-fp-math-f32"},
             value == "ieee" || value == "ieee,ieee")
      .Cases({"approx-func-fp-math", "no-infs-fp-math", "no-nans-fp-math",
              "no-signed-zeros-fp-math", "nvptx-f32ftz", "unsafe-fp-math"},
             value == "false")
      .Default(false);
}

static LogicalResult checkAttributes(LLVM::LLVMFuncOp function) {
  auto refuse = [&](StringRef name, StringRef value) -> LogicalResult {
    InFlightDiagnostic error = function.emitError()
                               << "the function '" << function.getName()
                               << "' has the attribute '" << name << "'";
    if (!value.empty())
      error << " = '" << value << "'";
    return error << ", which changes what its operations compute, and is not "
                    "emulated; leave it out";
  };
  for (StringRef name :
       {"approx_func_fp_math", "no_infs_fp_math", "no_nans_fp_math",
        "no_signed_zeros_fp_math", "unsafe_fp_math"})
    if (auto flag = function->getAttr(name))
      if (auto value = dyn_cast<BoolAttr>(flag); !value || value.getValue())
        return refuse(name, "");
  for (StringRef name : {"denormal_fp_math", "denormal_fp_math_f32"})
    if (auto mode = function->getAttr(name)) {
      auto value = dyn_cast<StringAttr>(mode);
      if (!value || (value != "ieee" && value != "ieee,ieee"))
        return refuse(name, value ? value.getValue() : "");
    }
  if (auto estimates = function.getReciprocalEstimates())
    return refuse("reciprocal_estimates", *estimates);
  auto passthrough = function.getPassthrough();
  if (!passthrough)
    return success();
  for (Attribute entry : *passthrough) {
    StringRef key, value;
    if (auto name = dyn_cast<StringAttr>(entry)) {
      key = name.getValue();
    } else if (auto pair = dyn_cast<ArrayAttr>(entry);
               pair && pair.size() == 2 && isa<StringAttr>(pair[0]) &&
               isa<StringAttr>(pair[1])) {
      key = cast<StringAttr>(pair[0]).getValue();
      value = cast<StringAttr>(pair[1]).getValue();
    }
    if (!isHarmlessPassthrough(key, value))
      return refuse(key, value);
  }
  return success();
}

/// Of arguments and results of functions and calls.
static LogicalResult checkValueAttributes(Operation *op, ArrayAttr attributes) {
  if (!attributes)
    return success();
  // noalias is checked where a launch passes buffers; that what says readonly
  // is only read is not.
  static const llvm::StringSet<> known = {
      "llvm.align",     "llvm.byval",    "llvm.captures",     "llvm.noalias",
      "llvm.nocapture", "llvm.noundef",  "llvm.readonly",     "llvm.signext",
      "llvm.zeroext",   "llvm.returned", "nvvm.grid_constant"};
  for (Attribute of : attributes)
    for (NamedAttribute attribute : cast<DictionaryAttr>(of))
      if (!known.contains(attribute.getName()))
        return op->emitError()
               << "the attribute '" << attribute.getName().getValue()
               << "' promises the GPU's compiler what is not checked here; "
                  "leave it out";
  return success();
}

/// What the compiler may build on without any check here.
static LogicalResult checkMemoryPromises(Operation *op) {
  auto refuse = [&](StringRef what) -> LogicalResult {
    return op->emitError() << what
                           << " promise the GPU's compiler what is not "
                              "checked here; leave them out";
  };
  if (auto aliasing = dyn_cast<LLVM::AliasAnalysisOpInterface>(op)) {
    if (aliasing.getAliasScopesOrNull() || aliasing.getNoAliasScopesOrNull())
      return refuse("alias scopes");
    if (aliasing.getTBAATagsOrNull())
      return refuse("tags of type-based alias analysis");
  }
  if (auto effects =
          op->getAttrOfType<LLVM::MemoryEffectsAttr>("memory_effects");
      effects && !effects.isReadWrite())
    return refuse("memory effects");
  for (StringRef name : {"arg_attrs", "res_attrs"})
    if (failed(checkValueAttributes(op, op->getAttrOfType<ArrayAttr>(name))))
      return failure();
  return success();
}

/// Accesses whose order holds for part of the threads only.
static LogicalResult checkScope(Operation *op, std::optional<StringRef> scope,
                                LLVM::LLVMPointerType pointer) {
  StringRef name = scope.value_or("");
  if (name.empty() || name == "device")
    return success();
  if (name != "cluster" && name != "block")
    return op->emitError() << "the scope '" << name
                           << "' is none that the GPU's backend knows; use "
                              "'block', 'cluster', 'device' or none";
  unsigned space = pointer ? pointer.getAddressSpace() : kSharedSpace;
  if (space == kSharedSpace || (space == 7 && name == "cluster"))
    return success();
  return op->emitError()
         << "an atomic access of scope '" << name
         << "' orders nothing for the threads of other "
         << (name == "block" ? "blocks" : "clusters")
         << ", which this memory may be shared with, and that is not followed "
            "here; use 'device' or no scope";
}

static LogicalResult checkScopes(Operation *op) {
  auto check = [&](auto access) {
    return checkScope(
        op, access.getSyncscope(),
        cast<LLVM::LLVMPointerType>(
            access->getOperand(isa<LLVM::StoreOp>(op) ? 1 : 0).getType()));
  };
  if (auto access = dyn_cast<LLVM::LoadOp>(op))
    return check(access);
  if (auto access = dyn_cast<LLVM::StoreOp>(op))
    return check(access);
  if (auto access = dyn_cast<LLVM::AtomicRMWOp>(op))
    return check(access);
  if (auto access = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return check(access);
  if (auto fence = dyn_cast<LLVM::FenceOp>(op))
    return checkScope(op, fence.getSyncscope(), {});
  return success();
}

static LogicalResult checkTargets(gpu::GPUModuleOp module) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets)
    return success();
  for (auto target : targets.getAsRange<NVVM::NVVMTargetAttr>())
    for (StringRef flag : {"fast", "ftz"})
      if (target.hasFlag(flag))
        return module.emitError()
               << "the module's target has the flag '" << flag
               << "', which changes what its operations compute, and is not "
                  "emulated; leave it out";
  return success();
}

/// Operations that NVPTX has no code for; of some it has the approximation,
/// which has to be allowed.
static LogicalResult checkSelectable(Operation *op) {
  bool never =
      isa<LLVM::TanOp, LLVM::ExpOp, LLVM::Exp10Op, LLVM::LogOp, LLVM::Log2Op,
          LLVM::Log10Op, LLVM::PowOp, LLVM::SinhOp, LLVM::CoshOp, LLVM::ASinOp,
          LLVM::ACosOp, LLVM::ATanOp, LLVM::ATan2Op>(op);
  bool approximates = isa<LLVM::SinOp, LLVM::CosOp, LLVM::TanhOp>(op);
  bool isDouble = op->getNumResults() == 1 &&
                  getElementTypeOrSelf(op->getResult(0)).isF64();
  if (approximates) {
    auto flags = cast<LLVM::FastmathFlagsInterface>(op).getFastmathAttr();
    bool allowed =
        flags && bitEnumContainsAll(flags.getValue(), LLVM::FastmathFlags::afn);
    never = !allowed || isDouble;
  }
  if (!never && !(isa<LLVM::Exp2Op>(op) && isDouble))
    return success();
  return op->emitError() << "the GPU's backend has no code for '"
                         << op->getName() << "' of "
                         << op->getResult(0).getType()
                         << "; call the function of libdevice (__nv_*)";
}

LogicalResult egg::simt::checkPromises(gpu::GPUModuleOp module) {
  if (failed(checkTargets(module)))
    return failure();
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    if (failed(checkMemoryPromises(op)) || failed(checkScopes(op)))
      return failure();
    if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
      return checkEffects(assembly);
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
      return checkAttributes(function);
    return checkSelectable(op);
  });
  return failure(result.wasInterrupted());
}
