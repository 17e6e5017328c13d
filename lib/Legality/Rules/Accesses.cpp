//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bounds, alignment and width of the indices of memory accesses.
//
//===----------------------------------------------------------------------===//
#include "../Values/Points.h"
#include "Rules.h"
#include "egg/Kernel/ElementBytes.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace egg;
using namespace egg::legality;

/// Points that a search for a witness looks at, at most, in one kernel.
static constexpr int64_t kMostPoints = 40000;
/// Iterations of a loop that it looks at.
static constexpr int64_t kIterations = 4;

namespace {

/// How far an access is decided.
struct Refutation {
  std::string witness;
  bool wrapped = false;
};

class AccessCheck {
public:
  AccessCheck(KernelFacts &facts, Record &record)
      : facts(facts), record(record), evaluator(facts.launch) {}

  void check(const Access &access);

private:
  bool isInBounds(const Access &access);
  std::optional<Refutation> findOutside(const Access &access);
  void checkAlignment(const Access &access);
  bool mayWrap(Value value, std::set<const void *> &seen);
  int64_t alignmentOf(Value buffer);

  KernelFacts &facts;
  Record &record;
  Evaluator evaluator;
  int64_t points = 0;
  std::string undecidedReason;
};

} // namespace

/// The last index along a dimension at which an access may start.
static int64_t lastStart(const Access &access, size_t dim) {
  auto type = cast<MemRefType>(access.buffer.getType());
  bool innermost = dim + 1 == size_t(type.getRank());
  return type.getDimSize(dim) - (innermost ? access.width : 1);
}

bool AccessCheck::isInBounds(const Access &access) {
  for (auto [dim, index] : llvm::enumerate(access.indices))
    if (!facts.isWithin(facts.formOf(index), 0, lastStart(access, dim),
                        access.op->getBlock()))
      return false;
  return true;
}

/// Looks for a thread that leaves the buffer, or whose index wraps around on
/// the way to a place inside.
std::optional<Refutation> AccessCheck::findOutside(const Access &access) {
  const Launch &launch = facts.launch;
  std::optional<Refutation> found;
  undecidedReason = "the ranges of its index are too wide";
  for (auto block : sampleBlocks(launch, 6))
    for (int64_t t = 0; t < launch.threads(); ++t) {
      if (++points > kMostPoints)
        return found;
      Point point;
      point.block = block;
      point.thread = unflatten(t, launch.block);
      evaluator.moveTo(point);
      bool known = true;
      bool decided = evaluator.visit(
          access.op,
          [&]() {
            ++points;
            for (auto [dim, index] : llvm::enumerate(access.indices)) {
              auto number = evaluator.evaluate(index);
              if (!number)
                return known = false;
              int64_t last = lastStart(access, dim);
              bool outside = number->value < 0 || number->value > last;
              if (!outside && !number->wrapped)
                continue;
              auto type = cast<MemRefType>(access.buffer.getType());
              found = Refutation{
                  llvm::formatv("{0}: index {1} of {2}{3}",
                                describe(evaluator.point(), launch),
                                number->value, type.getDimSize(dim),
                                access.width > 1
                                    ? " (" + std::to_string(access.width) +
                                          " elements from there)"
                                    : ""),
                  number->wrapped && !outside};
              return false;
            }
            return true;
          },
          kIterations);
      if (found)
        return found;
      if (!known || !decided) {
        undecidedReason = known ? "a value in memory decides whether it runs"
                                : "a value in memory decides its index";
        return std::nullopt;
      }
    }
  return std::nullopt;
}

int64_t AccessCheck::alignmentOf(Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto kernel = facts.kernel;
    if (argument.getArgNumber() < kernel.getNumArguments())
      return kBufferAlignment;
    ArrayRef<BlockArgument> shared = kernel.getWorkgroupAttributions();
    for (auto [i, attribution] : llvm::enumerate(shared))
      if (attribution == argument)
        if (auto attr = dyn_cast_or_null<IntegerAttr>(
                kernel.getWorkgroupAttributionAttr(
                    i, StringAttr::get(kernel.getContext(),
                                       LLVM::LLVMDialect::getAlignAttrName()))))
          return attr.getInt();
    return 0;
  }
  if (auto get = buffer.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    return global ? int64_t(global.getAlignment().value_or(0)) : 0;
  }
  return 0;
}

