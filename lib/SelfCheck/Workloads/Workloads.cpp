//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/SelfCheck/Workloads.h"
#include "PayloadText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace egg;
using namespace egg::selfcheck;

using Tensor = PayloadText::Tensor;
using Shape = PayloadText::Shape;

// Bodies of maps.
static constexpr llvm::StringLiteral kAdd =
    "      %r = arith.addf %in0, %in1 : f32\n      linalg.yield %r : f32\n";
static constexpr llvm::StringLiteral kSubtract =
    "      %r = arith.subf %in0, %in1 : f32\n      linalg.yield %r : f32\n";
static constexpr llvm::StringLiteral kMultiply =
    "      %r = arith.mulf %in0, %in1 : f32\n      linalg.yield %r : f32\n";
static constexpr llvm::StringLiteral kDivide =
    "      %r = arith.divf %in0, %in1 : f32\n      linalg.yield %r : f32\n";
static constexpr llvm::StringLiteral kExp =
    "      %r = math.exp %in0 : f32\n      linalg.yield %r : f32\n";
static constexpr llvm::StringLiteral kSquare =
    "      %r = arith.mulf %in0, %in0 : f32\n      linalg.yield %r : f32\n";

static std::string activation(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(20, 60), text.draw(100, 300)};
  Tensor x = text.input(shape), bias = text.input({shape[1]});
  Tensor sum = text.map(shape, {{x, {0, 1}}, {bias, {1}}}, kAdd);
  Tensor silu = text.map(shape, {{sum, {0, 1}}},
                         "      %one = arith.constant 1.0 : f32\n"
                         "      %n = arith.negf %in0 : f32\n"
                         "      %e = math.exp %n : f32\n"
                         "      %d = arith.addf %e, %one : f32\n"
                         "      %r = arith.divf %in0, %d : f32\n"
                         "      linalg.yield %r : f32\n");
  return text.finish({silu});
}

static std::string transposition(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(33, 70), text.draw(80, 150)};
  Tensor x = text.input({shape[1], shape[0]}), y = text.input(shape);
  return text.finish({text.map(shape, {{x, {1, 0}}, {y, {0, 1}}}, kSubtract)});
}

static std::string rowMean(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(20, 60), text.draw(200, 700)};
  Tensor sum = text.reduce(text.input(shape), 1, "0.0", "arith.addf");
  return text.finish(
      {text.map({shape[0]}, {{sum, {0}}},
                llvm::formatv("      %n = arith.constant {0}.0 : f32\n"
                              "      %r = arith.divf %in0, %n : f32\n"
                              "      linalg.yield %r : f32\n",
                              shape[1])
                    .str())});
}

static std::string columnMax(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(100, 300), text.draw(50, 130)};
  return text.finish(
      {text.reduce(text.input(shape), 0, "0xFF800000", "arith.maximumf")});
}

static std::string softmax(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(10, 40), text.draw(300, 900)};
  Tensor x = text.input(shape);
  Tensor max = text.reduce(x, 1, "0xFF800000", "arith.maximumf");
  Tensor moved = text.map(shape, {{x, {0, 1}}, {max, {0}}}, kSubtract);
  Tensor e = text.map(shape, {{moved, {0, 1}}}, kExp);
  Tensor sum = text.reduce(e, 1, "0.0", "arith.addf");
  return text.finish({text.map(shape, {{e, {0, 1}}, {sum, {0}}}, kDivide)});
}

static std::string layerNorm(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(10, 40), text.draw(150, 500)};
  Tensor x = text.input(shape), weight = text.input({shape[1]});
  std::string mean = llvm::formatv("      %n = arith.constant {0}.0 : f32\n"
                                   "      %r = arith.divf %in0, %n : f32\n"
                                   "      linalg.yield %r : f32\n",
                                   shape[1]);
  auto average = [&](const Tensor &tensor) {
    return text.map({shape[0]},
                    {{text.reduce(tensor, 1, "0.0", "arith.addf"), {0}}}, mean);
  };
  Tensor centred = text.map(shape, {{x, {0, 1}}, {average(x), {0}}}, kSubtract);
  Tensor variance = average(text.map(shape, {{centred, {0, 1}}}, kSquare));
  Tensor scale = text.map({shape[0]}, {{variance, {0}}},
                          "      %eps = arith.constant 1.0e-05 : f32\n"
                          "      %v = arith.addf %in0, %eps : f32\n"
                          "      %r = math.rsqrt %v : f32\n"
                          "      linalg.yield %r : f32\n");
  Tensor normal = text.map(shape, {{centred, {0, 1}}, {scale, {0}}}, kMultiply);
  return text.finish(
      {text.map(shape, {{normal, {0, 1}}, {weight, {1}}}, kMultiply)});
}

