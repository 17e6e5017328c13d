//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Core/Plan.h"
#include "JSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace egg {

std::optional<int64_t> getDtypeBytes(StringRef dtype) {
  return StringSwitch<std::optional<int64_t>>(dtype)
      .Cases({"f64", "i64"}, 8)
      .Cases({"f32", "i32"}, 4)
      .Cases({"f16", "bf16", "i16"}, 2)
      .Cases({"i8", "i1"}, 1)
      .Default(std::nullopt);
}

int64_t TensorSpec::sizeInBytes() const {
  int64_t size = getDtypeBytes(dtype).value_or(0);
  for (int64_t extent : shape)
    size *= extent;
  return size;
}

json::Value toJSONValue(const TensorSpec &spec) {
  return json::Object{{"name", detail::textToJSON(spec.name)},
                      {"kind", detail::textToJSON(spec.kind)},
                      {"shape", json::Array(spec.shape)},
                      {"dtype", spec.dtype}};
}

namespace {

/// A fixed number of integers, as [x, y, z].
bool fromJSON(const json::Value &value, std::array<int64_t, 3> &out,
              json::Path path) {
  const json::Array *array = value.getAsArray();
  if (!array || array->size() != out.size()) {
    path.report("expected array of three integers");
    return false;
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (!json::fromJSON((*array)[i], out[i], path.index(i)))
      return false;
  return true;
}

bool reportFailure(json::Path path, StringLiteral message) {
  path.report(message);
  return false;
}

StringRef stringify(PlanBuffer::Kind kind) {
  switch (kind) {
  case PlanBuffer::Kind::Argument:
    return "argument";
  case PlanBuffer::Kind::Result:
    return "result";
  case PlanBuffer::Kind::Arena:
    return "arena";
  }
  llvm_unreachable("unknown buffer kind");
}

json::Value describe(const TensorSpec &spec) { return toJSONValue(spec); }

json::Value describe(const PlanBuffer &buffer) {
  json::Object object{{"kind", stringify(buffer.kind)},
                      {"bytes", buffer.bytes}};
  if (buffer.kind == PlanBuffer::Kind::Arena)
    object["offset"] = buffer.offset;
  else
    object["index"] = buffer.index;
  return object;
}

json::Value describe(const PlanStep &step) {
  if (step.kind == PlanStep::Kind::Copy)
    return json::Object{{"kind", "copy"},
                        {"arguments", json::Array(step.arguments)}};
  return json::Object{{"kind", "launch"},
                      {"kernel", step.kernel},
                      {"grid", json::Array(step.grid)},
                      {"block", json::Array(step.block)},
                      {"dynamicSharedMemory", step.dynamicSharedMemory},
                      {"arguments", json::Array(step.arguments)}};
}

} // namespace

std::string toJSON(const Plan &plan) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream out(os, /*IndentSize=*/2);
  // One element a line: a plan is read and compared by people.
  auto list = [&](StringRef name, const auto &elements) {
    out.attributeArray(name, [&] {
      for (const auto &element : elements)
        out.rawValue([&](raw_ostream &raw) { raw << describe(element); });
    });
  };
  out.object([&] {
    out.attribute("version", Plan::kVersion);
    out.attribute("chip", plan.chip);
    out.attribute("arenaBytes", plan.arenaBytes);
    list("arguments", plan.arguments);
    list("results", plan.results);
    list("buffers", plan.buffers);
    list("steps", plan.steps);
  });
  os << "\n";
  return text;
}

// Found by llvm::json through argument-dependent lookup, hence not in the
// anonymous namespace.
bool fromJSON(const json::Value &value, TensorSpec &spec, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("name", spec.name) || !map.map("kind", spec.kind) ||
      !map.map("shape", spec.shape) || !map.map("dtype", spec.dtype))
    return false;
  std::optional<int64_t> elementBytes = getDtypeBytes(spec.dtype);
  if (!elementBytes)
    return reportFailure(path.field("dtype"),
                         "expected f64, f32, f16, bf16, i64, i32, i16, i8 or "
                         "i1");
  // The sizes must not overflow: they are compared and allocated.
  int64_t size = *elementBytes;
  for (auto [i, extent] : enumerate(spec.shape))
    if (extent < 0 || MulOverflow(size, extent, size))
      return reportFailure(path.field("shape").index(i),
                           "extent is negative or too large");
  return true;
}

