//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PayloadText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using namespace egg::selfcheck;

using Shape = PayloadText::Shape;

static std::string formatMap(size_t rank, llvm::ArrayRef<int64_t> dims) {
  std::string text = "affine_map<(";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", d" : "d") + std::to_string(i);
  text += ") -> (";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", d" : "d") + std::to_string(dims[i]);
  return text + ")>";
}

std::string PayloadText::type(const Shape &shape, llvm::StringRef dtype) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + dtype.str() + ">";
}

int64_t PayloadText::draw(int64_t low, int64_t high) {
  return low + int64_t(random.next() % uint64_t(high - low + 1));
}

PayloadText::Tensor PayloadText::input(const Shape &shape,
                                       llvm::StringRef dtype) {
  Tensor tensor{"%arg" + std::to_string(inputs.size()), shape, dtype.str()};
  inputs.push_back(
      llvm::formatv("{0}: {1} {{egg.kind = \"input\", egg.name = \"x{2}\"}",
                    tensor.name, type(shape, dtype), inputs.size()));
  return tensor;
}

std::string PayloadText::fresh() { return "%v" + std::to_string(counter++); }

std::string PayloadText::line(const std::string &operation) {
  std::string name = fresh();
  body += "    " + name + " = " + operation + "\n";
  return name;
}

PayloadText::Tensor PayloadText::filled(const Shape &shape,
                                        llvm::StringRef value) {
  std::string scalar = line("arith.constant " + value.str() + " : f32");
  std::string empty = line("tensor.empty() : " + type(shape));
  return {line("linalg.fill ins(" + scalar + " : f32) outs(" + empty + " : " +
               type(shape) + ") -> " + type(shape)),
          shape, "f32"};
}

PayloadText::Tensor
PayloadText::generic(const Shape &loops, llvm::StringRef iterators,
                     llvm::ArrayRef<Operand> operands, const Tensor &init,
                     const Dims &resultDims, llvm::StringRef body) {
  std::string maps, ins, types, arguments, kinds;
  for (const auto &[number, operand] : llvm::enumerate(operands)) {
    maps += formatMap(loops.size(), operand.dims) + ", ";
    ins += (number ? ", " : "") + operand.tensor.name;
    types +=
        (number ? ", " : "") + type(operand.tensor.shape, operand.tensor.dtype);
    arguments += llvm::formatv("%in{0}: {1}, ", number, operand.tensor.dtype);
  }
  for (char kind : iterators)
    kinds += std::string(kinds.empty() ? "" : ", ") +
             (kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  std::string result = type(init.shape);
  std::string name = fresh();
  this->body += llvm::formatv(
      "    {0} = linalg.generic {{indexing_maps = [{1}{2}], iterator_types = "
      "[{3}]} ins({4} : {5}) outs({6} : {7}) {{\n    ^bb0({8}%out: f32):\n"
      "{9}    } -> {7}\n",
      name, maps, formatMap(loops.size(), resultDims), kinds, ins, types,
      init.name, result, arguments, body);
  return {name, init.shape, "f32"};
}

PayloadText::Tensor PayloadText::map(const Shape &loops,
                                     llvm::ArrayRef<Operand> operands,
                                     llvm::StringRef body) {
  Dims all;
  for (size_t i = 0; i < loops.size(); ++i)
    all.push_back(int64_t(i));
  Tensor init{line("tensor.empty() : " + type(loops)), loops, "f32"};
  return generic(loops, std::string(loops.size(), 'p'), operands, init, all,
                 body);
}

PayloadText::Tensor PayloadText::reduce(const Tensor &from, int64_t dim,
                                        llvm::StringRef init,
                                        llvm::StringRef combiner) {
  Shape kept;
  Dims all, keptDims;
  std::string iterators;
  for (int64_t i = 0, e = from.shape.size(); i < e; ++i) {
    all.push_back(i);
    iterators += i == dim ? 'r' : 'p';
    if (i == dim)
      continue;
    kept.push_back(from.shape[i]);
    keptDims.push_back(i);
  }
  return generic(from.shape, iterators, {{from, all}}, filled(kept, init),
                 keptDims,
                 llvm::formatv("      %r = {0} %in0, %out : f32\n"
                               "      linalg.yield %r : f32\n",
                               combiner)
                     .str());
}

std::string PayloadText::finish(llvm::ArrayRef<Tensor> results) const {
  std::string types, names, plain;
  for (const auto &[number, result] : llvm::enumerate(results)) {
    llvm::StringRef comma = number ? ", " : "";
    types += llvm::formatv(
        "{0}{1} {{egg.kind = \"output\", egg.name = \"output_{2}\"}", comma,
        type(result.shape, result.dtype), number);
    names += (comma + result.name).str();
    plain += (comma + type(result.shape, result.dtype)).str();
  }
  return "module {\n  func.func @main(" + llvm::join(inputs, ", ") + ") -> (" +
         types + ") {\n" + body + "    return " + names + " : " + plain +
         "\n  }\n}\n";
}
