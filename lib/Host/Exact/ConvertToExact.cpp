//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ConvertToExact.h"
#include "ExactRules.h"
#include "ExactRuntime.h"
#include "egg/Host/HostArithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace egg;

namespace {

/// What to do with one operation, found while its types are still floats.
struct Conversion {
  enum class Kind {
    Apply,
    Compare,
    Class,
    Power,
    Reduce,
    ResizeFloat,
    FromSigned,
    FromUnsigned,
    ToInteger
  };
  Operation *op;
  Kind kind;
  ExactRule rule = {};
  /// Whether the operands' 16-bit floats are bf16, not f16.
  bool readsBfloat = false;
};

class ExactConverter {
public:
  explicit ExactConverter(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  FailureOr<ExactUses> run();

private:
  LogicalResult plan(Operation *op);
  void replaceTypes();
  void convert(const Conversion &conversion);
  void reduce(const Conversion &conversion);
  /// One element's result from its operands, all with their types of storage.
  Value convertElement(const Conversion &conversion, ValueRange operands,
                       Type resultType);
  Value call(StringRef name, ValueRange operands);
  Value apply(const ExactRule &rule, ValueRange operands);
  Value constant(int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                    builder.getI32IntegerAttr(value));
  }
  Value toResidue(Value stored, const Conversion &conversion);
  Value fromResidue(Value residue, Type type);
  Value resize(Value integer, Type type, bool isSigned);

  ModuleOp module;
  OpBuilder builder;
  Location loc = UnknownLoc::get(module.getContext());
  std::vector<Conversion> work;
  SmallVector<LLVM::LLVMFuncOp> libraryFunctions;
  ExactUses uses;
};

} // namespace

static bool containsFloat(Type type) {
  return type.walk([](FloatType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool touchesFloats(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), containsFloat) ||
         llvm::any_of(op->getResultTypes(), containsFloat);
}

static bool readsBfloat(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isBF16();
  });
}

/// Operations that move values and look at none.
static bool onlyMoves(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::GEPOp, LLVM::AllocaOp,
             LLVM::SelectOp, LLVM::InsertElementOp, LLVM::ExtractElementOp,
             LLVM::ShuffleVectorOp, LLVM::InsertValueOp, LLVM::ExtractValueOp,
             LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp,
             LLVM::FreezeOp, LLVM::BitcastOp, LLVM::MaskedLoadOp,
             LLVM::MaskedStoreOp, LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp,
             LLVM::ReturnOp>(op);
}

/// Outcomes that make the predicate true: 1 equal, 2 greater, 4 less,
/// 8 unordered.
static int32_t getOutcomes(LLVM::FCmpPredicate predicate) {
  using Predicate = LLVM::FCmpPredicate;
  // The enumerators up to ord, and after it all but uno, count as the bits do.
  static_assert(int(Predicate::oeq) == 1 && int(Predicate::ord) == 7 &&
                int(Predicate::ueq) == 8 && int(Predicate::une) == 13 &&
                int(Predicate::uno) == 14 && int(Predicate::_true) == 15);
  if (predicate == Predicate::uno)
    return 8;
  bool shifted = predicate >= Predicate::ueq && predicate <= Predicate::une;
  return int32_t(predicate) + shifted;
}

