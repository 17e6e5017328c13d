//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Silenceable.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace egg {

/// "the result of \"matmul_0\"", "argument 2 of @main".
static std::string describeOrigin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber()) + " of @main";
  Operation *def = value.getDefiningOp();
  if (auto name = def->getAttrOfType<StringAttr>(kNameAttrName))
    return ("the result of \"" + name.getValue() + "\"").str();
  return ("the result of '" + def->getName().getStringRef() + "'").str();
}

/// Refuses a function of another type than the outline's, and says where each
/// value comes from.
static LogicalResult checkType(func::FuncOp function,
                               const KernelOutline &outline,
                               function_ref<InFlightDiagnostic()> emitError) {
  auto wanted =
      FunctionType::get(function.getContext(),
                        TypeRange(ValueRange(outline.arguments.getArrayRef())),
                        TypeRange(ValueRange(outline.results)));
  if (function.getFunctionType() == wanted)
    return success();
  InFlightDiagnostic diag =
      emitError() << "the function has type " << function.getFunctionType()
                  << ", and these operations need " << wanted;
  for (auto [number, value] : llvm::enumerate(outline.arguments))
    diag.attachNote(function.getLoc())
        << "argument " << number << " is " << describeOrigin(value) << ", "
        << value.getType();
  for (auto [number, value] : llvm::enumerate(outline.results))
    diag.attachNote(function.getLoc())
        << "result " << number << " replaces " << describeOrigin(value) << ", "
        << value.getType();
  return diag;
}

/// Refuses compute ops without a name, or with one that stays in use.
static LogicalResult checkNames(func::FuncOp function, func::FuncOp target,
                                const KernelOutline &outline,
                                function_ref<InFlightDiagnostic()> emitError) {
  llvm::StringSet<> taken;
  for (Operation &op : target.getBody().front())
    if (auto name = op.getAttrOfType<StringAttr>(kNameAttrName))
      if (!outline.moved.contains(&op))
        taken.insert(name.getValue());
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto name = op.getAttrOfType<StringAttr>(kNameAttrName);
    if (!name) {
      if (isFreeOp(&op))
        continue;
      InFlightDiagnostic diag = emitError()
                                << "its operation '" << op.getName()
                                << "' has no name; add {egg.name = \"...\"}";
      diag.attachNote(op.getLoc()) << "this operation";
      return failure();
    }
    if (!taken.insert(name.getValue()).second) {
      InFlightDiagnostic diag =
          emitError() << "the name \"" << name.getValue()
                      << "\" is taken; give each operation a name of its own";
      diag.attachNote(op.getLoc()) << "this operation";
      return failure();
    }
  }
  return success();
}

/// Copies the body of the function to the insertion point.
static Replacement inlineBody(RewriterBase &rewriter, func::FuncOp function,
                              const KernelOutline &outline) {
  IRMapping mapping;
  mapping.map(function.getArguments(), outline.arguments.getArrayRef());
  // Where the function is empty, what follows goes after the moved ops.
  Replacement replacement{outline.moved.back(), {}};
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator())
    replacement.last = rewriter.clone(op, mapping);
  for (Value value : body.getTerminator()->getOperands())
    replacement.results.push_back(mapping.lookup(value));
  return replacement;
}

DiagnosedSilenceableFailure
SubstituteOp::apply(transform::TransformRewriter &rewriter,
                    transform::TransformResults &results,
                    transform::TransformState &state) {
  auto ops = llvm::to_vector(state.getPayloadOps(getOps()));
  if (ops.empty())
    return emitSilenceableError()
           << "there is nothing to replace; give the operations that @"
           << getFunction() << " computes in another way";
  auto target = dyn_cast<func::FuncOp>(ops.front()->getParentOp());
  if (!target || target->hasAttr(kKernelAttrName))
    return emitSilenceableError()
           << "operations of @main are replaced, before any kernel is formed";
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      getOperation(), getFunctionAttr());
  if (!function || function.isExternal() || !function.getBody().hasOneBlock())
    return emitSilenceableError()
           << "the script has no function @" << getFunction()
           << " with a body of one block; add 'func.func private @"
           << getFunction() << "' to it";
  return asSilenceable(getContext(), [&]() -> LogicalResult {
    auto emitError = [&] {
      return this->emitError() << "substitution of @" << getFunction() << ": ";
    };
    FailureOr<KernelOutline> outline = planKernel(target, ops, {}, emitError);
    if (failed(outline) || failed(checkType(function, *outline, emitError)) ||
        failed(checkNames(function, target, *outline, emitError)))
      return failure();
    replaceOutline(rewriter, *outline,
                   [&] { return inlineBody(rewriter, function, *outline); });
    return success();
  });
}

void SubstituteOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getOpsMutable(), effects);
  transform::modifiesPayload(effects);
}

} // namespace egg
