//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AimedDraws.h"
#include "../Special/Thresholds.h"
#include "../Special/WithoutNaN.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace egg;

/// Aims of levels that chance chooses.
static constexpr int64_t kRandomAims = 8;
/// Inputs that are aimed at alone, and the pairs of levels for each.
static constexpr int64_t kAloneInputs = 4, kAlonePairs = 4;
/// Larger than what the other levels and ordinary draws hold, and still with an
/// exponential in f32.
static constexpr double kHigh = 64;

static llvm::StringRef stringifyLevel(Level level) {
  switch (level) {
  case Level::Zero:
    return "0";
  case Level::One:
    return "1";
  case Level::MinusOne:
    return "-1";
  case Level::Highest:
    return "values above all others";
  case Level::Lowest:
    return "values below all others";
  case Level::Constants:
    return "the payload's constants";
  case Level::Infinity:
    return "infinity";
  case Level::MinusInfinity:
    return "-infinity";
  case Level::NotANumber:
    return "NaN";
  case Level::Drawn:
    return "small integers";
  }
  llvm_unreachable("all levels are listed");
}

AimedDraws::AimedDraws(ModuleOp payload, llvm::ArrayRef<TensorSpec> arguments,
                       const UnreadElements &unread,
                       const VerifyOptions &options)
    : payload(payload), arguments(arguments), unread(unread), options(options),
      rules(readInputRules(payload)),
      choices{Level::Zero,    Level::One,    Level::MinusOne,
              Level::Highest, Level::Lowest, Level::Constants} {
  // The first four are those that one input alone gets, too: extrema, and what
  // a bool decides over the other one.
  std::pair<Level, Level> pairs[] = {
      {Level::Zero, Level::Highest},    {Level::Zero, Level::Lowest},
      {Level::One, Level::Lowest},      {Level::MinusOne, Level::Highest},
      {Level::One, Level::Zero},        {Level::Zero, Level::One},
      {Level::Zero, Level::MinusOne},   {Level::Zero, Level::Constants},
      {Level::Drawn, Level::Highest},   {Level::Drawn, Level::Lowest},
      {Level::Zero, Level::Infinity},   {Level::Zero, Level::MinusInfinity},
      {Level::Zero, Level::NotANumber},
  };
  bool areSpecial =
      llvm::is_contained(options.distributions, Distribution::Special);
  bool mayBeInfinite =
      areSpecial && options.specialNumbers().infinities && !rules.longProducts;
  for (const auto &pair : pairs) {
    bool isInfinite =
        pair.second == Level::Infinity || pair.second == Level::MinusInfinity;
    if ((isInfinite && !mayBeInfinite) ||
        (pair.second == Level::NotANumber && !areSpecial))
      continue;
    aims.push_back({pair, std::nullopt});
  }
  llvm::SmallVector<size_t> holding;
  for (size_t input = 0; input < arguments.size(); ++input) {
    palettes.push_back(makePalette(input));
    if (unread.anyOf(input))
      holding.push_back(input);
  }
  if (holding.size() > 1)
    for (size_t input : llvm::ArrayRef(holding).take_front(kAloneInputs))
      for (const auto &pair : llvm::ArrayRef(pairs).take_front(kAlonePairs))
        aims.push_back({pair, input});
  aims.resize(aims.size() + kRandomAims);
}

AimedDraws::Palette AimedDraws::makePalette(size_t number) const {
  const TensorSpec &spec = arguments[number];
  Palette palette;
  if (!llvm::StringRef(spec.dtype).starts_with("i")) {
    palette.constants =
        getThresholdValues(rules.thresholds, spec.dtype, /*denormals=*/false);
    palette.highest = kHigh;
    for (double value : palette.constants)
      palette.highest = std::max(palette.highest, std::abs(value));
    if (palette.constants.empty())
      palette.constants = {-2, -1, 0, 1, 2};
    return palette;
  }
  int64_t bound = spec.dtype == "i1" ? 2 : rules.bounds[number];
  palette.isBound = bound != 0;
  if (palette.isBound) {
    palette.integers = {0, bound - 1};
    llvm::append_range(palette.integers, rules.guarded[number]);
    palette.least = *llvm::min_element(palette.integers);
    palette.largest = *llvm::max_element(palette.integers);
    return palette;
  }
  unsigned width = unsigned(*getDtypeBytes(spec.dtype)) * 8;
  palette.least = llvm::minIntN(width);
  palette.largest = llvm::maxIntN(width);
  palette.integers = {-2, 2};
  for (int64_t constant : rules.integers)
    for (uint64_t offset : {~uint64_t(0), uint64_t(0), uint64_t(1)})
      palette.integers.push_back(int64_t(uint64_t(constant) + offset));
  return palette;
}

