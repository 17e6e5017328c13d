//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/SelfCheck/SelfCheck.h"
#include "Subject.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Target/TargetInfo.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

namespace {

class SelfCheck {
public:
  explicit SelfCheck(const SelfCheckOptions &options) : options(options) {}

  llvm::Error check(Subject &subject);
  SelfCheckResult result;

private:
  llvm::Error checkMutants(Subject &subject, const Mutation &mutation);

  const SelfCheckOptions &options;
};

} // namespace

llvm::Error SelfCheck::checkMutants(Subject &subject,
                                    const Mutation &mutation) {
  std::vector<std::string> sites = subject.describeSites(mutation);
  std::set<size_t> places;
  for (size_t mutant = 0; mutant < subject.countMutants(sites.size());
       ++mutant) {
    std::string key = llvm::formatv("{0}/{1}/{2}/{3}", subject.getName(),
                                    mutation.name, options.seed, mutant);
    uint64_t number = llvm::xxh3_64bits(key) >> 1;
    while (!places.insert(number % sites.size()).second)
      ++number;
    MutantResult outcome;
    outcome.workload = subject.getName();
    outcome.mutation = mutation.name.str();
    outcome.what = sites[number % sites.size()];
    auto verification = subject.verify(&mutation, number);
    if (!verification)
      return verification.takeError();
    if (verification->rejection) {
      outcome.fate = MutantResult::Fate::Refused;
      outcome.step = verification->rejection->step;
      outcome.reason = verification->rejection->reason;
    } else {
      auto difference = subject.findDifference(mutation, number);
      if (!difference)
        return difference.takeError();
      outcome.fate = difference->empty() ? MutantResult::Fate::Neutral
                                         : MutantResult::Fate::Survived;
      outcome.reason = *difference;
    }
    result.mutants.push_back(std::move(outcome));
  }
  return llvm::Error::success();
}

llvm::Error SelfCheck::check(Subject &subject) {
  auto verification = subject.verify(nullptr, 0);
  if (!verification)
    return verification.takeError();
  if (verification->rejection)
    result.falseRefusals.emplace_back(subject.getName(),
                                      verification->rejection->step + ": " +
                                          verification->rejection->reason);
  else if (verification->verdict.grade == Grade::Unverified)
    result.falseRefusals.emplace_back(subject.getName(),
                                      "nothing was compared");
  for (const Mutation &mutation : getMutations())
    if (options.kinds.empty() ||
        llvm::is_contained(options.kinds, mutation.name))
      if (llvm::Error error = checkMutants(subject, mutation))
        return error;
  return llvm::Error::success();
}

/// Each name must be one of those there are.
static llvm::Error checkNames(llvm::StringRef what,
                              const std::vector<std::string> &names,
                              llvm::ArrayRef<std::string> known) {
  for (const std::string &name : names)
    if (!llvm::is_contained(known, name))
      return llvm::createStringError(
          llvm::formatv("there is no {0} '{1}'; there are {2}", what, name,
                        llvm::join(known, ", ")));
  return llvm::Error::success();
}

static llvm::Error checkClasses(const std::vector<std::string> &names,
                                bool payloadsOnly) {
  std::vector<std::string> known;
  for (const WorkloadClass &workload : getWorkloadClasses())
    known.push_back(workload.name.str());
  if (!payloadsOnly)
    for (const KernelClass &kernel : getKernelClasses())
      known.push_back(kernel.name.str());
  return checkNames(payloadsOnly ? "class with a schedule" : "class", names,
                    known);
}

static bool isWanted(const SelfCheckOptions &options, llvm::StringRef name) {
  return options.classes.empty() || llvm::is_contained(options.classes, name);
}

llvm::Expected<std::vector<std::pair<std::string, std::string>>>
egg::generatePayloads(const DialectRegistry &registry,
                      const SelfCheckOptions &options) {
  if (llvm::Error error = checkClasses(options.classes, /*payloadsOnly=*/true))
    return std::move(error);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<std::pair<std::string, std::string>> payloads;
  for (const WorkloadClass &workload : getWorkloadClasses())
    if (isWanted(options, workload.name))
      payloads.emplace_back(workload.name.str(),
                            printPayload(*parsePayload(
                                workload.generate(options.seed), context)));
  return payloads;
}

llvm::Expected<SelfCheckResult>
egg::runSelfCheck(const DialectRegistry &registry,
                  const SelfCheckOptions &options) {
  if (llvm::Error error = checkClasses(options.classes, /*payloadsOnly=*/false))
    return std::move(error);
  std::vector<std::string> kinds;
  for (const Mutation &mutation : getMutations())
    kinds.push_back(mutation.name.str());
  if (llvm::Error error = checkNames("mutation", options.kinds, kinds))
    return std::move(error);
  auto target = lookupTarget(options.chip);
  if (!target)
    return target.takeError();
  SelfCheck check(options);
  for (const WorkloadClass &workload : getWorkloadClasses()) {
    if (!isWanted(options, workload.name))
      continue;
    auto subject = makeScheduledSubject(registry, workload, options);
    if (!subject)
      return subject.takeError();
    if (llvm::Error error = check.check(**subject))
      return std::move(error);
  }
  for (const KernelClass &kernel : getKernelClasses()) {
    if (!isWanted(options, kernel.name))
      continue;
    if (llvm::Error error =
            check.check(*makeGivenSubject(registry, kernel, options)))
      return std::move(error);
  }
  return std::move(check.result);
}
