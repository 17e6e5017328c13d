//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shadow memory: who last read and wrote each element of a buffer during one
// launch, and whether anything has been written there at all. From it follow
// uninitialised reads, data races, missing waits and fences, and unwritten
// outputs.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_RUNTIME_SHADOWMEMORY_H
#define EGG_LIB_EMULATOR_RUNTIME_SHADOWMEMORY_H

#include "Clocks.h"
#include <unordered_map>

namespace egg::simt {

/// An agent at a moment. Owners are clusters (without clusters: blocks),
/// counted from 1: accesses of different owners are never ordered.
struct Access {
  static constexpr uint32_t kMany = ~0u;
  uint32_t owner = 0;
  /// Number of the thread or of the asynchronous unit.
  uint32_t agent = 0;
  /// Its clock; in kernels without clocks, the barriers the block has passed.
  uint32_t time = 0;
};

/// An access and what makes it ordered after others.
struct View {
  Access by;
  /// The thread that asked for it: what that thread did before is ordered.
  uint32_t issuer = 0;
  /// Null where only barriers of whole blocks order accesses.
  const Clocks *clocks = nullptr;
  bool asyncProxy = false;
  bool atomic = false;
  /// Whether a write is of what was read at the same time.
  bool update = false;
};

/// What an access did wrong; the other party is filled in for races.
struct Conflict {
  enum class Kind {
    None,
    Uninitialized,
    WriteToInput,
    Outside,
    Race,
    /// The other is visible, but not to this proxy.
    MissingFence,
    /// The address holds a live mbarrier.
    OnBarrier
  };
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

  /// `rank` is that of the block whose shared memory it is.
  ShadowRegion(Kind kind, char *base, int64_t bytes, int64_t elementBytes,
               uint32_t rank = 0);

  /// Records an access to [address, address + bytes) and judges it.
  Conflict access(const char *address, int64_t bytes, bool write,
                  const View &view);

  /// In kernels without clocks: whether that read needs no judging, for it is
  /// of an input or repeats one that was accepted since the last barrier. A
  /// write in between would have made it forgotten.
  bool repeatsRead(const char *address, int64_t size, const Access &by) const {
    if (address < base || address + size > base + bytes)
      return false;
    if (kind == Kind::Input) {
      markRead(address, size);
      return true;
    }
    const Cell *cell = cells.data() + ((address - base) >> shift);
    const Cell *last = cells.data() + ((address - base + size - 1) >> shift);
    for (; cell <= last; ++cell) {
      const Access &reader = cell->reader;
      if (cell->barrier || reader.owner != by.owner || reader.time != by.time ||
          (reader.agent != by.agent && reader.agent != Access::kMany))
        return false;
    }
    return true;
  }

  /// Of an input: every element of 2^shift bytes that is read is marked here
  /// from now on, one byte each.
  void recordReads(uint8_t *marks, int shift) {
    readMarks = marks;
    markShift = shift;
  }

  /// Whatever it holds counts as written before the launch.
  void setWritten() {
    for (Cell &cell : cells)
      cell.written = true;
  }

  /// Marks or unmarks the 8 bytes of an mbarrier.
  void setBarrier(const char *address, bool live);

  /// First element that was never written, or -1.
  int64_t firstUnwritten() const;

  bool contains(const char *address) const {
    return address >= base && address < base + bytes;
  }
  Kind getKind() const { return kind; }
  char *getBase() const { return base; }
  int64_t getBytes() const { return bytes; }
  int64_t getElementBytes() const { return elementBytes; }

private:
  struct Cell {
    /// The last plain ones.
    Access writer, reader;
    /// Whose shared memory it is: what others left there is gone.
    uint32_t owner = 0;
    bool written = false;
    /// Atomic accesses followed the last plain write: see atomics.
    bool updated = false;
    bool writtenByAsyncProxy = false;
    /// reader.agent numbers an element of `readers` instead of an agent.
    bool listedReaders = false;
    bool barrier = false;
  };
  /// Clocks of several unordered readers by agent.
  using Readers = std::vector<uint32_t>;

  void markRead(const char *address, int64_t size) const {
    if (!readMarks)
      return;
    uint8_t *mark = readMarks + ((address - base) >> markShift);
    uint8_t *last = readMarks + ((address - base + size - 1) >> markShift);
    for (; mark <= last; ++mark)
      *mark = 1;
  }
  Conflict accessCell(Cell &cell, bool write, const View &view);
  Conflict checkReaders(const Cell &cell, const View &view) const;
  void recordRead(Cell &cell, const View &view);
  void forgetReaders(Cell &cell);

  Kind kind;
  char *base;
  int64_t bytes, elementBytes;
  int shift;
  /// Where reads of an input are marked; null where nobody asks.
  uint8_t *readMarks = nullptr;
  int markShift = 0;
  /// As clocks number it.
  uint32_t memory;
  std::vector<Cell> cells;
  std::vector<Readers> readers;
  std::vector<uint32_t> freeReaders;
  /// By number of the cell: the last atomic write.
  std::unordered_map<size_t, Access> atomics;
};

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_RUNTIME_SHADOWMEMORY_H
