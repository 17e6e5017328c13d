//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CompareExactly.h"
#include "ExplainDifference.h"
#include "egg/Verify/Inputs.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

namespace {

/// How the residues of an argument lie.
enum class Draw { Random, Ascending, Descending };

/// Which programs run, and what is made of their results.
class ExactComparison {
public:
  ExactComparison(ModuleOp payload, PayloadProgram &reference,
                  ExactCandidate candidate, uint64_t seed,
                  ExactSummary &summary,
                  llvm::function_ref<void(std::vector<HostTensor> &)> change)
      : payload(payload), reference(reference), candidate(candidate),
        seed(seed), summary(summary), changeInputs(change) {}

  llvm::Error run(int64_t seeds);

private:
  /// The difference of one run, if there is one; `compared` says what it
  /// compared of each result. What `done` has compared is left out.
  llvm::Expected<std::optional<ExactDifference>>
  runOnce(uint64_t seed, Draw draw, ExactFunctions::Mode mode,
          std::vector<Compared> &compared, llvm::ArrayRef<Compared> done = {});
  llvm::Error runAndConfirm(uint64_t seed, Draw draw);
  llvm::Error runOpaque(uint64_t seed, Draw draw,
                        llvm::ArrayRef<Compared> done);
  void summarize();
  bool isFinished() const {
    return summary.difference || !summary.inconclusive.empty();
  }

  ModuleOp payload;
  PayloadProgram &reference;
  ExactCandidate candidate;
  uint64_t seed;
  ExactSummary &summary;
  llvm::function_ref<void(std::vector<HostTensor> &)> changeInputs;
  /// By draw and result: of the runs with functions as they are, and of the
  /// opaque ones, none where the former was complete.
  std::vector<std::vector<Compared>> known, opaque;
};

} // namespace

/// Floats as residues, integers as the numeric check draws them: small ones for
/// even seeds, of every value for odd ones.
static llvm::Expected<std::vector<HostTensor>>
makeExactInputs(ModuleOp payload, const ExactFunctions &functions,
                uint64_t seed, Draw draw) {
  auto inputs = makeInputs(
      payload, seed % 2 ? Distribution::Normal : Distribution::Uniform, seed);
  if (!inputs)
    return inputs.takeError();
  for (auto [number, tensor] : llvm::enumerate(*inputs)) {
    if (!tensor.isFloat())
      continue;
    std::vector<Residue> values;
    for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
      values.push_back(functions.draw(number, i));
    if (draw != Draw::Random)
      llvm::sort(values, [&](Residue x, Residue y) {
        int order = Residue::compare(x, y);
        return draw == Draw::Ascending ? order < 0 : order > 0;
      });
    for (auto [i, value] : llvm::enumerate(values))
      storeResidue(tensor, int64_t(i), value);
  }
  return inputs;
}

static std::string describeDraw(uint64_t seed, Draw draw) {
  return llvm::formatv("residues of seed {0}{1}", seed,
                       draw == Draw::Random      ? ""
                       : draw == Draw::Ascending ? ", in ascending order"
                                                 : ", in descending order");
}

llvm::Expected<std::optional<ExactDifference>>
ExactComparison::runOnce(uint64_t runSeed, Draw draw, ExactFunctions::Mode mode,
                         std::vector<Compared> &compared,
                         llvm::ArrayRef<Compared> done) {
  ExactFunctions functions(runSeed, mode);
  ExactScope scope(functions);
  auto inputs = makeExactInputs(payload, functions, runSeed, draw);
  if (!inputs)
    return inputs.takeError();
  if (changeInputs)
    changeInputs(*inputs);
  auto expected = reference.run(*inputs);
  if (!expected)
    return expected.takeError();
  auto got = candidate(*inputs);
  if (!got)
    return got.takeError();
  compared.resize(expected->size());
  std::optional<ExactDifference> first;
  for (size_t number = 0; number < expected->size(); ++number) {
    auto difference =
        compareResidues((*expected)[number], (*got)[number], compared[number],
                        done.empty() ? nullptr : &done[number]);
    if (difference && !first) {
      first = std::move(difference);
      first->result = number;
      first->draw = describeDraw(runSeed, draw);
    }
  }
  return first;
}