static std::string matmul(uint64_t seed) {
  PayloadText text(seed);
  int64_t m = text.draw(70, 140), n = text.draw(70, 140), k = text.draw(40, 90);
  Tensor a = text.input({m, k}), b = text.input({k, n});
  return text.finish({text.generic({m, n, k}, "ppr", {{a, {0, 2}}, {b, {2, 1}}},
                                   text.filled({m, n}, "0.0"), {0, 1},
                                   "      %p = arith.mulf %in0, %in1 : f32\n"
                                   "      %r = arith.addf %out, %p : f32\n"
                                   "      linalg.yield %r : f32\n")});
}

static std::string batchedMatmul(uint64_t seed) {
  PayloadText text(seed);
  int64_t b = text.draw(2, 4), m = text.draw(30, 80), n = text.draw(66, 100),
          k = text.draw(20, 50);
  Tensor x = text.input({b, m, k}), y = text.input({b, n, k});
  Tensor product =
      text.generic({b, m, n, k}, "pppr", {{x, {0, 1, 3}}, {y, {0, 2, 3}}},
                   text.filled({b, m, n}, "0.0"), {0, 1, 2},
                   "      %p = arith.mulf %in0, %in1 : f32\n"
                   "      %r = arith.addf %out, %p : f32\n"
                   "      linalg.yield %r : f32\n");
  return text.finish({text.map({b, m, n}, {{product, {0, 1, 2}}},
                               "      %z = arith.constant 0.0 : f32\n"
                               "      %r = arith.maximumf %in0, %z : f32\n"
                               "      linalg.yield %r : f32\n")});
}

static std::string deepMatmul(uint64_t seed) {
  PayloadText text(seed);
  int64_t m = text.draw(5, 9), n = text.draw(6, 12),
          k = 64 * text.draw(90, 120);
  Tensor a = text.input({m, k}), b = text.input({k, n});
  return text.finish({text.generic({m, n, k}, "ppr", {{a, {0, 2}}, {b, {2, 1}}},
                                   text.filled({m, n}, "0.0"), {0, 1},
                                   "      %p = arith.mulf %in0, %in1 : f32\n"
                                   "      %r = arith.addf %out, %p : f32\n"
                                   "      linalg.yield %r : f32\n")});
}

/// A padded input, for convolutions and pooling.
static Tensor pad(PayloadText &text, const Tensor &from,
                  llvm::StringRef value) {
  Shape shape = from.shape;
  shape[2] += 2;
  shape[3] += 2;
  std::string scalar = text.line("arith.constant " + value.str() + " : f32");
  std::string name =
      text.line("tensor.pad " + from.name +
                " low[0, 0, 1, 1] high[0, 0, 1, 1] {\n"
                "    ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
                "      tensor.yield " +
                scalar + " : f32\n    } : " + PayloadText::type(from.shape) +
                " to " + PayloadText::type(shape));
  return {name, shape};
}

static std::string windowed(PayloadText &text, llvm::StringRef op,
                            const Tensor &image, const Tensor &filter,
                            const Tensor &init) {
  return text.line(
      llvm::formatv("linalg.{0} {{dilations = dense<1> : vector<2xi64>, "
                    "strides = dense<1> : vector<2xi64>} ins({1}, {2} : {3}, "
                    "{4}) outs({5} : {6}) -> {6}",
                    op, image.name, filter.name, PayloadText::type(image.shape),
                    PayloadText::type(filter.shape), init.name,
                    PayloadText::type(init.shape)));
}

static std::string convolution(uint64_t seed) {
  PayloadText text(seed);
  int64_t n = text.draw(1, 2), c = text.draw(3, 6), f = text.draw(10, 20),
          h = text.draw(9, 14), w = text.draw(9, 14);
  Tensor filter = text.input({f, c, 3, 3}), x = text.input({n, c, h, w});
  Tensor init = text.filled({n, f, h, w}, "0.0");
  Tensor result{
      windowed(text, "conv_2d_nchw_fchw", pad(text, x, "0.0"), filter, init),
      init.shape};
  return text.finish({result});
}

static std::string depthwise(uint64_t seed) {
  PayloadText text(seed);
  int64_t n = text.draw(1, 3), c = text.draw(5, 12), h = text.draw(12, 20),
          w = text.draw(12, 20);
  Tensor filter = text.input({c, 3, 3}), x = text.input({n, c, h, w});
  Tensor init = text.filled({n, c, h - 2, w - 2}, "0.0");
  Tensor result{windowed(text, "depthwise_conv_2d_nchw_chw", x, filter, init),
                init.shape};
  return text.finish({result});
}

