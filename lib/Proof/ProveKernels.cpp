//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host's part: which values of the payload the launches get and give.
//
//===----------------------------------------------------------------------===//
#include "egg/Proof/ProveKernels.h"
#include "LaunchProof.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/Support/Text.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace egg;
using namespace egg::proof;

namespace {

class ModuleProof {
public:
  ModuleProof(ModuleOp payload, ModuleOp materialized,
              const LegalityReport &legality, int64_t mostSteps)
      : payload(payload.lookupSymbol<func::FuncOp>("main")),
        main(materialized.lookupSymbol<func::FuncOp>("main")),
        module(materialized), legality(legality), budget(mostSteps) {}

  ProofResult run();

private:
  std::optional<ProofGap> proveHost();
  std::optional<ProofGap> proveCall(func::CallOp call);
  std::optional<ProofGap> findKernel(func::CallOp call, LaunchTask &task);
  std::optional<ProofGap> checkLegalityOf(gpu::GPUFuncOp kernel);
  std::optional<ProofGap> checkTypes(func::CallOp call, gpu::GPUFuncOp kernel);
  std::optional<ProofGap> checkReturn(func::ReturnOp op);
  EqualValues candidatesFor(Value result, bool &hasToBeFirst);
  func::ReturnOp returnOf(func::FuncOp function) {
    return cast<func::ReturnOp>(function.getBody().front().getTerminator());
  }

  func::FuncOp payload, main;
  ModuleOp module;
  const LegalityReport &legality;
  Budget budget;
  ProofResult result;
  /// What values of the materialized @main are, by their roots.
  llvm::DenseMap<Value, EqualValues> known;
};

} // namespace

static ProofGap hostGap(Location location, std::string reason) {
  return {"", location, std::move(reason)};
}

static int64_t elementsOf(Type type) {
  return cast<RankedTensorType>(type).getNumElements();
}

/// The kernel that the call launches, with the launch, and that both say it.
std::optional<ProofGap> ModuleProof::findKernel(func::CallOp call,
                                                LaunchTask &task) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto attribute = callee
                       ? callee->getAttrOfType<DictionaryAttr>(kLaunchAttrName)
                       : DictionaryAttr();
  auto symbol =
      attribute ? attribute.getAs<SymbolRefAttr>("kernel") : SymbolRefAttr();
  task.kernel = symbol ? dyn_cast_or_null<gpu::GPUFuncOp>(
                             SymbolTable::lookupSymbolIn(module, symbol))
                       : gpu::GPUFuncOp();
  if (!task.kernel || task.kernel.isExternal() || !task.kernel.isKernel() ||
      !callee.isExternal())
    return hostGap(call.getLoc(), ("it calls '" + call.getCallee() +
                                   "', which launches no kernel")
                                      .str());
  std::optional<legality::Launch> launch = legality::readLaunch(task.kernel);
  auto says = [&](StringRef name, const std::array<int64_t, 3> &extents) {
    auto numbers = attribute.getAs<DenseI64ArrayAttr>(name);
    return numbers && numbers.asArrayRef() == ArrayRef<int64_t>(extents);
  };
  if (!launch || !says("grid", launch->grid) || !says("block", launch->block))
    return ProofGap{task.kernel.getName().str(), task.kernel.getLoc(),
                    "it is launched with another grid or block than it says"};
  task.launch = *launch;
  return std::nullopt;
}

std::optional<ProofGap> ModuleProof::checkLegalityOf(gpu::GPUFuncOp kernel) {
  const KernelLegality *found = nullptr;
  for (const KernelLegality &record : legality.kernels)
    if (record.kernel == kernel.getName()) {
      if (found)
        return ProofGap{kernel.getName().str(), kernel.getLoc(),
                        "there are two kernels of its name"};
      found = &record;
    }
  if (!found)
    return ProofGap{kernel.getName().str(), kernel.getLoc(),
                    "legality has not looked at it"};
  for (size_t property = 0; property < kProperties; ++property) {
    const PropertyCount &count = found->counts[property];
    if (count.violated == 0 && count.undecided == 0)
      continue;
    Outcome outcome = count.violated ? Outcome::Violated : Outcome::Undecided;
    std::string reason =
        ("legality finds " + stringifyProperty(Property(property)) + " " +
         stringifyOutcome(outcome))
            .str();
    for (const LegalityFinding &finding : found->findings)
      if (finding.property == Property(property) && finding.outcome == outcome)
        return ProofGap{kernel.getName().str(), finding.location,
                        reason + ": " + finding.reason};
    return ProofGap{kernel.getName().str(), kernel.getLoc(), reason};
  }
  return std::nullopt;
}

/// Buffers hold exactly the elements of the tensors.
std::optional<ProofGap> ModuleProof::checkTypes(func::CallOp call,
                                                gpu::GPUFuncOp kernel) {
  SmallVector<Type> tensors(call.getOperandTypes());
  llvm::append_range(tensors, call.getResultTypes());
  auto mismatch = [&](const std::string &reason) {
    return ProofGap{kernel.getName().str(), kernel.getLoc(), reason};
  };
  if (kernel.getNumArguments() != tensors.size())
    return mismatch("it has another number of arguments than its call");
  for (auto [number, type] : llvm::enumerate(tensors)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto buffer = dyn_cast<MemRefType>(kernel.getArgument(number).getType());
    Type element = tensor ? tensor.getElementType() : Type();
    if (element && element.isInteger(1))
      element = IntegerType::get(type.getContext(), 8);
    if (!tensor || !tensor.hasStaticShape() || !buffer ||
        buffer.getRank() != 1 || !buffer.hasStaticShape() ||
        !buffer.getLayout().isIdentity() || elementsOf(tensor) < 1 ||
        buffer.getNumElements() != elementsOf(tensor) ||
        buffer.getElementType() != element)
      return mismatch("argument " + std::to_string(number) +
                      " is no flat buffer of the call's tensor");
  }
  return std::nullopt;
}

