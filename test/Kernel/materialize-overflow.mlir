// RUN: egg-opt %s --egg-materialize-kernels | FileCheck %s

// A thread's partial sum may overflow where the ordered sum does not.
// CHECK-LABEL: gpu.func @sum
// CHECK: arith.addi
// CHECK-NOT: overflow
func.func private @sum(%x: tensor<33x65xi32>) -> tensor<33xi32> attributes {egg.kernel, egg.config = {structure = "rows", threads_per_row = 32 : i64}} {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<33xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<33xi32>) -> tensor<33xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<33x65xi32>) outs(%f : tensor<33xi32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.addi %o, %a overflow<nsw> : i32
    linalg.yield %s : i32
  } -> tensor<33xi32>
  return %0 : tensor<33xi32>
}
