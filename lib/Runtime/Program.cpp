//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads and checks plan.json.
//
//===----------------------------------------------------------------------===//
#include "egg/Runtime/Program.h"
#include "egg/Target/LaunchLimits.h"
#include "nlohmann/json.hpp"
#include <algorithm>
#include <limits>

namespace egg::runtime {
namespace {

using Json = nlohmann::json;

constexpr int64_t kVersion = 1;
constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();

/// A place in the document. The first complaint of a read is kept; later ones
/// are often only its consequences.
class Reader {
public:
  explicit Reader(std::string &complaint) : complaint(complaint) {}

  bool failed() const { return !complaint.empty(); }
  void fail(const std::string &path, const std::string &what) {
    if (complaint.empty())
      complaint = path + ": " + what;
  }

  /// The member, or null (with a complaint) where it is missing.
  const Json *member(const Json &object, const std::string &path,
                     const char *key) {
    if (!object.is_object()) {
      fail(path, "expected an object");
      return nullptr;
    }
    auto it = object.find(key);
    if (it == object.end()) {
      fail(join(path, key), "is missing");
      return nullptr;
    }
    return &*it;
  }

  int64_t integer(const Json *value, const std::string &path, int64_t low,
                  int64_t high = kMaxInt) {
    if (!value)
      return low;
    if (!value->is_number_integer() ||
        (value->is_number_unsigned() && value->get<uint64_t>() > kMaxInt)) {
      fail(path, "expected an integer");
      return low;
    }
    int64_t number = value->get<int64_t>();
    if (number < low || number > high) {
      fail(path, "is " + std::to_string(number) + ", outside [" +
                     std::to_string(low) + ", " + std::to_string(high) + "]");
      return low;
    }
    return number;
  }
  int64_t integer(const Json &object, const std::string &path, const char *key,
                  int64_t low, int64_t high = kMaxInt) {
    return integer(member(object, path, key), join(path, key), low, high);
  }

  std::string string(const Json &object, const std::string &path,
                     const char *key) {
    const Json *value = member(object, path, key);
    if (!value)
      return {};
    if (!value->is_string()) {
      fail(join(path, key), "expected a string");
      return {};
    }
    return value->get<std::string>();
  }

  /// Calls read(element, its path) on each element of the array.
  template <typename Read>
  void array(const Json &object, const std::string &path, const char *key,
             Read read) {
    const Json *value = member(object, path, key);
    if (!value)
      return;
    std::string arrayPath = join(path, key);
    if (!value->is_array())
      return fail(arrayPath, "expected an array");
    for (size_t i = 0; i < value->size() && !failed(); ++i)
      read((*value)[i], arrayPath + "[" + std::to_string(i) + "]");
  }

