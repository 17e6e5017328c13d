//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FuzzCase.h"
#include "Mutation/Mutate.h"
#include "Payload/RandomPayload.h"
#include "Schedule/RandomSchedule.h"
#include "egg/Agent/Agent.h"
#include "egg/Import/NameOps.h"
#include "egg/Schedule/Schedule.h"
#include "egg/SelfCheck/Workloads.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

static llvm::Expected<std::string> askExpert(ModuleOp payload,
                                             const FuzzOptions &options) {
  ProposalRequest request;
  request.payload = payload;
  request.payloadHash = hashPayload(payload);
  request.chip = options.chip;
  auto proposal = createExpertAgent()->propose(request);
  if (!proposal)
    return proposal.takeError();
  return std::move(proposal->script);
}

/// A valid payload with a valid schedule.
static llvm::Expected<FuzzPrograms>
makeValid(MLIRContext &context, const FuzzOptions &options, Choices &choices) {
  OwningOpRef<ModuleOp> payload;
  if (options.mode == FuzzMode::Scripts && choices.chance(50)) {
    const WorkloadClass &workload = choices.pick(getWorkloadClasses());
    payload = parseSourceString<ModuleOp>(
        workload.generate(choices.draw(0, 99)), &context);
    nameComputeOps(*payload);
  } else {
    payload = makeRandomPayload(&context, choices);
  }
  std::string why;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (why.empty())
        why = diagnostic.str();
      return success();
    });
    if (failed(verify(*payload)))
      return llvm::createStringError("the random payload is not valid: " + why);
  }
  int percentOfExpert = options.mode == FuzzMode::Scripts ? 50 : 15;
  auto schedule = choices.chance(percentOfExpert)
                      ? askExpert(*payload, options)
                      : makeRandomSchedule(*payload, options.chip, choices);
  if (!schedule)
    return schedule.takeError();
  return FuzzPrograms{printPayload(*payload), std::move(*schedule)};
}

/// One to four changes of the text's operations and its characters.
static void mutate(std::string &text, MLIRContext &context, Choices &choices) {
  int64_t count = choices.chance(70) ? 1 : choices.draw(2, 4);
  if (choices.chance(55))
    if (auto module = parseSourceString<ModuleOp>(text, &context)) {
      for (; count > 0; --count)
        mutateOperations(*module, choices);
      text = printGeneric(*module);
      if (!choices.chance(20))
        return;
      count = 1;
    }
  for (; count > 0; --count)
    mutateText(text, choices);
}

llvm::Expected<FuzzPrograms>
egg::fuzz::generate(const DialectRegistry &registry, const FuzzOptions &options,
                    uint64_t number) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Mutants use its types, whether or not the schedule has a place for them.
  context.loadDialect<transform::TransformDialect>();
  // What the parser says about what it is asked to break is of no interest.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  Choices choices(options.seed, number);
  auto programs = makeValid(context, options, choices);
  if (!programs || options.mode == FuzzMode::Kernels)
    return programs;
  int64_t what = choices.draw(1, 20);
  if (what <= 15)
    mutate(programs->schedule, context, choices);
  if (what >= 14)
    mutate(programs->payload, context, choices);
  return programs;
}
