//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Prediction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <set>

using namespace mlir;

namespace egg {
namespace {

/// Facts of all the targets that the table does not have.
constexpr double kLanes = 128, kWarp = 32, kLineBytes = 128, kBanks = 32;
/// Warps a multiprocessor needs to issue at its full rate, and what one load
/// of device memory takes when many are under way.
constexpr double kWarpsToIssue = 8, kMemoryLatency = 0.8e-6;
/// Registers of a thread, by the elements that its loops carry.
constexpr double kBaseRegisters = 32, kRegistersACarried = 1.5;
/// Loads of one thread that are under way at once: at least (the compiler
/// unrolls) and at most.
constexpr double kMinInFlight = 2, kMaxInFlight = 4;

/// Integers of a kernel at one thread of block 0, each loop at its start.
class Evaluator {
public:
  explicit Evaluator(int64_t thread) : thread(thread) {}

  std::optional<int64_t> operator()(Value value) {
    auto [found, isNew] = known.try_emplace(value, std::nullopt);
    if (!isNew)
      return found->second;
    std::optional<int64_t> result = evaluate(value);
    known[value] = result;
    return result;
  }

private:
  std::optional<int64_t> evaluate(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
      if (loop && value == loop.getInductionVar())
        return (*this)(loop.getLowerBound());
      return std::nullopt;
    }
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return id.getDimension() == gpu::Dimension::x ? thread : 0;
    if (isa<gpu::BlockIdOp>(op))
      return 0;
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>(op))
      return (*this)(op->getOperand(0));
    if (op->getNumOperands() != 2 || op->getNumResults() != 1)
      return std::nullopt;
    std::optional<int64_t> lhs = (*this)(op->getOperand(0)),
                           rhs = (*this)(op->getOperand(1));
    if (!lhs || !rhs)
      return std::nullopt;
    // Unsigned, since a wrong guess at a guard may overflow.
    uint64_t a = *lhs, b = *rhs;
    if (isa<arith::AddIOp>(op))
      return a + b;
    if (isa<arith::SubIOp>(op))
      return a - b;
    if (isa<arith::MulIOp>(op))
      return a * b;
    if (isa<arith::DivUIOp, arith::DivSIOp>(op) && *lhs >= 0 && *rhs > 0)
      return a / b;
    if (isa<arith::RemUIOp, arith::RemSIOp>(op) && *lhs >= 0 && *rhs > 0)
      return a % b;
    if (isa<arith::MinSIOp, arith::MinUIOp>(op))
      return std::min(*lhs, *rhs);
    if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
      return std::max(*lhs, *rhs);
    return std::nullopt;
  }

  int64_t thread;
  llvm::DenseMap<Value, std::optional<int64_t>> known;
};

double lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? static_cast<double>(vector.getNumElements()) : 1;
}

double bytesOf(Type type) {
  return lanesOf(type) *
         llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                          8);
}

/// Instructions an operation takes for one element.
double weightOf(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([](auto) { return 0; })
      .Case([](arith::MulFOp product) {
        // Contracted to a fused multiply-add.
        return product->hasOneUse() &&
                       isa<arith::AddFOp>(*product->user_begin())
                   ? 0
                   : 1;
      })
      .Case([](arith::AddIOp sum) {
        // An offset in the address.
        return matchPattern(sum.getRhs(), m_Constant()) ? 0 : 1;
      })
      .Case<arith::DivFOp, math::SqrtOp, math::RsqrtOp>([](auto) { return 8; })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp>(
          [](Operation *division) {
            APInt by;
            bool shift =
                matchPattern(division->getOperand(1), m_ConstantInt(&by)) &&
                by.isPowerOf2();
            return shift ? 1 : 5;
          })
      .Case<math::AbsFOp, math::FmaOp, math::CopySignOp, vector::FMAOp>(
          [](auto) { return 1; })
      .Case<gpu::ShuffleOp>([](auto) { return 4; })
      .Case<gpu::BarrierOp>([](auto) { return 30; })
      .Default([](Operation *other) {
        if (isa_and_nonnull<math::MathDialect>(other->getDialect()))
          return 15;
        if (isa_and_nonnull<arith::ArithDialect>(other->getDialect()))
          return 1;
        return 0;
      });
}

