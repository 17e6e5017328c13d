//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SparseValues.h"
#include "../Rows/CollectRows.h"
#include "../Rows/ReducedDims.h"
#include "egg/Support/Random.h"
#include "egg/Verify/PayloadProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace mlir;
using namespace egg;

/// Kinds of rounds: all arguments or one kind, positive or negative.
static constexpr int64_t kKinds = 4;
/// Rows of the largest argument that are aimed at in each kind, and rounds of
/// one kind at most.
static constexpr int64_t kRows = 16, kMaxSteps = 8;
/// Rounds that go through the places, for each sign, and elements in all.
static constexpr int64_t kMostRoundsOfPlaces = 64, kMostElements = 1 << 16;
/// Constants of comparisons that few elements go beyond.
static constexpr size_t kThresholds = 2;

/// Whether the op combines elements in a way in which few of them decide, or
/// divides by what may be zero.
static bool isDecidedByFew(linalg::LinalgOp op) {
  bool reduces = op.getNumReductionLoops() > 0;
  return llvm::any_of(*op.getBlock(), [&](Operation &inner) {
    if (isa<arith::DivFOp>(inner))
      return !matchPattern(inner.getOperand(1), m_Constant());
    return reduces && !inner.hasTrait<OpTrait::IsTerminator>() &&
           !isa<arith::AddFOp, arith::MulFOp, arith::ExtFOp, arith::TruncFOp,
                arith::ConstantOp>(inner);
  });
}

/// Whether one element of no account (a zero, false) decides, or one beyond a
/// constant, so that rows of zeros show nothing.
static bool isDecidedByNone(linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0 &&
         llvm::any_of(*op.getBlock(), [](Operation &inner) {
           return isa<arith::AndIOp, arith::MulIOp, arith::MinUIOp,
                      arith::OrIOp, arith::CmpFOp, arith::CmpIOp,
                      arith::SelectOp>(inner);
         });
}

SparseValues::SparseValues(ModuleOp payload, bool everyPlace) {
  auto signature = getPayloadSignature(payload);
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (!signature || !main) {
    llvm::consumeError(signature.takeError());
    return;
  }
  InputRules rules = readInputRules(payload);
  bool isNeeded = false, needsTurned = false;
  payload.walk([&](linalg::LinalgOp op) {
    isNeeded |= isDecidedByFew(op);
    needsTurned |= isDecidedByNone(op);
  });
  int64_t most = 0;
  for (auto [number, spec] : llvm::enumerate(signature->arguments)) {
    HostTensor shape;
    shape.shape = spec.shape;
    shape.dtype = spec.dtype;
    int64_t elements = shape.getNumElements();
    // Weights of few elements would hide the rest.
    if (spec.kind == "buffer" || spec.kind == "parameter" ||
        spec.shape.empty() || elements == 0)
      continue;
    Part part{number,
              findReducedDims(main.getArgument(unsigned(number))),
              shape.isFloat(),
              rules.bounds[number],
              1,
              1};
    if (part.dims.none())
      part.dims.set(int(spec.shape.size()) - 1);
    part.rows = countRows(spec.shape, part.dims);
    part.length = elements / part.rows;
    hasIntegers |= !part.isFloat;
    if (elements > most) {
      most = elements;
      largest = parts.size();
    }
    parts.push_back(std::move(part));
  }
  if (parts.empty() || !(isNeeded || hasIntegers))
    return;
  auto [rows, length] = std::pair(parts[largest].rows, parts[largest].length);
  int64_t steps = std::clamp<int64_t>(kRows / rows, 2, kMaxSteps);
  rounds = kKinds * steps;
  placeFillings = {{}, {.isNegative = true}};
  if (needsTurned) {
    turned = 2 * steps;
    turnedFillings = {{.isTurned = true}};
    for (double threshold : ArrayRef(rules.thresholds).take_front(kThresholds))
      for (bool isTurned : {false, true})
        for (double sign : {1, -1})
          turnedFillings.push_back(
              {.isTurned = isTurned,
               .special = threshold + sign * (std::fabs(threshold) + 1)});
    llvm::append_range(placeFillings, turnedFillings);
    placeFillings.push_back({.special = NAN});
    if (!rules.longProducts)
      placeFillings.push_back({.special = HUGE_VAL});
  }
  if (everyPlace)
    places = int64_t(placeFillings.size()) *
             std::min({(length + rows - 1) / rows, kMostRoundsOfPlaces,
                       kMostElements / most});
}

