//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// egg-check-payload: the contract that every step after the import relies on.
//
//===----------------------------------------------------------------------===//
#include "egg/Import/CheckPayload.h"
#include "Patterns.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Import/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace egg {
#define GEN_PASS_DEF_CHECKPAYLOAD
#include "egg/Import/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

bool isSupportedElement(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         type.isInteger(64) || type.isInteger(32) || type.isInteger(16) ||
         type.isInteger(8) || type.isInteger(1);
}

/// Whether the tensor's size is a number of 64 bits; i1 takes a byte.
bool hasCountableBytes(RankedTensorType type) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return llvm::all_of(type.getShape(), [&](int64_t extent) {
    return !llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes);
  });
}

/// Why a value of the type cannot be in a payload; empty if it can.
std::string getTypeProblem(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape())
      stream << "has the dynamic shape of " << type
             << "; make every size a constant of the module";
    else if (!isSupportedElement(tensor.getElementType()) ||
             tensor.getEncoding())
      stream << "has the unsupported type " << type;
    else if (!hasCountableBytes(tensor))
      stream << "has the type " << type
             << ", of more bytes than 64 bits count; use smaller extents";
  } else if (!type.isIndex() && !isSupportedElement(type)) {
    stream << "has the unsupported type " << type;
  }
  return text;
}

bool isSupportedOp(Operation *op) {
  if (isa<func::ReturnOp>(op))
    return op->getParentOfType<linalg::LinalgOp>() == nullptr;
  Dialect *dialect = op->getDialect();
  // Bufferization's forerunners in the tensor dialect have no meaning here.
  return isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect,
                         arith::ArithDialect, math::MathDialect, EggDialect>(
      dialect);
}

LogicalResult checkOp(Operation *op) {
  if (!isSupportedOp(op))
    return op->emitError("'")
           << op->getName() << "' is not supported in a payload";
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    if (hasNoElements(extract.getTensor().getType()))
      return op->emitError(
                 "reads an element of a tensor that has none, of type ")
             << extract.getTensor().getType()
             << "; PyTorch fails here when it runs";
  if (!isa<tensor::EmptyOp>(op) &&
      llvm::any_of(op->getResultTypes(), hasNoElements))
    return op->emitError("'")
           << op->getName()
           << "' has a result without elements, and nothing computes those; "
              "run egg-import-torch, which removes it";
  for (Type type : op->getResultTypes())
    if (std::string problem = getTypeProblem(type); !problem.empty())
      return op->emitError("result of '") << op->getName() << "' " << problem;
  return success();
}

/// Checks that every value of the signature is a tensor that payloads have.
LogicalResult checkTensors(func::FuncOp function, TypeRange types,
                           StringRef what) {
  for (auto [number, type] : llvm::enumerate(types)) {
    if (!isa<RankedTensorType>(type))
      return function.emitError() << what << " #" << number
                                  << " is not a ranked tensor but " << type;
    if (std::string problem = getTypeProblem(type); !problem.empty())
      return function.emitError() << what << " #" << number << " " << problem;
  }
  return success();
}

/// Checks that something computes every result that has elements.
LogicalResult checkReturn(Operation *terminator) {
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    Operation *source = value.getDefiningOp();
    while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                           tensor::CastOp>(source))
      source = source->getOperand(0).getDefiningOp();
    if (isa_and_nonnull<tensor::EmptyOp>(source) &&
        !hasNoElements(value.getType()))
      return terminator->emitError("result #")
             << number
             << " is a tensor.empty, whose elements nothing computes; fill it, "
                "or do not return it";
  }
  return success();
}

LogicalResult checkBody(func::FuncOp function) {
  WalkResult walk =
      function.getBody().walk<WalkOrder::PreOrder>([](Operation *op) {
        return failed(checkOp(op)) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      });
  if (walk.wasInterrupted())
    return failure();
  return checkReturn(function.getBody().front().getTerminator());
}

/// Checks that every egg.kind is one of kinds, in their order, and that every
/// value of the signature has a name.
template <typename GetAttr>
LogicalResult checkSignature(func::FuncOp main, TypeRange types, StringRef what,
                             ArrayRef<StringRef> kinds, GetAttr getAttr) {
  const StringRef *least = kinds.begin();
  if (failed(checkTensors(main, types, what)))
    return failure();
  for (unsigned number = 0; number < types.size(); ++number) {
    auto kind = dyn_cast_or_null<StringAttr>(getAttr(number, "egg.kind"));
    auto name = dyn_cast_or_null<StringAttr>(getAttr(number, "egg.name"));
    if (!kind || !name)
      return main.emitError()
             << what << " #" << number
             << " needs the string attributes egg.kind and egg.name";
    const StringRef *position = llvm::find(kinds, kind.getValue());
    if (position == kinds.end())
      return main.emitError()
             << what << " #" << number << " has the unknown egg.kind " << kind;
    if (position < least)
      return main.emitError()
             << what << " #" << number << " of kind " << kind
             << " must come before those of kind \"" << *least << "\"";
    least = position;
  }
  return success();
}

struct CheckPayload : egg::impl::CheckPayloadBase<CheckPayload> {
  void runOnOperation() override {
    if (failed(checkPayload(getOperation())))
      signalPassFailure();
  }
};

} // namespace

LogicalResult egg::checkPayload(ModuleOp module) {
  func::FuncOp main;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.getSymName() != "main" || function.isExternal())
      return op.emitError("'")
             << op.getName()
             << "' is not supported in a payload: it has one function, @main, "
                "and nothing beside it";
    main = function;
  }
  if (!main)
    return module.emitError("a payload needs a function @main");
  if (!main.getBody().hasOneBlock())
    return main.emitError("a payload has no control flow, and @main more than "
                          "one block");
  auto getArgument = [&](unsigned number, StringRef name) {
    return main.getArgAttr(number, name);
  };
  auto getResult = [&](unsigned number, StringRef name) {
    return main.getResultAttr(number, name);
  };
  if (failed(checkSignature(main, main.getArgumentTypes(), "argument",
                            {"parameter", "buffer", "input"}, getArgument)) ||
      failed(checkSignature(main, main.getResultTypes(), "result",
                            {"output", "buffer_update"}, getResult)))
    return failure();
  return checkBody(main);
}

LogicalResult egg::checkPayloadFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("the function needs a body of one block: a "
                              "payload has no control flow");
  if (failed(checkTensors(function, function.getArgumentTypes(), "argument")) ||
      failed(checkTensors(function, function.getResultTypes(), "result")))
    return failure();
  return checkBody(function);
}
