//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random kernels against enumeration of all their threads: what is proved
// holds, and what is called violated is.
//
//===----------------------------------------------------------------------===//
#include "RandomKernelTest.h"
#include <map>

using namespace mlir;
using namespace egg;

namespace {

struct Env {
  int64_t thread = 0, block = 0, variable = 0;
};
struct Value32 {
  std::string name;
  std::function<int64_t(const Env &)> exact;
};

/// A kernel that stores its thread's number somewhere, under a condition, in a
/// loop.
class RandomKernel : public DrawnKernel {
public:
  explicit RandomKernel(uint64_t seed) : DrawnKernel(seed) {
    threads = int64_t(1) << below(6);
    blocks = 1 + below(5);
    rounds = 1 + below(5);
    values = {{"%t", [](const Env &e) { return e.thread; }},
              {"%b", [](const Env &e) { return e.block; }},
              {"%i", [](const Env &e) { return e.variable; }}};
    // Often a plain mixed radix of the ids, so that something is provable.
    Value32 item = combine(values[1], threads, values[0]);
    index = below(3) == 0 ? values[below(3)] : item;
    for (int64_t i = below(4); i > 0; --i)
      index = step(index);
    if (below(2) == 0)
      index = combine(index, rounds, values[2]);
    guarded = below(3) == 0 ? values[below(3)] : index;
    limit = 1 + below(threads * blocks + 4);
    size = below(2) == 0 ? limit : 1 + below(4 * threads * blocks * rounds);
  }

  std::string text() const {
    return llvm::formatv(R"mlir(
module attributes {{gpu.container_module} {{
  gpu.module @kernels {{
    gpu.func @k(%out: memref<{0}xi32>) kernel attributes {{
        known_block_size = array<i32: {1}, 1, 1>,
        known_grid_size = array<i32: {2}, 1, 1>} {{
      %tx = gpu.thread_id x
      %bx = gpu.block_id x
      %t = arith.index_castui %tx : index to i32
      %b = arith.index_castui %bx : index to i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %n = arith.constant {3} : i32
      %threads = arith.constant {1} : i32
      %before = arith.muli %b, %threads : i32
      %self = arith.addi %before, %t : i32
      scf.for %i = %c0 to %n step %c1 : i32 {{
{4}
        %limit = arith.constant {5} : i32
        %runs = arith.cmpi ult, {6}, %limit : i32
        scf.if %runs {{
          %at = arith.index_castui {7} : i32 to index
          memref.store %self, %out[%at] : memref<{0}xi32>
        }
      }
      gpu.return
    }
  }
})mlir",
                         size, threads, blocks, rounds, body, limit,
                         guarded.name, index.name);
  }

  struct Truth {
    bool outside = false, conflict = false;
  };
  Truth enumerate() const {
    Truth truth;
    std::map<int64_t, int64_t> writers;
    for (Env env; env.block < blocks; ++env.block)
      for (env.thread = 0; env.thread < threads; ++env.thread)
        for (env.variable = 0; env.variable < rounds; ++env.variable) {
          if (uint64_t(guarded.exact(env)) >= uint64_t(limit))
            continue;
          int64_t at = index.exact(env);
          truth.outside |= at < 0 || at >= size;
          int64_t self = env.block * threads + env.thread;
          truth.conflict |= writers.try_emplace(at, self).first->second != self;
        }
    return truth;
  }

private:
  std::string fresh(const std::string &op, const std::string &a,
                    const std::string &b) {
    std::string name = "%v" + std::to_string(count++);
    body += "        " + name + " = " + op + " " + a + ", " + b + " : i32\n";
    return name;
  }
  std::string constant(int64_t number) {
    std::string name = "%v" + std::to_string(count++);
    body += "        " + name + " = arith.constant " + std::to_string(number) +
            " : i32\n";
    return name;
  }
  Value32 combine(Value32 high, int64_t radix, Value32 low) {
    std::string product = fresh("arith.muli", high.name, constant(radix));
    return {fresh("arith.addi", product, low.name),
            [=](const Env &e) { return high.exact(e) * radix + low.exact(e); }};
  }
  Value32 step(Value32 from) {
    int64_t c = 1 + below(8);
    Value32 other = values[below(3)];
    switch (below(6)) {
    case 0:
      return {fresh("arith.divui", from.name, constant(c)),
              [=](const Env &e) { return from.exact(e) / c; }};
    case 1:
      return {fresh("arith.remui", from.name, constant(c)),
              [=](const Env &e) { return from.exact(e) % c; }};
    case 2:
      return {fresh("arith.muli", from.name, constant(c)),
              [=](const Env &e) { return from.exact(e) * c; }};
    case 3:
      return combine(from, c, other);
    case 4:
      return {fresh("arith.addi", from.name, constant(c)),
              [=](const Env &e) { return from.exact(e) + c; }};
    default:
      return {fresh("arith.minui", from.name, constant(c)),
              [=](const Env &e) { return std::min(from.exact(e), c); }};
    }
  }

  int64_t threads, blocks, rounds, limit, size;
  std::vector<Value32> values;
  Value32 index, guarded;
  std::string body;
  int count = 0;
};

} // namespace

using RandomKernelsTest = RandomKernelTest;

TEST_F(RandomKernelsTest, VerdictsAreThoseOfEnumeration) {
  int64_t decided[2] = {0, 0}, total = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomKernel kernel(seed);
    RandomKernel::Truth truth = kernel.enumerate();
    auto report = judge(kernel.text());
    ++total;
    auto check = [&](Property property, bool isWrong, int64_t &count) {
      const PropertyCount &found = report[property];
      ASSERT_EQ(found.total(), 1) << kernel.text();
      if (found.proved)
        ASSERT_FALSE(isWrong) << kernel.text();
      if (found.violated)
        ASSERT_TRUE(isWrong) << kernel.text();
      count += found.undecided == 0;
    };
    check(Property::Bounds, truth.outside, decided[0]);
    check(Property::Conflicts, truth.conflict, decided[1]);
  }
  EXPECT_GT(decided[0] * 100, total * 95) << decided[0] << " of " << total;
  EXPECT_GT(decided[1] * 100, total * 90) << decided[1] << " of " << total;
}
