//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Import/InputRules.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/Kernel/Materialize.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/ClosestNames.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace egg {

/// Runs one sequence on a function; its diagnostics say which step they are
/// from.
static LogicalResult runSequence(transform::NamedSequenceOp sequence,
                                 func::FuncOp function, const Twine &step) {
  std::string name = step.str();
  SmallVector<Diagnostic> diagnostics;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(
        sequence.getContext(), [&](Diagnostic &diagnostic) {
          diagnostics.push_back(std::move(diagnostic));
          return success();
        });
    result = transform::applyTransformNamedSequence(
        function, sequence, ModuleOp(), transform::TransformOptions());
  }
  DiagnosticEngine &engine = sequence.getContext()->getDiagEngine();
  for (Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostic.attachNote(sequence.getLoc()) << "in step " << name;
    engine.emit(std::move(diagnostic));
  }
  return result;
}

static void eraseDeadOps(func::FuncOp main) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(main.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Checks that @main only calls kernels and reinterprets tensors, once the
/// sequence has formed them.
static LogicalResult checkNothingIsLeft(func::FuncOp main,
                                        transform::NamedSequenceOp algorithm) {
  // Fills and scalar arithmetic have no names: they go with the ops that use
  // them, and are counted only where nothing else is left.
  SmallVector<Operation *> named, unnamed;
  for (Operation &op : main.getBody().getOps()) {
    if (holdsNoCompute(&op))
      continue;
    (op.hasAttrOfType<StringAttr>(kNameAttrName) ? named : unnamed)
        .push_back(&op);
  }
  ArrayRef<Operation *> left = named.empty() ? unnamed : named;
  if (left.empty())
    return success();
  InFlightDiagnostic diag = emitError(left.front()->getLoc()) << "[algorithm] ";
  if (!named.empty())
    diag << "operation \""
         << left.front()->getAttrOfType<StringAttr>(kNameAttrName).getValue()
         << "\"";
  else
    diag << "operation '" << left.front()->getName() << "'";
  diag << " is in no kernel";
  if (left.size() == 2)
    diag << " (nor is 1 other)";
  else if (left.size() > 2)
    diag << " (nor are " << left.size() - 1 << " others)";
  diag << "; every compute op belongs to a transform.egg.form_kernel of "
          "@algorithm";
  // The place above is one in the payload, and what is to be changed is not.
  diag.attachNote(algorithm.getLoc()) << "in step @algorithm";
  return diag;
}

/// The module may be there by another name.
static LogicalResult refuseWithoutModule(func::FuncOp kernel, ModuleOp payload,
                                         ModuleOp schedule) {
  StringRef name = kernel.getSymName();
  SmallVector<StringRef> others;
  for (auto module : schedule.getOps<ModuleOp>())
    if (!payload.lookupSymbol(*module.getSymName()))
      others.push_back(*module.getSymName());
  SmallVector<StringRef> near = closestNames(name, others);
  if (near.empty())
    return emitError(schedule.getLoc())
           << "[algorithm] kernel @" << name
           << " has no module in the schedule; add 'module @" << name
           << "' with its three sequences";
  InFlightDiagnostic diag = emitError(schedule.getLoc());
  diag << "[algorithm] kernel @" << name
       << " has no module in the schedule; module @" << near.front()
       << ", which belongs to no kernel, may be meant: rename it, or add "
          "'module @"
       << name << "'";
  diag.attachNote(schedule.lookupSymbol(near.front())->getLoc())
      << "module @" << near.front() << " is here";
  return diag;
}

/// The kernels that @algorithm formed, each with its module of the schedule.
static FailureOr<SmallVector<std::pair<func::FuncOp, ModuleOp>>>
pairKernelsWithModules(ModuleOp payload, ModuleOp schedule) {
  SmallVector<std::pair<func::FuncOp, ModuleOp>> pairs;
  for (auto kernel : payload.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr(kKernelAttrName))
      continue;
    auto module = schedule.lookupSymbol<ModuleOp>(kernel.getSymName());
    if (!module)
      return refuseWithoutModule(kernel, payload, schedule);
    pairs.emplace_back(kernel, module);
  }
  for (auto module : schedule.getOps<ModuleOp>())
    if (!payload.lookupSymbol<func::FuncOp>(*module.getSymName()))
      return emitError(module.getLoc())
             << "[algorithm] module @" << *module.getSymName()
             << " is for a kernel that @algorithm does not form; remove it, or "
                "form the kernel";
  return pairs;
}

