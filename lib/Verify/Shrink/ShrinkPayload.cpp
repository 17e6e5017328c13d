//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/ShrinkPayload.h"
#include "PayloadDims.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace egg;

/// Limits of extents to try, largest first.
static constexpr int64_t kCaps[] = {4200, 2100, 1050, 520, 260, 160, 130,
                                    96,   66,   48,   36,  24,  18,  13,
                                    10,   8,    6,    5,   4,   3,   2};
/// How far an extent may exceed the limit when it has to.
static constexpr int64_t kOvershoot = 256;
/// Below this, remainders of other extents matter more than long steps.
static constexpr int64_t kLeastCapWithSteps = 5;
/// Windows up to this size keep it where they can.
static constexpr int64_t kWindow = 11;

llvm::StringRef egg::stringifyShrinkVariant(ShrinkVariant variant) {
  switch (variant) {
  case ShrinkVariant::Aligned:
    return "aligned";
  case ShrinkVariant::Odd:
    return "odd";
  case ShrinkVariant::Least:
    return "least";
  }
  llvm_unreachable("all variants are listed");
}

std::optional<ShrinkVariant> egg::symbolizeShrinkVariant(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ShrinkVariant>>(name)
      .Case("aligned", ShrinkVariant::Aligned)
      .Case("odd", ShrinkVariant::Odd)
      .Case("least", ShrinkVariant::Least)
      .Default(std::nullopt);
}

static bool isPrime(int64_t n) {
  for (int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0)
      return false;
  return n > 1;
}

namespace {

/// Which values to try for an extent, for one cap.
class ExtentChoice {
public:
  ExtentChoice(const ShrinkTarget &target, int64_t cap, bool useSteps)
      : variant(target.variant), splitParts(target.splitParts), cap(cap),
        multiples(target.multiples) {
    llvm::sort(multiples, std::greater<int64_t>());
    if (useSteps)
      step = *llvm::max_element(target.steps);
  }

  void operator()(int64_t original, DimSystem::Role role, int64_t least,
                  ArrayRef<int64_t> chosen,
                  SmallVectorImpl<int64_t> &values) const;

private:
  void appendReductionValues(int64_t original, ArrayRef<int64_t> chosen,
                             SmallVectorImpl<int64_t> &values) const;

  ShrinkVariant variant;
  int64_t splitParts, cap;
  std::vector<int64_t> multiples;
  /// What reduced dimensions should exceed; 0 for nothing.
  int64_t step = 0;
};

} // namespace

/// More than one step, and shares of more than one element for a split.
void ExtentChoice::appendReductionValues(
    int64_t original, ArrayRef<int64_t> chosen,
    SmallVectorImpl<int64_t> &values) const {
  bool aligned = variant == ShrinkVariant::Aligned;
  SmallVector<int64_t> wanted;
  if (step > cap || (step > 0 && splitParts > 1)) {
    int64_t rest = aligned ? original % step : 1;
    wanted.append({2 * step + rest, step + rest});
  }
  if (splitParts > 1) {
    for (int64_t &value : wanted)
      value = llvm::alignTo(value, splitParts);
    wanted.push_back((aligned ? 2 : 3) * splitParts);
    wanted.push_back(2 * splitParts);
  }
  if (!aligned) {
    // Unrelated reductions get extents of their own, as other dimensions do.
    for (int64_t value : SmallVector<int64_t>(wanted))
      for (int64_t more : {2, 4})
        wanted.push_back(value + more * std::max<int64_t>(splitParts, 1));
    // In their order, those that are still free first.
    SmallVector<int64_t> inOrder;
    for (bool taken : {false, true})
      for (int64_t value : wanted)
        if (llvm::is_contained(chosen, value) == taken)
          inOrder.push_back(value);
    wanted = std::move(inOrder);
  }
  for (int64_t value : wanted)
    if (value < original)
      values.push_back(value);
  if (!wanted.empty() && original <= 3 * std::max(step, splitParts))
    values.push_back(original);
}

