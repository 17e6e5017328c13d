//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Putting checks into a script, and running them.
//
//===----------------------------------------------------------------------===//
#include "Containment/Recover.h"
#include "egg/Guard/GuardOps.h"
#include "egg/Guard/Rules.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"

#define GET_OP_CLASSES
#include "egg/Guard/GuardOps.cpp.inc"

using namespace mlir;

namespace egg {

DiagnosedSilenceableFailure
CheckNextOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  auto next = dyn_cast_or_null<transform::TransformOpInterface>(
      getOperation()->getNextNode());
  if (!next)
    return emitDefiniteFailure() << "there is no transform op after this one; "
                                    "put it before the op to check";
  StringRef name = next->getName().getStringRef();
  setRecoveryPlace(next.getLoc(), name);
  const Rule *rule = findRule(name);
  if (!rule || rule->kind == Rule::Kind::Unknown) {
    mlir::emitRemark(next.getLoc())
        << name << " is not guarded: "
        << (rule
                ? rule->note
                : StringLiteral("it has not been examined; verify the result"));
    return DiagnosedSilenceableFailure::success();
  }
  if (!rule->check)
    return DiagnosedSilenceableFailure::success();
  Findings findings;
  rule->check(next, state, findings);
  for (const Findings::Finding &finding : findings.open) {
    InFlightDiagnostic warning = mlir::emitWarning(next.getLoc())
                                 << name
                                 << " may be wrong here: " << finding.reason;
    warning.attachNote(finding.payload->getLoc()) << "this is its payload";
  }
  if (findings.refused.empty())
    return DiagnosedSilenceableFailure::success();
  DiagnosedDefiniteFailure failure = mlir::emitDefiniteFailure(next.getLoc());
  failure << name << " is refused: " << findings.refused.front().reason;
  failure.attachNote(findings.refused.front().payload->getLoc())
      << "this is its payload";
  return failure;
}

void CheckNextOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getHandlesMutable(), effects);
  transform::onlyReadsPayload(effects);
}

void insertChecks(Operation *script) {
  SmallVector<Operation *> ops;
  script->walk([&](transform::TransformOpInterface op) {
    StringRef name = op->getName().getStringRef();
    // Sound ops get a check too, so that a crash is reported at its op. Match
    // ops change nothing, and matchers may hold nothing else.
    if (op->hasTrait<OpTrait::IsTerminator>() ||
        isa<SymbolOpInterface>(op.getOperation()) ||
        !isa_and_nonnull<transform::TransformOpInterface>(op->getParentOp()) ||
        isa<transform::MatchOpInterface>(op.getOperation()) ||
        name.starts_with("transform.egg."))
      return;
    ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    SmallVector<Value> handles;
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(handles, operand))
        handles.push_back(operand);
    CheckNextOp::create(builder, op->getLoc(), handles);
  }
}

namespace {
class GuardExtension
    : public transform::TransformDialectExtension<GuardExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GuardExtension)

  using Base::Base;

  void init() {
    registerTransformOps<
#define GET_OP_LIST
#include "egg/Guard/GuardOps.cpp.inc"
        >();
  }
};
} // namespace

void registerGuardOps(DialectRegistry &registry) {
  registry.addExtensions<GuardExtension>();
}

} // namespace egg
