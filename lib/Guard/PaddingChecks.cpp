//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elements that padding adds must not reach a result.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;

namespace egg {

/// Whether adding the value, or taking the maximum with it and so on, changes
/// nothing.
static bool isNeutral(Operation *combiner, Attribute value) {
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral)
    return false;
  if (isa<arith::AddFOp>(combiner))
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().isZero();
  return value == *neutral;
}

/// One of the loops whose index the body reads.
static std::optional<int64_t> findIndexOf(linalg::LinalgOp op,
                                          ArrayRef<int64_t> loops) {
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
    if (llvm::is_contained(loops, int64_t(index.getDim())))
      return int64_t(index.getDim());
  return std::nullopt;
}

/// What the body does with the padding along `padded` reduction loops.
/// `paddings` has the value of each operand.
static void checkPadding(linalg::LinalgOp op, ArrayRef<int64_t> padded,
                         ArrayRef<Attribute> paddings, Findings &findings) {
  auto kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> reductions;
  for (int64_t loop : padded)
    if (loop >= 0 && loop < int64_t(kinds.size()) &&
        kinds[loop] == utils::IteratorType::reduction)
      reductions.push_back(loop);
  if (reductions.empty())
    return;
  std::string why;
  if (findCombiners(op, why); !why.empty()) {
    findings.refuse(op, why + ", so no padding of reduction " +
                            Twine(reductions.front()) +
                            " is harmless; tile it to sizes that divide");
    return;
  }
  // Folding may change ops in place, so a copy is folded.
  Operation *copy = op->clone();
  auto body = cast<linalg::LinalgOp>(copy);
  DenseMap<Value, Attribute> known;
  for (auto [operand, arg] :
       llvm::zip(op->getOpOperands(), body.getBlock()->getArguments())) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool reads = llvm::any_of(
        reductions, [&](int64_t loop) { return map.isFunctionOfDim(loop); });
    if (reads && op.isDpsInput(&operand))
      known[arg] = paddings[operand.getOperandNumber()];
  }
  for (Operation &inner : body.getBlock()->without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(known.lookup(operand));
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(inner))
      if (auto divisor = dyn_cast_or_null<IntegerAttr>(operands[1]);
          divisor && divisor.getValue().isZero()) {
        why = "its body divides integers by the padding, which is undefined; "
              "pad the divisor with 1";
        break;
      }
    SmallVector<OpFoldResult> results;
    if (failed(inner.fold(operands, results)))
      continue;
    for (auto [result, value] : llvm::zip(inner.getResults(), results))
      known[result] = isa<Attribute>(value) ? cast<Attribute>(value)
                                            : known.lookup(cast<Value>(value));
  }
  std::string doubt;
  std::string none;
  if (why.empty())
    for (auto [accumulator, combiner] :
         llvm::zip(body.getRegionOutputArgs(), findCombiners(body, none))) {
      Value element =
          combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
      Attribute value = known.lookup(element);
      if (std::optional<int64_t> loop = findIndexOf(body, reductions);
          !value && loop)
        why = ("its body reads linalg.index " + Twine(*loop) +
               ", so padding of that reduction would contribute indices that "
               "the payload does not have; leave it unpadded")
                  .str();
      else if (!value)
        doubt = "what its body makes of the padding depends on other elements";
      else if (!isNeutral(combiner, value))
        why = ("padding along reduction " + Twine(reductions.front()) +
               " would enter the result, as it is not neutral for " +
               combiner->getName().getStringRef() +
               "; choose padding_values that are, or sizes that divide")
                  .str();
    }
  copy->destroy();
  if (!why.empty())
    findings.refuse(op, why);
  else if (!doubt.empty())
    findings.leaveOpen(op, doubt + "; pad all operands of the reduction, or "
                                   "verify the result");
}

/// The padding of each operand: as given, or zero.
static SmallVector<Attribute> paddingValues(linalg::LinalgOp op,
                                            ArrayAttr given) {
  SmallVector<Attribute> values;
  Builder builder(op->getContext());
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Type type = getElementTypeOrSelf(operand.getType());
    Attribute value;
    if (given && i < given.size())
      value = given[i];
    if (auto text = dyn_cast_or_null<StringAttr>(value))
      value = parseAttribute(text.getValue(), op->getContext(), type);
    else if (!value && type.isIntOrIndexOrFloat())
      value = builder.getZeroAttr(type);
    values.push_back(value);
  }
  return values;
}

