//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The accept-list: which ops a schedule may hold and where. Everything else is
// refused by name, since upstream ops may print, read files, run passes, or
// change programs silently.
//
//===----------------------------------------------------------------------===//
#include "CheckDecisions.h"
#include "egg/Import/CheckPayload.h"
#include "egg/Schedule/Schedule.h"
#include "egg/Support/ClosestNames.h"
#include "egg/Target/TargetInfo.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

using namespace mlir;

namespace egg {
namespace {

constexpr int64_t kMaxOps = 200000;
constexpr int64_t kMaxOptions = 64;
constexpr int kMaxDiagnostics = 10;

struct Stage {
  StringRef name;
  /// Accepted besides the ops that every stage accepts.
  SmallVector<StringRef> ops;
};

const Stage &getStage(StringRef name) {
  static const Stage stages[] = {
      {"substitution",
       {SelectOp::getOperationName(), SubstituteOp::getOperationName()}},
      {"algorithm",
       {SelectOp::getOperationName(), FormKernelOp::getOperationName(),
        SplitReductionOp::getOperationName(),
        transform::MatchOp::getOperationName(),
        transform::MergeHandlesOp::getOperationName()}},
      {"parallel_mapping",
       {MapElementsOp::getOperationName(), MapRowsOp::getOperationName(),
        MapTilesOp::getOperationName(), MapScanOp::getOperationName()}},
      {"tensor_tiling",
       {VectorizeOp::getOperationName(), TileContractionOp::getOperationName(),
        UnrollScanOp::getOperationName()}},
      {"memory_optimization", {StageInSharedOp::getOperationName()}}};
  for (const Stage &stage : stages)
    if (stage.name == name)
      return stage;
  llvm_unreachable("unknown stage");
}

/// What to write instead of an op that is not accepted; empty if nothing
/// particular.
StringRef suggestInstead(StringRef op) {
  struct Hint {
    StringRef part, text;
  };
  // The first whose part occurs in the op's name.
  static const Hint hints[] = {
      {"egg.substitute", "it belongs to @substitution, before @algorithm"},
      {"map_nested_forall", "the threads of a block are chosen with "
                            "transform.egg.map_elements, map_rows, map_tiles "
                            "or map_scan, which place the barriers"},
      {"map_forall_to_blocks",
       "the grid follows from transform.egg.map_elements,"
       " map_rows, map_tiles or map_scan"},
      {"reduction", "a reduction is divided among threads with "
                    "transform.egg.map_rows threads_per_row(...)"},
      {"structured.fuse", "ops are fused by naming them in one "
                          "transform.egg.form_kernel"},
      {"structured.vectorize", "access widths are chosen with "
                               "transform.egg.vectorize"},
      {"structured.tile", "tiles are chosen with transform.egg.map_tiles and "
                          "transform.egg.tile_contraction"},
      {"decompose", "composite ops are decomposed by the importer"},
      {"bufferiz", "buffers are made when the kernels are materialized"},
      {"nvgpu", "staging is chosen with transform.egg.stage_in_shared"},
      {"apply_registered_pass", "a schedule runs no passes"},
      {"print", "a schedule prints nothing"},
      {"debug", "a schedule prints nothing"},
      {"include", "write the included ops out in the sequence itself"},
      {"func.func", "the payload is a file of its own, and a function that "
                    "replaces part of it is named by a "
                    "transform.egg.substitute of @substitution"},
      {"alternatives", "write the alternative you choose"},
  };
  for (const Hint &hint : hints)
    if (op.contains(hint.part))
      return hint.text;
  return "";
}

class Acceptor {
public:
  explicit Acceptor(ModuleOp schedule) : schedule(schedule) {}

  LogicalResult run() {
    checkSize();
    if (refusals == 0)
      checkStructure();
    return success(refusals == 0);
  }

private:
  /// A diagnostic for a violation; past the limit one that is not reported.
  InFlightDiagnostic refuse(Operation *op) {
    InFlightDiagnostic diag = emitError(op->getLoc()) << "[accept] ";
    if (++refusals > kMaxDiagnostics)
      diag.abandon();
    return diag;
  }

  void checkSize() {
    int64_t count = 0;
    schedule->walk([&](Operation *) { ++count; });
    if (count > kMaxOps)
      refuse(schedule) << "the schedule has " << count << " ops; at most "
                       << kMaxOps << " are accepted";
  }

