//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SpecialValues.h"
#include "../Rows/CollectRows.h"
#include "../Rows/MaskArguments.h"
#include "../Rows/ReducedDims.h"
#include "Thresholds.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Import/InputRules.h"
#include "egg/Verify/PayloadProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace egg;

/// Rounds at most, where a few rows must hold many patterns, or a few elements
/// many pairs.
static constexpr int64_t kMaxRounds = 4;

// Operations, by what they tell apart beside NaN.
static constexpr llvm::StringLiteral kOrdering[] = {
    "cmpf", "maximumf", "maxnumf", "minimumf", "minnumf"};
static constexpr llvm::StringLiteral kOfZeros[] = {
    "absf",  "atan2", "copysign", "divf",  "log",  "log1p", "log2",
    "log10", "negf",  "powf",     "rsqrt", "sqrt", "cbrt"};

static bool isOnFloats(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  return isa_and_present<arith::ArithDialect>(op->getDialect()) ||
                 (op->getDialect() &&
                  op->getDialect()->getNamespace() == "math")
             ? llvm::any_of(op->getOperandTypes(), isFloat)
             : false;
}

/// A value below the least normal number of the type.
static double getDenormal(llvm::StringRef dtype) {
  return dtype == "f16" ? 0x1p-18 : dtype == "f64" ? 0x1p-1040 : 0x1p-130;
}

SpecialValues::SpecialValues(ModuleOp payload, SpecialNumbers may) {
  auto signature = getPayloadSignature(payload);
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (!signature || !main) {
    llvm::consumeError(signature.takeError());
    return;
  }
  InputRules rules = readInputRules(payload);
  infinities = may.infinities && !rules.longProducts;
  thresholds.assign(rules.thresholds.begin(), rules.thresholds.end());
  denormals = may.denormals;
  std::set<std::string> names;
  payload.walk([&](Operation *op) {
    if (isOnFloats(op))
      names.insert(op->getName().stripDialect().str());
    if (auto scan = dyn_cast<ScanOp>(op))
      names.insert("scan");
  });
  operations.assign(names.begin(), names.end());

  int64_t most = 0;
  for (auto [number, spec] : llvm::enumerate(signature->arguments)) {
    HostTensor shape;
    shape.shape = spec.shape;
    shape.dtype = spec.dtype;
    if (!shape.isFloat() || spec.kind == "buffer" ||
        shape.getNumElements() == 0)
      continue;
    paired.push_back(int64_t(number));
    llvm::SmallBitVector dims =
        findReducedDims(main.getArgument(unsigned(number)));
    if (infinities && dims.any() && isMask(main.getArgument(unsigned(number))))
      masks.push_back({int64_t(number), dims});
    if (dims.none() || shape.getNumElements() <= most)
      continue;
    most = shape.getNumElements();
    argument = int64_t(number);
    reducedDims = dims;
  }
  if (argument < 0) {
    for (int64_t number : paired) {
      const TensorSpec &spec = signature->arguments[number];
      int64_t count = int64_t(getPairedValues(spec.dtype).size());
      int64_t elements = 1;
      for (int64_t extent : spec.shape)
        elements *= extent;
      int64_t needed = paired.size() > 1 ? count * count : count;
      rounds = std::max(
          rounds,
          std::min<int64_t>(kMaxRounds, (needed + elements - 1) / elements));
    }
    return;
  }
  // The same elements of others may meet those of the argument.
  std::vector<int64_t> meeting = {argument};
  for (int64_t number : paired)
    if (number != argument && signature->arguments[number].shape ==
                                  signature->arguments[argument].shape)
      meeting.push_back(number);
  paired.clear();
  // Its rows have these patterns anyway.
  llvm::erase_if(masks,
                 [&](const Mask &mask) { return mask.argument == argument; });

  auto has = [&](llvm::ArrayRef<llvm::StringLiteral> some) {
    return llvm::any_of(some, [&](llvm::StringRef name) {
      return names.count(name.str()) != 0;
    });
  };
  const TensorSpec &spec = signature->arguments[argument];
  using P = SpecialPattern;
  patterns = {P::NaNFirst, P::NaNLast};
  if (has(kOrdering))
    llvm::append_values(patterns, P::LargestThrice, P::LeastThrice, P::FarBelow,
                        P::FarAbove);
  if (has(kOrdering) || has(kOfZeros))
    llvm::append_values(patterns, P::ZerosOnTop, P::ZerosBelow);
  if (infinities)
    llvm::append_values(patterns, P::Infinities, P::NegativeInfinities,
                        P::OppositeInfinities, P::FirstHalfNegative,
                        P::SecondHalfNegative);
  // Sums of denormals in half precision are beyond the rule of Compare.h.
  if (denormals && (spec.dtype == "f32" || spec.dtype == "f64"))
    patterns.push_back(P::Denormals);
  if (has(kOrdering))
    llvm::append_values(patterns, P::NaNThrice, P::SecondHalfNaN);
  // Every second element of a row.
  size_t values = getThresholdValues(thresholds, spec.dtype, denormals).size();
  int64_t length = 1;
  for (unsigned dim : reducedDims.set_bits())
    length *= spec.shape[dim];
  patterns.insert(patterns.end(),
                  llvm::divideCeil(values, llvm::divideCeil(length, 2)),
                  P::Thresholds);
  if (meeting.size() > 1 && (has(kOrdering) || has(kOfZeros)))
    coincidences = Coincidences(std::move(meeting), spec.shape, reducedDims,
                                getBasicValues(spec.dtype));
  int64_t rows = countRows(spec.shape, reducedDims);
  rounds = std::min<int64_t>(kMaxRounds,
                             (int64_t(patterns.size()) + rows - 1) / rows);
}