/// Decides what becomes of an operation.
LogicalResult ExactConverter::plan(Operation *op) {
  using Kind = Conversion::Kind;
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
    if (function.isExternal() && containsFloat(function.getFunctionType()))
      libraryFunctions.push_back(function);
    return success();
  }
  if (!touchesFloats(op))
    return success();
  if (onlyMoves(op)) {
    uses.bits |= isa<LLVM::BitcastOp>(op) &&
                 !containsFloat(op->getResult(0).getType()) &&
                 !op->hasAttr(kMovedBitsAttrName);
    uses.toInteger |= uses.bits;
    return success();
  }
  std::optional<ExactRule> rule;
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    if (auto callee = call.getCallee()) {
      auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(*callee);
      if (function && !function.isExternal())
        return success();
      // The roundings of instructions are conversions.
      if (*callee == "__nv_double2float_rz" || *callee == "egg_truncate_tf32" ||
          *callee == "egg_flush") {
        work.push_back({op, Kind::ResizeFloat, {}, readsBfloat(op)});
        return success();
      }
      rule = findRuleForFunction(*callee);
    }
  } else {
    rule = findRuleForOp(op->getName().getStringRef());
  }
  if (rule && op->getNumOperands() == rule->arity) {
    if (isUninterpreted(rule->function))
      uses.uninterpreted.insert(rule->name.str());
    uses.order |= rule->function >= ExactFunction::Maximum &&
                  rule->function <= ExactFunction::Copysign;
    uses.order |= rule->function == ExactFunction::Abs;
    work.push_back({op, Kind::Apply, *rule, readsBfloat(op)});
    return success();
  }
  if (auto reduction = findRuleForReduction(op->getName().getStringRef())) {
    uses.order |= reduction->function >= ExactFunction::Maximum;
    work.push_back({op, Kind::Reduce, *reduction, readsBfloat(op)});
    return success();
  }
  auto kind =
      llvm::StringSwitch<std::optional<Kind>>(op->getName().getStringRef())
          .Case("llvm.fcmp", Kind::Compare)
          .Case("llvm.intr.is.fpclass", Kind::Class)
          .Case("llvm.intr.powi", Kind::Power)
          .Cases({"llvm.fpext", "llvm.fptrunc"}, Kind::ResizeFloat)
          .Case("llvm.sitofp", Kind::FromSigned)
          .Case("llvm.uitofp", Kind::FromUnsigned)
          .Cases({"llvm.fptosi", "llvm.fptoui"}, Kind::ToInteger)
          .Default(std::nullopt);
  if (!kind) {
    InFlightDiagnostic error = op->emitError()
                               << "no rule of exact arithmetic for '"
                               << op->getName() << "'";
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      error << " of '" << call.getCallee().value_or("a pointer") << "'";
    return error << "; add one to the table of rules, or write the "
                    "computation with other operations";
  }
  uses.order |= *kind == Kind::Compare || *kind == Kind::Class;
  uses.toInteger |= *kind == Kind::ToInteger;
  work.push_back({op, *kind, {}, readsBfloat(op)});
  return success();
}

/// Types and constants, everywhere; operations are converted afterwards.
void ExactConverter::replaceTypes() {
  auto integerOf = [](Type type) -> Type {
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  };
  auto bitsOf = [](const APFloat &value, unsigned width) {
    APFloat exact = value;
    bool losesInfo;
    exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    uint32_t bits = Residue::fromConstant(exact.convertToDouble()).getBits();
    return APInt(64, bits).zextOrTrunc(width);
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](FloatType type) -> std::optional<Type> { return integerOf(type); });
  replacer.addReplacement([&](FloatAttr attr) -> std::optional<Attribute> {
    Type type = integerOf(attr.getType());
    return IntegerAttr::get(
        type, bitsOf(attr.getValue(), type.getIntOrFloatBitWidth()));
  });
  replacer.addReplacement(
      [&](DenseElementsAttr attr) -> std::optional<Attribute> {
        if (!isa<FloatType>(attr.getElementType()))
          return std::nullopt;
        Type type = integerOf(attr.getElementType());
        return cast<DenseFPElementsAttr>(attr).mapValues(
            type, [&](const APFloat &value) {
              return bitsOf(value, type.getIntOrFloatBitWidth());
            });
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

Value ExactConverter::resize(Value integer, Type type, bool isSigned) {
  unsigned from = integer.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from == to)
    return integer;
  if (from > to)
    return LLVM::TruncOp::create(builder, loc, type, integer);
  if (isSigned)
    return LLVM::SExtOp::create(builder, loc, type, integer);
  return LLVM::ZExtOp::create(builder, loc, type, integer);
}

Value ExactConverter::toResidue(Value stored, const Conversion &conversion) {
  Value bits = resize(stored, builder.getI32Type(), /*isSigned=*/false);
  if (!stored.getType().isInteger(16))
    return bits;
  return call("egg_exact_widen", {bits, constant(conversion.readsBfloat)});
}

Value ExactConverter::fromResidue(Value residue, Type type) {
  return resize(residue, type, /*isSigned=*/false);
}

Value ExactConverter::call(StringRef name, ValueRange operands) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  return LLVM::CallOp::create(builder, loc, function, operands).getResult();
}

Value ExactConverter::apply(const ExactRule &rule, ValueRange operands) {
  switch (rule.function) {
  case ExactFunction::Add:
    return call("egg_exact_add", operands);
  case ExactFunction::Sub:
    return call("egg_exact_sub", operands);
  case ExactFunction::Mul:
    return call("egg_exact_mul", operands);
  case ExactFunction::Fma:
    return call("egg_exact_fma", operands);
  default:
    break;
  }
  Value second = operands.size() > 1 ? operands[1] : constant(0);
  return call("egg_exact_apply",
              {constant(int32_t(rule.function)), operands[0], second});
}

