//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the functions of a kernel's module call: each other without recursion,
// and functions of libdevice. The host has others, a GPU does not.
//
//===----------------------------------------------------------------------===//
#include "../../DeviceMath.h"
#include "../KernelToHost.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace egg::simt;

std::optional<int64_t> egg::simt::getStaticBytes(LLVM::AllocaOp op) {
  llvm::APInt count;
  if (!op->getBlock()->isEntryBlock() ||
      !matchPattern(op.getArraySize(), m_ConstantInt(&count)))
    return std::nullopt;
  bool overflows = false;
  DataLayout layout = DataLayout::closest(op);
  llvm::APInt bytes = count.zextOrTrunc(64).umul_ov(
      llvm::APInt(64, layout.getTypeSize(op.getElemType())), overflows);
  if (overflows || bytes.isNegative())
    return std::numeric_limits<int64_t>::max();
  return bytes.getZExtValue();
}

static bool isInLibdevice(StringRef name) {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> names;
    for (const auto &[name, address] : getDeviceMathSymbols())
      names.insert(name);
    return names;
  }();
  return name.starts_with("__nv_") && names.contains(name);
}

/// What to do about a call of a function that the module does not define.
static LogicalResult refuseExternal(Operation *call, StringRef name) {
  InFlightDiagnostic error = call->emitError();
  if (name.starts_with("__nv_"))
    return error << "the kernel calls '" << name
                 << "', which the emulator does not have; use another "
                    "function of libdevice, or add it to "
                    "lib/Emulator/DeviceMath.cpp";
  if (name.starts_with("llvm."))
    return error << "the kernel calls the intrinsic '" << name
                 << "' by its name; write it as an operation (llvm.intr.*, "
                    "nvvm.*), whose accesses can be checked";
  error << "the kernel calls '" << name
        << "', which the GPU does not have; use llvm.intr.* or ";
  std::string counterpart = ("__nv_" + name).str();
  if (isInLibdevice(counterpart))
    return error << counterpart;
  return error << "a function of libdevice (__nv_*)";
}

namespace {

/// Walks through the calls, callers first.
class CallWalk {
public:
  explicit CallWalk(ModuleOp module) : module(module) {}

  /// The most local memory that the function and what it calls need, as far as
  /// it is known before they run.
  FailureOr<int64_t> visit(LLVM::LLVMFuncOp function);

private:
  FailureOr<int64_t> visitCall(CallOpInterface call);

  ModuleOp module;
  llvm::DenseMap<Operation *, int64_t> known;
  llvm::SmallSetVector<Operation *, 8> path;
};

} // namespace

FailureOr<int64_t> CallWalk::visitCall(CallOpInterface call) {
  auto direct = dyn_cast<LLVM::CallOp>(call.getOperation());
  std::optional<StringRef> name =
      direct ? direct.getCallee() : std::optional<StringRef>();
  if (!name) {
    call.emitError() << "the kernel calls a function that is not named; call "
                        "functions by name with llvm.call";
    return failure();
  }
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(*name);
  if (!callee || callee.isExternal()) {
    if (isInLibdevice(*name))
      return 0;
    return refuseExternal(call, *name);
  }
  if (callee->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName())) {
    call.emitError() << "the kernel calls the kernel '" << *name
                     << "'; a kernel is only launched: move what both do into "
                        "a function that is none";
    return failure();
  }
  if (path.contains(callee)) {
    call.emitError() << "the kernel calls '" << *name
                     << "', which has not returned: recursion is not "
                        "emulated; write a loop";
    return failure();
  }
  return visit(callee);
}

FailureOr<int64_t> CallWalk::visit(LLVM::LLVMFuncOp function) {
  if (auto found = known.find(function); found != known.end())
    return found->second;
  path.insert(function);
  int64_t own = 0, calls = 0;
  WalkResult result = function.getBody().walk([&](Operation *op) {
    if (auto local = dyn_cast<LLVM::AllocaOp>(op))
      own = llvm::SaturatingAdd(uint64_t(own),
                                uint64_t(getStaticBytes(local).value_or(0)));
    // Intrinsics are refused with other operations of no counterpart.
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call || isa<LLVM::CallIntrinsicOp>(op))
      return WalkResult::advance();
    FailureOr<int64_t> callee = visitCall(call);
    if (failed(callee))
      return WalkResult::interrupt();
    calls = std::max(calls, *callee);
    return WalkResult::advance();
  });
  path.pop_back();
  if (result.wasInterrupted())
    return failure();
  if (own < 0 || own > kLocalBytes - calls) {
    function.emitError() << "'" << function.getName()
                         << "' and what it calls have more than " << kLocalBytes
                         << " bytes of local variables, with which a thread is "
                            "emulated; make them smaller, or use shared memory";
    return failure();
  }
  return known[function] = own + calls;
}

LogicalResult egg::simt::checkCalls(ModuleOp module) {
  CallWalk walk(module);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() && failed(walk.visit(function)))
      return failure();
  return success();
}