/// Fresh draws of seeds that no other run uses, with integers of the same kind.
static uint64_t getConfirmationSeed(uint64_t seed, uint64_t number) {
  return seed + (number + 1) * 2 * 0x9E3779B9ull;
}

llvm::Error ExactComparison::runAndConfirm(uint64_t runSeed, Draw draw) {
  constexpr auto kMode = ExactFunctions::Mode::Homomorphic;
  auto difference = runOnce(runSeed, draw, kMode, known.emplace_back());
  if (!difference)
    return difference.takeError();
  ++summary.runs;
  if (!*difference)
    return llvm::Error::success();
  // A denominator may vanish by chance in one program and not in the other.
  for (uint64_t number = 0; number < 3; ++number) {
    std::vector<Compared> ignored;
    auto again =
        runOnce(getConfirmationSeed(runSeed, number), draw, kMode, ignored);
    if (!again)
      return again.takeError();
    if (*again) {
      summary.difference = std::move(*difference);
      return llvm::Error::success();
    }
  }
  summary.inconclusive =
      llvm::formatv("result {0} differs on {1} but on none of three further "
                    "draws, which chance may do",
                    (*difference)->result, (*difference)->draw);
  return llvm::Error::success();
}

llvm::Error ExactComparison::runOpaque(uint64_t runSeed, Draw draw,
                                       llvm::ArrayRef<Compared> done) {
  auto difference =
      runOnce(runSeed, draw, ExactFunctions::Mode::Opaque, opaque.back(), done);
  if (!difference)
    return difference.takeError();
  ++summary.runs;
  if (*difference)
    summary.inconclusive = llvm::formatv(
        "result {0} is equal only if identities of exp and log are used on "
        "values that this arithmetic does not know, such as exponentials of "
        "exponentials, or it is wrong",
        (*difference)->result);
  return llvm::Error::success();
}

void ExactComparison::summarize() {
  if (known.empty())
    return;
  summary.results.resize(known.front().size());
  for (auto [number, total] : llvm::enumerate(summary.results)) {
    std::vector<char> ever(known.front()[number].mask.size());
    auto addMask = [&](const Compared &compared) {
      for (auto [seen, now] : llvm::zip_equal(ever, compared.mask))
        seen |= now;
    };
    for (auto [draw, run] : llvm::enumerate(known)) {
      ExactTally tally = run[number].tally;
      addMask(run[number]);
      if (draw < opaque.size() && !opaque[draw].empty()) {
        // It had another look at all that was unknown.
        const Compared &again = opaque[draw][number];
        int64_t lost = std::max(tally.lost, again.tally.lost);
        tally.none = 0;
        tally.add(again.tally);
        tally.lost = lost;
        addMask(again);
        if (again.tally.getCompared() > 0)
          summary.opaque.insert(number);
      }
      total.add(tally);
    }
    total.elements += int64_t(ever.size());
    total.never += llvm::count(ever, 0);
  }
}