  void checkStructure() {
    checkModule(schedule);
    bool namesAreKnown = checkFunctionNames();
    int64_t algorithms = 0;
    for (Operation &op : *schedule.getBody()) {
      if (auto sequence = dyn_cast<transform::NamedSequenceOp>(op)) {
        if (sequence.getSymName() == kSubstitutionName) {
          checkSequence(sequence, getStage(kSubstitutionName));
          continue;
        }
        if (sequence.getSymName() != kAlgorithmName) {
          refuse(&op) << "@" << sequence.getSymName()
                      << " is no part of a schedule; its only sequences "
                         "outside the kernels' modules are @algorithm and "
                         "@substitution";
          // Its ops still get their verdict: it helps whoever wrote them.
          checkOps(sequence, getStage(kAlgorithmName));
          continue;
        }
        ++algorithms;
        checkSequence(sequence, getStage(kAlgorithmName));
      } else if (auto kernel = dyn_cast<ModuleOp>(op)) {
        checkKernelModule(kernel);
      } else if (auto function = dyn_cast<func::FuncOp>(op);
                 function && isSubstitute(function)) {
        checkFunction(function);
      } else if (!namesAreKnown && isa<func::FuncOp>(op)) {
        // The name that was refused may mean this one.
        continue;
      } else {
        refuseOp(&op, "a schedule");
      }
    }
    if (algorithms == 0)
      refuse(schedule) << "the schedule has no @algorithm; add a "
                          "transform.named_sequence of that name";
    checkHeader();
  }

  /// Refuses each substitute that names a function which the schedule has not.
  bool checkFunctionNames() {
    auto sequence =
        schedule.lookupSymbol<transform::NamedSequenceOp>(kSubstitutionName);
    if (!sequence)
      return true;
    SmallVector<StringRef> known;
    for (auto function : schedule.getOps<func::FuncOp>())
      known.push_back(function.getSymName());
    bool all = true;
    sequence.walk([&](SubstituteOp op) {
      if (llvm::is_contained(known, op.getFunction()))
        return;
      all = false;
      InFlightDiagnostic diag = refuse(op)
                                << "no function @" << op.getFunction();
      SmallVector<StringRef> near = closestNames(op.getFunction(), known);
      if (near.empty())
        diag << "; add 'func.func private @" << op.getFunction()
             << "' to the schedule";
      else
        diag << "; closest: @" << llvm::join(near, ", @");
    });
    return all;
  }

  /// Whether @substitution names the function: any other is none of a
  /// schedule's business.
  bool isSubstitute(func::FuncOp function) {
    auto sequence =
        schedule.lookupSymbol<transform::NamedSequenceOp>(kSubstitutionName);
    if (!sequence)
      return false;
    WalkResult found = sequence.walk([&](SubstituteOp op) {
      return op.getFunction() == function.getSymName() ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    });
    return found.wasInterrupted();
  }

  void checkFunction(func::FuncOp function) {
    SmallVector<Diagnostic> diagnostics;
    {
      ScopedDiagnosticHandler handler(
          function.getContext(), [&](Diagnostic &diagnostic) {
            diagnostics.push_back(std::move(diagnostic));
            return success();
          });
      if (succeeded(checkPayloadFunction(function)))
        return;
    }
    ++refusals;
    for (const Diagnostic &diagnostic : diagnostics)
      emitError(diagnostic.getLocation()) << "[accept] " << diagnostic.str();
  }

  void checkHeader() {
    auto version = schedule->getAttrOfType<IntegerAttr>(kScheduleAttrName);
    if (!version)
      refuse(schedule) << "the module has no " << kScheduleAttrName
                       << " attribute; write '" << kScheduleAttrName << " = "
                       << kScheduleVersion << " : i64'";
    else if (version.getInt() != kScheduleVersion)
      refuse(schedule) << "the schedule has format " << version.getInt()
                       << ", and this EGG reads format " << kScheduleVersion
                       << "; propose it again with this EGG";
    for (StringRef name : {kTargetAttrName, kPayloadAttrName})
      if (!schedule->getAttrOfType<StringAttr>(name))
        refuse(schedule) << "the module has no string attribute " << name;
    auto chip = schedule->getAttrOfType<StringAttr>(kTargetAttrName);
    if (!chip)
      return;
    // What is compiled for a chip must respect its limits, which only the table
    // of targets knows.
    if (auto target = lookupTarget(chip.getValue()); !target)
      refuse(schedule) << llvm::toString(target.takeError())
                       << "; write one of them as " << kTargetAttrName;
  }