void AccessCheck::checkAlignment(const Access &access) {
  if (access.width == 1)
    return;
  auto type = cast<MemRefType>(access.buffer.getType());
  int64_t element = getElementBytes(type.getElementType());
  // One instruction moves at most 16 bytes; a wider access is several.
  int64_t bytes = std::min<int64_t>(
      16, int64_t(llvm::PowerOf2Ceil(access.width * element)));
  int64_t base = alignmentOf(access.buffer);
  if (element == 0 || base < bytes)
    return record.undecided(Property::Alignment, access.op,
                            "nothing says how its memory is aligned");
  int64_t period = bytes / std::min(element, bytes);
  // Strides of outer dimensions that are no multiples spoil it.
  LinearForm start = facts.formOf(access.indices.back());
  int64_t stride = 1;
  bool known = true;
  for (size_t dim = access.indices.size() - 1; dim > 0; --dim) {
    stride *= type.getDimSize(dim);
    if (stride % period == 0)
      break;
    auto sum = start.plus(facts.formOf(access.indices[dim - 1]), stride);
    known &= sum.has_value();
    start = sum.value_or(start);
  }
  Congruence rule = facts.domain.congruence(start);
  if (known && rule.implies(period, 0))
    return record.proved(Property::Alignment);
  auto remedy = "choose a vector width that divides the rows and offsets of "
                "the tensor, or a tile whose start is a multiple of it";
  // At the first point that runs: a multiple everywhere is a multiple there.
  const Launch &launch = facts.launch;
  for (auto block : sampleBlocks(launch, 3))
    for (int64_t t = 0; t < launch.threads() && points < kMostPoints; ++t) {
      Point point;
      point.block = block;
      point.thread = unflatten(t, launch.block);
      evaluator.moveTo(point);
      std::string witness;
      bool undecidable = false;
      bool decided = evaluator.visit(
          access.op,
          [&]() {
            ++points;
            int64_t offset = 0, factor = 1;
            for (size_t dim = access.indices.size(); dim > 0; --dim) {
              auto number = evaluator.evaluate(access.indices[dim - 1]);
              if (!number) {
                undecidable = true;
                return false;
              }
              offset += number->value * factor;
              factor *= type.getDimSize(dim - 1);
            }
            if (offset % period == 0)
              return true;
            witness = llvm::formatv("{0}: byte {1} of the buffer",
                                    describe(evaluator.point(), launch),
                                    offset * element);
            return false;
          },
          kIterations);
      if (!witness.empty())
        return record.violated(
            Property::Alignment, access.op,
            llvm::formatv("moves {0} bytes at once and does not start at a "
                          "multiple of {0}",
                          bytes),
            witness, remedy);
      if (undecidable || !decided)
        return record.undecided(Property::Alignment, access.op,
                                "a value in memory decides its index");
    }
  record.undecided(Property::Alignment, access.op,
                   "nothing shows that its index is always a multiple");
}

/// Whether an operation on the way to the value may wrap around.
bool AccessCheck::mayWrap(Value value, std::set<const void *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(value.getAsOpaquePointer()).second)
    return false;
  if (facts.mayWrap(op))
    return true;
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand.getType().isIntOrIndex() && mayWrap(operand, seen);
  });
}

void AccessCheck::check(const Access &access) {
  auto type = cast<MemRefType>(access.buffer.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return record.undecided(Property::Bounds, access.op,
                            "its memref has no fixed shape");
  checkAlignment(access);
  bool inside = isInBounds(access);
  std::set<const void *> seen;
  bool wraps = llvm::any_of(access.indices,
                            [&](Value index) { return mayWrap(index, seen); });
  std::optional<Refutation> found;
  if (wraps || !inside)
    found = findOutside(access);
  if (inside)
    record.proved(Property::Bounds);
  else if (found && !found->wrapped)
    record.violated(Property::Bounds, access.op,
                    access.isWrite ? "writes outside of its buffer"
                                   : "reads outside of its buffer",
                    found->witness,
                    "choose tile sizes or vector widths whose remainders the "
                    "kernel handles, or guard the access");
  else
    record.undecided(Property::Bounds, access.op,
                     found ? "its index wraps around" : undecidedReason);
  if (!wraps)
    record.proved(Property::IndexWidth);
  else if (found && found->wrapped)
    record.violated(Property::IndexWidth, access.op,
                    "its index leaves its type and wraps around",
                    found->witness,
                    "compute indices above 2^31 in 64 bits, or cut the tensor "
                    "into parts");
  else
    record.undecided(Property::IndexWidth, access.op,
                     "an index may leave its type on the way");
}

void egg::legality::checkAccesses(KernelFacts &facts, Record &record) {
  AccessCheck check(facts, record);
  facts.kernel.walk([&](Operation *op) {
    if (auto access = getAccess(op)) {
      check.check(*access);
      return;
    }
    if (op->getNumRegions() == 0 && isa<memref::AtomicRMWOp>(op))
      record.undecided(Property::Bounds, op, "atomics are not analysed");
    else if (isa<memref::MemRefDialect, vector::VectorDialect>(
                 op->getDialect()) &&
             llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>) &&
             !isa<memref::DimOp>(op))
      record.undecided(Property::Bounds, op, "this operation is not analysed");
  });
}
