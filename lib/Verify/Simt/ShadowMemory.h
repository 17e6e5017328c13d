//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shadow memory: who last read and wrote each element of a buffer during one
// launch, and whether anything has been written there at all. From it follow
// uninitialised reads, data races and unwritten outputs.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_VERIFY_SIMT_SHADOWMEMORY_H
#define EGG_LIB_VERIFY_SIMT_SHADOWMEMORY_H

#include <cstdint>
#include <string>
#include <vector>

namespace egg::simt {

/// A thread at a moment: the epoch counts the barriers its block has passed.
/// Accesses of one block in different epochs are ordered; those of different
/// blocks of a launch never are.
struct Access {
  /// 1-based linear block; 0 means no access.
  uint32_t block = 0;
  uint32_t epoch = 0;
  uint32_t thread = 0;
};

/// What an access did wrong; the other party is filled in for races.
struct Conflict {
  enum class Kind { None, Uninitialized, WriteToInput, Outside, Race };
  Kind kind = Kind::None;
  Access other;
  bool otherWrites = false;
  /// Element of the buffer (its address divided by the element size).
  int64_t element = 0;
};

/// The shadow of one buffer.
class ShadowRegion {
public:
  enum class Kind { Input, Output, Shared };

  ShadowRegion(Kind kind, char *base, int64_t bytes, int64_t elementBytes);

  /// Records an access to [address, address + bytes) and judges it.
  Conflict access(const char *address, int64_t bytes, bool write,
                  const Access &by);

  /// First element that was never written, or -1.
  int64_t firstUnwritten() const;

  /// Forgets everything: contents are indeterminate again.
  void reset();

  bool contains(const char *address) const {
    return address >= base && address < base + bytes;
  }
  Kind getKind() const { return kind; }
  char *getBase() const { return base; }
  int64_t getBytes() const { return bytes; }

private:
  struct Cell {
    Access writer, reader;
    bool written = false;
  };
  /// Thread number of a reader that stands for several.
  static constexpr uint32_t kMany = ~0u;

  Conflict accessCell(Cell &cell, bool write, const Access &by);

  Kind kind;
  char *base;
  int64_t bytes, elementBytes;
  std::vector<Cell> cells;
};

} // namespace egg::simt

#endif // EGG_LIB_VERIFY_SIMT_SHADOWMEMORY_H
