//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HardwareRules.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/Kernel/KernelWork.h"
#include "egg/TransformOps/ConfigCheck.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using llvm::formatv;

namespace egg {
namespace {

/// Blocks that give every multiprocessor of a large GPU one.
constexpr int64_t kManyBlocks = 132;
/// What a large GPU moves in the time that a launch takes.
constexpr double kLaunchBytes = 4 << 20;

int64_t widestElementBytes(func::FuncOp kernel) {
  int64_t bytes = 1;
  auto visit = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    if (element.isIntOrFloat())
      bytes = std::max<int64_t>(bytes, element.getIntOrFloatBitWidth() / 8);
  };
  llvm::for_each(kernel.getArgumentTypes(), visit);
  llvm::for_each(kernel.getResultTypes(), visit);
  return bytes;
}

HardwareDecision vectorize(func::FuncOp kernel) {
  int64_t bytes = widestElementBytes(kernel);
  int64_t width = std::max<int64_t>(1, 16 / bytes);
  std::vector<int64_t> options;
  for (int64_t w = 1; w <= width; w *= 2)
    options.push_back(w);
  return {"vectorize",
          {{"width", width, options}},
          formatv("16 bytes an access: {0} elements of {1} bytes, where they "
                  "are contiguous.",
                  width, bytes)};
}

HardwarePlan mapPlan(func::FuncOp kernel) {
  HardwarePlan plan;
  double bytes = measureWork(kernel).bytes;
  std::string reason =
      bytes < kLaunchBytes
          ? formatv("Bound by the launch, which takes longer than moving {0} "
                    "bytes: the number of threads matters little.",
                    static_cast<int64_t>(bytes))
                .str()
          : "Bound by memory: 256 threads keep a multiprocessor full at up to "
            "32 registers.";
  plan.mapping.push_back({"map_elements",
                          {{"threads", 256, {128, 256, 512, 1024}}},
                          std::move(reason)});
  plan.tiling.push_back(vectorize(kernel));
  return plan;
}

HardwarePlan scanPlan() {
  HardwarePlan plan;
  plan.mapping.push_back({"map_scan",
                          {{"threads", 256, {128, 256, 512, 1024}}},
                          "A block a row; 256 threads combine through shuffles "
                          "and shared memory."});
  plan.tiling.push_back({"unroll_scan",
                         {{"items", 4, {1, 2, 4, 8}}},
                         "4 neighbours a thread, 1024 elements a step."});
  return plan;
}

/// Whether consecutive rows, not columns, are neighbours in memory: the
/// innermost dim of the first reduction's input is not reduced.
bool columnsAreStrided(const KernelAnalysis &analysis) {
  auto op = dyn_cast<linalg::LinalgOp>(analysis.anchors.front().op);
  if (!op || op.getNumDpsInputs() == 0)
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (map.getNumResults() == 0)
    return false;
  AffineExpr last = map.getResult(map.getNumResults() - 1);
  return llvm::none_of(analysis.anchors.front().reductionDims,
                       [&](unsigned d) { return last.isFunctionOfDim(d); });
}

HardwarePlan rowsPlan(func::FuncOp kernel, const KernelAnalysis &analysis) {
  int64_t rows = analysis.rows, columns = 1;
  bool combinable = true;
  for (const AnchorInfo &anchor : analysis.anchors) {
    columns = std::max(columns, anchor.columns);
    combinable &= anchor.isCombinable();
  }
  // What a row writes is work of its threads too.
  for (const ResultInfo &result : analysis.results)
    columns = std::max(columns, result.columns);
  int64_t threads, rowsPerBlock = 1;
  std::string reason;
  auto rowsOfOneThread = [&] {
    return rows >= kManyBlocks * 128 ? 128 : rows >= kManyBlocks * 64 ? 64 : 32;
  };
  if (!combinable) {
    threads = 1;
    rowsPerBlock = rowsOfOneThread();
    reason = "partial results cannot be combined, so a thread a row.";
  } else if (columns <= 64) {
    threads = 1;
    rowsPerBlock = rowsOfOneThread();
    reason = "short rows: a thread a row, nothing to combine.";
  } else if (columnsAreStrided(analysis) && rows >= kManyBlocks * 128) {
    threads = 1;
    rowsPerBlock = 128;
    reason = "neighbouring rows are neighbours in memory and there are many: a "
             "thread a row reads them together.";
  } else if (columns <= 1024) {
    threads = 32;
    rowsPerBlock = rows >= kManyBlocks * 8   ? 8
                   : rows >= kManyBlocks * 4 ? 4
                                             : 1;
    reason = "a warp a row combines through shuffles alone.";
  } else {
    threads = columns <= 8192 ? 256 : columns <= 32768 ? 512 : 1024;
    if (rows < kManyBlocks)
      threads = std::max<int64_t>(threads, columns >= 4096 ? 1024 : 256);
    reason = "long rows: a block a row combines through shuffles and shared "
             "memory.";
  }
  std::vector<int64_t> threadOptions = {1};
  if (combinable)
    threadOptions = {1, 32, 64, 128, 256, 512, 1024};
  std::vector<int64_t> rowOptions = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  HardwarePlan plan;
  plan.mapping.push_back(
      {"map_rows",
       {{"threads_per_row", threads, threadOptions},
        {"rows_per_block", rowsPerBlock, rowOptions}},
       formatv("{0} rows of {1} elements; {2}", rows, columns, reason)});
  plan.tiling.push_back(vectorize(kernel));
  return plan;
}

HardwarePlan contractionPlan(const KernelAnalysis &analysis) {
  const ContractionInfo &c = *analysis.contraction;
  int64_t tileM, tileN, threadM, threadN, tileK = 16, stages = 1;
  auto clampTile = [](int64_t extent) {
    return extent >= 64 ? 64 : extent >= 32 ? 32 : 16;
  };
  int64_t largeBlocks =
      c.batch * llvm::divideCeil(c.m, 128) * llvm::divideCeil(c.n, 128);
  std::string why;
  if (c.m >= 128 && c.n >= 128 && largeBlocks >= kManyBlocks / 2) {
    tileM = tileN = 128;
    threadM = threadN = 8;
    tileK = 8;
    stages = 2;
    why = "large enough for tiles of 128 x 128 on most multiprocessors; 8 x 8 "
          "a thread reads 16 values from shared memory for 64 products.";
  } else {
    tileM = clampTile(c.m);
    tileN = clampTile(c.n);
    threadM = tileM == 16 ? 2 : 4;
    threadN = tileN == 16 && tileM == 16 ? 2 : 4;
    why = "too small for tiles of 128 x 128: smaller ones give more blocks.";
  }
  HardwarePlan plan;
  plan.mapping.push_back(
      {"map_tiles",
       {{"tile_m", tileM, {16, 32, 64, 128, 256}},
        {"tile_n", tileN, {16, 32, 64, 128, 256}}},
       formatv("m = {0}, n = {1}, batch {2}: {3}", c.m, c.n, c.batch, why)});
  plan.tiling.push_back(
      {"tile_contraction",
       {{"tile_k", tileK, {8, 16, 32}},
        {"thread_m", threadM, {1, 2, 4, 8}},
        {"thread_n", threadN, {1, 2, 4, 8}}},
       formatv("{0} threads a block, tiles {1} deep of k = "
               "{2}.",
               tileM / threadM * (tileN / threadN), tileK, c.k)});
  int64_t blocks =
      c.batch * llvm::divideCeil(c.m, tileM) * llvm::divideCeil(c.n, tileN);
  StringRef staging =
      stages == 2 ? "The next tiles are on their way while these are multiplied"
      : blocks > kManyBlocks
          ? "One stage: tiles as small as these leave a multiprocessor room "
            "for several blocks, and one loads while another multiplies"
          : "One stage needs the least shared memory; a multiprocessor has one "
            "block at most, so 2, which loads the next tiles while these are "
            "multiplied, may be worth a try";
  plan.memory.push_back(
      {"stage_in_shared",
       {{"stages", stages, {1, 2}}, {"padding", 4, {0, 4, 8}}},
       formatv("{0}; 4 elements of padding keep the transposed stores of a "
               "tile on different banks.",
               staging)});
  return plan;
}

/// The number of a config that the knob decides, where the legal values of one
/// depend on those of others; null where they do not.
int64_t KernelConfig::*fieldOf(StringRef knob) {
  return llvm::StringSwitch<int64_t KernelConfig::*>(knob)
      .Case("threads_per_row", &KernelConfig::threadsPerRow)
      .Case("rows_per_block", &KernelConfig::rowsPerBlock)
      .Case("tile_m", &KernelConfig::tileM)
      .Case("tile_n", &KernelConfig::tileN)
      .Case("tile_k", &KernelConfig::tileK)
      .Case("thread_m", &KernelConfig::threadM)
      .Case("thread_n", &KernelConfig::threadN)
      .Case("stages", &KernelConfig::stages)
      .Case("padding", &KernelConfig::sharedPadding)
      .Default(nullptr);
}

/// Drops the options that are refused next to the other chosen numbers: who
/// changes one knob should find nothing that cannot be.
void keepLegalOptions(HardwarePlan &plan, const CutKernel &kernel) {
  SmallVector<Knob *> knobs;
  for (auto *stage : {&plan.mapping, &plan.tiling, &plan.memory})
    for (HardwareDecision &decision : *stage)
      for (Knob &knob : decision.knobs)
        if (fieldOf(knob.name))
          knobs.push_back(&knob);
  KernelConfig chosen;
  chosen.structure = kernel.structure;
  for (Knob *knob : knobs)
    chosen.*fieldOf(knob->name) = knob->selected;
  int64_t bytes = widestElementBytes(kernel.function);
  for (Knob *knob : knobs)
    llvm::erase_if(knob->options, [&](int64_t option) {
      KernelConfig config = chosen;
      config.*fieldOf(knob->name) = option;
      return option != knob->selected &&
             (!checkMapping(config).empty() ||
              (config.structure == Structure::Contraction &&
               !checkContractionTiling(config, bytes).empty()));
    });
}
} // namespace

bool isSkinny(int64_t m, int64_t n) {
  constexpr int64_t kFewest = 8;
  return std::min(m, n) < kFewest;
}

static HardwarePlan choosePlan(const CutKernel &kernel,
                               const KernelAnalysis &analysis) {
  switch (kernel.structure) {
  case Structure::Map:
    return mapPlan(kernel.function);
  case Structure::Rows:
    return rowsPlan(kernel.function, analysis);
  case Structure::Contraction:
    return contractionPlan(analysis);
  case Structure::Scan:
    return scanPlan();
  }
  llvm_unreachable("unknown structure");
}

HardwarePlan chooseHardware(const CutKernel &kernel) {
  FailureOr<KernelAnalysis> analysis = analyzeKernel(kernel.function);
  assert(succeeded(analysis) && "the kernel was tried before it was formed");
  HardwarePlan plan = choosePlan(kernel, *analysis);
  keepLegalOptions(plan, kernel);
  return plan;
}

} // namespace egg
