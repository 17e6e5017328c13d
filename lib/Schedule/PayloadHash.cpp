//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Schedule/Schedule.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace egg {

LogicalResult checkPrintable(ModuleOp payload) {
  auto lacksOperands = [](ArrayRef<int64_t> sizes, OperandRange operands) {
    return size_t(llvm::count(sizes, ShapedType::kDynamic)) != operands.size();
  };
  WalkResult result = payload.walk([&](tensor::PadOp pad) -> WalkResult {
    if (!lacksOperands(pad.getStaticLow(), pad.getLow()) &&
        !lacksOperands(pad.getStaticHigh(), pad.getHigh()))
      return success();
    // The operation itself cannot be shown.
    return emitError(pad.getLoc())
           << "[payload] a padding of 'tensor.pad' is " << ShapedType::kDynamic
           << ", which stands for an operand, and there is none; import the "
              "payload again";
  });
  return failure(result.wasInterrupted());
}

std::string printPayload(ModuleOp payload) {
  std::string text;
  llvm::raw_string_ostream os(text);
  payload.print(os);
  os << "\n";
  return text;
}

std::string hashPayload(ModuleOp payload) {
  llvm::SHA256 hash;
  hash.update(printPayload(payload));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

} // namespace egg