static std::string pooling(uint64_t seed) {
  PayloadText text(seed);
  int64_t n = text.draw(1, 3), c = text.draw(5, 12), h = text.draw(12, 20),
          w = text.draw(12, 20);
  Tensor x = text.input({n, c, h, w});
  Tensor window{text.line("tensor.empty() : " + PayloadText::type({3, 3})),
                {3, 3}};
  Tensor init = text.filled({n, c, h, w}, "0xFF800000");
  Tensor result{windowed(text, "pooling_nchw_max", pad(text, x, "0xFF800000"),
                         window, init),
                init.shape};
  return text.finish({result});
}

static std::string scan(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(8, 20), text.draw(600, 1500)};
  Tensor x = text.input(shape);
  return text.finish(
      {Tensor{text.line("egg.scan <add> " + x.name +
                        " dim = 1 : " + PayloadText::type(shape)),
              shape}});
}

static std::string loss(uint64_t seed) {
  PayloadText text(seed);
  Shape shape = {text.draw(60, 120), text.draw(60, 120)};
  Tensor x = text.input(shape), y = text.input(shape);
  Tensor difference = text.map(shape, {{x, {0, 1}}, {y, {0, 1}}}, kSubtract);
  Tensor square = text.map(shape, {{difference, {0, 1}}}, kSquare);
  Tensor sum =
      text.generic(shape, "rr", {{square, {0, 1}}}, text.filled({}, "0.0"), {},
                   "      %r = arith.addf %in0, %out : f32\n"
                   "      linalg.yield %r : f32\n");
  return text.finish(
      {text.map({}, {{sum, {}}},
                llvm::formatv("      %n = arith.constant {0}.0 : f32\n"
                              "      %r = arith.divf %in0, %n : f32\n"
                              "      linalg.yield %r : f32\n",
                              shape[0] * shape[1])
                    .str())});
}

static std::string gather(uint64_t seed) {
  PayloadText text(seed);
  int64_t rows = text.draw(30, 60), width = text.draw(40, 90),
          count = text.draw(20, 50);
  Tensor table = text.input({rows, width}), scale = text.input({width});
  Tensor indices = text.input({count}, "i64");
  return text.finish({text.map(
      {count, width}, {{indices, {0}}, {scale, {1}}},
      llvm::formatv("      %i = arith.index_cast %in0 : i64 to index\n"
                    "      %j = linalg.index 1 : index\n"
                    "      %e = tensor.extract {0}[%i, %j] : {1}\n"
                    "      %r = arith.mulf %e, %in1 : f32\n"
                    "      linalg.yield %r : f32\n",
                    table.name, PayloadText::type(table.shape))
          .str())});
}

/// A product whose rows are then scaled to length one: two kernels, one buffer
/// between. (A softmax of the rows would hide what adds to all of a row.)
static std::string projection(uint64_t seed) {
  PayloadText text(seed);
  int64_t m = text.draw(30, 60), n = text.draw(80, 140), k = text.draw(16, 40);
  Tensor a = text.input({m, k}), b = text.input({n, k});
  Tensor product = text.generic({m, n, k}, "ppr", {{a, {0, 2}}, {b, {1, 2}}},
                                text.filled({m, n}, "0.0"), {0, 1},
                                "      %p = arith.mulf %in0, %in1 : f32\n"
                                "      %r = arith.addf %out, %p : f32\n"
                                "      linalg.yield %r : f32\n");
  Tensor squares = text.map({m, n}, {{product, {0, 1}}}, kSquare);
  Tensor sum = text.reduce(squares, 1, "0.0", "arith.addf");
  Tensor scale = text.map({m}, {{sum, {0}}},
                          "      %eps = arith.constant 1.0e-05 : f32\n"
                          "      %v = arith.addf %in0, %eps : f32\n"
                          "      %r = math.rsqrt %v : f32\n"
                          "      linalg.yield %r : f32\n");
  return text.finish(
      {text.map({m, n}, {{product, {0, 1}}, {scale, {0}}}, kMultiply)});
}

static constexpr WorkloadClass kClasses[] = {
    {"activation", activation},
    {"transposition", transposition},
    {"row-mean", rowMean},
    {"column-max", columnMax},
    {"softmax", softmax},
    {"layer-norm", layerNorm},
    {"matmul", matmul},
    {"batched-matmul", batchedMatmul},
    {"deep-matmul", deepMatmul},
    {"convolution", convolution},
    {"depthwise", depthwise},
    {"pooling", pooling},
    {"scan", scan},
    {"loss", loss},
    {"gather", gather},
    {"projection", projection},
};

llvm::ArrayRef<WorkloadClass> egg::getWorkloadClasses() { return kClasses; }
