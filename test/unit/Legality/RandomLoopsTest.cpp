//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random kernels with shared memory and barriers against a walk through all
// their threads, one span between barriers at a time.
//
//===----------------------------------------------------------------------===//
#include "RandomKernelTest.h"

using namespace mlir;
using namespace egg;

namespace {

constexpr int64_t kSize = 4096;

/// A number that a thread computes in a round of the loop.
struct Number {
  std::string name;
  std::function<int64_t(int64_t thread, int64_t round)> exact;
};

struct Step {
  enum class Kind { Store, Load, Barrier, PartialBarrier } kind;
  Number at;
};

/// A loop of stores, loads and barriers.
class RandomLoop : public DrawnKernel {
public:
  explicit RandomLoop(uint64_t seed) : DrawnKernel(seed) {
    threads = int64_t(1) << below(7);
    rounds = 1 + below(20);
    for (int64_t i = 1 + below(4); i >= 0; --i) {
      int64_t kind = below(8);
      steps.push_back({kind < 3   ? Step::Kind::Store
                       : kind < 5 ? Step::Kind::Load
                       : kind < 7 ? Step::Kind::Barrier
                                  : Step::Kind::PartialBarrier,
                       number()});
    }
  }

  std::string text() {
    std::string loop;
    for (const Step &step : steps) {
      std::string id = std::to_string(count++);
      if (step.kind == Step::Kind::Store)
        loop += "memref.store %t, %tile[" + step.at.name + "] : " + kType;
      else if (step.kind == Step::Kind::Load)
        loop += "%x" + id + " = memref.load %tile[" + step.at.name +
                "] : " + kType + "\nmemref.store %x" + id +
                ", %out[%t] : memref<128xindex>";
      else if (step.kind == Step::Kind::Barrier)
        loop += "gpu.barrier";
      else
        loop += "%when" + id + " = arith.cmpi ult, " + step.at.name +
                ", %limit : index\nscf.if %when" + id + " {\ngpu.barrier\n}";
      loop += "\n";
    }
    return llvm::formatv(R"mlir(
module attributes {{gpu.container_module} {{
  gpu.module @kernels {{
    gpu.func @k(%out: memref<128xindex>) workgroup(%tile: {0}) kernel attributes {{
        known_block_size = array<i32: {1}, 1, 1>,
        known_grid_size = array<i32: 1, 1, 1>} {{
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %limit = arith.constant {2} : index
      %n = arith.constant {3} : index
      scf.for %i = %c0 to %n step %c1 {{
{4}{5}
      }
      gpu.return
    }
  }
})mlir",
                         kType, threads, kLimit, rounds, body, loop);
  }

  bool barriersDiverge() const {
    for (const Step &step : steps)
      if (step.kind == Step::Kind::PartialBarrier)
        for (int64_t i = 0; i < rounds; ++i)
          for (int64_t t = 1; t < threads; ++t)
            if ((step.at.exact(t, i) < kLimit) !=
                (step.at.exact(0, i) < kLimit))
              return true;
    return false;
  }

  /// Whether two threads touch one element between two barriers, one of them
  /// writing; barriers of all threads only.
  bool hasRace() const {
    struct Use {
      int64_t writer = -1, reader = -1;
      bool writers = false, readers = false;
    };
    std::vector<Use> uses(kSize);
    for (int64_t i = 0; i < rounds; ++i)
      for (const Step &step : steps) {
        bool meets = step.kind == Step::Kind::Barrier ||
                     (step.kind == Step::Kind::PartialBarrier &&
                      step.at.exact(0, i) < kLimit);
        if (meets)
          uses.assign(kSize, Use());
        if (step.kind != Step::Kind::Store && step.kind != Step::Kind::Load)
          continue;
        bool writes = step.kind == Step::Kind::Store;
        for (int64_t t = 0; t < threads; ++t) {
          Use &use = uses[step.at.exact(t, i)];
          bool otherWriter =
              use.writers || (use.writer >= 0 && use.writer != t);
          bool otherReader =
              use.readers || (use.reader >= 0 && use.reader != t);
          if (otherWriter || (writes && otherReader))
            return true;
          (writes ? use.writers : use.readers) |=
              writes ? otherWriter : otherReader;
          (writes ? use.writer : use.reader) = t;
        }
      }
    return false;
  }

  bool hasBarrier() const {
    return llvm::any_of(steps, [](const Step &step) {
      return step.kind == Step::Kind::Barrier ||
             step.kind == Step::Kind::PartialBarrier;
    });
  }
  bool usesShared() const {
    return llvm::any_of(steps, [](const Step &step) {
      return step.kind == Step::Kind::Store || step.kind == Step::Kind::Load;
    });
  }

private:
  std::string op(const std::string &name, const std::string &a, int64_t c) {
    std::string id = std::to_string(count++);
    body += "%k" + id + " = arith.constant " + std::to_string(c) +
            " : index\n%v" + id + " = arith." + name + " " + a + ", %k" + id +
            " : index\n";
    return "%v" + id;
  }
  std::string sum(const std::string &a, const std::string &b) {
    std::string id = std::to_string(count++);
    body += "%v" + id + " = arith.addi " + a + ", " + b + " : index\n";
    return "%v" + id;
  }
  /// A digit of the thread's number, and perhaps of the round.
  Number number() {
    int64_t c = int64_t(1) << below(4);
    Number digit;
    switch (below(4)) {
    case 0:
      digit = {op("remui", "%t", c), [=](auto t, auto) { return t % c; }};
      break;
    case 1:
      digit = {op("divui", "%t", c), [=](auto t, auto) { return t / c; }};
      break;
    default:
      digit = {"%t", [](auto t, auto) { return t; }};
    }
    int64_t m = 1 + below(3), pitch = 32 << below(3), shift = below(2);
    switch (below(4)) {
    case 0: {
      std::string turn = op("remui", op("addi", "%i", shift), m);
      std::string base = op("muli", turn, pitch);
      return {sum(base, digit.name), [=](auto t, auto i) {
                return (i + shift) % m * pitch + digit.exact(t, i);
              }};
    }
    case 1: {
      std::string base = op("muli", "%i", pitch);
      return {sum(base, digit.name),
              [=](auto t, auto i) { return i * pitch + digit.exact(t, i); }};
    }
    default:
      return digit;
    }
  }

  const std::string kType = "memref<4096xindex, #gpu.address_space<workgroup>>";
  static constexpr int64_t kLimit = 16;
  int64_t threads, rounds;
  std::vector<Step> steps;
  std::string body;
  int count = 0;
};

} // namespace

using RandomLoopsTest = RandomKernelTest;

TEST_F(RandomLoopsTest, VerdictsAreThoseOfAWalk) {
  int64_t decided = 0, races = 0, total = 0, diverging = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomLoop loop(seed);
    std::string text = loop.text();
    auto report = judge(text);
    const PropertyCount &barriers = report[Property::Barriers];
    bool diverges = loop.barriersDiverge();
    diverging += diverges;
    EXPECT_EQ(barriers.total() != 0, loop.hasBarrier());
    if (barriers.violated != 0) {
      ASSERT_TRUE(diverges) << text;
    } else if (barriers.undecided == 0) {
      ASSERT_FALSE(diverges) << text;
    }
    // Without barriers that all threads meet there are no spans to speak of.
    if (diverges || !loop.usesShared())
      continue;
    const PropertyCount &shared = report[Property::SharedRaces];
    ASSERT_EQ(shared.total(), 1) << text;
    bool isRace = loop.hasRace();
    if (shared.violated != 0) {
      ASSERT_TRUE(isRace) << text;
    } else if (shared.proved != 0) {
      ASSERT_FALSE(isRace) << text;
    }
    ++total;
    races += isRace;
    decided += shared.undecided == 0;
  }
  EXPECT_GT(diverging, 50);
  EXPECT_GT(races, total / 5);
  EXPECT_LT(races, total * 4 / 5);
  EXPECT_GT(decided * 10, total * 7) << decided << " of " << total;
}
