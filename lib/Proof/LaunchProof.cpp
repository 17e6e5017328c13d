//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchProof.h"
#include "Coverage.h"
#include "Equality.h"

using namespace mlir;
using namespace egg;
using namespace egg::proof;

namespace {

class LaunchProof {
public:
  LaunchProof(LaunchTask &task, Budget &budget)
      : task(task), facts(task.kernel, task.launch),
        table(facts.domain, budget), kernel(facts, table), payload(table),
        budget(budget) {}

  LaunchResult run();

private:
  void bindInputs();
  std::optional<ProofGap> proveResult(size_t number, EqualValues &values);
  std::optional<Difference> compare(ArrayRef<const Store *> stores, Value value,
                                    int64_t &agreements);
  ProofGap gap(Location location, std::string reason) {
    if (budget.isSpent())
      reason = "the proof takes too many steps";
    return {task.kernel.getName().str(), location, std::move(reason)};
  }

  LaunchTask &task;
  legality::KernelFacts facts;
  TermTable table;
  KernelTerms kernel;
  PayloadTerms payload;
  Budget &budget;
};

} // namespace

void LaunchProof::bindInputs() {
  for (auto [number, values] : llvm::enumerate(task.inputs)) {
    if (values.empty())
      continue;
    kernel.bind(task.kernel.getArgument(number), values.front());
    if (!values.front().getDefiningOp<arith::ConstantOp>())
      for (Value value : values)
        payload.stopAt(value, values.front());
  }
}

/// What the stores differ in from the payload's value; nothing if they are it.
std::optional<Difference> LaunchProof::compare(ArrayRef<const Store *> stores,
                                               Value value,
                                               int64_t &agreements) {
  for (const Store *store : stores) {
    Equality equality(facts, table, store->op->getBlock());
    for (auto [lane, stored] : llvm::enumerate(store->lanes)) {
      auto position = store->position.plus(LinearForm(int64_t(lane)));
      if (!position)
        return Difference{"its index is too large", store->op->getLoc()};
      const Term *defined = payload.at(value, *position);
      // Bools are kept as bytes.
      if (defined->type && defined->type.isInteger(1))
        defined = table.asByte(defined, defined->location);
      bool same = equality.isSame(stored, defined);
      agreements += equality.agreements();
      if (!same)
        return equality.difference();
    }
  }
  return std::nullopt;
}

std::optional<ProofGap> LaunchProof::proveResult(size_t number,
                                                 EqualValues &values) {
  Value buffer = task.kernel.getArgument(task.inputs.size() + number);
  SmallVector<const Store *> stores;
  for (const Store &store : kernel.stores())
    if (store.buffer == buffer)
      stores.push_back(&store);
  std::optional<Difference> nearest;
  int64_t most = -1;
  for (Value candidate : task.candidates[number]) {
    int64_t agreements = 0;
    std::optional<Difference> difference =
        compare(stores, candidate, agreements);
    if (!difference) {
      values.push_back(candidate);
      continue;
    }
    if (agreements > most) {
      most = agreements;
      nearest = std::move(difference);
    }
    if (task.hasToBeFirst[number])
      break;
  }
  if (values.empty() && !nearest)
    return gap(task.kernel.getLoc(),
               "no value of the payload has the type of result " +
                   std::to_string(number));
  if (values.empty())
    return gap(nearest->location, nearest->reason);
  auto elements = cast<MemRefType>(buffer.getType()).getNumElements();
  if (auto uncovered = findUncovered(facts, table, kernel, stores, elements))
    return gap(uncovered->op->getLoc(), uncovered->reason);
  return std::nullopt;
}

LaunchResult LaunchProof::run() {
  LaunchResult result;
  bindInputs();
  if (auto obstacle = kernel.run()) {
    result.gap = gap(obstacle->op->getLoc(), obstacle->reason);
    return result;
  }
  for (const Store &store : kernel.stores()) {
    auto argument = dyn_cast<BlockArgument>(store.buffer);
    if (!argument || argument.getOwner() != &task.kernel.getBody().front() ||
        argument.getArgNumber() < task.inputs.size() ||
        argument.getArgNumber() >=
            task.inputs.size() + task.candidates.size()) {
      result.gap = gap(store.op->getLoc(), "it stores to no result of its own");
      return result;
    }
  }
  result.stores = int64_t(kernel.stores().size());
  for (size_t number = 0; number < task.candidates.size(); ++number) {
    EqualValues &values = result.values.emplace_back();
    result.gap = proveResult(number, values);
    if (!result.gap && budget.isSpent())
      result.gap = gap(task.kernel.getLoc(), "");
    if (result.gap)
      return result;
  }
  return result;
}

LaunchResult egg::proof::proveLaunch(LaunchTask task, Budget &budget) {
  return LaunchProof(task, budget).run();
}
