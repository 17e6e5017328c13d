//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/PayloadText.h"
#include "Figures.h"
#include "egg/Agent/SafeText.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/Kernel/KernelWork.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace egg {
namespace {

/// Larger constants are not printed.
constexpr int64_t kMaxConstant = 8;

StringRef nameOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(kNameAttrName);
  return name ? name.getValue() : StringRef();
}

/// Drops what is no part of the computation. Attributes that an op does not
/// know can hold anything; so can two of linalg.generic.
void strip(func::FuncOp function, const OpNames &names) {
  function.walk([&](Operation *op) {
    std::string name = nameOf(op).str();
    if (op->getName().isRegistered())
      for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
        op->removeDiscardableAttr(attr.getName());
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      generic.removeDocAttr();
      generic.removeLibraryCallAttr();
    }
    if (op != function && !name.empty())
      op->setAttr(kNameAttrName,
                  StringAttr::get(op->getContext(), names.shown(name)));
  });
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
}

std::string extents(Operation *op) {
  std::string text;
  auto add = [&](int64_t extent, bool reduced) {
    text += (text.empty() ? "" : "x") + std::to_string(extent) +
            (reduced ? "r" : "");
  };
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    for (auto [extent, kind] : llvm::zip_equal(
             linalgOp.getStaticLoopRanges(), linalgOp.getIteratorTypesArray()))
      add(extent, kind == utils::IteratorType::reduction);
  } else if (auto type =
                 dyn_cast<RankedTensorType>(op->getResult(0).getType())) {
    for (int64_t extent : type.getShape())
      add(extent, false);
  }
  return text.empty() ? "1" : text;
}

std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    for (int64_t extent : tensor.getShape())
      os << extent << "x";
    os << tensor.getElementType();
  } else {
    os << type;
  }
  return plainWords(text);
}

/// The compute ops and arguments that a value comes from through reshapes and
/// the like.
void addSources(Value value, const OpNames &names,
                std::vector<std::string> &sources, unsigned depth = 0) {
  auto add = [&](std::string source) {
    if (!llvm::is_contained(sources, source))
      sources.push_back(std::move(source));
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    add("arg" + std::to_string(argument.getArgNumber()));
    return;
  }
  Operation *op = value.getDefiningOp();
  if (StringRef name = nameOf(op); !name.empty()) {
    add(names.shown(name));
    return;
  }
  if (depth < 32 && !isa<tensor::EmptyOp>(op))
    for (Value operand : op->getOperands())
      addSources(operand, names, sources, depth + 1);
}

using KernelsOf = llvm::StringMap<std::vector<std::string>>;

std::string describeOps(func::FuncOp function, const OpNames &names,
                        const KernelsOf *kernels) {
  std::string text =
      "name | loops (r: reduced) | result | bytes (alone) | FLOPs | reads";
  text += kernels ? " | kernel\n" : "\n";
  int64_t count = 0;
  for (Operation &op : function.getBody().front()) {
    StringRef name = nameOf(&op);
    if (name.empty() || op.getNumResults() == 0)
      continue;
    ++count;
    Work work = measureWork(&op);
    std::vector<std::string> sources;
    for (Value operand : op.getOperands())
      addSources(operand, names, sources);
    std::string results =
        llvm::join(llvm::map_range(op.getResultTypes(), typeText), ", ");
    text += names.shown(name) + " | " + extents(&op) + " | " + results + " | " +
            bytesText(work.bytes) + " | " + countText(work.flops) + " | " +
            llvm::join(sources, ", ");
    if (kernels) {
      auto found = kernels->find(name);
      text +=
          " | " + (found == kernels->end() ? std::string("none")
                                           : llvm::join(found->second, ", "));
    }
    text += "\n";
  }
  return count ? text : "no compute ops\n";
}
} // namespace

std::string describeFunction(func::FuncOp function, const OpNames &names,
                             int64_t tokens) {
  OwningOpRef<ModuleOp> module(
      ModuleOp::create(UnknownLoc::get(function.getContext())));
  auto clone = cast<func::FuncOp>(function->clone());
  module->push_back(clone);
  strip(clone, names);
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kMaxConstant)
      .elideLargeResourceString(kMaxConstant)
      .enableDebugInfo(false);
  module->print(os, flags);
  // The module itself says nothing.
  StringRef body = text;
  std::string result;
  bool inModule = false;
  for (StringRef line : llvm::split(body, '\n')) {
    if (line == "module {" || (inModule && line == "}")) {
      inModule = true;
      continue;
    }
    if (line.trim().empty())
      continue;
    if (inModule)
      line.consume_front("  ");
    result += line.str() + "\n";
  }
  return capLines(plainWords(result), static_cast<size_t>(tokens) * 3);
}

std::string describeGraph(ModuleOp payload, const OpNames &names,
                          ModuleOp formed) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return "no @main\n";
  if (!formed)
    return describeOps(main, names, nullptr);
  KernelsOf kernels;
  formed.walk([&](func::FuncOp kernel) {
    if (kernel->hasAttr(kKernelAttrName))
      kernel.walk([&](Operation *op) {
        if (StringRef name = nameOf(op); !name.empty() && op != kernel)
          kernels[name].push_back("@" + safeLine(kernel.getSymName(), 64));
      });
  });
  // A substitution's ops are only in what it made.
  if (auto after = formed.lookupSymbol<func::FuncOp>("main")) {
    bool same = true;
    main.walk([&](Operation *op) {
      same &= nameOf(op).empty() || kernels.contains(nameOf(op));
    });
    if (!same)
      return describeOps(main, names, &kernels) +
             "Ops without a kernel were replaced or made two: the kernels' own "
             "ops are the words of the script.\n";
  }
  return describeOps(main, names, &kernels);
}

std::string describeKernelGraph(func::FuncOp kernel, const OpNames &names) {
  return describeOps(kernel, names, nullptr);
}

std::string describeStructures(func::FuncOp kernel) {
  FailureOr<KernelAnalysis> analysis = analyzeKernel(kernel);
  if (failed(analysis))
    return "none\n";
  std::string text;
  auto number = [](int64_t value) { return std::to_string(value); };
  if (analysis->supports(Structure::Map))
    text += "- map: " + number(analysis->rows) + " elements\n";
  if (analysis->contraction) {
    const ContractionInfo &c = *analysis->contraction;
    text += "- contraction: batch " + number(c.batch) + ", m " + number(c.m) +
            ", n " + number(c.n) + ", k " + number(c.k) + "\n";
  }
  if (analysis->supports(Structure::Scan))
    text += "- scan\n";
  if (analysis->supports(Structure::Rows)) {
    int64_t columns = 1;
    bool combinable = true;
    for (const AnchorInfo &anchor : analysis->anchors) {
      columns = std::max(columns, anchor.columns);
      combinable &= anchor.isCombinable();
    }
    text += "- rows: " + number(analysis->rows) +
            " rows; reductions of up to " + number(columns) + " elements a row";
    if (!combinable)
      text += "; partial results cannot be combined, so threads_per_row is 1";
    text += "\n";
  }
  return text;
}

} // namespace egg