/// The elements of one row, in their order in memory; `thresholds` are those
/// that it starts with.
static void placePattern(HostTensor &tensor, llvm::ArrayRef<int64_t> row,
                         SpecialPattern pattern,
                         llvm::ArrayRef<double> thresholds) {
  size_t last = row.size() - 1;
  auto set = [&](size_t place, double value) {
    tensor.setFloat(row[place], value);
  };
  auto setThrice = [&](double value) {
    for (size_t place : {last / 4, last / 2, last})
      set(place, value);
  };
  auto setZeros = [&](double sign) {
    for (size_t i = 0; i <= last; ++i)
      if (i % 3 == 0)
        set(i, i % 2 ? 0.0 : -0.0);
      else
        set(i, sign * std::abs(tensor.getFloat(row[i])));
  };
  switch (pattern) {
  case SpecialPattern::NaNFirst:
    return set(0, NAN);
  case SpecialPattern::NaNLast:
    return set(last, NAN);
  case SpecialPattern::NaNThrice:
    return setThrice(NAN);
  case SpecialPattern::SecondHalfNaN:
    for (size_t i = last / 2 + 1; i <= last; ++i)
      set(i, NAN);
    return;
  case SpecialPattern::LargestThrice:
    return setThrice(8);
  case SpecialPattern::LeastThrice:
    return setThrice(-8);
  case SpecialPattern::ZerosOnTop:
    return setZeros(-1);
  case SpecialPattern::ZerosBelow:
    return setZeros(1);
  case SpecialPattern::Infinities:
    set(last / 4, HUGE_VAL);
    return set(last, HUGE_VAL);
  case SpecialPattern::OppositeInfinities:
    set(last, -HUGE_VAL);
    return set(last / 4, HUGE_VAL);
  case SpecialPattern::NegativeInfinities:
    for (size_t i = 0; i <= last; ++i)
      set(i, -HUGE_VAL);
    return;
  case SpecialPattern::FirstHalfNegative:
  case SpecialPattern::SecondHalfNegative:
    for (size_t i = 0; i <= last; ++i)
      if ((2 * i < last) == (pattern == SpecialPattern::FirstHalfNegative))
        set(i, -HUGE_VAL);
    return;
  case SpecialPattern::Denormals:
    for (size_t i = 0; i <= last; ++i)
      set(i, std::copysign(getDenormal(tensor.dtype) * double(i % 4 + 1),
                           tensor.getFloat(row[i])));
    return;
  case SpecialPattern::FarBelow:
  case SpecialPattern::FarAbove:
    for (int64_t element : row)
      tensor.setFloat(element,
                      tensor.getFloat(element) +
                          (pattern == SpecialPattern::FarAbove ? 200 : -200));
    return;
  case SpecialPattern::Thresholds:
    for (size_t i = 0; i <= last; i += 2)
      set(i, thresholds[i / 2 % thresholds.size()]);
    return;
  }
  llvm_unreachable("all patterns are listed");
}

void SpecialValues::placeRows(HostTensor &tensor, int64_t round) const {
  std::vector<std::vector<int64_t>> rows = collectRows(tensor, reducedDims);
  std::vector<double> values =
      getThresholdValues(thresholds, tensor.dtype, denormals);
  size_t firstOfThresholds = size_t(
      llvm::find(patterns, SpecialPattern::Thresholds) - patterns.begin());
  // The rows beyond the patterns stay as they are.
  for (auto [number, row] : llvm::enumerate(rows)) {
    size_t pattern = number + size_t(round) * rows.size();
    if (pattern >= patterns.size())
      continue;
    size_t placed =
        pattern < firstOfThresholds
            ? values.size()
            : (pattern - firstOfThresholds) * llvm::divideCeil(row.size(), 2);
    placePattern(tensor, row, patterns[pattern],
                 llvm::ArrayRef<double>(values).drop_front(placed));
  }
}

