//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The launch that a module describes in its attribute egg.emulate.
//
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Emulation.h"
#include "egg/Support/Random.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kEmulateAttrName = "egg.emulate";
/// Elements of one buffer: enough for any test, too few to exhaust memory.
static constexpr int64_t kMaxElements = int64_t(1) << 26;

namespace {

class LaunchReader {
public:
  explicit LaunchReader(DictionaryAttr description)
      : description(description) {}

  llvm::Error read(KernelLaunch &launch);

private:
  template <typename... Ts>
  llvm::Error error(const char *text, Ts &&...values) {
    return llvm::createStringError(
        kEmulateAttrName + ": " +
        llvm::formatv(text, std::forward<Ts>(values)...).str());
  }
  /// Refuses a name that means nothing: what it asks for would not be done.
  llvm::Error checkNames(DictionaryAttr dictionary, StringRef what,
                         ArrayRef<StringRef> names) {
    for (NamedAttribute entry : dictionary)
      if (!llvm::is_contained(names, entry.getName().getValue()))
        return error("{0} has no '{1}': it may have {2}", what,
                     entry.getName().getValue(), llvm::join(names, ", "));
    return llvm::Error::success();
  }
  llvm::Error readExtents(StringRef name, std::array<int64_t, 3> &extents);
  llvm::Error readBuffer(DictionaryAttr buffer, KernelLaunch &launch);
  llvm::Error readArgument(Attribute argument, KernelLaunch &launch);
  llvm::Error readMap(DictionaryAttr map, LaunchArgument &argument,
                      KernelLaunch &launch);

  DictionaryAttr description;
};

} // namespace

static std::vector<int64_t> integers(DictionaryAttr from, StringRef name) {
  if (auto list = from.getAs<DenseI64ArrayAttr>(name))
    return list.asArrayRef().vec();
  return {};
}

static int64_t integer(DictionaryAttr from, StringRef name, int64_t fallback) {
  auto value = from.getAs<IntegerAttr>(name);
  return value ? value.getInt() : fallback;
}

llvm::Error LaunchReader::readExtents(StringRef name,
                                      std::array<int64_t, 3> &extents) {
  std::vector<int64_t> given = integers(description, name);
  if (given.size() != 3 || llvm::any_of(given, [](int64_t extent) {
        return extent < 1 || extent > (int64_t(1) << 31) - 1;
      }))
    return error("'{0}' must be array<i64: x, y, z> of positive extents", name);
  llvm::copy(given, extents.begin());
  return llvm::Error::success();
}

static bool fill(HostTensor &tensor, StringRef how, uint64_t seed) {
  int64_t count = tensor.getNumElements();
  for (int64_t i = 0; i < count; ++i) {
    double value;
    if (how == "zeros") {
      value = 0;
    } else if (how == "ones") {
      value = 1;
    } else if (how == "iota") {
      value = double(i);
    } else if (how == "random" || how == "uniform") {
      uint64_t z = mixBits((seed << 32) + i * kGoldenGamma);
      value =
          how == "random" ? double(z % 9) - 4 : double(z >> 11) * 0x1p-52 - 1;
    } else {
      return false;
    }
    if (tensor.isFloat())
      tensor.setFloat(i, value);
    else
      tensor.setInteger(i, int64_t(value));
  }
  return true;
}

llvm::Error LaunchReader::readBuffer(DictionaryAttr buffer,
                                     KernelLaunch &launch) {
  size_t number = launch.buffers.size();
  if (llvm::Error error =
          checkNames(buffer, llvm::formatv("buffer {0}", number).str(),
                     {"dtype", "shape", "role", "fill", "values"}))
    return error;
  auto dtype = buffer.getAs<StringAttr>("dtype");
  if (!dtype || !getDtypeBytes(dtype.getValue()))
    return error("buffer {0} needs a dtype such as \"f32\"", number);
  std::vector<int64_t> shape = integers(buffer, "shape");
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || extent > kMaxElements)
      return error("buffer {0} has an extent out of range", number);
    count *= extent;
    if (count > kMaxElements)
      return error("buffer {0} is too large", number);
  }
  KernelLaunch::Buffer result;
  result.tensor = HostTensor::zeros(shape, dtype.getValue());
  auto role = buffer.getAs<StringAttr>("role");
  result.output = role && role.getValue() == "output";
  if (role && !result.output && role.getValue() != "input")
    return error("buffer {0} has an unknown role: use input or output", number);
  auto how = buffer.getAs<StringAttr>("fill");
  result.filled = result.output && how;
  if (!fill(result.tensor, how ? how.getValue() : "random", number))
    return error(
        "buffer {0} has an unknown fill: use random, uniform, iota, ones "
        "or zeros",
        number);
  if (auto values = buffer.getAs<StringAttr>("values")) {
    using Values = KernelLaunch::Buffer::Values;
    auto kind = llvm::StringSwitch<std::optional<Values>>(values.getValue())
                    .Case("tf32", Values::TF32)
                    .Case("split", Values::Split)
                    .Default(std::nullopt);
    if (!kind || result.output || !result.tensor.isFloat())
      return error("buffer {0} cannot have these 'values': an input of floats "
                   "may have tf32 or split",
                   number);
    result.values = *kind;
  }
  launch.buffers.push_back(std::move(result));
  return llvm::Error::success();
}

