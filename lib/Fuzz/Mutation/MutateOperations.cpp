//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutate.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace egg::fuzz;

namespace {

class OperationMutator {
public:
  OperationMutator(ModuleOp module, Choices &choices)
      : module(module), b(module.getContext()), choices(choices) {
    module.walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
      for (Value result : op->getResults())
        values.push_back(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getArguments());
    });
  }

  void run();

private:
  void erase(Operation *op);
  void clone(Operation *op);
  void move(Operation *op);
  void changeAttribute(Operation *op);
  void crossOperand(Operation *op);
  void changeType();
  void renameSymbol(Operation *op);
  void addForeignOp(Operation *before);
  Attribute anyAttribute();
  Type anyType(Type like);

  ModuleOp module;
  OpBuilder b;
  Choices &choices;
  SmallVector<Operation *> ops;
  SmallVector<Value> values;
};

} // namespace

/// Other values stand in for those that go with the op.
void OperationMutator::erase(Operation *op) {
  llvm::SetVector<Value> own;
  op->walk([&](Operation *inner) {
    own.insert_range(inner->getResults());
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        own.insert_range(block.getArguments());
  });
  SmallVector<Value> others;
  for (Value value : values)
    if (!own.contains(value))
      others.push_back(value);
  for (Value value : own) {
    SmallVector<Value> alike;
    for (Value other : others)
      if (other.getType() == value.getType())
        alike.push_back(other);
    auto isOutside = [&](OpOperand &use) {
      return !op->isAncestor(use.getOwner());
    };
    if (!others.empty())
      value.replaceUsesWithIf(choices.pick(alike.empty() ? others : alike),
                              isOutside);
    else if (llvm::any_of(value.getUses(), isOutside))
      return;
  }
  op->erase();
}

void OperationMutator::clone(Operation *op) {
  b.setInsertionPointAfter(choices.chance(60) ? op : choices.pick(ops));
  b.clone(*op);
}

void OperationMutator::move(Operation *op) {
  Operation *to = choices.pick(ops);
  if (op != to && !op->isAncestor(to))
    op->moveBefore(to);
}

Attribute OperationMutator::anyAttribute() {
  static constexpr int64_t kNumbers[] = {0,
                                         1,
                                         -1,
                                         2,
                                         31,
                                         1024,
                                         int64_t(1) << 31,
                                         (int64_t(1) << 31) - 1,
                                         INT64_MAX,
                                         INT64_MIN};
  switch (choices.draw(0, 9)) {
  case 0:
  case 1:
    return b.getI64IntegerAttr(choices.pick(kNumbers));
  case 2:
    return b.getIntegerAttr(b.getI32Type(), APInt(32, choices.draw(0, 9)));
  case 3:
    return b.getF64FloatAttr(choices.chance(50) ? NAN : HUGE_VAL);
  case 4:
    return b.getUnitAttr();
  case 5:
    return b.getStringAttr(choices.chance(50) ? "" : "%s\\00\n");
  case 6:
    return b.getI64ArrayAttr({choices.pick(kNumbers), choices.pick(kNumbers)});
  case 7:
    return b.getDenseI64ArrayAttr({choices.pick(kNumbers)});
  case 8:
    return b.getStrArrayAttr({"matmul_0", "matmul_0", ""});
  default:
    return TypeAttr::get(anyType({}));
  }
}

