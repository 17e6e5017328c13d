// RUN: egg-opt %s --egg-name-ops | FileCheck %s
// Naming again changes nothing:
// RUN: egg-opt %s --egg-name-ops -o %t.once
// RUN: egg-opt %t.once --egg-name-ops | diff %t.once -

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: @main
func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>) {
  // Not computing anything: no name.
  // CHECK-NOT: egg.name
  // CHECK: linalg.fill
  // CHECK-NOT: egg.name
  // CHECK: linalg.matmul {egg.name = "matmul_0"}
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: egg.name = "exp_0"
  %e1 = tensor.empty() : tensor<4x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e1 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  // A name that is there stays, and is not given twice.
  // CHECK: egg.name = "reduce_max_0"
  // CHECK: egg.name = "reduce_max_1"
  %e2 = tensor.empty() : tensor<4xf32>
  %max0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<4x8xf32>) outs(%e2 : tensor<4xf32>) attrs = {egg.name = "reduce_max_0"} {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %max1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%max0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  // CHECK: egg.scan <add> {{.*}}egg.name = "scan_add_0"
  %scan = egg.scan <add> %exp dim = 1 : tensor<4x8xf32>
  // CHECK: linalg.transpose {{.*}}egg.name = "transpose_0"
  %e3 = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%scan : tensor<4x8xf32>) outs(%e3 : tensor<8x4xf32>) permutation = [1, 0]
  return %max1, %mm, %scan, %t : tensor<4xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>
}
