//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ShadowMemory.h"
#include <algorithm>

using namespace egg::simt;

ShadowRegion::ShadowRegion(Kind kind, char *base, int64_t bytes,
                           int64_t elementBytes)
    : kind(kind), base(base), bytes(bytes), elementBytes(elementBytes) {
  // Inputs are only read: there is nothing to remember about them.
  if (kind != Kind::Input)
    cells.resize((bytes + elementBytes - 1) / elementBytes);
}

void ShadowRegion::reset() { std::fill(cells.begin(), cells.end(), Cell()); }

int64_t ShadowRegion::firstUnwritten() const {
  for (size_t i = 0; i < cells.size(); ++i)
    if (!cells[i].written)
      return i;
  return -1;
}

Conflict ShadowRegion::access(const char *address, int64_t size, bool write,
                              const Access &by) {
  if (address < base || address + size > base + bytes)
    return {
        Conflict::Kind::Outside, {}, false, (address - base) / elementBytes};
  int64_t first = (address - base) / elementBytes;
  if (kind == Kind::Input) {
    if (write)
      return {Conflict::Kind::WriteToInput, {}, false, first};
    return {};
  }
  int64_t last = (address - base + size - 1) / elementBytes;
  for (int64_t i = first; i <= last; ++i) {
    Conflict conflict = accessCell(cells[i], write, by);
    if (conflict.kind != Conflict::Kind::None) {
      conflict.element = i;
      return conflict;
    }
  }
  return {};
}

Conflict ShadowRegion::accessCell(Cell &cell, bool write, const Access &by) {
  // Shared memory is new in each block: whatever another block left counts as
  // not there.
  if (kind == Kind::Shared) {
    if (cell.writer.block != by.block) {
      cell.writer = Access();
      cell.written = false;
    }
    if (cell.reader.block != by.block)
      cell.reader = Access();
  }
  auto unordered = [&](const Access &other) {
    if (other.block == 0)
      return false;
    if (other.block != by.block)
      return true;
    return other.epoch == by.epoch && other.thread != by.thread;
  };
  if (unordered(cell.writer))
    return {Conflict::Kind::Race, cell.writer, true, 0};
  if (write) {
    if (unordered(cell.reader))
      return {Conflict::Kind::Race, cell.reader, false, 0};
    cell.writer = by;
    cell.written = true;
    return {};
  }
  if (!cell.written)
    return {Conflict::Kind::Uninitialized, {}, false, 0};
  if (cell.reader.block != 0 && cell.reader.block != by.block)
    cell.reader.block = kMany;
  else if (cell.reader.block == by.block && cell.reader.epoch == by.epoch &&
           cell.reader.thread != by.thread)
    cell.reader.thread = kMany;
  else
    cell.reader = by;
  return {};
}
