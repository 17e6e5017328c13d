//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Candidates for smaller programs. mlir-reduce does the same for one module
// and one test script; here two programs name each other's operations.
//
//===----------------------------------------------------------------------===//
#include "FuzzCase.h"
#include "egg/Kernel/KernelConfig.h"
#include "egg/Schedule/Schedule.h"
#include "egg/TransformOps/TransformOps.h"
#include "egg/Verify/ShrinkPayload.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

namespace {

class Reducer {
public:
  Reducer(const FuzzPrograms &programs, const DialectRegistry &registry)
      : programs(programs), context(registry, MLIRContext::Threading::DISABLED),
        quiet(&context, [](Diagnostic &) {}) {
    payload = parseSourceString<ModuleOp>(programs.payload, &context);
    schedule = parseSourceString<ModuleOp>(
        programs.schedule, ParserConfig(&context, /*verifyAfterParse=*/false));
    if (payload)
      main = payload->lookupSymbol<func::FuncOp>("main");
    if (main && (main.isExternal() || !main.getBody().hasOneBlock()))
      main = {};
  }

  std::optional<FuzzPrograms> make(size_t number);

private:
  bool dropResult(size_t number);
  bool dropOp(size_t &number);
  bool dropArguments();
  bool shrink(size_t number);
  std::optional<FuzzPrograms> dropLines(size_t number);
  void forgetOp(StringRef name);

  const FuzzPrograms &programs;
  MLIRContext context;
  ScopedDiagnosticHandler quiet;
  OwningOpRef<ModuleOp> payload, schedule;
  func::FuncOp main;
};

} // namespace

/// One result of @main less.
bool Reducer::dropResult(size_t number) {
  Operation *end = main.getBody().front().getTerminator();
  if (end->getNumOperands() != main.getNumResults())
    return false;
  end->eraseOperand(number);
  return succeeded(main.eraseResult(number));
}

/// Removes what a schedule says about the op, and kernels that hold no other.
void Reducer::forgetOp(StringRef name) {
  if (!schedule)
    return;
  Builder b(&context);
  SmallVector<SelectOp> empty;
  schedule->walk([&](SelectOp select) {
    ArrayAttr names = select.getNamesAttr();
    if (!names)
      return;
    SmallVector<Attribute> left(names.getValue());
    llvm::erase_if(left, [&](Attribute attribute) {
      auto text = dyn_cast<StringAttr>(attribute);
      return text && (text.getValue() == name ||
                      text.getValue() == (name + "_partial").str());
    });
    if (left.size() != names.size())
      select.setNamesAttr(b.getArrayAttr(left));
    if (left.empty())
      empty.push_back(select);
  });
  // A kernel whose recomputed ops are gone keeps its others.
  llvm::SetVector<Operation *> dead(empty.begin(), empty.end());
  for (size_t i = 0; i < dead.size(); ++i)
    for (Operation *user : llvm::to_vector(dead[i]->getUsers())) {
      if (auto form = dyn_cast<FormKernelOp>(user)) {
        if (form.getRecompute() &&
            form.getRecompute().getDefiningOp() == dead[i]) {
          form.getRecomputeMutable().clear();
          continue;
        }
        if (auto module = schedule->lookupSymbol<ModuleOp>(form.getName()))
          module.erase();
      }
      dead.insert(user);
    }
  for (Operation *op : llvm::reverse(dead))
    op->erase();
}

/// Arguments take the place of an op's results.
bool Reducer::dropOp(size_t &number) {
  SmallVector<Operation *> ops;
  for (Operation &op : main.getBody().front().without_terminator())
    if (op.getNumResults() != 0)
      ops.push_back(&op);
  if (number >= ops.size()) {
    number -= ops.size();
    return false;
  }
  Operation *op = ops[ops.size() - 1 - number];
  Builder b(&context);
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    if (!isa<RankedTensorType>(result.getType()))
      return true;
    unsigned at = main.getNumArguments();
    auto attributes = b.getDictionaryAttr(
        {b.getNamedAttr("egg.kind", b.getStringAttr("input")),
         b.getNamedAttr("egg.name", b.getStringAttr("in" + Twine(at)))});
    if (failed(main.insertArgument(at, result.getType(), attributes,
                                   op->getLoc())))
      return true;
    result.replaceAllUsesWith(main.getArgument(at));
  }
  if (auto name = op->getAttrOfType<StringAttr>(kNameAttrName))
    forgetOp(name.getValue());
  op->erase();
  return true;
}

/// Arguments that nothing reads.
bool Reducer::dropArguments() {
  llvm::BitVector unused(main.getNumArguments());
  for (BlockArgument argument : main.getArguments())
    unused[argument.getArgNumber()] = argument.use_empty();
  return unused.any() && succeeded(main.eraseArguments(unused));
}

static constexpr ShrinkVariant kVariants[] = {ShrinkVariant::Least,
                                              ShrinkVariant::Odd};
static constexpr int64_t kWorks[] = {30, 300, 3000};
static constexpr size_t kShrinks = std::size(kVariants) * std::size(kWorks);

bool Reducer::shrink(size_t number) {
  ShrinkTarget target;
  target.variant = kVariants[number % std::size(kVariants)];
  target.maxWork = kWorks[number / std::size(kVariants)];
  if (estimateWork(*payload) <= target.maxWork)
    return true;
  auto small = shrinkPayload(*payload, target);
  if (succeeded(small) && estimateWork(**small) < estimateWork(*payload))
    payload = std::move(*small);
  return true;
}

/// Halves of the schedule's lines less, then quarters, down to single ones.
std::optional<FuzzPrograms> Reducer::dropLines(size_t number) {
  SmallVector<StringRef> lines;
  StringRef(programs.schedule).split(lines, '\n');
  for (size_t size = (lines.size() + 1) / 2; size != 0; size /= 2) {
    size_t blocks = (lines.size() + size - 1) / size;
    if (number >= blocks) {
      number -= blocks;
      continue;
    }
    lines.erase(lines.begin() + number * size,
                lines.begin() + std::min(lines.size(), (number + 1) * size));
    return FuzzPrograms{programs.payload, llvm::join(lines, "\n")};
  }
  return std::nullopt;
}

std::optional<FuzzPrograms> Reducer::make(size_t number) {
  auto print = [&] {
    return FuzzPrograms{printPayload(*payload),
                        schedule ? printPayload(*schedule) : programs.schedule};
  };
  if (main) {
    size_t results = main.getNumResults() > 1 ? main.getNumResults() : 0;
    if (number < results) {
      dropResult(number);
      return print();
    }
    number -= results;
    if (dropOp(number))
      return print();
    if (number == 0) {
      dropArguments();
      return print();
    }
    --number;
    if (number < kShrinks) {
      shrink(number);
      return print();
    }
    number -= kShrinks;
  }
  return dropLines(number);
}

std::optional<FuzzPrograms>
egg::fuzz::makeSmaller(const FuzzPrograms &programs,
                       const DialectRegistry &registry, size_t number) {
  auto smaller = Reducer(programs, registry).make(number);
  return smaller;
}