/// Values of the payload that the launch's result may be. What @main returns
/// has to be what the payload returns.
EqualValues ModuleProof::candidatesFor(Value result, bool &hasToBeFirst) {
  EqualValues candidates;
  auto add = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    auto wanted = cast<RankedTensorType>(result.getType());
    if (type && type.hasStaticShape() &&
        type.getElementType() == wanted.getElementType() &&
        type.getNumElements() == wanted.getNumElements() &&
        !llvm::is_contained(candidates, value))
      candidates.push_back(value);
  };
  hasToBeFirst = false;
  for (auto [mine, its] : llvm::zip_equal(returnOf(main).getOperands(),
                                          returnOf(payload).getOperands()))
    if (rootOf(mine) == result) {
      add(rootOf(its));
      hasToBeFirst = true;
    }
  for (Operation &op : payload.getBody().front())
    for (Value value : op.getResults())
      if (rootOf(value) == value && !isa<tensor::EmptyOp>(op) &&
          !isa<arith::ConstantOp>(op))
        add(value);
  return candidates;
}

std::optional<ProofGap> ModuleProof::proveCall(func::CallOp call) {
  LaunchTask task;
  if (auto gap = findKernel(call, task))
    return gap;
  if (auto gap = checkTypes(call, task.kernel))
    return gap;
  for (Value operand : call.getOperands()) {
    Value root = rootOf(operand);
    if (root.getDefiningOp<arith::ConstantOp>())
      task.inputs.push_back({root});
    else
      task.inputs.push_back(known.lookup(root));
  }
  for (Value value : call.getResults()) {
    bool hasToBeFirst = false;
    task.candidates.push_back(candidatesFor(value, hasToBeFirst));
    task.hasToBeFirst.push_back(hasToBeFirst);
  }
  gpu::GPUFuncOp kernel = task.kernel;
  LaunchResult proof = proveLaunch(std::move(task), budget);
  if (proof.gap)
    return proof.gap;
  // Last, as it says less of what the kernel does.
  if (auto gap = checkLegalityOf(kernel))
    return gap;
  for (auto [value, values] : llvm::zip_equal(call.getResults(), proof.values))
    known[value] = values;
  ++result.kernels;
  result.stores += proof.stores;
  return std::nullopt;
}

std::optional<ProofGap> ModuleProof::checkReturn(func::ReturnOp op) {
  for (auto [number, mine, its] :
       llvm::enumerate(op.getOperands(), returnOf(payload).getOperands())) {
    auto values = known.find(rootOf(mine));
    if (values == known.end() ||
        !llvm::is_contained(values->second, rootOf(its)))
      return hostGap(op.getLoc(), "result " + std::to_string(number) +
                                      " is not shown to be the payload's");
  }
  return std::nullopt;
}

std::optional<ProofGap> ModuleProof::proveHost() {
  if (!payload || !main || payload.isExternal() || main.isExternal() ||
      !payload.getBody().hasOneBlock() || !main.getBody().hasOneBlock())
    return hostGap(module.getLoc(), "there is no function of one block");
  if (payload.getFunctionType() != main.getFunctionType())
    return hostGap(main.getLoc(), "it has another type than the payload's");
  for (auto [mine, its] :
       llvm::zip_equal(main.getArguments(), payload.getArguments()))
    known[mine] = {its};
  for (Operation &op : main.getBody().front()) {
    std::optional<ProofGap> gap;
    if (auto call = dyn_cast<func::CallOp>(op))
      gap = proveCall(call);
    else if (auto end = dyn_cast<func::ReturnOp>(op))
      gap = checkReturn(end);
    else if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                  tensor::CastOp, tensor::EmptyOp, arith::ConstantOp>(op))
      gap = hostGap(op.getLoc(), ("it has " + op.getName().getStringRef() +
                                  ", which is not followed outside of kernels")
                                     .str());
    if (gap)
      return gap;
  }
  return std::nullopt;
}

ProofResult ModuleProof::run() {
  result.gap = proveHost();
  return std::move(result);
}

std::string egg::describe(const ProofGap &gap) {
  return (gap.kernel.empty() ? "@main" : "kernel '" + gap.kernel + "'") + ": " +
         gap.reason;
}

std::string ProofResult::summary() const {
  if (kernels == 0)
    return "there are no kernels, and what is returned is the payload's";
  return countOf(kernels, "kernel", "kernels") + ": " +
         (stores == 1
              ? "its store writes"
              : "each of their " + std::to_string(stores) + " stores writes") +
         " the payload's expression, operation by operation, and every element "
         "of each result is stored, for all inputs and threads at the "
         "payload's own extents";
}

ProofResult egg::proveKernels(ModuleOp payload, ModuleOp materialized,
                              const LegalityReport &legality,
                              int64_t mostSteps) {
  return ModuleProof(payload, materialized, legality, mostSteps).run();
}