/// Counts what one thread does, and what one warp asks its L1 for.
class Counter {
public:
  explicit Counter(int64_t threads) {
    for (int64_t t = 0; t < std::min<int64_t>(threads, kWarp); ++t)
      warp.emplace_back(t);
  }

  void walk(Block &block, double times) {
    for (Value argument : block.getArguments())
      timesOf[argument] = times;
    for (Operation &op : block)
      count(op, times);
  }

  double instructions = 0, lines = 0;
  double loads = 0, loadBytes = 0, loadsTogether = 1;
  /// Elements that the loop with the most of them carries.
  double carried = 0;
  /// Bytes asked for, by buffer.
  llvm::MapVector<Value, double> asked;

private:
  void count(Operation &op, double times) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      double elements = 0;
      for (Value value : loop.getRegionIterArgs())
        elements += lanesOf(value.getType());
      carried = std::max(carried, elements);
      instructions += 2 * times * trips(loop);
      walk(*loop.getBody(), times * trips(loop));
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      // The way that does the work; the other is for what lies outside.
      walk(branch.getThenRegion().front(), times);
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      access(op, load.getMemRef(), load.getIndices(), load.getType(), times);
    } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
      access(op, load.getBase(), load.getIndices(), load.getType(), times);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      access(op, store.getMemRef(), store.getIndices(),
             store.getValueToStore().getType(), times);
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      access(op, store.getBase(), store.getIndices(),
             store.getValueToStore().getType(), times);
    } else {
      for (Region &region : op.getRegions())
        for (Block &block : region)
          walk(block, times);
      if (op.getNumResults() == 1 && isPure(&op)) {
        // The compiler moves it out of the loops that it does not depend on.
        double depends = 1;
        for (Value operand : op.getOperands())
          depends = std::max(depends, timesOf.lookup(operand));
        times = std::min(times, depends);
        timesOf[op.getResult(0)] = times;
        instructions +=
            times * weightOf(&op) * lanesOf(op.getResult(0).getType());
        return;
      }
      instructions += times * weightOf(&op);
    }
    for (Value result : op.getResults())
      timesOf[result] = times;
  }

  /// Of thread 0, which no thread exceeds.
  double trips(scf::ForOp loop) {
    std::optional<int64_t> lower = warp[0](loop.getLowerBound()),
                           upper = warp[0](loop.getUpperBound()),
                           step = warp[0](loop.getStep());
    if (!lower || !upper || !step || *step < 1)
      return 1;
    return std::max<double>(
        0, std::ceil((double(*upper) - double(*lower)) / double(*step)));
  }

  void access(Operation &op, Value buffer, OperandRange indices, Type type,
              double times) {
    auto memory = cast<MemRefType>(buffer.getType());
    bool shared = gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memory);
    double bytes = bytesOf(type);
    instructions += times;
    if (!shared && buffer.getDefiningOp())
      return; // A constant table or a thread's own memory.
    if (!shared) {
      asked[buffer] += times * bytes;
      if (op.getNumResults() > 0) {
        loads += times;
        loadBytes += times * bytes;
        double together = llvm::count_if(*op.getBlock(), [](Operation &other) {
          return isa<memref::LoadOp, vector::LoadOp>(other);
        });
        loadsTogether = std::max(loadsTogether, together);
      }
    }
    // Words of one warp by bank, or its lines.
    std::set<int64_t> places;
    std::array<double, size_t(kBanks)> words = {};
    double element = bytes / lanesOf(type);
    for (Evaluator &at : warp) {
      std::optional<int64_t> index =
          indices.size() == 1 ? at(indices.front()) : std::nullopt;
      if (!index) {
        lines += times * std::max(1.0, kWarp * bytes / kLineBytes);
        return;
      }
      double first = double(*index) * element;
      double unit = shared ? 4 : kLineBytes;
      for (double byte = first; byte < first + bytes; byte += 4)
        if (places.insert(int64_t(std::floor(byte / unit))).second && shared)
          ++words[uint64_t(std::floor(byte / unit)) % uint64_t(kBanks)];
    }
    lines += times * (shared ? *llvm::max_element(words)
                             : static_cast<double>(places.size()));
  }

  SmallVector<Evaluator> warp;
  /// How often a thread computes a value.
  llvm::DenseMap<Value, double> timesOf;
};

