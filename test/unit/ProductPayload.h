//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_PRODUCTPAYLOAD_H
#define EGG_TEST_UNIT_PRODUCTPAYLOAD_H

namespace egg {

/// Two ops, which the expert makes one kernel.
inline constexpr const char *kProductPayload = R"(
func.func @main(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>)
    -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>)
      -> tensor<64x48xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"}
      ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
      outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp {egg.name = "exp_0"} ins(%0 : tensor<64x48xf32>)
      outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
})";

} // namespace egg

#endif // EGG_TEST_UNIT_PRODUCTPAYLOAD_H
