//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ConfigCheck.h"
#include "llvm/ADT/Twine.h"
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

/// Why a block of that many threads cannot be; `what` says how it comes about.
static std::string checkThreads(int64_t threads, llvm::StringRef what) {
  if (threads >= kWarpSize && threads <= kMaxThreads &&
      threads % kWarpSize == 0)
    return "";
  return formatv("{0} is {1}, but a block has a multiple of {2} threads, from "
                 "{2} to {3}",
                 what, threads, kWarpSize, kMaxThreads);
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
    return checkThreads(config.threads, "threads");
  case Structure::Rows:
    if (!isPowerOfTwoIn(config.threadsPerRow, 1, kMaxThreads))
      return formatv("threads_per_row is {0}, but it is a power of two from 1 "
                     "to {1}",
                     config.threadsPerRow, kMaxThreads);
    if (config.rowsPerBlock < 1 || config.rowsPerBlock > kMaxThreads)
      return formatv("rows_per_block is {0}, but it is from 1 to {1}",
                     config.rowsPerBlock, kMaxThreads);
    return checkThreads(threadsInBlock(config),
                        "threads_per_row * rows_per_block");
  case Structure::Contraction:
    for (auto [name, tile] :
         {std::pair("tile_m", config.tileM), std::pair("tile_n", config.tileN)})
      if (!isPowerOfTwoIn(tile, 4, 256))
        return formatv("{0} is {1}, but it is a power of two from 4 to 256",
                       name, tile);
    return "";
  }
  llvm_unreachable("unknown structure");
}

std::string checkVectorWidth(const KernelConfig &config, int64_t elementBytes) {
  int64_t most = std::max<int64_t>(1, kMaxAccessBytes / elementBytes);
  if (isPowerOfTwoIn(config.vectorWidth, 1, most))
    return "";
  return formatv("width is {0}, but it is a power of two from 1 to {1}: an "
                 "access has at most {2} bytes, and an element of the first "
                 "result has {3}",
                 config.vectorWidth, most, kMaxAccessBytes, elementBytes);
}

std::string checkContractionTiling(const KernelConfig &config,
                                   int64_t elementBytes) {
  if (!isPowerOfTwoIn(config.tileK, 1, 64))
    return formatv("tile_k is {0}, but it is a power of two from 1 to 64",
                   config.tileK);
  struct Piece {
    llvm::StringRef name, tileName;
    int64_t piece, tile;
  };
  for (const Piece &p :
       {Piece{"thread_m", "tile_m", config.threadM, config.tileM},
        Piece{"thread_n", "tile_n", config.threadN, config.tileN}}) {
    if (!isPowerOfTwoIn(p.piece, 1, 16))
      return formatv("{0} is {1}, but it is a power of two from 1 to 16",
                     p.name, p.piece);
    if (p.tile % p.piece != 0)
      return formatv("{0} is {1}, but it divides {2}, which is {3}", p.name,
                     p.piece, p.tileName, p.tile);
  }
  std::string why = checkThreads(threadsInBlock(config),
                                 "(tile_m / thread_m) * (tile_n / thread_n)");
  return why.empty() ? checkSharedMemory(config, elementBytes) : why;
}

std::string checkScanItems(const KernelConfig &config) {
  if (config.itemsPerThread >= 1 && config.itemsPerThread <= 32)
    return "";
  return formatv("items is {0}, but it is from 1 to 32", config.itemsPerThread);
}

std::string checkSharedMemory(const KernelConfig &config,
                              int64_t elementBytes) {
  if (config.stages < 1 || config.stages > 2)
    return formatv("stages is {0}, but it is 1 or 2", config.stages);
  if (config.sharedPadding < 0 || config.sharedPadding > 32)
    return formatv("padding is {0}, but it is from 0 to 32",
                   config.sharedPadding);
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
