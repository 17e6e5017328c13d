//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stores to global memory: whether two threads may write one element.
//
//===----------------------------------------------------------------------===//
#include "../Values/Points.h"
#include "Rules.h"
#include "SamePlace.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <unordered_map>

using namespace mlir;
using namespace egg;
using namespace egg::legality;

/// Iterations of loops around a store in a search for a witness, and stores.
static constexpr int64_t kIterations = 3, kMostStores = 60000;

namespace {

struct Store {
  Access access;
  /// In the flattened buffer.
  Place place;
};

class ConflictCheck {
public:
  ConflictCheck(KernelFacts &facts, Record &record)
      : facts(facts), record(record) {}
  void check(llvm::ArrayRef<Store> stores);

private:
  bool findConflict(llvm::ArrayRef<Store> stores);

  KernelFacts &facts;
  Record &record;
};

} // namespace

/// Looks for two threads at one element, and says what it found.
bool ConflictCheck::findConflict(llvm::ArrayRef<Store> stores) {
  struct Writer {
    Point point;
    const Store *store;
  };
  const Launch &launch = facts.launch;
  Evaluator evaluator(launch);
  std::unordered_map<int64_t, Writer> writers;
  int64_t count = 0;
  for (auto block : sampleBlocks(launch, 4))
    for (int64_t t = 0; t < launch.threads(); ++t)
      for (const Store &store : stores) {
        Point point;
        point.block = block;
        point.thread = unflatten(t, launch.block);
        evaluator.moveTo(point);
        std::optional<std::pair<int64_t, Writer>> clash;
        evaluator.visit(
            store.access.op,
            [&]() {
              auto type = cast<MemRefType>(store.access.buffer.getType());
              int64_t place = 0;
              for (auto [dim, index] : llvm::enumerate(store.access.indices)) {
                auto number = evaluator.evaluate(index);
                if (!number)
                  return false;
                place = place * type.getDimSize(dim) + number->value;
              }
              for (int64_t lane = 0; lane < store.access.width; ++lane) {
                Writer self = {evaluator.point(), &store};
                auto [it, isNew] = writers.try_emplace(place + lane, self);
                if (isNew || it->second.point.sameThread(self.point))
                  continue;
                clash = {place + lane, it->second};
                return false;
              }
              return ++count < kMostStores;
            },
            kIterations);
        if (count >= kMostStores)
          return false;
        if (!clash)
          continue;
        // Equal values do no harm; what went through other threads may be.
        Point here = point;
        const Writer &first = clash->second;
        Sources sources = sourcesOf(store.access.stored, facts),
                before = sourcesOf(first.store->access.stored, facts);
        bool mayBeEqual =
            sources.exchange || before.exchange ||
            !(sources.thread || sources.block || before.thread || before.block);
        evaluator.moveTo(first.point);
        auto a = evaluator.keyOf(first.store->access.stored, facts);
        evaluator.moveTo(here);
        auto b = evaluator.keyOf(store.access.stored, facts);
        if (mayBeEqual || (a && b && *a == *b))
          continue;
        auto argument = dyn_cast<BlockArgument>(store.access.buffer);
        record.violated(
            Property::Conflicts, store.access.op,
            "threads write different values to one element: a reduction that "
            "is spread over threads without a combine, or a missing guard",
            llvm::formatv("{0} and {1} both write element {2}{3}",
                          describe(first.point, launch), describe(here, launch),
                          clash->first,
                          argument ? " of argument " +
                                         std::to_string(argument.getArgNumber())
                                   : std::string()),
            "combine the partial results first, or let one thread store");
        return true;
      }
  return false;
}

void ConflictCheck::check(llvm::ArrayRef<Store> stores) {
  llvm::SmallVector<bool> apart(stores.size(), true);
  for (size_t i = 0; i < stores.size(); ++i)
    for (size_t j = i; j < stores.size(); ++j)
      if (!SamePlace(facts, stores[i].place, stores[j].place).isImpossible())
        apart[i] = apart[j] = false;
  bool all = llvm::all_of(apart, [](bool is) { return is; });
  bool found = !all && findConflict(stores);
  for (auto [store, is] : llvm::zip_equal(stores, apart)) {
    if (is)
      record.proved(Property::Conflicts);
    else if (!found)
      record.undecided(Property::Conflicts, store.access.op,
                       "nothing shows that each element has one writer");
  }
}

void egg::legality::checkConflicts(KernelFacts &facts, Record &record) {
  std::vector<std::pair<Value, std::vector<Store>>> buffers;
  facts.kernel.walk([&](Operation *op) {
    auto access = getAccess(op);
    if (!access || isWorkgroupMemory(access->buffer) ||
        !cast<MemRefType>(access->buffer.getType()).hasStaticShape())
      return;
    if (!access->isWrite) {
      if (facts.isWritten(access->buffer))
        record.undecided(Property::Conflicts, op,
                         "it reads memory that the kernel writes");
      return;
    }
    // Private memory has no other writers.
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
        cast<MemRefType>(access->buffer.getType()).getMemorySpace());
    if ((space && space.getValue() == gpu::AddressSpace::Private) ||
        access->buffer.getDefiningOp<memref::AllocaOp>())
      return;
    std::optional<LinearForm> place = LinearForm();
    for (auto [dim, index] : llvm::enumerate(access->indices)) {
      int64_t extent =
          cast<MemRefType>(access->buffer.getType()).getDimSize(dim);
      place = place ? place->times(extent) : place;
      place = place ? place->plus(facts.formOf(index)) : place;
    }
    if (!place)
      return record.undecided(Property::Conflicts, op,
                              "its index is too large");
    auto it = llvm::find_if(
        buffers, [&](auto &entry) { return entry.first == access->buffer; });
    if (it == buffers.end()) {
      buffers.push_back({access->buffer, {}});
      it = std::prev(buffers.end());
    }
    it->second.push_back({*access, {*place, access->width, op->getBlock()}});
  });
  for (auto &[buffer, stores] : buffers)
    ConflictCheck(facts, record).check(stores);
}
