//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InlinePTX.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace egg::simt;

/// Splits at commas outside brackets and braces.
static std::vector<std::string> splitOperands(StringRef text) {
  std::vector<std::string> operands;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '[')
      ++depth;
    else if (c == '}' || c == ']')
      --depth;
    if (c != ',' || (depth != 0 && i < text.size()))
      continue;
    StringRef operand = text.slice(start, i).trim();
    if (!operand.empty())
      operands.push_back(operand.str());
    start = i + 1;
  }
  return operands;
}

InlinePTX::InlinePTX(LLVM::InlineAsmOp op) : op(op) {
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',');
  for (StringRef constraint : constraints)
    results += constraint.starts_with("=");
  std::string text = op.getAsmString().str();
  for (char &c : text)
    if (c == '\n' || c == '\t' || c == '\r')
      c = ' ';
  // What makes a label unique.
  for (StringRef unique : {"${:uid}", "%="})
    for (size_t at = text.find(unique); at != std::string::npos;
         at = text.find(unique))
      text.replace(at, unique.size(), "_");
  StringRef rest = StringRef(text).trim();
  if (rest.starts_with("{") && rest.ends_with("}"))
    rest = rest.drop_front().drop_back();
  while (!rest.trim().empty()) {
    auto [statement, after] = rest.split(';');
    rest = after;
    statement = statement.trim();
    // Labels: a name and one colon.
    for (size_t colon = statement.find(':');
         colon != StringRef::npos && colon + 1 < statement.size() &&
         statement[colon + 1] != ':' &&
         statement.take_front(colon).find_first_of(" .[{$") == StringRef::npos;
         colon = statement.find(':')) {
      lastLabels.push_back(statement.take_front(colon).trim().str());
      statement = statement.drop_front(colon + 1).trim();
    }
    if (statement.ends_with(":")) {
      lastLabels.push_back(statement.drop_back().trim().str());
      continue;
    }
    if (statement.empty() || statement.starts_with(".reg"))
      continue;
    Instruction instruction;
    instruction.labels = std::move(lastLabels);
    lastLabels.clear();
    if (statement.starts_with("@")) {
      auto [guard, guarded] = statement.split(' ');
      instruction.guard = guard.str();
      statement = guarded.trim();
    }
    auto [opcode, operands] = statement.split(' ');
    instruction.opcode = opcode.str();
    instruction.operands = splitOperands(operands);
    list.push_back(std::move(instruction));
  }
}

const InlinePTX::Instruction *InlinePTX::find(StringRef prefix) const {
  for (const Instruction &instruction : list)
    if (StringRef(instruction.opcode).starts_with(prefix))
      return &instruction;
  return nullptr;
}

bool InlinePTX::loopsUntilTrue(const Instruction &wait) const {
  if (wait.operands.empty() || !wait.guard.empty())
    return false;
  const std::string &predicate = wait.operands.front();
  auto start = size_t(&wait - list.data());
  for (const Instruction &instruction : list)
    if (&instruction != &wait && instruction.opcode != "bra" &&
        instruction.opcode != "bra.uni")
      return false;
  // Where a branch leads; the number of instructions for the end.
  auto find = [&](StringRef label) {
    for (auto [number, instruction] : llvm::enumerate(list))
      if (llvm::is_contained(instruction.labels, label))
        return number;
    return llvm::is_contained(lastLabels, label) ? list.size()
                                                 : list.size() + 1;
  };
  // Follows the branches from one instruction to the wait or the end.
  auto follow = [&](size_t at, std::optional<bool> value) {
    for (size_t steps = 0; steps <= list.size(); ++steps) {
      if (at >= list.size() || at == start)
        return at;
      const Instruction &branch = list[at];
      StringRef guard = branch.guard;
      bool taken = true;
      if (guard.consume_front("@")) {
        bool negated = guard.consume_front("!");
        if (guard != predicate || !value)
          break;
        taken = *value != negated;
      }
      if (taken && branch.operands.size() != 1)
        break;
      at = taken ? find(branch.operands.front()) : at + 1;
    }
    return list.size() + 1;
  };
  return follow(0, std::nullopt) == start &&
         follow(start + 1, false) == start &&
         follow(start + 1, true) == list.size();
}

const InlinePTX::Instruction *InlinePTX::findEffect() const {
  static constexpr llvm::StringLiteral kEffects[] = {
      "ld",        "ldu",        "ldmatrix",   "st",
      "stmatrix",  "atom",       "red",        "redux",
      "multimem",  "cp",         "prefetch",   "prefetchu",
      "discard",   "bar",        "barrier",    "fence",
      "membar",    "mbarrier",   "wgmma",      "tcgen05",
      "tensormap", "setmaxnreg", "shfl",       "vote",
      "match",     "elect",      "activemask", "griddepcontrol",
      "call",      "trap",       "exit",       "brkpt",
      "nanosleep", "mma",        "wmma",       "clusterlaunchcontrol"};
  for (const Instruction &instruction : list) {
    StringRef opcode = instruction.opcode;
    // What nothing writes while the kernel runs may be read at any time.
    if (opcode.starts_with("ld.global.nc") || opcode.starts_with("ld.const") ||
        opcode.starts_with("ld.param"))
      continue;
    if (llvm::is_contained(kEffects, opcode.split('.').first))
      return &instruction;
  }
  return nullptr;
}

SmallVector<std::string> InlinePTX::elements(StringRef operand) {
  if (!operand.starts_with("{") || !operand.ends_with("}"))
    return {operand.str()};
  SmallVector<std::string> result;
  for (std::string &element : splitOperands(operand.drop_front().drop_back()))
    result.push_back(std::move(element));
  return result;
}

std::string InlinePTX::address(StringRef operand) {
  if (!operand.starts_with("[") || !operand.ends_with("]"))
    return "";
  return operand.drop_front().drop_back().trim().str();
}

std::string InlinePTX::resolvePredicate(StringRef operand) const {
  for (const Instruction &instruction : list)
    if (StringRef(instruction.opcode).starts_with("setp.ne") &&
        instruction.operands.size() == 3 &&
        instruction.operands[0] == operand && instruction.operands[2] == "0")
      return instruction.operands[1];
  return operand.str();
}

int InlinePTX::result(StringRef operand) const {
  int number;
  if (!operand.consume_front("$") || operand.getAsInteger(10, number) ||
      number >= results)
    return -1;
  return number;
}

Value InlinePTX::value(OpBuilder &builder, Location loc, StringRef operand,
                       unsigned literalBits) const {
  int64_t number;
  if (operand.consume_front("$")) {
    if (operand.getAsInteger(10, number) || number < results ||
        number - results >= int64_t(op->getNumOperands()))
      return {};
    return op->getOperand(number - results);
  }
  if (operand.getAsInteger(0, number))
    return {};
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getIntegerType(literalBits), number);
}