  void checkModule(ModuleOp module) {
    if (!module->hasAttr("transform.with_named_sequence"))
      refuse(module) << "the module has no transform.with_named_sequence "
                        "attribute; add it";
  }

  void checkKernelModule(ModuleOp kernel) {
    if (!kernel.getSymName()) {
      refuse(kernel) << "a kernel's module has no name; name it after the "
                        "kernel";
      return;
    }
    checkModule(kernel);
    for (StringRef stage : kHardwareStages)
      if (!kernel.lookupSymbol<transform::NamedSequenceOp>(stage))
        refuse(kernel) << "module @" << *kernel.getSymName() << " has no @"
                       << stage
                       << "; add the sequence, empty if nothing is "
                          "to be decided";
    for (Operation &op : *kernel.getBody()) {
      auto sequence = dyn_cast<transform::NamedSequenceOp>(op);
      if (!sequence) {
        refuseOp(&op, "a kernel's module");
        continue;
      }
      if (!llvm::is_contained(kHardwareStages, sequence.getSymName())) {
        refuse(&op) << "@" << sequence.getSymName()
                    << " is no stage; a kernel's sequences are @"
                    << llvm::join(ArrayRef<StringLiteral>(kHardwareStages),
                                  ", @");
        continue;
      }
      checkSequence(sequence, getStage(sequence.getSymName()));
    }
  }

  void checkSequence(transform::NamedSequenceOp sequence, const Stage &stage) {
    FunctionType type = sequence.getFunctionType();
    if (sequence.isExternal() || type.getNumResults() != 0 ||
        type.getNumInputs() != 1 ||
        !isa<transform::TransformHandleTypeInterface>(type.getInput(0))) {
      refuse(sequence) << "@" << sequence.getSymName()
                       << " takes one op handle, returns nothing and has a "
                          "body; write (%f: !transform.any_op)";
      return;
    }
    checkOps(sequence, stage);
  }

  void checkOps(transform::NamedSequenceOp sequence, const Stage &stage) {
    if (sequence.isExternal())
      return;
    for (Operation &op : sequence.getBody().getOps()) {
      if (auto knob = dyn_cast<transform::tune::KnobOp>(op))
        checkKnob(knob);
      else if (auto param = dyn_cast<transform::ParamConstantOp>(op))
        checkParam(param);
      else if (!isa<transform::YieldOp>(op) &&
               !llvm::is_contained(stage.ops, op.getName().getStringRef()))
        refuseOp(&op, ("@" + stage.name).str(), &stage);
    }
  }

  void checkKnob(transform::tune::KnobOp knob) {
    auto options = dyn_cast<ArrayAttr>(knob.getOptions());
    if (!options || options.empty() || options.size() > kMaxOptions ||
        !llvm::all_of(options, isNumber)) {
      refuse(knob) << "knob " << knob.getName()
                   << " has no list of integer options; write 'options = "
                      "[128, 256]', at most "
                   << kMaxOptions << " of them";
      return;
    }
    // That the choice is one of the options, checkSelections and the verifier
    // of the op have seen to.
    if (!knob.getSelected()) {
      refuse(knob) << "knob " << knob.getName() << " is not resolved; write '= "
                   << cast<IntegerAttr>(options[0]).getInt()
                   << " from' before its options, or another of them";
    }
  }

  void checkParam(transform::ParamConstantOp param) {
    if (!isNumber(param.getValue()))
      refuse(param) << "the constant is no number of type i64; write '128 : "
                       "i64'";
  }

  static bool isNumber(Attribute attr) {
    auto integer = dyn_cast<IntegerAttr>(attr);
    return integer && integer.getType().isSignlessInteger(64);
  }

  void refuseOp(Operation *op, const Twine &where,
                const Stage *stage = nullptr) {
    InFlightDiagnostic diag = refuse(op);
    diag << "op '" << op->getName() << "' is not accepted in " << where.str();
    StringRef hint = suggestInstead(op->getName().getStringRef());
    if (!hint.empty())
      diag << "; " << hint;
    else if (stage)
      diag << ", which holds transform.tune.knob, transform.param.constant, "
           << llvm::join(stage->ops, ", ");
  }

  ModuleOp schedule;
  int refusals = 0;
};
} // namespace

LogicalResult acceptSchedule(ModuleOp schedule) {
  return success(succeeded(Acceptor(schedule).run()) &&
                 succeeded(checkDecisions(schedule)));
}

} // namespace egg