/// The attribute's kind of value, another number of it.
static Attribute alter(Attribute attribute, Choices &choices) {
  Builder b(attribute.getContext());
  static constexpr int64_t kNumbers[] = {0,
                                         1,
                                         -1,
                                         2,
                                         3,
                                         5,
                                         31,
                                         32,
                                         33,
                                         256,
                                         1024,
                                         2048,
                                         int64_t(1) << 31,
                                         INT64_MAX,
                                         INT64_MIN};
  int64_t number = choices.pick(kNumbers);
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return IntegerAttr::get(integer.getType(),
                            APInt(integer.getValue().getBitWidth(),
                                  uint64_t(number),
                                  /*isSigned=*/true, /*implicitTrunc=*/true));
  if (isa<FloatAttr>(attribute))
    return b.getFloatAttr(cast<FloatAttr>(attribute).getType(),
                          choices.chance(30) ? NAN : double(number));
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    SmallVector<Attribute> elements(array.getValue());
    if (elements.empty())
      return attribute;
    size_t at = choices.index(elements.size());
    if (choices.chance(30))
      elements.erase(elements.begin() + at);
    else if (choices.chance(30))
      elements.push_back(elements[at]);
    else
      elements[at] = alter(elements[at], choices);
    return b.getArrayAttr(elements);
  }
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    SmallVector<int64_t> numbers(array.asArrayRef());
    if (numbers.empty() || choices.chance(15))
      numbers.push_back(number);
    else if (choices.chance(15))
      numbers.pop_back();
    else
      choices.pick(numbers) = number;
    return b.getDenseI64ArrayAttr(numbers);
  }
  if (auto dense = dyn_cast<DenseIntElementsAttr>(attribute)) {
    if (!dense.getElementType().isInteger(64))
      return attribute;
    SmallVector<int64_t> numbers(dense.getValues<int64_t>());
    if (numbers.empty())
      return attribute;
    choices.pick(numbers) = number;
    return DenseIntElementsAttr::get(dense.getType(),
                                     ArrayRef<int64_t>(numbers));
  }
  if (auto text = dyn_cast<StringAttr>(attribute)) {
    static constexpr llvm::StringLiteral kTexts[] = {
        "", "main", "k0", "sm_80", "sm_1", "WARP_SZ", "a b", "\n"};
    return choices.chance(50)
               ? b.getStringAttr(text.getValue() + "_")
               : b.getStringAttr(StringRef(choices.pick(kTexts)));
  }
  return attribute;
}

void OperationMutator::changeAttribute(Operation *op) {
  SmallVector<NamedAttribute> attributes(op->getAttrs());
  if (attributes.empty()) {
    op->setDiscardableAttr("fuzz", anyAttribute());
    return;
  }
  NamedAttribute attribute = choices.pick(attributes);
  if (choices.chance(15))
    op->removeAttr(attribute.getName());
  else if (choices.chance(20))
    op->setAttr(attribute.getName(), anyAttribute());
  else
    op->setAttr(attribute.getName(), alter(attribute.getValue(), choices));
}

void OperationMutator::crossOperand(Operation *op) {
  if (op->getNumOperands() == 0 || values.empty())
    return;
  unsigned at = choices.index(op->getNumOperands());
  if (choices.chance(15) && op->getNumOperands() > 1)
    op->eraseOperand(at);
  else if (choices.chance(15))
    op->insertOperands(at, choices.pick(values));
  else
    op->setOperand(at, choices.pick(values));
}

