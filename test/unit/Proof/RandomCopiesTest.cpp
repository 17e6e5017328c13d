//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random kernels that copy elements, against enumeration of all their threads:
// what is proved to be the payload is the payload.
//
//===----------------------------------------------------------------------===//
#include "../Legality/RandomKernelTest.h"
#include "egg/Proof/ProveKernels.h"
#include "mlir/InitAllDialects.h"
#include <map>

using namespace mlir;
using namespace egg;

namespace {

struct Env {
  int64_t thread = 0, block = 0, round = 0;
};
struct Number {
  std::string name;
  std::function<int64_t(const Env &)> exact;
};

/// A payload that reads its argument through a map, and a kernel that should.
/// Half of the kernels have a fault somewhere.
class RandomCopy : public DrawnKernel {
public:
  explicit RandomCopy(uint64_t seed) : DrawnKernel(seed) {
    rows = 1 + below(7);
    columns = 1 + below(7);
    map = below(5);
    threads = int64_t(1) << below(5);
    rounds = below(3) == 0 ? 1 + below(4) : 1;
    int64_t items = rows * columns;
    blocks = (items + threads * rounds - 1) / (threads * rounds);
    Number thread = {"%t", [](const Env &e) { return e.thread; }},
           block = {"%b", [](const Env &e) { return e.block; }},
           round = {"%i", [](const Env &e) { return e.round; }};
    Number item = perhaps(
        sum(product(sum(product(block, rounds), round), threads), thread));
    if (below(4) == 0)
      item = sum(product(sum(product(block, threads), thread), rounds), round);
    if (below(12) == 0)
      item = sum(product(thread, blocks * rounds),
                 sum(product(block, rounds), round));
    guard = perhaps(item);
    limit = items + (below(8) == 0 ? below(3) - 1 : 0);
    to = perhaps(item);
    Number row = perhaps(quotient(item, columns)),
           column = perhaps(remainder(item, columns));
    switch (map) {
    case 0:
      from = sum(product(row, columns), column);
      break;
    case 1:
      from = sum(product(column, rows), row);
      break;
    case 2:
      from = row;
      break;
    case 3:
      from = column;
      break;
    default:
      from = sum(product(row, columns + 2), plus(column, 1));
    }
    from = perhaps(from);
  }

  std::string payload() const {
    const char *maps[] = {"(i, j)", "(j, i)", "(i)", "(j)", "(i, j + 1)"};
    std::string source = llvm::formatv(
        "{0}f32", map == 0   ? llvm::formatv("{0}x{1}x", rows, columns).str()
                  : map == 1 ? llvm::formatv("{0}x{1}x", columns, rows).str()
                  : map == 2 ? llvm::formatv("{0}x", rows).str()
                  : map == 3
                      ? llvm::formatv("{0}x", columns).str()
                      : llvm::formatv("{0}x{1}x", rows, columns + 2).str());
    std::string body = map == 4
                           ? llvm::formatv(R"(
      %s = tensor.extract_slice %x[0, 1] [{0}, {1}] [1, 1]
          : tensor<{2}> to tensor<{0}x{1}xf32>
      %r = linalg.copy ins(%s : tensor<{0}x{1}xf32>)
          outs(%e : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>)",
                                           rows, columns, source)
                                 .str()
                           : llvm::formatv(R"(
      %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> {3}>,
          affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<{2}>) outs(%e : tensor<{0}x{1}xf32>) {{
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<{0}x{1}xf32>)",
                                           rows, columns, source, maps[map])
                                 .str();
    return llvm::formatv(R"(
    func.func @main(%x: tensor<{0}>) -> tensor<{1}x{2}xf32> {{
      %e = tensor.empty() : tensor<{1}x{2}xf32>{3}
      return %r : tensor<{1}x{2}xf32>
    })",
                         source, rows, columns, body);
  }

