//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomSchedule.h"
#include "RandomMapping.h"
#include "egg/Core/ScheduleFormat.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/Kernel/TensorReads.h"
#include "egg/Schedule/Schedule.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/TransformOps/ReductionSplitting.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

static StringRef nameOf(Operation *op) {
  return op->getAttrOfType<StringAttr>(kNameAttrName).getValue();
}

namespace {

/// Cuts a copy of the payload and writes down what it does.
class Scheduler {
public:
  Scheduler(ModuleOp payload, Choices &choices)
      : payload(payload.clone()), choices(choices),
        main(this->payload->lookupSymbol<func::FuncOp>("main")) {}

  llvm::Error run();
  std::string algorithm, kernels;

private:
  void splitSome();
  /// What the analysis says of the ops as one kernel; why not, otherwise.
  FailureOr<KernelMapping> tryKernel(ArrayRef<Operation *> ops,
                                     ArrayRef<Operation *> recompute,
                                     std::string *why = nullptr);
  SmallVector<Operation *> getLeftOps();
  /// Ops that read from the group or that it reads from.
  SmallVector<Operation *> getNeighbours(ArrayRef<Operation *> group);
  SmallVector<Operation *> getProducers(ArrayRef<Operation *> group);
  llvm::Error formKernel(Operation *first);
  void select(const Twine &handle, ArrayRef<Operation *> ops);

  OwningOpRef<ModuleOp> payload;
  Choices &choices;
  func::FuncOp main;
  int64_t counter = 0;
};

} // namespace

void Scheduler::select(const Twine &handle, ArrayRef<Operation *> ops) {
  algorithm += ("    " + handle + " = transform.egg.select %f [").str();
  for (auto [number, op] : llvm::enumerate(ops))
    algorithm += ((number ? ", \"" : "\"") + nameOf(op) + "\"").str();
  algorithm += "] : (!transform.any_op) -> !transform.any_op\n";
}

void Scheduler::splitSome() {
  if (!choices.chance(35))
    return;
  SmallVector<linalg::LinalgOp> reductions;
  main.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() != 0)
      reductions.push_back(op);
  });
  for (linalg::LinalgOp op : reductions) {
    if (!choices.chance(50))
      continue;
    static constexpr int64_t kParts[] = {2, 2, 3, 4, 4, 5, 7, 8, 16, 64, 1024};
    int64_t parts = choices.pick(kParts);
    std::string number = std::to_string(counter++), why;
    std::string name = nameOf(op).str();
    IRRewriter rewriter(main.getContext());
    auto split = splitReduction(rewriter, op, parts, why);
    if (failed(split))
      continue;
    algorithm +=
        "    %parts" + number + " = transform.param.constant " +
        std::to_string(parts) + " : i64 -> !transform.param<i64>\n    %whole" +
        number + " = transform.egg.select %f [\"" + name +
        "\"] : (!transform.any_op) -> !transform.any_op\n    %first" + number +
        ", %second" + number + " = transform.egg.split_reduction %whole" +
        number + " parts(%parts" + number +
        ") : (!transform.any_op, !transform.param<i64>) -> "
        "(!transform.any_op, !transform.any_op)\n";
  }
}

