//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Target/TargetInfo.h"
#include "TargetsData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace egg {

double TargetInfo::flopsPerSecond(Arithmetic arithmetic) const {
  double peak = 0;
  switch (arithmetic) {
  case Arithmetic::F64:
    peak = f64FlopsPerSecond;
    break;
  case Arithmetic::F32:
    break;
  case Arithmetic::TF32:
    peak = tf32FlopsPerSecond;
    break;
  case Arithmetic::F16:
    peak = f16FlopsPerSecond;
    break;
  case Arithmetic::BF16:
    peak = bf16FlopsPerSecond;
    break;
  }
  return peak > 0 ? peak : f32FlopsPerSecond;
}

/// Maps a number that a target cannot be without.
template <typename T>
static bool mapPositive(json::ObjectMapper &map, StringLiteral field, T &out,
                        json::Path path) {
  if (!map.map(field, out))
    return false;
  if (out > 0)
    return true;
  path.field(field).report("must be positive");
  return false;
}

static bool fromJSON(const json::Value &value, TargetInfo &target,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  auto positive = [&](StringLiteral field, auto &out) {
    return mapPositive(map, field, out, path);
  };
  if (!map || !map.map("chip", target.chip) ||
      !map.map("product", target.product) ||
      !map.map("ptxFeatures", target.ptxFeatures) ||
      !positive("multiprocessors", target.multiprocessors) ||
      !positive("warpSize", target.warpSize) ||
      !positive("maxThreadsPerBlock", target.maxThreadsPerBlock) ||
      !positive("maxThreadsPerMultiprocessor",
                target.maxThreadsPerMultiprocessor) ||
      !positive("maxBlocksPerMultiprocessor",
                target.maxBlocksPerMultiprocessor) ||
      !positive("registersPerMultiprocessor",
                target.registersPerMultiprocessor) ||
      !positive("maxRegistersPerThread", target.maxRegistersPerThread) ||
      !positive("staticSharedMemoryPerBlock",
                target.staticSharedMemoryPerBlock) ||
      !positive("sharedMemoryPerBlock", target.sharedMemoryPerBlock) ||
      !positive("sharedMemoryPerMultiprocessor",
                target.sharedMemoryPerMultiprocessor) ||
      !positive("l2Bytes", target.l2Bytes) ||
      !positive("copyBytesPerSecond", target.copyBytesPerSecond) ||
      !positive("f64FlopsPerSecond", target.f64FlopsPerSecond) ||
      !positive("f32FlopsPerSecond", target.f32FlopsPerSecond) ||
      !map.map("tf32FlopsPerSecond", target.tf32FlopsPerSecond) ||
      !map.map("f16FlopsPerSecond", target.f16FlopsPerSecond) ||
      !map.map("bf16FlopsPerSecond", target.bf16FlopsPerSecond) ||
      !positive("launchSeconds", target.launchSeconds) ||
      !map.map("measured", target.measured))
    return false;
  // A typing error here would end the process inside LLVM.
  StringRef features = target.ptxFeatures;
  unsigned version;
  if (!features.consume_front("+ptx") || features.getAsInteger(10, version)) {
    path.field("ptxFeatures").report("expected '+ptx' and a version number");
    return false;
  }
  if (target.staticSharedMemoryPerBlock > target.sharedMemoryPerBlock ||
      target.sharedMemoryPerBlock > target.sharedMemoryPerMultiprocessor) {
    path.field("sharedMemoryPerBlock")
        .report("a block has more than a multiprocessor, or less than its "
                "static part");
    return false;
  }
  return true;
}

Expected<std::vector<TargetInfo>> parseTargets(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError("target table is not JSON: " +
                             toString(value.takeError()));
  json::Path::Root root("targets.json");
  json::ObjectMapper map(*value, root);
  std::vector<TargetInfo> targets;
  if (!map || !map.map("targets", targets))
    return root.getError();
  for (auto [i, target] : enumerate(targets))
    for (const TargetInfo &earlier : ArrayRef(targets).take_front(i))
      if (earlier.chip == target.chip)
        return createStringError("target table has chip '" + target.chip +
                                 "' twice");
  return targets;
}

ArrayRef<TargetInfo> allTargets() {
  // The embedded table is checked by its unit test.
  static const std::vector<TargetInfo> targets =
      cantFail(parseTargets(kTargetsData));
  return targets;
}

Expected<TargetInfo> lookupTarget(StringRef chip) {
  for (const TargetInfo &target : allTargets())
    if (target.chip == chip)
      return target;
  std::string known =
      join(map_range(allTargets(), [](const TargetInfo &t) { return t.chip; }),
           ", ");
  return createStringError("unknown chip '" + chip + "'; known are " + known);
}

} // namespace egg