Value ExactConverter::convertElement(const Conversion &conversion,
                                     ValueRange operands, Type resultType) {
  using Kind = Conversion::Kind;
  SmallVector<Value> residues;
  switch (conversion.kind) {
  case Kind::Apply:
    for (Value operand : operands)
      residues.push_back(toResidue(operand, conversion));
    return fromResidue(apply(conversion.rule, residues), resultType);
  case Kind::Compare: {
    int32_t outcomes =
        getOutcomes(cast<LLVM::FCmpOp>(conversion.op).getPredicate());
    Value answer = call("egg_exact_compare",
                        {constant(outcomes), toResidue(operands[0], conversion),
                         toResidue(operands[1], conversion)});
    return resize(answer, resultType, /*isSigned=*/false);
  }
  case Kind::Class: {
    auto mask = cast<LLVM::IsFPClass>(conversion.op).getBit();
    Value answer =
        call("egg_exact_class",
             {constant(int32_t(mask)), toResidue(operands[0], conversion)});
    return resize(answer, resultType, /*isSigned=*/false);
  }
  case Kind::Power:
    return fromResidue(
        call("egg_exact_power", {toResidue(operands[0], conversion),
                                 resize(operands[1], builder.getI32Type(),
                                        /*isSigned=*/true)}),
        resultType);
  case Kind::ResizeFloat:
    return fromResidue(toResidue(operands[0], conversion), resultType);
  case Kind::FromSigned:
  case Kind::FromUnsigned: {
    bool isSigned = conversion.kind == Kind::FromSigned;
    Value wide = resize(operands[0], builder.getI64Type(), isSigned);
    return fromResidue(
        call(isSigned ? "egg_exact_from_signed" : "egg_exact_from_unsigned",
             wide),
        resultType);
  }
  case Kind::ToInteger:
    return resize(
        call("egg_exact_to_integer", toResidue(operands[0], conversion)),
        resultType, /*isSigned=*/true);
  case Kind::Reduce:
    break;
  }
  llvm_unreachable("reductions are no elementwise operations");
}

void ExactConverter::reduce(const Conversion &conversion) {
  Operation *op = conversion.op;
  Value vector = op->getOperands().back();
  Value total;
  if (op->getNumOperands() == 2)
    total = toResidue(op->getOperand(0), conversion);
  for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements();
       i < e; ++i) {
    Value element = toResidue(LLVM::ExtractElementOp::create(
                                  builder, loc, vector, constant(int32_t(i))),
                              conversion);
    total = total ? apply(conversion.rule, {total, element}) : element;
  }
  op->getResult(0).replaceAllUsesWith(
      fromResidue(total, op->getResult(0).getType()));
  op->erase();
}

void ExactConverter::convert(const Conversion &conversion) {
  Operation *op = conversion.op;
  builder.setInsertionPoint(op);
  loc = op->getLoc();
  if (conversion.kind == Conversion::Kind::Reduce)
    return reduce(conversion);
  Type type = op->getResult(0).getType();
  Value result;
  if (auto vectorType = dyn_cast<VectorType>(type)) {
    result = LLVM::PoisonOp::create(builder, loc, vectorType);
    for (int64_t i = 0, e = vectorType.getNumElements(); i < e; ++i) {
      SmallVector<Value> elements;
      for (Value operand : op->getOperands())
        elements.push_back(
            isa<VectorType>(operand.getType())
                ? LLVM::ExtractElementOp::create(builder, loc, operand,
                                                 constant(int32_t(i)))
                      .getResult()
                : operand);
      Value element =
          convertElement(conversion, elements, vectorType.getElementType());
      result = LLVM::InsertElementOp::create(builder, loc, result, element,
                                             constant(int32_t(i)));
    }
  } else {
    result = convertElement(conversion, op->getOperands(), type);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

FailureOr<ExactUses> ExactConverter::run() {
  WalkResult planned = module.walk([&](Operation *op) {
    return failed(plan(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (planned.wasInterrupted())
    return failure();
  declareExactRuntime(module);
  replaceTypes();
  for (const Conversion &conversion : work)
    convert(conversion);
  for (LLVM::LLVMFuncOp function : libraryFunctions)
    function.erase();
  if (failed(verify(module)))
    return failure();
  return uses;
}

FailureOr<ExactUses> egg::convertToExact(ModuleOp module) {
  return ExactConverter(module).run();
}