double product(const std::array<int64_t, 3> &extents) {
  return double(extents[0]) * double(extents[1]) * double(extents[2]);
}

} // namespace

Prediction predict(gpu::GPUFuncOp kernel, const std::array<int64_t, 3> &grid,
                   const std::array<int64_t, 3> &block,
                   const TargetInfo &target) {
  double blocks = product(grid), threads = product(block);
  Counter counter(block[0]);
  counter.walk(kernel.getBody().front(), 1);

  double shared = 0;
  for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(memory.getType());
    shared += double(type.getNumElements()) * bytesOf(type.getElementType());
  }
  double units = double(target.multiprocessors);
  double resident = std::min(
      double(target.maxBlocksPerMultiprocessor),
      std::floor(double(target.maxThreadsPerMultiprocessor) / threads));
  if (shared > 0)
    resident = std::min(
        resident,
        std::floor(double(target.sharedMemoryPerMultiprocessor) / shared));
  // What a loop carries is in registers, and what is computed with it.
  double registers =
      std::min(double(target.maxRegistersPerThread),
               kBaseRegisters + kRegistersACarried * counter.carried);
  resident =
      std::min(resident, std::floor(double(target.registersPerMultiprocessor) /
                                    (registers * threads)));
  resident = std::max(1.0, resident);
  double active = std::min(blocks, units * resident);
  // The last multiprocessor to finish decides.
  double balance = std::ceil(blocks / units) * units / blocks;

  Prediction result;
  result.residentBlocks = int64_t(resident);
  double unique = 0, again = 0;
  for (auto [buffer, perThread] : counter.asked) {
    auto type = cast<MemRefType>(buffer.getType());
    double size =
        double(type.getNumElements()) * bytesOf(type.getElementType());
    double all = perThread * threads * blocks;
    unique += std::min(size, all);
    // What fits stays, as every block wants it.
    if (size > double(target.l2Bytes) / 2)
      again += std::max(0.0, all - size);
  }
  // What all active blocks work on at once shares the cache.
  double live = unique * active / blocks;
  double missing =
      live > 0 ? std::max(0.0, 1 - double(target.l2Bytes) / live) : 0;
  result.memoryBytes = unique + again * missing;
  double inFlight =
      counter.loads == 0
          ? 1e9
          : active * threads * (counter.loadBytes / counter.loads) *
                std::clamp(counter.loadsTogether, kMinInFlight, kMaxInFlight);
  double bandwidth =
      std::min(target.copyBytesPerSecond, inFlight / kMemoryLatency);
  result.memorySeconds = result.memoryBytes / bandwidth;

  double laneRate = target.f32FlopsPerSecond / 2;
  double warps = std::ceil(threads / kWarp);
  double residentWarps = std::min(std::ceil(blocks / units), resident) * warps;
  double issue = std::min(1.0, residentWarps / kWarpsToIssue);
  result.instructions = counter.instructions * threads * blocks;
  result.instructionSeconds = result.instructions / laneRate * balance / issue;
  result.lines = counter.lines * warps * blocks;
  result.lineSeconds = result.lines / (laneRate / kLanes) * balance;

  const std::pair<double, StringRef> parts[] = {
      {result.memorySeconds, "memory"},
      {result.instructionSeconds, "instructions"},
      {result.lineSeconds, "cache"}};
  double longest = 0;
  for (auto [seconds, name] : parts) {
    if (seconds > std::max(longest, target.launchSeconds))
      result.bound = name;
    longest = std::max(longest, seconds);
  }
  result.seconds = target.launchSeconds + longest;
  return result;
}

} // namespace egg