llvm::Error LaunchReader::readMap(DictionaryAttr map, LaunchArgument &argument,
                                  KernelLaunch &launch) {
  argument.kind = LaunchArgument::Kind::Map;
  TensorMap &result = argument.map;
  auto dtype = map.getAs<StringAttr>("dtype");
  result.dtype =
      dtype ? dtype.str() : launch.buffers[argument.buffer].tensor.dtype;
  result.dims = integers(map, "dims");
  result.strides = integers(map, "strides");
  result.box = integers(map, "box");
  result.lowerCorner = integers(map, "lower_corner");
  result.upperCorner = integers(map, "upper_corner");
  result.channels = integer(map, "channels", 0);
  result.pixels = integer(map, "pixels", 0);
  switch (integer(map, "swizzle", 0)) {
  case 0:
    result.swizzle = TensorMap::Swizzle::None;
    break;
  case 32:
    result.swizzle = TensorMap::Swizzle::B32;
    break;
  case 64:
    result.swizzle = TensorMap::Swizzle::B64;
    break;
  case 128:
    result.swizzle = TensorMap::Swizzle::B128;
    break;
  default:
    return error("argument {0} has an unknown swizzle: use 0, 32, 64 or 128",
                 launch.arguments.size());
  }
  return llvm::Error::success();
}

llvm::Error LaunchReader::readArgument(Attribute attribute,
                                       KernelLaunch &launch) {
  size_t number = launch.arguments.size();
  LaunchArgument argument;
  if (auto named = dyn_cast<DictionaryAttr>(attribute)) {
    bool isMap = named.contains("map_of");
    std::string what = llvm::formatv("argument {0}", number);
    if (llvm::Error error =
            isMap ? checkNames(named, what,
                               {"map_of", "dtype", "dims", "strides", "box",
                                "lower_corner", "upper_corner", "channels",
                                "pixels", "swizzle"})
                  : checkNames(named, what, {"buffer"}))
      return error;
    int64_t buffer = integer(named, isMap ? "map_of" : "buffer", -1);
    if (buffer < 0 || buffer >= int64_t(launch.buffers.size()))
      return error("argument {0} names no buffer", number);
    argument.buffer = buffer;
    if (isMap)
      if (llvm::Error error = readMap(named, argument, launch))
        return error;
  } else {
    argument.kind = LaunchArgument::Kind::Scalar;
    llvm::APInt bits;
    if (auto number = dyn_cast<IntegerAttr>(attribute))
      bits = number.getValue();
    else if (auto number = dyn_cast<FloatAttr>(attribute))
      bits = number.getValue().bitcastToAPInt();
    if (bits.getBitWidth() % 8 != 0 || bits.getBitWidth() > 64)
      return error("argument {0} is neither a buffer, a map nor a scalar of "
                   "whole bytes",
                   number);
    uint64_t value = bits.getZExtValue();
    argument.scalar.resize(bits.getBitWidth() / 8);
    std::memcpy(argument.scalar.data(), &value, argument.scalar.size());
  }
  launch.arguments.push_back(std::move(argument));
  return llvm::Error::success();
}

llvm::Error LaunchReader::read(KernelLaunch &launch) {
  if (llvm::Error error =
          checkNames(description, "the launch",
                     {"kernel", "grid", "block", "dynamic_shared_memory",
                      "buffers", "arguments"}))
    return error;
  auto kernel = description.getAs<StringAttr>("kernel");
  if (!kernel)
    return error("name the kernel: kernel = \"...\"");
  launch.kernel = kernel.str();
  if (llvm::Error error = readExtents("grid", launch.grid))
    return error;
  if (llvm::Error error = readExtents("block", launch.block))
    return error;
  launch.dynamicSharedMemory = integer(description, "dynamic_shared_memory", 0);
  if (launch.dynamicSharedMemory < 0)
    return error("'dynamic_shared_memory' is negative");
  auto buffers = description.getAs<ArrayAttr>("buffers");
  for (Attribute buffer :
       buffers ? buffers.getValue() : ArrayRef<Attribute>()) {
    auto dictionary = dyn_cast<DictionaryAttr>(buffer);
    if (!dictionary)
      return error("'buffers' holds something that is no dictionary");
    if (llvm::Error error = readBuffer(dictionary, launch))
      return error;
  }
  auto arguments = description.getAs<ArrayAttr>("arguments");
  for (Attribute argument :
       arguments ? arguments.getValue() : ArrayRef<Attribute>())
    if (llvm::Error error = readArgument(argument, launch))
      return error;
  return llvm::Error::success();
}

llvm::Expected<KernelLaunch> egg::readKernelLaunch(ModuleOp module) {
  auto description = module->getAttrOfType<DictionaryAttr>(kEmulateAttrName);
  if (!description)
    return llvm::createStringError(
        llvm::formatv("the module has no attribute '{0}' that describes a "
                      "launch",
                      kEmulateAttrName));
  KernelLaunch launch;
  if (llvm::Error error = LaunchReader(description).read(launch))
    return std::move(error);
  return launch;
}
