//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Silenceable.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/TransformOps/ConfigCheck.h"
#include "egg/TransformOps/TransformOps.h"

using namespace mlir;

namespace egg {

namespace {
/// What every op of the hardware stage does: check the target, read the
/// numbers, change the config, say why it cannot be.
template <typename OpTy> class ConfigEdit {
public:
  ConfigEdit(OpTy op, transform::TransformState &state)
      : op(op), state(state) {}

  /// A mapping op: gives the kernel its structure.
  DiagnosedSilenceableFailure map(Structure structure,
                                  function_ref<void(KernelConfig &)> fill) {
    if (!findKernel())
      return std::move(*problem);
    if (kernel->hasAttr(kConfigAttrName))
      return refuse("is mapped already; keep one mapping op a kernel");
    KernelConfig config;
    config.structure = structure;
    fill(config);
    FailureOr<KernelAnalysis> analysis = failure();
    DiagnosedSilenceableFailure analyzed =
        asSilenceable(op.getContext(), [&]() -> LogicalResult {
          analysis = analyzeKernel(kernel, [&] {
            return op.emitError() << "kernel @" << kernel.getSymName() << ": ";
          });
          return analysis;
        });
    if (!analyzed.succeeded())
      return analyzed;
    if (!analysis->supports(structure))
      return refuse("cannot have structure " +
                    stringifyStructure(structure).str() + "; " +
                    suggestMapping(*analysis));
    if (structure == Structure::Rows && config.threadsPerRow != 1)
      for (const AnchorInfo &anchor : analysis->anchors)
        if (!anchor.isCombinable()) {
          DiagnosedSilenceableFailure diag =
              refuse("has a reduction whose partial results cannot be "
                     "combined; threads_per_row must be 1");
          diag.attachNote(anchor.op->getLoc()) << "the reduction";
          return diag;
        }
    return store(config, checkMapping(config));
  }

  /// An op that refines kernels of the given structures.
  DiagnosedSilenceableFailure
  refine(ArrayRef<Structure> structures,
         function_ref<std::string(KernelConfig &)> fill) {
    if (!findKernel())
      return std::move(*problem);
    FailureOr<KernelConfig> config = getKernelConfig(kernel);
    if (failed(config))
      return refuse("is not mapped yet; a mapping op (map_elements, map_rows, "
                    "map_tiles, map_scan) comes first");
    if (!llvm::is_contained(structures, config->structure)) {
      std::string wanted =
          llvm::join(llvm::map_range(structures, stringifyStructure), " or ");
      return refuse("has structure " +
                    stringifyStructure(config->structure).str() +
                    ", and this op is for structure " + wanted + "; remove it");
    }
    std::string why = fill(*config);
    return store(*config, why);
  }

  int64_t number(Value param) {
    ArrayRef<Attribute> params = state.getParams(param);
    assert(params.size() == 1 && "a parameter of the schedule is one number");
    return cast<IntegerAttr>(params.front()).getInt();
  }

  int64_t elementBytes() {
    int64_t bits = 8;
    for (Type type : kernel.getArgumentTypes())
      if (Type element = getElementTypeOrSelf(type); element.isIntOrFloat())
        bits = std::max<int64_t>(bits, element.getIntOrFloatBitWidth());
    return bits / 8;
  }

  int64_t resultElementBytes() {
    Type element = getElementTypeOrSelf(kernel.getResultTypes().front());
    return std::max<int64_t>(8, element.getIntOrFloatBitWidth()) / 8;
  }

private:
  static std::string suggestMapping(const KernelAnalysis &analysis) {
    static const std::pair<Structure, StringRef> ops[] = {
        {Structure::Contraction, "map_tiles"},
        {Structure::Rows, "map_rows"},
        {Structure::Scan, "map_scan"},
        {Structure::Map, "map_elements"}};
    SmallVector<StringRef> supported;
    for (auto [structure, name] : ops)
      if (analysis.supports(structure))
        supported.push_back(name);
    if (supported.empty())
      return "no structure fits it: form other kernels in @algorithm";
    return "use " + llvm::join(supported, " or ");
  }

  bool findKernel() {
    auto payload = llvm::to_vector(state.getPayloadOps(op.getKernel()));
    if (payload.size() == 1)
      kernel = dyn_cast<func::FuncOp>(payload[0]);
    if (kernel && kernel->hasAttr(kKernelAttrName) && !kernel.isExternal())
      return true;
    problem.emplace(op.emitSilenceableError()
                    << "expects a handle to one kernel function; pass the "
                       "argument of the kernel's sequence");
    return false;
  }

  DiagnosedSilenceableFailure refuse(const Twine &why) {
    DiagnosedSilenceableFailure diag = op.emitSilenceableError()
                                       << "kernel @" << kernel.getSymName()
                                       << " " << why;
    return diag;
  }

  DiagnosedSilenceableFailure store(const KernelConfig &config,
                                    const std::string &why) {
    if (!why.empty())
      return op.emitSilenceableError()
             << "kernel @" << kernel.getSymName() << ": " << why;
    setKernelConfig(kernel, config);
    return DiagnosedSilenceableFailure::success();
  }

  OpTy op;
  transform::TransformState &state;
  func::FuncOp kernel;
  std::optional<DiagnosedSilenceableFailure> problem;
};
} // namespace

static void
hardwareEffects(Operation *op,
                SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(op->getOpOperands(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// Parallel mapping
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
MapElementsOp::apply(transform::TransformRewriter &,
                     transform::TransformResults &,
                     transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.map(Structure::Map, [&](KernelConfig &config) {
    config.threads = edit.number(getThreads());
  });
}

DiagnosedSilenceableFailure MapRowsOp::apply(transform::TransformRewriter &,
                                             transform::TransformResults &,
                                             transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.map(Structure::Rows, [&](KernelConfig &config) {
    config.threadsPerRow = edit.number(getThreadsPerRow());
    config.rowsPerBlock = edit.number(getRowsPerBlock());
  });
}

DiagnosedSilenceableFailure
MapTilesOp::apply(transform::TransformRewriter &, transform::TransformResults &,
                  transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.map(Structure::Contraction, [&](KernelConfig &config) {
    config.tileM = edit.number(getTileM());
    config.tileN = edit.number(getTileN());
  });
}

DiagnosedSilenceableFailure MapScanOp::apply(transform::TransformRewriter &,
                                             transform::TransformResults &,
                                             transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.map(Structure::Scan, [&](KernelConfig &config) {
    config.threads = edit.number(getThreads());
  });
}

//===----------------------------------------------------------------------===//
// Tensor tiling
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
VectorizeOp::apply(transform::TransformRewriter &,
                   transform::TransformResults &,
                   transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.refine(
      {Structure::Map, Structure::Rows}, [&](KernelConfig &config) {
        config.vectorWidth = edit.number(getWidth());
        return checkVectorWidth(config, edit.resultElementBytes());
      });
}

DiagnosedSilenceableFailure
TileContractionOp::apply(transform::TransformRewriter &,
                         transform::TransformResults &,
                         transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.refine({Structure::Contraction}, [&](KernelConfig &config) {
    config.tileK = edit.number(getTileK());
    config.threadM = edit.number(getThreadM());
    config.threadN = edit.number(getThreadN());
    return checkContractionTiling(config, edit.elementBytes());
  });
}

DiagnosedSilenceableFailure
UnrollScanOp::apply(transform::TransformRewriter &,
                    transform::TransformResults &,
                    transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.refine({Structure::Scan}, [&](KernelConfig &config) {
    config.itemsPerThread = edit.number(getItems());
    return checkScanItems(config);
  });
}

//===----------------------------------------------------------------------===//
// Memory optimisation
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
StageInSharedOp::apply(transform::TransformRewriter &,
                       transform::TransformResults &,
                       transform::TransformState &state) {
  ConfigEdit edit(*this, state);
  return edit.refine({Structure::Contraction}, [&](KernelConfig &config) {
    config.stages = edit.number(getStages());
    config.sharedPadding = edit.number(getPadding());
    return checkSharedMemory(config, edit.elementBytes());
  });
}

#define EGG_HARDWARE_EFFECTS(OpTy)                                             \
  void OpTy::getEffects(                                                       \
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {               \
    hardwareEffects(getOperation(), effects);                                  \
  }
EGG_HARDWARE_EFFECTS(MapElementsOp)
EGG_HARDWARE_EFFECTS(MapRowsOp)
EGG_HARDWARE_EFFECTS(MapTilesOp)
EGG_HARDWARE_EFFECTS(MapScanOp)
EGG_HARDWARE_EFFECTS(VectorizeOp)
EGG_HARDWARE_EFFECTS(TileContractionOp)
EGG_HARDWARE_EFFECTS(UnrollScanOp)
EGG_HARDWARE_EFFECTS(StageInSharedOp)
#undef EGG_HARDWARE_EFFECTS

} // namespace egg
