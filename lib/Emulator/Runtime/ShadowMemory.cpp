//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ShadowMemory.h"
#include <bit>

using namespace egg::simt;

ShadowRegion::ShadowRegion(Kind kind, char *base, int64_t bytes,
                           int64_t elementBytes, uint32_t rank)
    : kind(kind), base(base), bytes(bytes), elementBytes(elementBytes),
      shift(std::countr_zero(uint64_t(elementBytes))),
      memory(kind == Kind::Shared ? Clocks::sharedOf(rank) : Clocks::kGlobal) {
  // Inputs are only read: whoever wants to know by whom at all, asks for marks.
  if (kind != Kind::Input)
    cells.resize((bytes + elementBytes - 1) / elementBytes);
}

int64_t ShadowRegion::firstUnwritten() const {
  for (size_t i = 0; i < cells.size(); ++i)
    if (!cells[i].written)
      return i;
  return -1;
}

void ShadowRegion::setBarrier(const char *address, bool live) {
  for (int64_t i = (address - base) >> shift, e = (address - base + 7) >> shift;
       i <= e && i < int64_t(cells.size()); ++i)
    cells[i].barrier = live;
}

Conflict ShadowRegion::access(const char *address, int64_t size, bool write,
                              const View &view) {
  if (address < base || address + size > base + bytes)
    return {
        Conflict::Kind::Outside, {}, false, (address - base) / elementBytes};
  int64_t first = (address - base) >> shift;
  if (kind == Kind::Input) {
    if (write)
      return {Conflict::Kind::WriteToInput, {}, false, first};
    markRead(address, size);
    return {};
  }
  int64_t last = (address - base + size - 1) >> shift;
  for (int64_t i = first; i <= last; ++i) {
    Conflict conflict = accessCell(cells[i], write, view);
    if (conflict.kind != Conflict::Kind::None) {
      conflict.element = i;
      return conflict;
    }
  }
  return {};
}

static bool isOrdered(const Access &other, const View &view,
                      bool isRead = false) {
  if (other.owner == 0)
    return true;
  if (other.owner != view.by.owner)
    return false;
  if (!view.clocks)
    return other.time < view.by.time || other.agent == view.by.agent;
  if (other.agent == view.issuer)
    return true;
  return isRead ? view.clocks->hasRead(other.agent, other.time)
                : view.clocks->seenOf(other.agent) >= other.time;
}

Conflict ShadowRegion::checkReaders(const Cell &cell, const View &view) const {
  Conflict race{Conflict::Kind::Race, cell.reader, false, 0};
  if (!cell.listedReaders) {
    if (isOrdered(cell.reader, view, /*isRead=*/true))
      return {};
    return race;
  }
  const Readers &times = readers[cell.reader.agent];
  for (uint32_t agent = 0; agent < times.size(); ++agent)
    if (times[agent] &&
        !isOrdered({cell.reader.owner, agent, times[agent]}, view,
                   /*isRead=*/true)) {
      race.other = {cell.reader.owner, agent, times[agent]};
      return race;
    }
  return {};
}

void ShadowRegion::forgetReaders(Cell &cell) {
  if (cell.listedReaders)
    freeReaders.push_back(cell.reader.agent);
  cell.listedReaders = false;
  cell.reader = Access();
}

void ShadowRegion::recordRead(Cell &cell, const View &view) {
  const Access &by = view.by;
  if (cell.reader.owner != 0 && cell.reader.owner != by.owner) {
    forgetReaders(cell);
    cell.reader = {Access::kMany, 0, 0};
    return;
  }
  if (!view.clocks) {
    if (cell.reader.owner == by.owner && cell.reader.time == by.time &&
        cell.reader.agent != by.agent)
      cell.reader.agent = Access::kMany;
    else
      cell.reader = by;
    return;
  }
  if (cell.listedReaders) {
    Readers &times = readers[cell.reader.agent];
    if (times.size() <= by.agent)
      times.resize(by.agent + 1);
    times[by.agent] = by.time;
    return;
  }
  if (cell.reader.owner == 0 || cell.reader.agent == by.agent ||
      isOrdered(cell.reader, view)) {
    cell.reader = by;
    return;
  }
  uint32_t number;
  if (freeReaders.empty()) {
    number = readers.size();
    readers.emplace_back();
  } else {
    number = freeReaders.back();
    freeReaders.pop_back();
    std::fill(readers[number].begin(), readers[number].end(), 0);
  }
  Readers &times = readers[number];
  times.resize(std::max<size_t>(
      times.size(), std::max(by.agent, cell.reader.agent) + size_t(1)));
  times[cell.reader.agent] = cell.reader.time;
  times[by.agent] = by.time;
  cell.listedReaders = true;
  cell.reader = {by.owner, number, 0};
}

Conflict ShadowRegion::accessCell(Cell &cell, bool write, const View &view) {
  const Access &by = view.by;
  // Shared memory is new in each block: whatever another left counts as not
  // there.
  if (kind == Kind::Shared) {
    if (cell.owner != by.owner) {
      cell.owner = by.owner;
      cell.writer = Access();
      cell.written = cell.updated = cell.writtenByAsyncProxy = false;
      cell.barrier = false;
      forgetReaders(cell);
    }
  }
  if (cell.barrier)
    return {Conflict::Kind::OnBarrier, {}, false, 0};
  if (!isOrdered(cell.writer, view))
    return {Conflict::Kind::Race, cell.writer, true, 0};
  // Atomic accesses need no order among each other.
  if (cell.updated && !view.atomic)
    if (const Access &update = atomics.at(&cell - cells.data());
        !isOrdered(update, view))
      return {Conflict::Kind::Race, update, true, 0};
  if (view.asyncProxy && cell.written && !cell.writtenByAsyncProxy &&
      view.clocks->fencedOf(memory, cell.writer.agent) < cell.writer.time)
    return {Conflict::Kind::MissingFence, cell.writer, true, 0};
  bool reads = !write || view.update;
  if (reads && !cell.written)
    return {Conflict::Kind::Uninitialized, {}, false, 0};
  if (!write) {
    if (!view.atomic)
      recordRead(cell, view);
    return {};
  }
  if (Conflict conflict = checkReaders(cell, view);
      conflict.kind != Conflict::Kind::None)
    return conflict;
  forgetReaders(cell);
  cell.written = true;
  if (view.atomic) {
    auto [update, isFirst] = atomics.try_emplace(&cell - cells.data(), by);
    // Whoever comes next is unordered with one of the two.
    bool several = !isFirst && cell.updated && update->second.owner != by.owner;
    update->second = by;
    if (several)
      update->second.owner = Access::kMany;
    cell.updated = true;
    return {};
  }
  cell.writer = by;
  cell.updated = false;
  cell.writtenByAsyncProxy = view.asyncProxy;
  return {};
}