void ExtentChoice::operator()(int64_t original, DimSystem::Role role,
                              int64_t least, ArrayRef<int64_t> chosen,
                              SmallVectorImpl<int64_t> &values) const {
  // Beyond a bound there is some room, so that remainders can be chosen.
  int64_t limit = std::min(original, least > cap ? least + cap / 4 : cap);
  if (role == DimSystem::Role::Window && original <= kWindow)
    values.push_back(original);
  if (role == DimSystem::Role::Reduction && variant != ShrinkVariant::Least)
    appendReductionValues(original, chosen, values);
  switch (variant) {
  case ShrinkVariant::Aligned:
    if (original <= cap)
      values.push_back(original);
    // The largest value with the original's remainder, two tiles at least
    // where they fit.
    for (bool twoTiles : {true, false})
      for (int64_t multiple : multiples) {
        int64_t value = limit - (limit - original % multiple) % multiple;
        if (value > 0 && value <= limit &&
            value % multiple == original % multiple &&
            (!twoTiles || value >= 2 * multiple))
          values.push_back(value);
      }
    break;
  case ShrinkVariant::Odd: {
    // Just past a tile, then primes; first such that no other extent has.
    SmallVector<int64_t> wanted;
    for (int64_t multiple : multiples)
      for (int64_t value : {multiple + 1, multiple - 1})
        if (value > 2 && value <= limit && value > limit / 2)
          wanted.push_back(value);
    for (int64_t value = limit; value >= 2; --value)
      if (isPrime(value))
        wanted.push_back(value);
    for (bool fresh : {true, false})
      for (int64_t value : wanted)
        if (llvm::is_contained(chosen, value) != fresh)
          values.push_back(value);
    break;
  }
  case ShrinkVariant::Least:
    values.push_back(1);
    break;
  }
  if (variant == ShrinkVariant::Least)
    for (int64_t value = 2; value <= limit; ++value)
      values.push_back(value);
  else
    for (int64_t value = limit; value >= 1; --value)
      values.push_back(value);
  // Nothing up to the limit may do (nested windows need so many elements); the
  // next larger does less harm than the original.
  for (int64_t value = limit + 1;
       value < std::min(original, limit + kOvershoot); ++value)
    values.push_back(value);
}

/// The largest extents whose work stays within the target, and their work; the
/// smallest that were found otherwise.
static std::pair<std::vector<int64_t>, int64_t>
fit(const PayloadDims &dims, const DimSystem &system,
    const ShrinkTarget &target) {
  std::pair<std::vector<int64_t>, int64_t> found;
  auto &[extents, work] = found;
  // Long steps first, at the cost of the other extents, but not of all.
  for (bool useSteps : {true, false}) {
    if (useSteps && target.steps.empty())
      continue;
    for (int64_t cap : kCaps) {
      if (useSteps && cap < kLeastCapWithSteps)
        break;
      extents = system.solve(ExtentChoice(target, cap, useSteps));
      work = dims.estimateWork(extents);
      if (work <= target.maxWork)
        return found;
    }
  }
  return found;
}

/// The same with as many wishes as the work allows, the most modest first.
static std::pair<std::vector<int64_t>, int64_t>
fitWithWishes(const PayloadDims &dims, const ShrinkTarget &target) {
  ArrayRef<ExtentWish> wishes = dims.getWishes();
  if (target.variant == ShrinkVariant::Least)
    wishes = {};
  while (true) {
    DimSystem system = dims.getSystem();
    for (const ExtentWish &wish : wishes)
      system.boundSum(wish.terms, wish.minimum);
    auto found = fit(dims, system, target);
    if (found.second <= target.maxWork || wishes.empty())
      return found;
    // Many are given up faster than a few.
    wishes = wishes.drop_back(1 + wishes.size() / 8);
  }
}

FailureOr<OwningOpRef<ModuleOp>>
egg::shrinkPayload(ModuleOp payload, const ShrinkTarget &target,
                   std::vector<UnreachedIndex> *unreached,
                   std::vector<CountConstant> *counts) {
  OwningOpRef<ModuleOp> shrunken = payload.clone();
  auto main = shrunken->lookupSymbol<func::FuncOp>("main");
  if (!main || main.isDeclaration() || !main.getBody().hasOneBlock())
    return payload.emitError("cannot be shrunk: it has no function @main of "
                             "one block"),
           failure();
  PayloadDims dims;
  if (failed(dims.collect(main, target.resultsComeTwice)))
    return failure();
  auto [extents, work] = fitWithWishes(dims, target);
  if (work > target.maxWork) {
    main.emitError() << "cannot be shrunk: the smallest program found takes "
                     << work << " loop iterations, the limit is "
                     << target.maxWork;
    return failure();
  }
  if (unreached)
    for (const ExtentWish &wish : dims.getWishes())
      if (wish.location && !wish.holds(extents) &&
          llvm::none_of(*unreached, [&](const UnreachedIndex &known) {
            return known.location == *wish.location && known.what == wish.what;
          }))
        unreached->push_back({*wish.location, wish.what});
  dims.rewrite(main, extents);
  if (target.countRule != CountRule::Keep)
    dims.scaleCounts(main, extents, target.countRule, counts);
  if (failed(verify(*shrunken))) {
    main.emitError() << "cannot be shrunk: the program with other extents is "
                        "not valid";
    return failure();
  }
  return std::move(shrunken);
}

int64_t egg::estimateWork(ModuleOp payload) {
  OwningOpRef<ModuleOp> copy = payload.clone();
  auto main = copy->lookupSymbol<func::FuncOp>("main");
  PayloadDims dims;
  if (!main || main.isDeclaration() || failed(dims.collect(main)))
    return 0;
  std::vector<int64_t> extents;
  for (unsigned var = 0; var < dims.getSystem().size(); ++var)
    extents.push_back(dims.getSystem().getOriginal(var));
  return dims.estimateWork(extents);
}