void checkPad(transform::TransformOpInterface op,
              transform::TransformState &state, Findings &findings) {
  auto pad = cast<transform::PadOp>(op.getOperation());
  auto multiples = resolveSizes(pad.getStaticPadToMultipleOf(),
                                pad.getPadToMultipleOf(), state);
  SmallVector<int64_t> loops;
  for (Attribute loop : pad.getPaddingDimensions())
    loops.push_back(cast<IntegerAttr>(loop).getInt());
  for (Operation *payload : state.getPayloadOps(pad.getTarget())) {
    auto bad = llvm::find_if(
        multiples, [](auto multiple) { return multiple && *multiple <= 0; });
    if (bad != multiples.end()) {
      findings.refuse(payload, "pad_to_multiple_of " + Twine(**bad) +
                                   " is no multiple to pad to; give it 1 or "
                                   "more");
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(payload);
    if (!linalgOp)
      continue;
    SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges(), grown;
    for (auto [i, loop] : llvm::enumerate(loops)) {
      if (loop < 0 || loop >= int64_t(extents.size()))
        continue;
      bool known = !ShapedType::isDynamic(extents[loop]);
      std::optional<int64_t> multiple =
          i < multiples.size() ? multiples[i] : std::optional<int64_t>(1);
      if (!known || !multiple || extents[loop] % *multiple != 0)
        grown.push_back(loop);
    }
    checkPadding(linalgOp, grown,
                 paddingValues(linalgOp, pad.getPaddingValues()), findings);
  }
}

void checkPadTilingInterface(transform::TransformOpInterface op,
                             transform::TransformState &state,
                             Findings &findings) {
  auto pad = cast<transform::PadTilingInterfaceOp>(op.getOperation());
  auto sizes =
      resolveSizes(pad.getStaticPaddingSizes(), pad.getPaddingSizes(), state);
  for (Operation *payload : state.getPayloadOps(pad.getTarget())) {
    auto bad =
        llvm::find_if(sizes, [](auto size) { return size && *size < 0; });
    if (bad != sizes.end()) {
      findings.refuse(payload, "padding size " + Twine(**bad) +
                                   " is negative; give 0 (no padding) or more");
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(payload);
    if (!linalgOp)
      continue;
    SmallVector<int64_t> grown;
    SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
    for (auto [loop, extent] : llvm::enumerate(extents)) {
      if (loop >= sizes.size() || sizes[loop] == 0)
        continue;
      bool stays = sizes[loop] && !ShapedType::isDynamic(extent) &&
                   (pad.getPadToMultipleOf() ? extent % *sizes[loop] == 0
                                             : extent == *sizes[loop]);
      if (!stays)
        grown.push_back(loop);
    }
    checkPadding(linalgOp, grown,
                 paddingValues(linalgOp, pad.getPaddingValues()), findings);
  }
}

static void checkPacked(linalg::LinalgOp op,
                        ArrayRef<std::optional<int64_t>> sizes,
                        Findings &findings) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges(), grown;
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (loop < sizes.size() && sizes[loop] != 0 &&
        (!sizes[loop] || ShapedType::isDynamic(extent) ||
         extent % *sizes[loop] != 0))
      grown.push_back(loop);
  WalkResult walk = op.getBlock()->walk([&](linalg::IndexOp index) {
    if (index.getDim() < sizes.size() && sizes[index.getDim()] == 0)
      return WalkResult::advance();
    findings.refuse(op, "its body reads linalg.index " + Twine(index.getDim()) +
                            ", which would count packs instead of elements; "
                            "pass the index as a tensor");
    return WalkResult::interrupt();
  });
  if (!walk.wasInterrupted())
    checkPadding(op, grown, paddingValues(op, nullptr), findings);
}

void checkPack(transform::TransformOpInterface op,
               transform::TransformState &state, Findings &findings) {
  auto pack = cast<transform::PackOp>(op.getOperation());
  auto sizes =
      resolveSizes(pack.getStaticPackedSizes(), pack.getPackedSizes(), state);
  for (Operation *payload : state.getPayloadOps(pack.getTarget())) {
    auto bad =
        llvm::find_if(sizes, [](auto size) { return size && *size < 0; });
    if (bad != sizes.end())
      findings.refuse(payload, "packed size " + Twine(**bad) +
                                   " is negative; give 0 (not packed) or more");
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(payload))
      checkPacked(linalgOp, sizes, findings);
  }
}

void checkPackGreedily(transform::TransformOpInterface op,
                       transform::TransformState &state, Findings &findings) {
  auto pack = cast<transform::PackGreedilyOp>(op.getOperation());
  // Which loops are m, n and k is found by upstream: take all as packed.
  for (Operation *payload : state.getPayloadOps(pack.getTarget()))
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(payload))
      checkPacked(linalgOp,
                  SmallVector<std::optional<int64_t>>(linalgOp.getNumLoops()),
                  findings);
}

void checkWinograd(transform::TransformOpInterface op,
                   transform::TransformState &state, Findings &findings) {
  for (Operation *payload : state.getPayloadOps(op->getOperand(0)))
    for (Value operand : payload->getOperands())
      if (!isa<FloatType>(getElementTypeOrSelf(operand.getType()))) {
        findings.refuse(payload, "Winograd's transforms divide, and its "
                                 "operands are no floats; use the convolution "
                                 "as it is");
        break;
      }
}

} // namespace egg