  std::string kernel() const {
    std::string main = payload();
    std::string source = main.substr(main.find("tensor<") + 7);
    source = source.substr(0, source.find('>'));
    return llvm::formatv(R"(
    module attributes {{gpu.container_module} {{
      func.func @main(%x: tensor<{0}>) -> tensor<{1}xf32> {{
        %0 = call @k(%x) : (tensor<{0}>) -> tensor<{1}xf32>
        return %0 : tensor<{1}xf32>
      }
      func.func private @k(tensor<{0}>) -> tensor<{1}xf32> attributes {{
        egg.launch = {{kernel = @kernels::@k, grid = array<i64: {3}, 1, 1>,
        block = array<i64: {4}, 1, 1>, dynamic_shared_memory = 0 : i64} }
      gpu.module @kernels {{
        gpu.func @k(%in: memref<{2}xf32>, %out: memref<{5}xf32>) kernel
            attributes {{known_block_size = array<i32: {4}, 1, 1>,
                         known_grid_size = array<i32: {3}, 1, 1>} {{
          %tx = gpu.thread_id x
          %bx = gpu.block_id x
          %t = arith.index_castui %tx : index to i32
          %b = arith.index_castui %bx : index to i32
          %c0 = arith.constant 0 : i32
          %c1 = arith.constant 1 : i32
          %n = arith.constant {6} : i32
          scf.for %i = %c0 to %n step %c1 : i32 {{
{7}
            %limit = arith.constant {8} : i32
            %runs = arith.cmpi ult, {9}, %limit : i32
            scf.if %runs {{
              %from = arith.index_castui {10} : i32 to index
              %v = memref.load %in[%from] : memref<{2}xf32>
              %to = arith.index_castui {11} : i32 to index
              memref.store %v, %out[%to] : memref<{5}xf32>
            }
          }
          gpu.return
        }
      }
    })",
                         source, llvm::formatv("{0}x{1}", rows, columns).str(),
                         inputs(), blocks, threads, rows * columns, rounds,
                         body, limit, guard.name, from.name, to.name);
  }

  /// Whether every element is stored, and is the payload's everywhere.
  bool isRight() const {
    std::map<int64_t, int64_t> stored;
    for (Env e; e.block < blocks; ++e.block)
      for (e.thread = 0; e.thread < threads; ++e.thread)
        for (e.round = 0; e.round < rounds; ++e.round) {
          if (uint64_t(guard.exact(e)) >= uint64_t(limit))
            continue;
          int64_t at = to.exact(e), read = from.exact(e);
          if (at < 0 || at >= rows * columns || read != expected(at))
            return false;
          stored[at] = read;
        }
    return int64_t(stored.size()) == rows * columns;
  }

private:
  int64_t inputs() const {
    return map == 2   ? rows
           : map == 3 ? columns
           : map == 4 ? rows * (columns + 2)
                      : rows * columns;
  }
  int64_t expected(int64_t at) const {
    int64_t row = at / columns, column = at % columns;
    return map == 0   ? at
           : map == 1 ? column * rows + row
           : map == 2 ? row
           : map == 3 ? column
                      : row * (columns + 2) + column + 1;
  }
  Number apply(const char *op, const Number &a, int64_t c,
               std::function<int64_t(int64_t, int64_t)> exact) {
    std::string number = "%v" + std::to_string(count++),
                name = "%v" + std::to_string(count++);
    body += llvm::formatv("            {0} = arith.constant {1} : i32\n"
                          "            {2} = arith.{3} {4}, {0} : i32\n",
                          number, c, name, op, a.name);
    return {name, [=](const Env &e) { return exact(a.exact(e), c); }};
  }
  Number product(const Number &a, int64_t c) {
    return apply("muli", a, c, [](int64_t x, int64_t y) { return x * y; });
  }
  Number plus(const Number &a, int64_t c) {
    return apply("addi", a, c, [](int64_t x, int64_t y) { return x + y; });
  }
  Number quotient(const Number &a, int64_t c) {
    return apply("divui", a, c, [](int64_t x, int64_t y) { return x / y; });
  }
  Number remainder(const Number &a, int64_t c) {
    return apply("remui", a, c, [](int64_t x, int64_t y) { return x % y; });
  }
  Number sum(const Number &a, const Number &b) {
    std::string name = "%v" + std::to_string(count++);
    body += llvm::formatv("            {0} = arith.addi {1}, {2} : i32\n", name,
                          a.name, b.name);
    return {name, [=](const Env &e) { return a.exact(e) + b.exact(e); }};
  }
  /// The number, or seldom another one.
  Number perhaps(const Number &a) {
    int64_t c = 1 + below(6);
    switch (below(60)) {
    case 0:
      return plus(a, c);
    case 1:
      return product(a, c);
    case 2:
      return quotient(a, c);
    case 3:
      return remainder(a, c);
    case 4:
      return remainder(a, rows * columns);
    default:
      return a;
    }
  }

  int64_t rows, columns, map, threads, rounds, blocks, limit;
  Number guard, to, from;
  std::string body;
  int count = 0;
};

TEST(RandomCopiesTest, WhatIsProvedIsRight) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  TargetInfo target = llvm::cantFail(lookupTarget("sm_90a"));
  int64_t right = 0, proved = 0, total = 3000;
  for (uint64_t seed = 0; seed < uint64_t(total); ++seed) {
    RandomCopy copy(seed);
    auto payload = parseSourceString<ModuleOp>(copy.payload(), &context);
    auto kernel = parseSourceString<ModuleOp>(copy.kernel(), &context);
    ASSERT_TRUE(payload && kernel) << copy.payload() << copy.kernel();
    ProofResult proof =
        proveKernels(*payload, *kernel, checkLegality(*kernel, target));
    bool isRight = copy.isRight();
    if (proof.isProved())
      ASSERT_TRUE(isRight) << seed << copy.payload() << copy.kernel();
    right += isRight;
    proved += proof.isProved();
  }
  // Of the others an index is written in a way that says too little.
  EXPECT_GT(proved * 100, right * 95) << proved << " of " << right;
  EXPECT_LT(right * 100, total * 95);
}

} // namespace