/// Sets an element of an input; what is drawn is there already.
void AimedDraws::set(HostTensor &tensor, int64_t element, size_t input,
                     Level level, Random &random) const {
  const Palette &palette = palettes[input];
  if (level == Level::Drawn)
    return;
  auto choose = [&](const auto &values) {
    return values[random.next() % values.size()];
  };
  if (!tensor.isFloat()) {
    int64_t value = level == Level::One         ? 1
                    : level == Level::Highest   ? palette.largest
                    : level == Level::Lowest    ? palette.least
                    : level == Level::Constants ? choose(palette.integers)
                    : level == Level::MinusOne && !palette.isBound ? -1
                                                                   : 0;
    // What indexes may have one value alone.
    if (palette.isBound && value == 1)
      value = std::min(value, palette.largest);
    return tensor.setInteger(element, value);
  }
  // A module's buffers are such as no square root objects to.
  if (arguments[input].kind == "buffer")
    return tensor.setFloat(element, level == Level::Highest ? kHigh
                                    : level == Level::One   ? 1
                                                            : 0);
  switch (level) {
  case Level::One:
    return tensor.setFloat(element, 1);
  case Level::MinusOne:
    return tensor.setFloat(element, -1);
  case Level::Highest:
    return tensor.setFloat(element, palette.highest);
  case Level::Lowest:
    return tensor.setFloat(element, -palette.highest);
  case Level::Constants:
    return tensor.setFloat(element, choose(palette.constants));
  case Level::Infinity:
    return tensor.setFloat(element, HUGE_VAL);
  case Level::MinusInfinity:
    return tensor.setFloat(element, -HUGE_VAL);
  case Level::NotANumber:
    return tensor.setFloat(element, NAN);
  default:
    return tensor.setFloat(element, 0);
  }
}

/// As for the inputs of `special` (DrawInputs).
NaNs AimedDraws::judge(llvm::ArrayRef<HostTensor> inputs) const {
  if (!options.otherAlgebra)
    return NaNs::Stay;
  if (options.nanMaySpread && holdsNaN(inputs))
    return NaNs::MaySpread;
  return holdsInfinities(inputs) ? NaNs::AreInfinities : NaNs::Stay;
}

llvm::Expected<AimedPair> AimedDraws::make(size_t number) const {
  const Aim &aim = aims[number];
  uint64_t seed = options.seed + number;
  Random random(Random(seed).next());
  auto drawn = makeInputs(payload, Distribution::Ties, seed);
  if (!drawn)
    return drawn.takeError();
  std::vector<HostTensor> background = std::move(*drawn);
  // Chance also leaves some unread elements as they are: several that are equal
  // may decide nothing.
  bool isSparse = !aim.levels && number % 2 == 1;
  llvm::SmallVector<Level> levels;
  for (auto [input, tensor] : llvm::enumerate(background)) {
    auto choose = [&] { return choices[random.next() % choices.size()]; };
    // Every third input stays drawn, where chance chooses: zeros would hide the
    // others in products.
    Level around = aim.levels               ? aim.levels->first
                   : random.next() % 3 == 0 ? Level::Drawn
                                            : choose();
    levels.push_back(aim.levels ? aim.levels->second : choose());
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      set(tensor, i, input, around, random);
  }
  std::vector<HostTensor> aimed = background;
  for (auto [input, tensor] : llvm::enumerate(aimed)) {
    if (aim.input && *aim.input != input)
      continue;
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      if (unread.contains(input, i) && (!isSparse || random.next() % 2 == 0))
        set(tensor, i, input, levels[input], random);
  }
  std::string around = "of every input a level of its own", there = around;
  if (aim.levels) {
    around = stringifyLevel(aim.levels->first);
    there = stringifyLevel(aim.levels->second);
    if (aim.input)
      there += llvm::formatv(" (of input {0} alone)", *aim.input);
  }
  std::string name = llvm::formatv("aimed, seed {0}: {1}", seed, around);
  NaNs aimedNaNs = judge(aimed), nans = judge(background);
  return AimedPair{{std::move(aimed),
                    name + "; where no kernel has read, " + there, aimedNaNs,
                    /*toleranceOnly=*/true},
                   {std::move(background), name, nans, /*toleranceOnly=*/true}};
}

llvm::Expected<bool> egg::tellsApart(PayloadProgram &payload,
                                     const AimedPair &pair,
                                     const VerifyOptions &options) {
  std::vector<HostTensor> results[2];
  for (auto [draw, result] :
       llvm::zip_equal(std::array{&pair.aimed, &pair.background}, results)) {
    std::vector<HostTensor> inputs = draw->inputs;
    if (options.changeInputs)
      options.changeInputs(inputs, HostArithmetic::Native);
    if (llvm::Error error = payload.run(inputs).moveInto(result))
      return std::move(error);
  }
  return !llvm::equal(results[0], results[1],
                      [](const HostTensor &one, const HostTensor &other) {
                        return one.bytes == other.bytes;
                      });
}
