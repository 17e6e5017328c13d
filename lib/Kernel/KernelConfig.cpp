//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelConfig.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace egg {

StringRef stringifyStructure(Structure structure) {
  switch (structure) {
  case Structure::Map:
    return "map";
  case Structure::Rows:
    return "rows";
  case Structure::Contraction:
    return "contraction";
  case Structure::Scan:
    return "scan";
  }
  llvm_unreachable("unknown structure");
}

std::optional<Structure> symbolizeStructure(StringRef name) {
  return llvm::StringSwitch<std::optional<Structure>>(name)
      .Case("map", Structure::Map)
      .Case("rows", Structure::Rows)
      .Case("contraction", Structure::Contraction)
      .Case("scan", Structure::Scan)
      .Default(std::nullopt);
}

/// Calls fn(name, field) for every integer field, so that reading and writing
/// cannot disagree.
template <typename Config, typename Fn>
static void forEachField(Config &config, Fn &&fn) {
  fn("threads", config.threads);
  fn("threads_per_row", config.threadsPerRow);
  fn("rows_per_block", config.rowsPerBlock);
  fn("tile_m", config.tileM);
  fn("tile_n", config.tileN);
  fn("vector_width", config.vectorWidth);
  fn("tile_k", config.tileK);
  fn("thread_m", config.threadM);
  fn("thread_n", config.threadN);
  fn("items_per_thread", config.itemsPerThread);
  fn("stages", config.stages);
  fn("shared_padding", config.sharedPadding);
}

FailureOr<KernelConfig> getKernelConfig(func::FuncOp kernel) {
  auto dict = kernel->getAttrOfType<DictionaryAttr>(kConfigAttrName);
  if (!dict)
    return failure();
  auto name = dict.getAs<StringAttr>("structure");
  if (!name)
    return failure();
  std::optional<Structure> structure = symbolizeStructure(name.getValue());
  if (!structure)
    return failure();
  KernelConfig config;
  config.structure = *structure;
  size_t known = 1;
  forEachField(config, [&](StringRef key, int64_t &field) {
    if (auto attr = dict.getAs<IntegerAttr>(key)) {
      field = attr.getInt();
      ++known;
    }
  });
  if (known != dict.size())
    return failure();
  return config;
}

void setKernelConfig(func::FuncOp kernel, const KernelConfig &config) {
  Builder b(kernel.getContext());
  const KernelConfig defaults;
  SmallVector<NamedAttribute> entries;
  entries.push_back(b.getNamedAttr(
      "structure", b.getStringAttr(stringifyStructure(config.structure))));
  SmallVector<int64_t> defaultValues;
  forEachField(defaults, [&](StringRef, const int64_t &field) {
    defaultValues.push_back(field);
  });
  size_t i = 0;
  forEachField(config, [&](StringRef key, const int64_t &field) {
    if (field != defaultValues[i++])
      entries.push_back(b.getNamedAttr(key, b.getI64IntegerAttr(field)));
  });
  kernel->setAttr(kConfigAttrName, b.getDictionaryAttr(entries));
}

} // namespace egg