std::vector<double> SpecialValues::getBasicValues(llvm::StringRef dtype) const {
  double denormal = getDenormal(dtype);
  std::vector<double> values = {NAN, 0.0, -0.0, 1, -1};
  if (denormals)
    llvm::append_values(values, denormal, -denormal);
  if (infinities)
    llvm::append_values(values, HUGE_VAL, -HUGE_VAL);
  return values;
}

std::vector<double>
SpecialValues::getPairedValues(llvm::StringRef dtype) const {
  std::vector<double> values = getBasicValues(dtype);
  for (double value : getThresholdValues(thresholds, dtype, denormals))
    if (!llvm::is_contained(values, value))
      values.push_back(value);
  return values;
}

/// Every value comes early; after as many elements as there are pairs, every
/// pair has come.
void SpecialValues::placePairs(HostTensor &tensor, bool isSecond,
                               int64_t round) const {
  std::vector<double> values = getPairedValues(tensor.dtype);
  int64_t count = int64_t(values.size()), elements = tensor.getNumElements();
  for (int64_t i = 0; i < elements; ++i) {
    int64_t place = i + round * elements;
    if (isSecond)
      place += place / count;
    tensor.setFloat(i, values[size_t(place % count)]);
  }
}

void SpecialValues::place(llvm::MutableArrayRef<HostTensor> inputs,
                          int64_t round) const {
  if (int64_t met = round - (countRounds() - coincidences.countRounds());
      met >= 0)
    return coincidences.place(inputs, met);
  if (round >= rounds) {
    const Mask &mask = masks[size_t(round - rounds) / 2];
    HostTensor &tensor = inputs[size_t(mask.argument)];
    constexpr SpecialPattern kMasks[] = {SpecialPattern::FirstHalfNegative,
                                         SpecialPattern::SecondHalfNegative,
                                         SpecialPattern::NegativeInfinities};
    size_t first = size_t(round - rounds) % 2;
    for (auto [number, row] : llvm::enumerate(collectRows(tensor, mask.dims)))
      placePattern(tensor, row, kMasks[(number + first) % 3], {});
    return;
  }
  if (argument >= 0)
    return placeRows(inputs[size_t(argument)], round);
  for (auto [place, number] : llvm::enumerate(paired))
    // More than two never meet in all ways at small extents.
    placePairs(inputs[size_t(number)], place % 2 != 0, round);
}

std::string SpecialValues::str() const {
  if (rounds == 0)
    return "";
  auto among = [&](llvm::ArrayRef<llvm::StringLiteral> some) {
    std::vector<std::string> found;
    for (const std::string &name : operations)
      if (llvm::is_contained(some, name))
        found.push_back(name);
    return llvm::join(found, ", ");
  };
  llvm::StringRef constants =
      thresholds.empty() ? "" : ", compared constants with their neighbours";
  if (argument < 0) {
    std::vector<std::string> numbers;
    for (int64_t number : paired)
      numbers.push_back(std::to_string(number));
    return llvm::formatv(
        "NaN, zeros of both signs, ones{0}{1}{2}, in all pairs of argument{3} "
        "{4}, for {5}",
        denormals ? ", denormals" : "", infinities ? ", infinities" : "",
        constants, paired.size() == 1 ? "" : "s", llvm::join(numbers, ", "),
        operations.empty() ? "copies" : llvm::join(operations, ", "));
  }
  std::vector<std::string> kinds = {"NaN first and last"};
  std::string ordering = among(kOrdering), zeros = among(kOfZeros);
  auto holds = [&](SpecialPattern pattern) {
    return llvm::is_contained(patterns, pattern);
  };
  if (holds(SpecialPattern::LargestThrice))
    kinds.push_back("ties and values far from zero (" + ordering + ")");
  if (holds(SpecialPattern::ZerosOnTop))
    kinds.push_back("zeros of both signs (" + ordering +
                    (ordering.empty() || zeros.empty() ? "" : ", ") + zeros +
                    ")");
  if (holds(SpecialPattern::Infinities))
    kinds.push_back("infinities");
  if (holds(SpecialPattern::Denormals))
    kinds.push_back("denormals");
  std::string masked;
  for (const Mask &mask : masks)
    masked +=
        llvm::formatv("{0} {1}", masked.empty() ? "" : ",", mask.argument);
  return llvm::formatv(
      "{0}{1}, by rows of argument {2}{3}{4}", llvm::join(kinds, ", "),
      constants, argument,
      masked.empty() ? "" : "; -inf in half or all of the rows of", masked);
}
