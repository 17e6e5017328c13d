//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SubstitutedPayload.h"
#include "../Special/ReplacedOps.h"
#include "../Untried/ArgumentRanges.h"
#include "egg/Import/InputRules.h"
#include "egg/Schedule/ApplySchedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <map>

using namespace mlir;
using namespace egg;

static func::FuncOp getMain(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

/// Makes @main return `values` and drops what is then dead. `first` is the
/// number of the former result whose attributes the first value has.
static void setResults(func::FuncOp main, ArrayRef<Value> values,
                       unsigned first) {
  SmallVector<DictionaryAttr> attributes;
  main.getAllResultAttrs(attributes);
  main.setType(FunctionType::get(main.getContext(), main.getArgumentTypes(),
                                 TypeRange(ValueRange(values))));
  if (!attributes.empty())
    main.setAllResultAttrs(ArrayRef(attributes).slice(first, values.size()));
  Block &body = main.getBody().front();
  body.getTerminator()->setOperands(values);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Gives each use of a float a constant of its own: one number may count the
/// elements of two sums, which do not stay equal.
static void separateConstants(func::FuncOp main) {
  SmallVector<arith::ConstantOp> shared;
  main.walk([&](arith::ConstantOp constant) {
    if (isa<FloatType>(getElementTypeOrSelf(constant.getType())) &&
        !matchPattern(constant.getResult(), m_AnyZeroFloat()) &&
        !constant->use_empty() && !constant->hasOneUse())
      shared.push_back(constant);
  });
  for (arith::ConstantOp constant : shared) {
    OpBuilder builder(constant);
    // Uses are listed latest first; the earliest keeps the constant.
    for (OpOperand &use : llvm::make_early_inc_range(constant->getUses()))
      if (!constant->hasOneUse())
        use.set(builder.clone(*constant)->getResult(0));
  }
}

/// On operations of the payload while it is substituted in: their number.
static constexpr llvm::StringLiteral kNumberName = "number_in_payload";

static void numberOps(func::FuncOp main) {
  Builder builder(main.getContext());
  for (auto [number, op] :
       llvm::enumerate(main.getBody().front().without_terminator()))
    op.setAttr(kNumberName, builder.getI64IntegerAttr(int64_t(number)));
}

/// Adds the operations and results of `other` to `main`, which has the same
/// arguments. Those of `other` that were in `main` are numbered.
static SubstitutedProgram append(func::FuncOp main, func::FuncOp other) {
  Operation *end = main.getBody().front().getTerminator();
  SmallVector<Operation *> originals;
  for (Operation &op : main.getBody().front().without_terminator())
    originals.push_back(&op);
  SubstitutedProgram program{main, {}, {}};
  program.changed.insert(originals.begin(), originals.end());
  Block &source = other.getBody().front();
  IRMapping mapping;
  mapping.map(source.getArguments(), main.getArguments());
  OpBuilder builder(end);
  for (Operation &op : source.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    if (auto number = copy->getAttrOfType<IntegerAttr>(kNumberName))
      program.changed.erase(originals[number.getInt()]);
    else
      program.changed.insert(copy);
    copy->removeAttr(kNumberName);
  }
  for (Operation *op : originals)
    if (program.changed.count(op))
      program.payloads.insert(op);
  SmallVector<Value> results(end->getOperands());
  for (Value value : source.getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  SmallVector<DictionaryAttr> attributes;
  main.getAllResultAttrs(attributes);
  main.setType(FunctionType::get(main.getContext(), main.getArgumentTypes(),
                                 TypeRange(ValueRange(results))));
  if (!attributes.empty()) {
    SmallVector<DictionaryAttr> twice(attributes);
    twice.append(attributes);
    main.setAllResultAttrs(twice);
  }
  end->setOperands(results);
  return program;
}

/// The shapes of all values of @main, in program order.
static SmallVector<SmallVector<int64_t>> listShapes(func::FuncOp main) {
  SmallVector<SmallVector<int64_t>> shapes;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      shapes.emplace_back(tensor.getShape());
  };
  llvm::for_each(main.getArgumentTypes(), add);
  main.walk([&](Operation *op) { llvm::for_each(op->getResultTypes(), add); });
  return shapes;
}

namespace {
struct PositionAlong {
  int64_t extent, position;
};
} // namespace

/// Where slices, and what is padded, begin and end and single elements lie, in
/// program order.
static SmallVector<PositionAlong> listPositions(func::FuncOp main) {
  SmallVector<PositionAlong> positions;
  auto add = [&](Value tensor, ArrayRef<OpFoldResult> begins) {
    for (auto [extent, begin] : llvm::zip_equal(
             cast<RankedTensorType>(tensor.getType()).getShape(), begins))
      if (std::optional<int64_t> position = getConstantIntValue(begin))
        positions.push_back({extent, *position});
  };
  auto addSlice = [&](OffsetSizeAndStrideOpInterface slice, Value tensor) {
    add(tensor, slice.getMixedOffsets());
    for (auto [extent, begin, size, stride] :
         llvm::zip_equal(cast<RankedTensorType>(tensor.getType()).getShape(),
                         slice.getStaticOffsets(), slice.getStaticSizes(),
                         slice.getStaticStrides()))
      if (!llvm::is_contained({begin, size, stride}, ShapedType::kDynamic) &&
          size > 0)
        positions.push_back({extent, begin + (size - 1) * stride + 1});
  };
  auto addPadding = [&](tensor::PadOp pad) {
    for (auto [extent, low, high] :
         llvm::zip_equal(pad.getResultType().getShape(), pad.getStaticLow(),
                         pad.getStaticHigh()))
      if (low != high || low != 0) {
        positions.push_back({extent, low});
        positions.push_back({extent, extent - high});
      }
  };
  main.walk([&](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      addSlice(slice, slice.getSource());
    else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      addSlice(slice, slice.getDest());
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      addPadding(pad);
    else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      add(extract.getTensor(), getAsOpFoldResult(extract.getIndices()));
  });
  return positions;
}

/// `small` is the same program as `full` at other extents.
static void findPairs(func::FuncOp full, func::FuncOp small,
                      SmallPayload &payload) {
  std::set<int64_t> originals;
  std::map<int64_t, std::set<int64_t>> originalsOf;
  for (auto [from, to] : llvm::zip_equal(listShapes(full), listShapes(small)))
    for (auto [original, extent] : llvm::zip_equal(from, to)) {
      originals.insert(original);
      originalsOf[extent].insert(original);
    }
  auto addPairs = [](const std::set<int64_t> &values, DistinctPairs &pairs) {
    for (int64_t a : values)
      for (int64_t b : values)
        if (a < b)
          pairs.insert({0, a, b});
  };
  addPairs(originals, payload.pairs);
  for (const auto &[extent, values] : originalsOf)
    addPairs(values, payload.merged);
  // Positions are compared along the same extent, which is the same here too.
  // One position may have become several.
  std::map<std::pair<int64_t, int64_t>,
           std::map<int64_t, std::pair<int64_t, int64_t>>>
      along;
  for (auto [from, to] :
       llvm::zip_equal(listPositions(full), listPositions(small))) {
    auto [place, isNew] = along[{from.extent, to.extent}].emplace(
        from.position, std::pair(to.position, to.position));
    auto &[least, most] = place->second;
    least = std::min(least, to.position);
    most = std::max(most, to.position);
  }
  for (const auto &[extents, positions] : along)
    for (auto [a, smallA] : positions)
      for (auto [b, smallB] : positions) {
        if (a >= b)
          continue;
        payload.pairs.insert({extents.first, a, b});
        if (smallA.second >= smallB.first)
          payload.merged.insert({extents.first, a, b});
      }
}

FailureOr<SmallPayload>
egg::shrinkWithSubstitution(ModuleOp payload, ModuleOp schedule,
                            const ShrinkTarget &target) {
  SmallPayload small;
  if (!hasSubstitution(schedule)) {
    ShrinkTarget keeping = target;
    keeping.countRule = CountRule::Keep;
    auto shrunken = shrinkPayload(payload, keeping, &small.unreached);
    if (failed(shrunken))
      return failure();
    small.substituted = (*shrunken)->clone();
    small.original = std::move(*shrunken);
    return small;
  }
  OwningOpRef<ModuleOp> both = payload.clone();
  separateConstants(getMain(*both));
  OwningOpRef<ModuleOp> other = both->clone();
  numberOps(getMain(*other));
  if (failed(applySubstitution(*other, schedule)))
    return failure();
  separateConstants(getMain(*other));
  SubstitutedProgram program = append(getMain(*both), getMain(*other));
  ShrinkTarget together = target;
  together.resultsComeTwice = true;
  auto shrunken =
      shrinkPayload(*both, together, &small.unreached, &small.counts);
  if (failed(shrunken))
    return failure();
  findPairs(getMain(*both), getMain(**shrunken), small);
  small.original = (*shrunken)->clone();
  small.substituted = (*shrunken)->clone();
  for (auto [module, isSecond] :
       {std::pair(*small.original, false), {*small.substituted, true}}) {
    func::FuncOp main = getMain(module);
    SmallVector<Value> results(
        main.getBody().front().getTerminator()->getOperands());
    size_t half = results.size() / 2, first = isSecond ? half : 0;
    setResults(main, ArrayRef(results).slice(first, half), first);
  }
  SmallVector<Operation *> replaced(program.payloads.begin(),
                                    program.payloads.end());
  small.handsOnNaN = handOnNaN(replaced);
  small.makesNumbersOfInfinities = makeNumbersOfInfinities(replaced);
  addInputConstants(*small.original, *small.substituted);
  small.untried =
      findUntriedIntegers(program, getMain(**shrunken),
                          readArgumentRanges(payload, *small.original));
  return small;
}

/// How often a payload is made smaller for its kernels.
static constexpr int kKernelRounds = 3;
/// By how much at most: a schedule must not choose by waste what it is checked
/// at.
static constexpr int64_t kMostSmaller = 16;

FailureOr<SmallPayload>
egg::shrinkForKernels(ModuleOp payload, ModuleOp schedule,
                      const ShrinkTarget &target,
                      llvm::function_ref<int64_t(ModuleOp)> estimateKernels) {
  FailureOr<SmallPayload> small =
      shrinkWithSubstitution(payload, schedule, target);
  for (int round = 0; round < kKernelRounds && succeeded(small); ++round) {
    int64_t work = estimateKernels(*small->substituted);
    if (work <= target.maxWork)
      break;
    ShrinkTarget smallerTarget = target;
    double share = double(target.maxWork) / double(work);
    smallerTarget.maxWork =
        std::max<int64_t>(target.maxWork / kMostSmaller,
                          double(estimateWork(*small->original)) * share);
    ScopedDiagnosticHandler unheard(payload.getContext(),
                                    [](Diagnostic &) { return success(); });
    FailureOr<SmallPayload> smaller =
        shrinkWithSubstitution(payload, schedule, smallerTarget);
    if (failed(smaller))
      break;
    small = std::move(smaller);
  }
  return small;
}