/// Whether integers made from floats may become addresses: in exact arithmetic
/// they are arbitrary, and the payload in loops checks no bounds.
static bool mayIndexByFloats(ModuleOp payload, const ExactUses &uses) {
  if (!uses.toInteger)
    return false;
  WalkResult result = payload.walk([](tensor::ExtractOp extract) {
    return extract.getIndices().empty() ? WalkResult::advance()
                                        : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

llvm::Error ExactComparison::run(int64_t seeds) {
  const ExactUses &uses = reference.getExactUses();
  summary.uninterpreted.insert(uses.uninterpreted.begin(),
                               uses.uninterpreted.end());
  summary.order |= uses.order;
  summary.degree = std::max(summary.degree, boundDegree(payload));
  if (mayIndexByFloats(payload, uses)) {
    summary.inconclusive = "the payload computes indices from floats, which "
                           "exact arithmetic does not keep in bounds";
    return llvm::Error::success();
  }
  llvm::SmallVector<std::pair<uint64_t, Draw>> draws;
  for (int64_t i = 0; i < seeds; ++i)
    draws.emplace_back(seed + uint64_t(i), Draw::Random);
  // The extremes of sorted inputs lie at the ends of every window, where terms
  // are dropped most easily.
  if (summary.order)
    for (Draw draw : {Draw::Ascending, Draw::Descending})
      draws.emplace_back(seed, draw);
  for (auto [runSeed, draw] : draws)
    if (!isFinished())
      if (llvm::Error error = runAndConfirm(runSeed, draw))
        return error;
  // What a run does not know it may know when functions are opaque. After all
  // runs, as a difference refuses and a doubt does not.
  for (auto [number, run] : llvm::enumerate(draws)) {
    if (isFinished())
      break;
    opaque.emplace_back();
    if (llvm::all_of(known[number], std::mem_fn(&Compared::isComplete)))
      continue;
    if (llvm::Error error = runOpaque(run.first, run.second, known[number]))
      return error;
  }
  summarize();
  return llvm::Error::success();
}

llvm::Error egg::compareExactly(
    ModuleOp payload, PayloadProgram &reference, ExactCandidate candidate,
    uint64_t seed, int64_t seeds, ExactSummary &summary,
    llvm::function_ref<void(std::vector<HostTensor> &)> changeInputs) {
  return ExactComparison(payload, reference, candidate, seed, summary,
                         changeInputs)
      .run(seeds);
}

std::optional<std::string> egg::explainGaps(const ExactSummary &summary) {
  if (!summary.inconclusive.empty())
    return summary.inconclusive;
  if (summary.runs == 0)
    return std::string("nothing was run");
  for (auto [number, tally] : llvm::enumerate(summary.results)) {
    if (tally.lost * 64 <= tally.getCompared() && tally.never > 0)
      return llvm::formatv("{0} of {1} elements of result {2} have no part "
                           "that is known in a run",
                           tally.never, tally.elements, number)
          .str();
    if (tally.lost * 64 > tally.getCompared())
      return llvm::formatv("{0} elements of result {1} are known in the "
                           "payload and unknown in the candidate, which "
                           "divides by something the payload does not",
                           tally.lost, number)
          .str();
  }
  return std::nullopt;
}

std::string egg::describe(const ExactSummary &summary) {
  ExactTally total;
  for (const ExactTally &tally : summary.results)
    total.add(tally);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << summary.runs << " runs agree bit for bit in exact arithmetic; elements "
     << "compared fully " << total.full << ", in one of two fields "
     << total.partial << ", not at all " << total.none + total.lost;
  double one = summary.degree / Residue::kQ;
  if (one < 1)
    os << llvm::formatv(
        "; a wrong element passes with probability at most {0} "
        "in one field, {1} in both (degree {2:f0} over {3} and "
        "{4}; values of functions taken as random)",
        llvm::format("%.1e", one),
        llvm::format("%.1e", one * summary.degree / Residue::kP),
        summary.degree, Residue::kQ, Residue::kP);
  else
    os << llvm::formatv("; degree {0} is past the fields, so no bound is "
                        "claimed",
                        llvm::format("%.1e", summary.degree));
  if (!summary.uninterpreted.empty())
    os << "; uninterpreted: " << llvm::join(summary.uninterpreted, ", ");
  if (!summary.opaque.empty()) {
    os << "; exp and log uninterpreted for elements of result ";
    llvm::interleaveComma(summary.opaque, os);
  }
  if (summary.order)
    os << "; comparisons follow an order of residues, and what they do not "
          "choose is not seen";
  return text;
}