/// Where a row is likely to be cut: from the largest power of two inside it
/// down, the element before it and the one at it.
static size_t chooseCut(int64_t n, size_t length) {
  size_t cut = llvm::bit_floor(std::max<size_t>(length - 1, 1)) >> (n / 2);
  return n % 2 || cut == 0 ? std::min(cut, length - 1) : cut - 1;
}

/// The place of the one element in the n-th row: the ends, then by turns where
/// a row may be cut and all over.
static size_t choosePlace(int64_t n, size_t length) {
  constexpr double kGolden = 0.6180339887498949;
  if (n == 0)
    return length - 1;
  if (n == 1)
    return 0;
  if (n % 2 == 0)
    return chooseCut(n / 2 - 1, length);
  double whole;
  return std::min(length - 1, size_t(std::modf(double(n) * kGolden, &whole) *
                                     double(length)));
}

void SparseValues::placeIn(const Part &part, HostTensor &tensor, int64_t step,
                           const Filling &filling, bool everyPlace,
                           Random &random) const {
  std::vector<std::vector<int64_t>> rows = collectRows(tensor, part.dims);
  bool isBoolean = tensor.dtype == "i1", isNegative = filling.isNegative;
  bool zeroIsFew = filling.isTurned || (isBoolean && isNegative);
  auto setZero = [&](int64_t element) {
    if (part.isFloat)
      tensor.setFloat(element, 0);
    else
      tensor.setInteger(element, 0);
  };
  auto setOther = [&](int64_t element) {
    if (part.isFloat) {
      double size = 0.5 + random.uniform();
      tensor.setFloat(element,
                      filling.special.value_or(isNegative ? -size : size));
    } else if (isBoolean) {
      tensor.setInteger(element, 1);
    } else if (part.bound) {
      tensor.setInteger(
          element, zeroIsFew ? part.bound - 1
                             : int64_t(random.next() % uint64_t(part.bound)));
    } else if (zeroIsFew) {
      // All bits.
      tensor.setInteger(element, -1);
    } else {
      int64_t size = 1 + int64_t(random.next() % 100);
      tensor.setInteger(element, isNegative ? -size : size);
    }
  };
  auto setFew = [&](int64_t element) {
    zeroIsFew ? setZero(element) : setOther(element);
  };
  for (auto [number, row] : llvm::enumerate(rows)) {
    int64_t n = step * int64_t(rows.size()) + int64_t(number);
    for (int64_t element : row)
      zeroIsFew ? setOther(element) : setZero(element);
    if (everyPlace) {
      setFew(row[size_t(n) % row.size()]);
      continue;
    }
    // Of eight rows one is empty, and one begins with a run of such elements.
    size_t place = choosePlace(n, row.size());
    if (n % 8 == 7)
      continue;
    if (n % 8 == 6)
      for (size_t i = 0; i < place; ++i)
        setFew(row[i]);
    setFew(row[place]);
  }
}

void SparseValues::place(MutableArrayRef<HostTensor> inputs, int64_t round,
                         uint64_t seed) const {
  Random random(Random(seed * 1000003 + uint64_t(round)).next());
  if (round >= rounds + turned) {
    // Where arguments meet, their elements have to: the others stay ordinary.
    int64_t turn = round - rounds - turned,
            count = int64_t(placeFillings.size());
    for (const Part &part : parts)
      if (part.rows == parts[largest].rows &&
          part.length == parts[largest].length)
        placeIn(part, inputs[part.argument], turn / count,
                placeFillings[size_t(turn % count)], /*everyPlace=*/true,
                random);
    return;
  }
  if (round >= rounds) {
    int64_t turn = round - rounds;
    size_t filling = size_t(turn) % turnedFillings.size();
    for (const Part &part : parts)
      placeIn(part, inputs[part.argument], turn, turnedFillings[filling],
              /*everyPlace=*/false, random);
    return;
  }
  // Both kinds of one sign place elements, each elsewhere.
  int64_t kind = round % kKinds, turn = round / kKinds;
  int64_t step = turn * 2 + kind / 2;
  for (auto [number, part] : llvm::enumerate(parts)) {
    bool isOne =
        hasIntegers ? !part.isFloat : number == size_t(turn) % parts.size();
    if (kind < 2 || isOne)
      placeIn(part, inputs[part.argument], step, {.isNegative = kind % 2 != 0},
              /*everyPlace=*/false, random);
  }
}
