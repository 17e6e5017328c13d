//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inputs on which elements that no kernel reads decide the results, whatever
// the payload does with them. Drawn at random, one element of many rarely
// decides: a maximum of integers has ties at the ends of the type, and whether
// any of many numbers is positive needs no particular one.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_NUMERIC_AIMEDDRAWS_H
#define EGG_LIB_VERIFY_NUMERIC_AIMEDDRAWS_H

#include "DrawInputs.h"
#include "UnreadElements.h"
#include "egg/Import/InputRules.h"
#include "egg/Support/Random.h"
#include "egg/Verify/PayloadProgram.h"

namespace egg {

/// Runs of the kernels on such inputs, at most, for each variant of the
/// extents.
inline constexpr int64_t kAimedRuns = 8;

/// What elements of an input are set to.
enum class Level {
  Zero,
  One,
  /// All bits of an integer.
  MinusOne,
  /// Above and below all others, by the type or by the rules of the input.
  Highest,
  Lowest,
  /// Constants that the payload compares with, and their neighbours.
  Constants,
  Infinity,
  MinusInfinity,
  NotANumber,
  /// As the distribution `ties` draws them: small integers.
  Drawn
};

/// Two inputs that differ in nothing but elements that no kernel has read.
struct AimedPair {
  /// The first has other values there, the second the values around.
  Draw aimed, background;
};

class AimedDraws {
public:
  AimedDraws(mlir::ModuleOp payload, llvm::ArrayRef<TensorSpec> arguments,
             const UnreadElements &unread, const VerifyOptions &options);

  size_t size() const { return aims.size(); }
  llvm::Expected<AimedPair> make(size_t number) const;

private:
  /// What lies around and what is put into unread elements of one input, or of
  /// all (no input); at random, for each input its own, where neither is given.
  struct Aim {
    std::optional<std::pair<Level, Level>> levels;
    std::optional<size_t> input;
  };
  /// What an input may hold.
  struct Palette {
    double highest = 0;
    std::vector<double> constants;
    /// Of integers: allowed values at the ends, and all that are worth trying.
    int64_t least = 0, largest = 1;
    std::vector<int64_t> integers;
    bool isBound = false;
  };
  Palette makePalette(size_t number) const;
  void set(HostTensor &tensor, int64_t element, size_t input, Level level,
           Random &random) const;
  NaNs judge(llvm::ArrayRef<HostTensor> inputs) const;

  mlir::ModuleOp payload;
  llvm::ArrayRef<TensorSpec> arguments;
  UnreadElements unread;
  const VerifyOptions &options;
  InputRules rules;
  std::vector<Palette> palettes;
  std::vector<Aim> aims;
  /// Levels that random aims choose from.
  llvm::SmallVector<Level> choices;
};

/// Whether the payload's results differ on the two, in any bit.
llvm::Expected<bool> tellsApart(PayloadProgram &payload, const AimedPair &pair,
                                const VerifyOptions &options);

} // namespace egg

#endif // EGG_LIB_VERIFY_NUMERIC_AIMEDDRAWS_H
