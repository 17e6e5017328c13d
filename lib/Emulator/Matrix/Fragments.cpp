//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix instructions of one warp: ldmatrix, stmatrix, mma.sync.
//
//===----------------------------------------------------------------------===//
#include "../Runtime/Launch.h"
#include "MatrixTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace egg;
using namespace egg::simt;

void Launch::dot(llvm::StringRef type, float &accumulator, const void *a,
                 const void *b, int64_t k) {
  void *sum = &accumulator;
  auto *left = const_cast<void *>(a), *right = const_cast<void *>(b);
  void *arguments[] = {&sum, &left, &right, &k};
  spec.dots.at(type.str())(arguments);
}

void Launch::loadMatrix(size_t first, Thread &lead) {
  for (int matrix = 0; matrix < lead.mode; ++matrix) {
    uint16_t elements[8][8];
    for (int row = 0; row < 8; ++row) {
      Thread &lane = threads[first + matrix * 8 + row];
      const auto *from = reinterpret_cast<const char *>(lane.values[0]);
      if (lane.values[0] % 16 != 0)
        return fault(SimtFault::Kind::Misaligned, &lane, lane.site,
                     "loads a matrix row from an address that is not a "
                     "multiple of 16");
      if (!checkedAccess(lane, lane.site, from, 16, false, viewOf(lane),
                         Space::Shared))
        return;
      std::memcpy(elements[row], from, 16);
    }
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      int row = lane / 4, column = lane % 4 * 2;
      bool transposed = lead.detail;
      uint32_t low = transposed ? elements[column][row] : elements[row][column];
      uint32_t high =
          transposed ? elements[column + 1][row] : elements[row][column + 1];
      static_cast<uint32_t *>(threads[first + lane].memory)[matrix] =
          low | high << 16;
    }
  }
}

void Launch::storeMatrix(size_t first, Thread &lead) {
  for (int matrix = 0; matrix < lead.mode; ++matrix) {
    uint16_t elements[8][8];
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      uint32_t pair =
          static_cast<uint32_t *>(threads[first + lane].memory)[matrix];
      int row = lane / 4, column = lane % 4 * 2;
      for (int i = 0; i < 2; ++i, pair >>= 16)
        (lead.detail ? elements[column + i][row] : elements[row][column + i]) =
            uint16_t(pair);
    }
    for (int row = 0; row < 8; ++row) {
      Thread &lane = threads[first + matrix * 8 + row];
      auto *to = reinterpret_cast<char *>(lane.values[0]);
      if (lane.values[0] % 16 != 0)
        return fault(SimtFault::Kind::Misaligned, &lane, lane.site,
                     "stores a matrix row to an address that is not a multiple "
                     "of 16");
      if (!checkedAccess(lane, lane.site, to, 16, true, viewOf(lane),
                         Space::Shared))
        return;
      std::memcpy(to, elements[row], 16);
    }
  }
}

// `mode` is the FactorType, `detail` the extent of k.
void Launch::multiply(size_t first, Thread &lead) {
  auto type = FactorType(lead.mode);
  int k = lead.detail, bytes = factorBytes(type);
  int perRegister = 4 / bytes, half = 4 * perRegister;
  char a[16][64] = {}, b[8][64] = {};
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    auto *operands = static_cast<MmaOperands *>(threads[first + lane].memory);
    int group = lane / 4, at = lane % 4 * perRegister;
    // Registers alternate between the row halves, then the halves of k.
    for (int i = 0; i < k / half * 2; ++i)
      std::memcpy(&a[group + i % 2 * 8][(at + i / 2 * half) * bytes],
                  &operands->a[i], 4);
    for (int i = 0; i < k / half; ++i)
      std::memcpy(&b[group][(at + i * half) * bytes], &operands->b[i], 4);
  }
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    auto *operands = static_cast<MmaOperands *>(threads[first + lane].memory);
    for (int i = 0; i < 4; ++i)
      dot(kFactorNames[int(type)], operands->accumulators[i],
          a[lane / 4 + i / 2 * 8], b[lane % 4 * 2 + i % 2], k);
  }
}
