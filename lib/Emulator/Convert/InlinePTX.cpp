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
         colon = statement.find(':'))
      statement = statement.drop_front(colon + 1).trim();
    if (statement.empty() || statement.starts_with(".reg") ||
        statement.ends_with(":"))
      continue;
    Instruction instruction;
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