FailureOr<KernelMapping> Scheduler::tryKernel(ArrayRef<Operation *> ops,
                                              ArrayRef<Operation *> recompute,
                                              std::string *why) {
  ScopedDiagnosticHandler handler(main.getContext(), [&](Diagnostic &diag) {
    if (why && why->empty())
      *why = diag.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(main.getLoc()); };
  auto outline = planKernel(main, ops, recompute, emitError);
  if (failed(outline))
    return failure();
  OpBuilder builder(main.getContext());
  func::FuncOp kernel = buildKernel(builder, main, *outline, "egg_trial");
  auto analysis = analyzeKernel(kernel, emitError);
  FailureOr<KernelMapping> mapping = failure();
  if (succeeded(analysis))
    mapping = pickMapping(kernel, *analysis, choices);
  kernel.erase();
  return mapping;
}

SmallVector<Operation *> Scheduler::getLeftOps() {
  SmallVector<Operation *> left;
  for (Operation &op : main.getBody().front())
    if (op.hasAttr(kNameAttrName))
      left.push_back(&op);
  return left;
}

/// The compute ops that the ops read from, through what costs nothing.
SmallVector<Operation *> Scheduler::getProducers(ArrayRef<Operation *> group) {
  llvm::SetVector<Operation *> found;
  SmallVector<Operation *> worklist(group);
  while (!worklist.empty())
    forEachRead(worklist.pop_back_val(), [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (!def || llvm::is_contained(group, def))
        return;
      if (isFreeOp(def))
        worklist.push_back(def);
      else if (def->hasAttr(kNameAttrName))
        found.insert(def);
    });
  return found.takeVector();
}

SmallVector<Operation *> Scheduler::getNeighbours(ArrayRef<Operation *> group) {
  SmallVector<Operation *> found = getProducers(group);
  for (Operation *op : getLeftOps()) {
    if (llvm::is_contained(group, op) || llvm::is_contained(found, op))
      continue;
    SmallVector<Operation *> read = getProducers(op);
    if (llvm::any_of(read,
                     [&](Operation *producer) {
                       return llvm::is_contained(group, producer);
                     }) ||
        choices.chance(4))
      found.push_back(op);
  }
  return found;
}

llvm::Error Scheduler::formKernel(Operation *first) {
  SmallVector<Operation *> ops = {first}, recompute;
  std::string why;
  auto mapping = tryKernel(ops, recompute, &why);
  if (failed(mapping))
    return llvm::createStringError("no kernel can hold \"" + nameOf(first) +
                                   "\": " + why);
  int64_t tries = choices.chance(20) ? 0 : choices.draw(1, 10);
  for (int64_t i = 0; i < tries; ++i) {
    SmallVector<Operation *> candidates = getNeighbours(ops);
    llvm::erase_if(candidates, [&](Operation *op) {
      return llvm::is_contained(recompute, op);
    });
    if (candidates.empty())
      break;
    SmallVector<Operation *> widerOps = ops, widerRecompute = recompute;
    Operation *candidate = choices.pick(candidates);
    bool again =
        choices.chance(20) && llvm::is_contained(getProducers(ops), candidate);
    (again ? widerRecompute : widerOps).push_back(candidate);
    auto wider = tryKernel(widerOps, widerRecompute);
    if (failed(wider))
      continue;
    mapping = wider;
    ops = widerOps;
    recompute = widerRecompute;
  }
  choices.shuffle(ops);

  std::string name = "k" + std::to_string(counter++);
  select("%" + name + "_ops", ops);
  if (!recompute.empty())
    select("%" + name + "_again", recompute);
  algorithm += "    %" + name + " = transform.egg.form_kernel %" + name +
               "_ops" +
               (recompute.empty() ? "" : " recompute(%" + name + "_again)") +
               " {name = \"" + name + "\"} : (!transform.any_op" +
               (recompute.empty() ? "" : ", !transform.any_op") +
               ") -> !transform.any_op\n";
  kernels += "  module @" + name +
             " attributes {transform.with_named_sequence} {\n" +
             mapping->write() + "  }\n";

  auto outline = planKernel(main, ops, recompute,
                            [&] { return mlir::emitError(main.getLoc()); });
  assert(succeeded(outline) && "the group was tried");
  IRRewriter rewriter(main.getContext());
  func::FuncOp kernel = buildKernel(rewriter, main, *outline, name);
  replaceByCall(rewriter, *outline, kernel);
  return llvm::Error::success();
}

llvm::Error Scheduler::run() {
  splitSome();
  // What nothing reads belongs to no kernel.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(main.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (auto left = getLeftOps(); !left.empty(); left = getLeftOps()) {
    Operation *first = choices.pick(left);
    if (first->use_empty()) {
      first->erase();
      continue;
    }
    if (llvm::Error error = formKernel(first))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> egg::fuzz::makeRandomSchedule(ModuleOp payload,
                                                          llvm::StringRef chip,
                                                          Choices &choices) {
  Scheduler scheduler(payload, choices);
  if (llvm::Error error = scheduler.run())
    return std::move(error);
  return ("module attributes {transform.with_named_sequence, " +
          kScheduleAttrName + " = " + Twine(kScheduleVersion) + " : i64, " +
          kTargetAttrName + " = \"" + chip + "\", " + kPayloadAttrName +
          " = \"" + hashPayload(payload) +
          "\"} {\n  transform.named_sequence @" + kAlgorithmName +
          "(%f: !transform.any_op) {\n" + scheduler.algorithm +
          "    transform.yield\n  }\n" + scheduler.kernels + "}\n")
      .str();
}
