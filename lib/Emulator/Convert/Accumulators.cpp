//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Results of asynchronous products are registers that the tensor cores still
// write to until a wait. Their other uses are followed through the code and
// checked before they happen.
//
//===----------------------------------------------------------------------===//
#include "KernelToHost.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace egg::simt;

using Origins = llvm::SmallSetVector<int32_t, 4>;

/// Whether the operand of a product is its accumulator.
static bool isAccumulator(OpOperand &use) {
  auto product = dyn_cast<LLVM::InlineAsmOp>(use.getOwner());
  if (!product || !isWgmma(product))
    return false;
  auto results = dyn_cast<LLVM::LLVMStructType>(product.getRes().getType());
  return results && use.getOperandNumber() < results.getBody().size();
}

namespace {

/// Which products each value may come from, as a least fixed point.
class OriginAnalysis {
public:
  void start(Value value, int32_t site) {
    Origins origins;
    origins.insert(site);
    add(value, origins);
  }
  void run();

  llvm::DenseMap<Operation *, Origins> uses;

private:
  void add(Value value, const Origins &origins);

  llvm::DenseMap<Value, Origins> originsOf;
  SmallVector<Value> worklist;
};

} // namespace

void OriginAnalysis::add(Value value, const Origins &origins) {
  Origins &known = originsOf[value];
  size_t before = known.size();
  known.insert(origins.begin(), origins.end());
  if (known.size() != before)
    worklist.push_back(value);
}

void OriginAnalysis::run() {
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Origins origins = originsOf[value];
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isAccumulator(use))
        continue;
      if (isa<LLVM::ExtractValueOp, LLVM::InsertValueOp>(user)) {
        add(user->getResult(0), origins);
        continue;
      }
      if (auto branch = dyn_cast<BranchOpInterface>(user)) {
        if (auto argument =
                branch.getSuccessorBlockArgument(use.getOperandNumber())) {
          add(*argument, origins);
          continue;
        }
      }
      uses[user].insert(origins.begin(), origins.end());
    }
  }
}

static bool changesProducts(Operation *op) {
  auto product = dyn_cast<LLVM::InlineAsmOp>(op);
  return (product && isWgmma(product)) ||
         op->getName().getStringRef().starts_with("nvvm.wgmma");
}

void FunctionConverter::instrumentAccumulators() {
  OriginAnalysis analysis;
  function.walk([&](LLVM::InlineAsmOp op) {
    if (isWgmma(op)) {
      siteOf[op] = host.addSite(op);
      analysis.start(op.getRes(), siteOf[op]);
    }
  });
  if (siteOf.empty())
    return;
  analysis.run();
  for (Block &block : function.getBody()) {
    // One check serves until the state of the products changes.
    std::vector<std::vector<int32_t>> checked;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (changesProducts(&op))
        checked.clear();
      auto use = analysis.uses.find(&op);
      if (use == analysis.uses.end())
        continue;
      std::vector<int32_t> origins(use->second.begin(), use->second.end());
      llvm::sort(origins);
      if (llvm::is_contained(checked, origins))
        continue;
      int32_t number = host.addSite(&op);
      host.sites[number].origins = origins;
      checked.push_back(std::move(origins));
      builder.setInsertionPoint(&op);
      call(op.getLoc(), "egg_accumulator_use", {},
           {thread(), constant(op.getLoc(), number, 32)});
    }
  }
}
