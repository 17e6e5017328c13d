// RUN: egg-opt %s --egg-propose -o /dev/null | FileCheck %s

// A small product of great depth: the shares are a batch of products.
// CHECK: // matmul_0 has 16 tiles of 64 x 64 and k = 524288: too few to fill the
// CHECK: transform.egg.split_reduction %matmul_0_whole
// CHECK: // matmul_0_partial is a sum of products of two operands: 16 x (256 x 256 x
// CHECK-NEXT: // 32768) (batch, m, n, k).
// CHECK: // matmul_0 reduces 65536 rows of 16 elements.
func.func @main(%a: tensor<256x524288xf32> {egg.kind = "input", egg.name = "a"}, %b: tensor<524288x256xf32> {egg.kind = "input", egg.name = "b"}) -> (tensor<256x256xf32> {egg.kind = "output", egg.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %0 = linalg.matmul {egg.name = "matmul_0"} ins(%a, %b : tensor<256x524288xf32>, tensor<524288x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