  static std::string join(const std::string &path, const char *key) {
    return path.empty() ? key : path + "." + key;
  }

private:
  std::string &complaint;
};

/// Bytes of an element, or 0 for an unknown type.
int64_t elementBytes(const std::string &dtype) {
  if (dtype == "f64" || dtype == "i64")
    return 8;
  if (dtype == "f32" || dtype == "i32")
    return 4;
  if (dtype == "f16" || dtype == "bf16" || dtype == "i16")
    return 2;
  if (dtype == "i8" || dtype == "i1")
    return 1;
  return 0;
}

Tensor readTensor(Reader &reader, const Json &json, const std::string &path,
                  std::initializer_list<const char *> kinds) {
  Tensor tensor;
  tensor.name = reader.string(json, path, "name");
  tensor.kind = reader.string(json, path, "kind");
  tensor.dtype = reader.string(json, path, "dtype");
  reader.array(json, path, "shape", [&](const Json &e, const std::string &p) {
    tensor.shape.push_back(reader.integer(&e, p, 0));
  });
  if (std::find(kinds.begin(), kinds.end(), tensor.kind) == kinds.end())
    reader.fail(path + ".kind", "unknown kind '" + tensor.kind + "'");
  tensor.bytes = elementBytes(tensor.dtype);
  if (tensor.bytes == 0)
    reader.fail(path + ".dtype", "unknown type '" + tensor.dtype + "'");
  for (int64_t extent : tensor.shape)
    if (__builtin_mul_overflow(tensor.bytes, extent, &tensor.bytes))
      reader.fail(path + ".shape", "has more bytes than an address can count");
  return tensor;
}

Buffer readBuffer(Reader &reader, const Json &json, const std::string &path,
                  const Program &program) {
  Buffer buffer;
  std::string kind = reader.string(json, path, "kind");
  buffer.bytes = reader.integer(json, path, "bytes", 0);
  if (kind == "arena") {
    buffer.offset = reader.integer(json, path, "offset", 0);
    if (buffer.offset % kArenaAlignment)
      reader.fail(path + ".offset", "is not a multiple of 256");
    if (buffer.offset > program.arenaBytes ||
        buffer.bytes > program.arenaBytes - buffer.offset)
      reader.fail(path, "reaches past the arena's " +
                            std::to_string(program.arenaBytes) + " bytes");
    return buffer;
  }
  if (kind != "argument" && kind != "result") {
    reader.fail(path + ".kind", "unknown kind '" + kind + "'");
    return buffer;
  }
  bool isArgument = kind == "argument";
  buffer.kind = isArgument ? Buffer::Kind::Argument : Buffer::Kind::Result;
  const auto &tensors = isArgument ? program.arguments : program.results;
  if (tensors.empty()) {
    reader.fail(path + ".kind", "the plan has no " + kind + "s");
    return buffer;
  }
  buffer.index = reader.integer(json, path, "index", 0, tensors.size() - 1);
  int64_t size = tensors[buffer.index].bytes;
  if (buffer.bytes > size)
    reader.fail(path + ".bytes", "is " + std::to_string(buffer.bytes) +
                                     ", but the tensor has only " +
                                     std::to_string(size));
  return buffer;
}

std::array<int64_t, 3> readExtents(Reader &reader, const Json &json,
                                   const std::string &path, const char *key,
                                   std::array<int64_t, 3> most) {
  std::array<int64_t, 3> extents = {1, 1, 1};
  size_t count = 0;
  reader.array(json, path, key, [&](const Json &e, const std::string &p) {
    if (count < 3)
      extents[count] = reader.integer(&e, p, 1, most[count]);
    ++count;
  });
  if (count != 3)
    reader.fail(Reader::join(path, key), "expected three extents");
  return extents;
}

Step readStep(Reader &reader, const Json &json, const std::string &path,
              const Program &program) {
  Step step;
  std::string kind = reader.string(json, path, "kind");
  reader.array(
      json, path, "arguments", [&](const Json &e, const std::string &p) {
        step.arguments.push_back(
            reader.integer(&e, p, 0, int64_t(program.buffers.size()) - 1));
      });
  if (reader.failed())
    return step;
  if (kind == "copy") {
    step.kind = Step::Kind::Copy;
    if (step.arguments.size() != 2)
      reader.fail(path + ".arguments", "a copy has a source and a destination");
    else if (program.buffers[step.arguments[0]].bytes !=
             program.buffers[step.arguments[1]].bytes)
      reader.fail(path, "copies between buffers of different sizes");
    return step;
  }
  if (kind != "launch") {
    reader.fail(path + ".kind", "unknown kind '" + kind + "'");
    return step;
  }
  step.kernel = reader.string(json, path, "kernel");
  step.grid = readExtents(reader, json, path, "grid", kMaxGrid);
  step.block = readExtents(reader, json, path, "block", kMaxBlock);
  if (step.block[0] * step.block[1] * step.block[2] > kMaxThreads)
    reader.fail(path + ".block",
                "has more than " + std::to_string(kMaxThreads) + " threads");
  step.dynamicSharedMemory = reader.integer(json, path, "dynamicSharedMemory",
                                            0, std::numeric_limits<int>::max());
  return step;
}

} // namespace

Result<Program> readProgram(std::string_view text) {
  auto bad = [](const std::string &what) {
    return Status{EGG_BAD_ARTIFACT,
                  "plan.json: " + what + "; compile the module again"};
  };
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return bad("is not JSON");

  std::string complaint;
  Reader reader(complaint);
  int64_t version = reader.integer(json, "", "version", 0);
  if (!reader.failed() && version != kVersion)
    reader.fail("version", "is " + std::to_string(version) +
                               ", this runtime reads " +
                               std::to_string(kVersion));
  Program program;
  program.chip = reader.string(json, "", "chip");
  program.arenaBytes = reader.integer(json, "", "arenaBytes", 0);
  if (!reader.failed())
    reader.array(
        json, "", "arguments", [&](const Json &e, const std::string &p) {
          program.arguments.push_back(
              readTensor(reader, e, p, {"parameter", "buffer", "input"}));
        });
  if (!reader.failed())
    reader.array(json, "", "results", [&](const Json &e, const std::string &p) {
      program.results.push_back(
          readTensor(reader, e, p, {"output", "buffer_update"}));
    });
  if (!reader.failed())
    reader.array(json, "", "buffers", [&](const Json &e, const std::string &p) {
      program.buffers.push_back(readBuffer(reader, e, p, program));
    });
  if (!reader.failed())
    reader.array(json, "", "steps", [&](const Json &e, const std::string &p) {
      program.steps.push_back(readStep(reader, e, p, program));
    });
  if (reader.failed())
    return bad(complaint);
  return program;
}

} // namespace egg::runtime
