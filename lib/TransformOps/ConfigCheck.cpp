//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/ConfigCheck.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using llvm::formatv;

namespace egg {

static constexpr int64_t kMaxThreads = 1024;
static constexpr int64_t kWarpSize = 32;
static constexpr int64_t kMaxStaticSharedBytes = 48 * 1024;
static constexpr int64_t kMaxAccessBytes = 16;

static bool isPowerOfTwoIn(int64_t value, int64_t low, int64_t high) {
  return value >= low && value <= high && llvm::isPowerOf2_64(value);
}

/// "32 or 64": the values of a rule next to one that breaks it, given the
/// largest below and the smallest above, either 0 for none.
static std::string nextValues(int64_t below, int64_t above) {
  if (below && above && below != above)
    return formatv("{0} or {1}", below, above);
  return std::to_string(below ? below : above);
}

/// Why a number that must be a power of two is not accepted.
static std::string refusePower(llvm::StringRef name, int64_t value, int64_t low,
                               int64_t high) {
  int64_t below =
      value < low ? 0
                  : std::min<int64_t>(high, llvm::bit_floor<uint64_t>(value));
  int64_t above =
      value > high ? 0
                   : std::max<int64_t>(
                         low, llvm::PowerOf2Ceil(std::max<int64_t>(value, 1)));
  return formatv("{0} is {1}, but it must be a power of two from {2} to {3}; "
                 "write {4}",
                 name, value, low, high, nextValues(below, above));
}

/// Why a number outside its range is not accepted.
static std::string refuseRange(llvm::StringRef name, int64_t value, int64_t low,
                               int64_t high) {
  return formatv("{0} is {1}, but it must be from {2} to {3}; write {4}", name,
                 value, low, high, value < low ? low : high);
}

static bool isBlock(int64_t threads) {
  return threads >= kWarpSize && threads <= kMaxThreads &&
         threads % kWarpSize == 0;
}

/// Why a block of that many threads cannot be.
static std::string checkThreads(int64_t threads) {
  if (isBlock(threads))
    return "";
  int64_t below = threads < kWarpSize
                      ? 0
                      : std::min(threads, kMaxThreads) / kWarpSize * kWarpSize;
  int64_t above =
      threads >= kMaxThreads ? 0 : std::max(below + kWarpSize, kWarpSize);
  return formatv("threads is {0}, but a block has a multiple of {1} threads, "
                 "from {1} to {2}; write {3}",
                 threads, kWarpSize, kMaxThreads, nextValues(below, above));
}

/// The same where the number follows from others, as `what` says.
static std::string checkThreads(int64_t threads, llvm::StringRef what) {
  if (isBlock(threads))
    return "";
  return formatv("{0} is {1}, but a block has a multiple of {2} threads, from "
                 "{2} to {3}; choose {4}",
                 what, threads, kWarpSize, kMaxThreads,
                 threads < kWarpSize     ? "them for a larger block"
                 : threads > kMaxThreads ? "them for a smaller block"
                                         : "powers of two");
}

/// Elements that a thread reads from a tile at once.
static int64_t accessWidth(int64_t perThread) {
  return perThread % 4 == 0 ? 4 : perThread % 2 == 0 ? 2 : 1;
}

int64_t threadsInBlock(const KernelConfig &config) {
  switch (config.structure) {
  case Structure::Map:
  case Structure::Scan:
    return config.threads;
  case Structure::Rows:
    return config.threadsPerRow * config.rowsPerBlock;
  case Structure::Contraction:
    return (config.tileM / config.threadM) * (config.tileN / config.threadN);
  }
  llvm_unreachable("unknown structure");
}

std::string checkMapping(const KernelConfig &config) {
  switch (config.structure) {
  case Structure::Map:
  case Structure::Scan:
    return checkThreads(config.threads);
  case Structure::Rows:
    if (!isPowerOfTwoIn(config.threadsPerRow, 1, kMaxThreads))
      return refusePower("threads_per_row", config.threadsPerRow, 1,
                         kMaxThreads);
    if (config.rowsPerBlock < 1 || config.rowsPerBlock > kMaxThreads)
      return refuseRange("rows_per_block", config.rowsPerBlock, 1, kMaxThreads);
    return checkThreads(threadsInBlock(config),
                        "threads_per_row * rows_per_block");
  case Structure::Contraction:
    for (auto [name, tile] :
         {std::pair("tile_m", config.tileM), std::pair("tile_n", config.tileN)})
      if (!isPowerOfTwoIn(tile, 4, 256))
        return refusePower(name, tile, 4, 256);
    return "";
  }
  llvm_unreachable("unknown structure");
}

std::string checkVectorWidth(const KernelConfig &config, int64_t elementBytes) {
  int64_t most = std::max<int64_t>(1, kMaxAccessBytes / elementBytes);
  if (isPowerOfTwoIn(config.vectorWidth, 1, most))
    return "";
  return formatv("{0} (an access has at most {1} bytes, and an element of the "
                 "first result has {2})",
                 refusePower("width", config.vectorWidth, 1, most),
                 kMaxAccessBytes, elementBytes);
}

std::string checkContractionTiling(const KernelConfig &config,
                                   int64_t elementBytes) {
  if (!isPowerOfTwoIn(config.tileK, 1, 64))
    return refusePower("tile_k", config.tileK, 1, 64);
  struct Piece {
    llvm::StringRef name, tileName;
    int64_t piece, tile;
  };
  for (const Piece &p :
       {Piece{"thread_m", "tile_m", config.threadM, config.tileM},
        Piece{"thread_n", "tile_n", config.threadN, config.tileN}}) {
    if (!isPowerOfTwoIn(p.piece, 1, 16))
      return refusePower(p.name, p.piece, 1, 16);
    if (p.tile % p.piece != 0)
      return formatv("{0} is {1}, but it must divide {2}, which is {3}; write "
                     "{3} or a smaller power of two",
                     p.name, p.piece, p.tileName, p.tile);
  }
  std::string why = checkThreads(threadsInBlock(config),
                                 "(tile_m / thread_m) * (tile_n / thread_n)");
  return why.empty() ? checkSharedMemory(config, elementBytes) : why;
}

std::string checkScanItems(const KernelConfig &config) {
  if (config.itemsPerThread >= 1 && config.itemsPerThread <= 32)
    return "";
  return refuseRange("items", config.itemsPerThread, 1, 32);
}

std::string checkSharedMemory(const KernelConfig &config,
                              int64_t elementBytes) {
  if (config.stages < 1 || config.stages > 2)
    return refuseRange("stages", config.stages, 1, 2);
  if (config.sharedPadding < 0 || config.sharedPadding > 32)
    return refuseRange("padding", config.sharedPadding, 0, 32);
  int64_t access =
      std::max(accessWidth(config.threadM), accessWidth(config.threadN));
  if (int64_t over = config.sharedPadding % access)
    return formatv("padding is {0}, but it must be a multiple of {1}, since a "
                   "thread with thread_m = {2} and thread_n = {3} reads {1} "
                   "elements at once; write {4} or {5}",
                   config.sharedPadding, access, config.threadM, config.threadN,
                   config.sharedPadding - over,
                   config.sharedPadding - over + access);
  int64_t bytes = config.stages * config.tileK * elementBytes *
                  (config.tileM + config.tileN + 2 * config.sharedPadding);
  if (bytes <= kMaxStaticSharedBytes)
    return "";
  return formatv(
      "stages * tile_k * (tile_m + tile_n + 2 * padding) elements of "
      "{0} bytes are {1} bytes of shared memory, but a block has "
      "{2}; make one of them smaller",
      elementBytes, bytes, kMaxStaticSharedBytes);
}

} // namespace egg
