//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScheduleWriter.h"
#include "egg/Core/ScheduleFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace egg {
namespace {

constexpr llvm::StringLiteral kOp = "!transform.any_op";
constexpr size_t kLineWidth = 80;

class Writer {
public:
  std::string write(const ScheduleText &schedule);
  std::string kernelModule(llvm::StringRef name, const HardwarePlan &plan);

private:
  llvm::raw_ostream &line(int64_t depth) {
    return os << std::string(2 * depth, ' ');
  }
  void comment(int64_t depth, llvm::StringRef text);
  void list(int64_t depth, size_t column, llvm::ArrayRef<std::string> names);
  void select(llvm::StringRef handle, llvm::ArrayRef<std::string> names);
  void split(const CutSplit &split);
  void formKernel(const CutKernel &kernel);
  void stage(llvm::StringRef name, llvm::ArrayRef<HardwareDecision> decisions);

  std::string text;
  llvm::raw_string_ostream os{text};
};

/// A name of the payload's as part of a name in the script.
std::string identifier(llvm::StringRef name) {
  std::string word = name.str();
  for (char &c : word)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  return word;
}

/// Breaks the text into comment lines. Names in it can hold line breaks.
void Writer::comment(int64_t depth, llvm::StringRef reason) {
  std::string text = reason.str();
  for (char &c : text)
    if (!llvm::isPrint(c))
      c = '?';
  std::string current;
  size_t room = kLineWidth - 2 * depth - 3;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(text).split(words, ' ');
  for (llvm::StringRef word : words) {
    if (!current.empty() && current.size() + 1 + word.size() > room) {
      line(depth) << "// " << current << "\n";
      current.clear();
    }
    if (!current.empty())
      current += ' ';
    current += word;
  }
  line(depth) << "// " << current << "\n";
}

/// ["a", "b", ...] from that column on, broken where a line is full.
void Writer::list(int64_t depth, size_t column,
                  llvm::ArrayRef<std::string> names) {
  os << "[";
  ++column;
  for (auto [i, name] : llvm::enumerate(names)) {
    column += name.size() + 4;
    if (i && column > kLineWidth) {
      os << ",\n";
      line(depth);
      column = 2 * depth + name.size() + 4;
    } else if (i) {
      os << ", ";
    }
    os << '"';
    llvm::printEscapedString(name, os);
    os << '"';
  }
  os << "]";
}

void Writer::select(llvm::StringRef handle, llvm::ArrayRef<std::string> names) {
  llvm::StringRef op = " = transform.egg.select %f ";
  line(2) << handle << op;
  list(4, 4 + handle.size() + op.size(), names);
  os << "\n";
  line(4) << ": (" << kOp << ") -> " << kOp << "\n";
}

void Writer::split(const CutSplit &split) {
  comment(2, split.reason);
  std::string op = identifier(split.op);
  std::string parts = "%" + op + "_parts";
  std::string whole = "%" + op + "_whole";
  line(2) << parts << " = transform.tune.knob<\"" << op
          << "_parts\"> = " << split.parts << " from options = [";
  std::vector<int64_t> options;
  for (int64_t option = 8; option <= 1024; option *= 2)
    options.push_back(option);
  if (split.parts < 8)
    options.insert(options.begin(), split.parts);
  llvm::interleaveComma(options, os);
  os << "] -> !transform.param<i64>\n";
  select(whole, {split.op});
  line(2) << "%" << op << "_first, %" << op
          << "_second = transform.egg.split_reduction " << whole << "\n";
  line(4) << "parts(" << parts << ")\n";
  line(4) << ": (" << kOp << ", !transform.param<i64>) -> (" << kOp << ", "
          << kOp << ")\n\n";
}

void Writer::formKernel(const CutKernel &kernel) {
  for (const CutSplit &split : kernel.splits)
    this->split(split);
  for (const std::string &reason : kernel.reasons)
    comment(2, reason);
  std::string ops = "%" + kernel.name + "_ops";
  std::string again = "%" + kernel.name + "_again";
  select(ops, kernel.ops);
  if (!kernel.recompute.empty())
    select(again, kernel.recompute);
  line(2) << "%" << kernel.name << "_kernel = transform.egg.form_kernel "
          << ops;
  if (!kernel.recompute.empty())
    os << " recompute(" << again << ")";
  os << "\n";
  line(4) << "{name = \"" << kernel.name << "\"}\n";
  line(4) << ": (" << kOp;
  if (!kernel.recompute.empty())
    os << ", " << kOp;
  os << ") -> " << kOp << "\n\n";
}

void Writer::stage(llvm::StringRef name,
                   llvm::ArrayRef<HardwareDecision> decisions) {
  line(2) << "transform.named_sequence @" << name << "(%k: " << kOp << ") {\n";
  for (const HardwareDecision &decision : decisions) {
    comment(3, decision.reason);
    for (const Knob &knob : decision.knobs) {
      line(3) << "%" << knob.name << " = transform.tune.knob<\"" << knob.name
              << "\"> = " << knob.selected << " from options = [";
      llvm::interleaveComma(knob.options, os);
      os << "] -> !transform.param<i64>\n";
    }
    line(3) << "transform.egg." << decision.op << " %k";
    for (const Knob &knob : decision.knobs)
      os << " " << knob.name << "(%" << knob.name << ")";
    os << " : " << kOp << "\n";
  }
  line(3) << "transform.yield\n";
  line(2) << "}\n";
}

std::string Writer::kernelModule(llvm::StringRef name,
                                 const HardwarePlan &plan) {
  line(1) << "module @" << name
          << " attributes {transform.with_named_sequence} {\n";
  stage(kHardwareStages[0], plan.mapping);
  stage(kHardwareStages[1], plan.tiling);
  stage(kHardwareStages[2], plan.memory);
  line(1) << "}\n";
  return text;
}

std::string Writer::write(const ScheduleText &schedule) {
  comment(0, "Proposed by EGG's expert. @algorithm cuts @main into kernels; "
             "each kernel's module says how it is mapped to the machine.");
  os << "module attributes {transform.with_named_sequence, "
     << kScheduleAttrName << " = " << kScheduleVersion << " : i64,\n"
     << "    " << kTargetAttrName << " = \"" << schedule.chip << "\",\n"
     << "    " << kPayloadAttrName << " = \"" << schedule.payloadHash
     << "\"} {\n";
  line(1) << "transform.named_sequence @" << kAlgorithmName << "(%f: " << kOp
          << ") {\n";
  for (const CutKernel &kernel : schedule.kernels)
    formKernel(kernel);
  line(2) << "transform.yield\n";
  line(1) << "}\n";
  for (auto [kernel, plan] :
       llvm::zip_equal(schedule.kernels, schedule.plans)) {
    os << "\n";
    kernelModule(kernel.name, plan);
  }
  os << "}\n";
  return text;
}
} // namespace

std::string writeSchedule(const ScheduleText &schedule) {
  return Writer().write(schedule);
}

std::string writeKernelModule(llvm::StringRef name, const HardwarePlan &plan) {
  return Writer().kernelModule(name, plan);
}

} // namespace egg