LogicalResult checkPayload(ModuleOp payload, ModuleOp schedule) {
  if (failed(checkPrintable(payload)))
    return failure();
  std::string hash = hashPayload(payload);
  StringRef wanted =
      schedule->getAttrOfType<StringAttr>(kPayloadAttrName).getValue();
  if (hash == wanted)
    return success();
  return emitError(schedule.getLoc())
         << "[payload] the script is for another payload: it names " << wanted
         << ", and this payload is " << hash
         << "; apply it to the payload it was made for, or propose a script "
            "for this one";
}

static transform::NamedSequenceOp getSubstitution(ModuleOp schedule) {
  return schedule.lookupSymbol<transform::NamedSequenceOp>(kSubstitutionName);
}

bool hasSubstitution(ModuleOp schedule) {
  return static_cast<bool>(getSubstitution(schedule));
}

int64_t getMostSplitParts(ModuleOp schedule) {
  int64_t most = 1;
  schedule.walk([&](SplitReductionOp split) {
    Operation *source = split.getParts().getDefiningOp();
    Attribute parts;
    if (auto constant = dyn_cast_or_null<transform::ParamConstantOp>(source))
      parts = constant.getValue();
    else if (auto knob = dyn_cast_or_null<transform::tune::KnobOp>(source))
      parts = knob.getSelectedAttr();
    if (auto number = dyn_cast_or_null<IntegerAttr>(parts))
      most = std::max(most, number.getInt());
  });
  return most;
}

LogicalResult applySubstitution(ModuleOp payload, ModuleOp schedule) {
  transform::NamedSequenceOp substitution = getSubstitution(schedule);
  if (!substitution)
    return success();
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (failed(runSequence(substitution, main, "@substitution")))
    return failure();
  eraseDeadOps(main);
  return success();
}

LogicalResult applySchedule(ModuleOp payload, ModuleOp schedule,
                            const ApplyOptions &options) {
  if (failed(acceptSchedule(schedule)))
    return failure();
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal() || !main.getBody().hasOneBlock())
    return emitError(payload.getLoc())
           << "[payload] the module has no function @main of one block; import "
              "it with egg-import-torch";
  for (auto function : payload.getOps<func::FuncOp>())
    if (function->hasAttr(kKernelAttrName))
      return emitError(function.getLoc())
             << "[payload] the module has kernels already; apply the schedule "
                "to the imported payload";
  if (options.checkPayload && failed(checkPayload(payload, schedule)))
    return failure();

  // Kernels must be checked on the inputs that their payload is checked on.
  keepInputRules(payload);
  if (options.substitute && failed(applySubstitution(payload, schedule)))
    return failure();
  auto algorithm =
      schedule.lookupSymbol<transform::NamedSequenceOp>(kAlgorithmName);
  if (failed(runSequence(algorithm, main, "@algorithm")))
    return failure();
  eraseDeadOps(main);
  if (failed(checkNothingIsLeft(main, algorithm)))
    return failure();

  auto kernels = pairKernelsWithModules(payload, schedule);
  if (failed(kernels))
    return failure();
  for (auto [kernel, module] : *kernels) {
    for (StringRef stage : kHardwareStages)
      if (failed(runSequence(
              module.lookupSymbol<transform::NamedSequenceOp>(stage), kernel,
              "@" + stage + " of kernel @" + kernel.getSymName())))
        return failure();
    if (failed(getKernelConfig(kernel)))
      return emitError(module.getLoc())
             << "[parallel_mapping] kernel @" << kernel.getSymName()
             << " is not mapped; its @parallel_mapping needs one of "
                "map_elements, map_rows, map_tiles, map_scan";
  }
  if (options.materialize && failed(materializeKernels(payload)))
    return failure();
  // The lowering compiles for the chip that the schedule was checked for.
  payload->setAttr(kTargetAttrName, schedule->getAttr(kTargetAttrName));
  return verify(payload);
}

} // namespace egg