static bool fromJSON(const json::Value &value, PlanBuffer &buffer,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind;
  if (!map || !map.map("kind", kind) || !map.map("bytes", buffer.bytes))
    return false;
  if (buffer.bytes < 0)
    return reportFailure(path.field("bytes"), "size is negative");
  if (kind == "arena") {
    buffer.kind = PlanBuffer::Kind::Arena;
    return map.map("offset", buffer.offset);
  }
  if (kind != "argument" && kind != "result")
    return reportFailure(path.field("kind"),
                         "expected argument, result or arena");
  buffer.kind = kind == "argument" ? PlanBuffer::Kind::Argument
                                   : PlanBuffer::Kind::Result;
  return map.map("index", buffer.index);
}

static bool fromJSON(const json::Value &value, PlanStep &step,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind;
  if (!map || !map.map("kind", kind) || !map.map("arguments", step.arguments))
    return false;
  if (kind == "copy") {
    step.kind = PlanStep::Kind::Copy;
    return step.arguments.size() == 2 ||
           reportFailure(path.field("arguments"),
                         "a copy has two arguments: source and target");
  }
  if (kind != "launch")
    return reportFailure(path.field("kind"), "expected launch or copy");
  const json::Object &object = *value.getAsObject();
  auto extents = [&](StringLiteral name, std::array<int64_t, 3> &out) {
    const json::Value *field = object.get(name);
    if (!field)
      return reportFailure(path.field(name), "missing value");
    if (!fromJSON(*field, out, path.field(name)))
      return false;
    for (auto [i, extent] : enumerate(out))
      if (extent < 1)
        return reportFailure(path.field(name).index(i),
                             "launch extent must be positive");
    return true;
  };
  if (!map.map("kernel", step.kernel) || !extents("grid", step.grid) ||
      !extents("block", step.block) ||
      !map.map("dynamicSharedMemory", step.dynamicSharedMemory))
    return false;
  if (step.kernel.empty())
    return reportFailure(path.field("kernel"), "kernel has no name");
  return step.dynamicSharedMemory >= 0 ||
         reportFailure(path.field("dynamicSharedMemory"), "size is negative");
}

/// Checks that cross the lists: numbers in range, ranges inside the arena.
static bool checkPlan(const Plan &plan, json::Path path) {
  if (plan.arenaBytes < 0)
    return reportFailure(path.field("arenaBytes"), "size is negative");
  for (auto [i, buffer] : enumerate(plan.buffers)) {
    json::Path list = path.field("buffers");
    json::Path here = list.index(i);
    if (buffer.kind == PlanBuffer::Kind::Arena) {
      if (buffer.offset < 0 || buffer.offset % 256 != 0)
        return reportFailure(here.field("offset"),
                             "offset is not a multiple of 256");
      if (buffer.offset > plan.arenaBytes ||
          buffer.bytes > plan.arenaBytes - buffer.offset)
        return reportFailure(here, "range reaches beyond arenaBytes");
      continue;
    }
    const std::vector<TensorSpec> &specs =
        buffer.kind == PlanBuffer::Kind::Argument ? plan.arguments
                                                  : plan.results;
    if (buffer.index < 0 || buffer.index >= int64_t(specs.size()))
      return reportFailure(here.field("index"),
                           "there is no such argument or result");
    if (buffer.bytes > specs[buffer.index].sizeInBytes())
      return reportFailure(here.field("bytes"),
                           "buffer is larger than its argument or result");
  }
  for (auto [i, step] : enumerate(plan.steps)) {
    json::Path list = path.field("steps");
    json::Path element = list.index(i);
    json::Path arguments = element.field("arguments");
    for (auto [k, number] : enumerate(step.arguments))
      if (number < 0 || number >= int64_t(plan.buffers.size()))
        return reportFailure(arguments.index(k), "there is no such buffer");
    if (step.kind == PlanStep::Kind::Copy &&
        plan.buffers[step.arguments[0]].bytes !=
            plan.buffers[step.arguments[1]].bytes)
      return reportFailure(arguments,
                           "source and target of a copy differ in size");
  }
  return true;
}

static bool fromJSON(const json::Value &value, Plan &plan, json::Path path) {
  json::ObjectMapper map(value, path);
  int64_t version = 0;
  if (!map || !map.map("version", version))
    return false;
  if (version != Plan::kVersion)
    return reportFailure(path.field("version"),
                         "unknown version (this EGG reads version 1); compile "
                         "the module again");
  return map.map("chip", plan.chip) && map.map("arenaBytes", plan.arenaBytes) &&
         map.map("arguments", plan.arguments) &&
         map.map("results", plan.results) && map.map("buffers", plan.buffers) &&
         map.map("steps", plan.steps) && checkPlan(plan, path);
}

Expected<Plan> parsePlan(StringRef text) {
  return detail::parseDocument<Plan>(text, "plan");
}

} // namespace egg
