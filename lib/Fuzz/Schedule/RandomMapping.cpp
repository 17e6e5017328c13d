//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomMapping.h"
#include "egg/Core/ScheduleFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

/// Shared memory of a block in bytes.
static constexpr int64_t kSharedBytes = 48 * 1024;

/// Threads of a launch: each runs on the CPU, several times over.
static constexpr int64_t kMostThreads = 1 << 16;

static int64_t powerOfTwo(Choices &choices, int64_t low, int64_t high) {
  SmallVector<int64_t> powers;
  for (int64_t n = low; n <= high; n *= 2)
    powers.push_back(n);
  return choices.pick(powers);
}

static int64_t bytesOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
}

static void pickWidth(func::FuncOp kernel, Choices &choices,
                      KernelMapping &mapping) {
  if (choices.chance(25))
    return;
  int64_t most = std::max<int64_t>(1, 16 / bytesOf(kernel.getResultTypes()[0]));
  mapping.tiling.push_back(
      {"vectorize", {{"width", powerOfTwo(choices, 1, most)}}});
}

static KernelMapping pickRows(func::FuncOp kernel,
                              const KernelAnalysis &analysis,
                              Choices &choices) {
  KernelMapping mapping;
  bool combinable = llvm::all_of(analysis.anchors, [](const AnchorInfo &info) {
    return info.isCombinable();
  });
  int64_t threads = 0, rows = 0;
  int64_t mostThreads =
      std::max<int64_t>(1, llvm::bit_floor<uint64_t>(std::min<int64_t>(
                               1024, kMostThreads / analysis.rows)));
  do {
    threads = combinable ? powerOfTwo(choices, 1, mostThreads) : 1;
    rows =
        choices.chance(70) ? powerOfTwo(choices, 1, 256) : choices.draw(1, 96);
  } while (threads * rows % 32 != 0 || threads * rows > 1024);
  mapping.mapping.push_back(
      {"map_rows", {{"threads_per_row", threads}, {"rows_per_block", rows}}});
  pickWidth(kernel, choices, mapping);
  return mapping;
}

static KernelMapping pickContraction(func::FuncOp kernel,
                                     const ContractionInfo &info,
                                     Choices &choices) {
  // Tiles hold what is multiplied and added, in the type of the sum.
  int64_t bytes = 1;
  kernel.walk([&](linalg::LinalgOp op) {
    for (Value result : op->getResults())
      bytes = std::max(bytes, bytesOf(result.getType()));
  });
  int64_t m, n, k, perM, perN, stages, padding, threads, shared, blocks;
  auto access = [](int64_t perThread) {
    return std::min<int64_t>(perThread, 4);
  };
  // Many small products (batches) have more blocks than that whatever the tile.
  int64_t tries = 0;
  do {
    m = powerOfTwo(choices, 4, 256);
    n = powerOfTwo(choices, 4, 256);
    k = powerOfTwo(choices, 1, 64);
    perM = powerOfTwo(choices, 1, std::min<int64_t>(m, 16));
    perN = powerOfTwo(choices, 1, std::min<int64_t>(n, 16));
    stages = choices.draw(1, 2);
    int64_t step = std::max(access(perM), access(perN));
    padding = choices.chance(40) ? 0 : choices.draw(0, 32 / step) * step;
    threads = (m / perM) * (n / perN);
    blocks =
        info.batch * llvm::divideCeil(info.m, m) * llvm::divideCeil(info.n, n);
    shared = stages * k * bytes * (m + n + 2 * padding);
  } while (threads % 32 != 0 || threads > 1024 || shared > kSharedBytes ||
           (blocks * threads > kMostThreads && ++tries < 200));
  KernelMapping mapping;
  mapping.mapping.push_back({"map_tiles", {{"tile_m", m}, {"tile_n", n}}});
  mapping.tiling.push_back(
      {"tile_contraction",
       {{"tile_k", k}, {"thread_m", perM}, {"thread_n", perN}}});
  mapping.memory.push_back(
      {"stage_in_shared", {{"stages", stages}, {"padding", padding}}});
  return mapping;
}

FailureOr<KernelMapping> egg::fuzz::pickMapping(func::FuncOp kernel,
                                                const KernelAnalysis &analysis,
                                                Choices &choices) {
  SmallVector<Structure> structures;
  for (Structure structure : {Structure::Map, Structure::Rows,
                              Structure::Contraction, Structure::Scan})
    if (analysis.supports(structure))
      structures.push_back(structure);
  if (structures.empty())
    return failure();
  KernelMapping mapping;
  switch (choices.pick(structures)) {
  case Structure::Map:
    mapping.mapping.push_back(
        {"map_elements", {{"threads", 32 * choices.draw(1, 32)}}});
    pickWidth(kernel, choices, mapping);
    return mapping;
  case Structure::Rows:
    return pickRows(kernel, analysis, choices);
  case Structure::Contraction:
    return pickContraction(kernel, *analysis.contraction, choices);
  case Structure::Scan:
    mapping.mapping.push_back(
        {"map_scan", {{"threads", 32 * choices.draw(1, 32)}}});
    if (choices.chance(75))
      mapping.tiling.push_back(
          {"unroll_scan", {{"items", choices.draw(1, 32)}}});
    return mapping;
  }
  llvm_unreachable("all structures are listed");
}

std::string KernelMapping::write() const {
  std::string text;
  ArrayRef<HardwareChoice> stages[] = {mapping, tiling, memory};
  for (auto [stage, decisions] : llvm::zip_equal(kHardwareStages, stages)) {
    text += ("    transform.named_sequence @" + stage +
             "(%k: !transform.any_op) {\n")
                .str();
    for (const HardwareChoice &choice : decisions) {
      for (const auto &[name, number] : choice.numbers)
        text += "      %" + name + " = transform.tune.knob<\"" + name +
                "\"> = " + std::to_string(number) + " from options = [" +
                std::to_string(number) + "] -> !transform.param<i64>\n";
      text += "      transform.egg." + choice.op + " %k";
      for (const auto &[name, number] : choice.numbers)
        text += " " + name + "(%" + name + ")";
      text += " : !transform.any_op\n";
    }
    text += "      transform.yield\n    }\n";
  }
  return text;
}