Type OperationMutator::anyType(Type like) {
  auto tensor = dyn_cast_or_null<RankedTensorType>(like);
  if (tensor && choices.chance(80)) {
    static constexpr int64_t kExtents[] = {0,
                                           1,
                                           2,
                                           3,
                                           7,
                                           4096,
                                           int64_t(1) << 31,
                                           int64_t(1) << 40,
                                           INT64_MAX,
                                           ShapedType::kDynamic};
    SmallVector<int64_t> shape(tensor.getShape());
    if (!shape.empty() && choices.chance(70))
      choices.pick(shape) = choices.pick(kExtents);
    else if (!shape.empty() && choices.chance(50))
      shape.pop_back();
    else
      shape.push_back(choices.pick(kExtents));
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  Type types[] = {transform::AnyOpType::get(b.getContext()),
                  transform::AnyValueType::get(b.getContext()),
                  transform::AnyParamType::get(b.getContext()),
                  transform::ParamType::get(b.getContext(), b.getI64Type()),
                  transform::ParamType::get(b.getContext(), b.getI32Type()),
                  transform::OperationType::get(b.getContext(), "func.func"),
                  b.getI64Type(),
                  b.getIndexType(),
                  b.getF32Type(),
                  b.getBF16Type(),
                  b.getI1Type(),
                  b.getNoneType(),
                  RankedTensorType::get({4, 4}, b.getF32Type()),
                  RankedTensorType::get({}, b.getF16Type()),
                  UnrankedTensorType::get(b.getF32Type()),
                  MemRefType::get({8}, b.getF32Type())};
  return choices.pick(types);
}

void OperationMutator::changeType() {
  if (values.empty())
    return;
  Value value = choices.pick(values);
  Type type = anyType(value.getType());
  // Everything of that type, as a mutated declaration would have it.
  Type old = value.getType();
  bool all = choices.chance(40);
  for (Value other : values)
    if (other == value || (all && other.getType() == old))
      other.setType(type);
}

void OperationMutator::renameSymbol(Operation *op) {
  static constexpr llvm::StringLiteral kNames[] = {
      "main",          "algorithm", "parallel_mapping",
      "tensor_tiling", "k0",        "kernels",
      "malloc",        "",          "a b"};
  op->setAttr("sym_name", b.getStringAttr(choices.pick(kNames)));
}

/// An op that does not belong there, with operands, results and a region of
/// about the shape it wants.
void OperationMutator::addForeignOp(Operation *before) {
  StringRef dialects[] = {"transform", "transform", "linalg", "tensor",
                          "scf",       "func",      "arith",  "gpu"};
  auto names =
      b.getContext()->getRegisteredOperationsByDialect(choices.pick(dialects));
  if (names.empty())
    return;
  OperationState state(before->getLoc(), choices.pick(names).getStringRef());
  if (!values.empty())
    for (int64_t i = 0, e = choices.draw(0, 3); i < e; ++i)
      state.addOperands(choices.pick(values));
  for (int64_t i = 0, e = choices.draw(0, 2); i < e; ++i)
    state.addTypes(anyType({}));
  static constexpr llvm::StringLiteral kAttributes[] = {"sizes",
                                                        "tile_sizes",
                                                        "static_sizes",
                                                        "name",
                                                        "ops",
                                                        "pass_name",
                                                        "callee",
                                                        "value",
                                                        "target",
                                                        "factor",
                                                        "static_num_threads",
                                                        "mapping"};
  for (int64_t i = 0, e = choices.draw(0, 2); i < e; ++i) {
    StringRef name = choices.pick(kAttributes);
    if (!state.attributes.get(name))
      state.addAttribute(name, anyAttribute());
  }
  if (choices.chance(30))
    state.addRegion()->emplaceBlock();
  b.setInsertionPoint(before);
  b.insert(Operation::create(state));
}

void OperationMutator::run() {
  if (ops.empty())
    return;
  Operation *op = choices.pick(ops);
  switch (choices.draw(0, 13)) {
  case 0:
    return erase(op);
  case 1:
    return clone(op);
  case 2:
    return move(op);
  case 3:
  case 4:
  case 5:
  case 6:
    return changeAttribute(op);
  case 7:
  case 8:
    return crossOperand(op);
  case 9:
    return changeType();
  case 10:
    return addForeignOp(op);
  default:
    break;
  }
  SmallVector<Operation *> symbols;
  for (Operation *each : ops)
    if (each->hasAttr("sym_name"))
      symbols.push_back(each);
  if (symbols.empty())
    return changeAttribute(op);
  op = choices.pick(symbols);
  switch (choices.draw(0, 2)) {
  case 0:
    return renameSymbol(op);
  case 1:
    return clone(op);
  default:
    return erase(op);
  }
}

void egg::fuzz::mutateOperations(ModuleOp module, Choices &choices) {
  OperationMutator(module, choices).run();
}

std::string egg::fuzz::printGeneric(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().printGenericOpForm().assumeVerified());
  os << '\n';
  return text;
}
