//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/HostTensor.h"
#include "egg/Core/Plan.h"
#include "egg/Host/HalfConversions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <cstring>

using namespace egg;

double egg::getUnitRoundoff(llvm::StringRef dtype) {
  int bits = llvm::StringSwitch<int>(dtype)
                 .Case("f64", 53)
                 .Case("f32", 24)
                 .Case("f16", 11)
                 .Case("bf16", 8)
                 .Default(0);
  assert(bits && "not a float dtype");
  return 1.0 / double(1ull << bits);
}

HostTensor HostTensor::zeros(std::vector<int64_t> shape,
                             llvm::StringRef dtype) {
  HostTensor tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype.str();
  tensor.bytes.resize(tensor.getNumElements() * *getDtypeBytes(dtype));
  return tensor;
}

int64_t HostTensor::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

bool HostTensor::isFloat() const { return dtype[0] == 'f' || dtype[0] == 'b'; }

template <typename T>
static T readAs(const std::vector<char> &bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void writeAs(std::vector<char> &bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

double HostTensor::getFloat(int64_t i) const {
  if (dtype == "f64")
    return readAs<double>(bytes, i);
  if (dtype == "f32")
    return readAs<float>(bytes, i);
  if (dtype == "f16")
    return halfToDouble(readAs<uint16_t>(bytes, i));
  if (dtype == "bf16")
    return bfloatToDouble(readAs<uint16_t>(bytes, i));
  return double(getInteger(i));
}

int64_t HostTensor::getInteger(int64_t i) const {
  if (dtype == "i64")
    return readAs<int64_t>(bytes, i);
  if (dtype == "i32")
    return readAs<int32_t>(bytes, i);
  if (dtype == "i16")
    return readAs<int16_t>(bytes, i);
  if (dtype == "i8")
    return readAs<int8_t>(bytes, i);
  if (dtype == "i1")
    return readAs<uint8_t>(bytes, i);
  return int64_t(getFloat(i));
}

void HostTensor::setFloat(int64_t i, double value) {
  if (dtype == "f64")
    return writeAs(bytes, i, value);
  if (dtype == "f32")
    return writeAs(bytes, i, float(value));
  if (dtype == "f16")
    return writeAs(bytes, i, doubleToHalf(value));
  if (dtype == "bf16")
    return writeAs(bytes, i, doubleToBFloat(value));
  setInteger(i, int64_t(value));
}

void HostTensor::setInteger(int64_t i, int64_t value) {
  if (dtype == "i64")
    return writeAs(bytes, i, value);
  if (dtype == "i32")
    return writeAs(bytes, i, int32_t(value));
  if (dtype == "i16")
    return writeAs(bytes, i, int16_t(value));
  if (dtype == "i8")
    return writeAs(bytes, i, int8_t(value));
  if (dtype == "i1")
    return writeAs(bytes, i, uint8_t(value != 0));
  setFloat(i, double(value));
}

HostTensor HostTensor::convertTo(llvm::StringRef newDtype) const {
  // Bits stay what they are, which need not be floats.
  if (newDtype == dtype)
    return *this;
  HostTensor result = zeros(shape, newDtype);
  for (int64_t i = 0, e = getNumElements(); i < e; ++i) {
    if (isFloat())
      result.setFloat(i, getFloat(i));
    else
      result.setInteger(i, getInteger(i));
  }
  return result;
}

std::string HostTensor::formatIndex(int64_t i) const {
  std::vector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = i % shape[dim];
    i /= shape[dim];
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  for (size_t dim = 0; dim < index.size(); ++dim)
    os << (dim ? ", " : "") << index[dim];
  os << ']';
  return text;
}
