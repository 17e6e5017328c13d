// RUN: egg-opt %s --split-input-file --egg-import-torch | FileCheck %s
// RUN: egg-opt %s --split-input-file --egg-import-torch | egg-opt --split-input-file --egg-import-torch | FileCheck %s

#a = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// torch-mlir compares such that a NaN is never found; PyTorch finds the first.
// CHECK-LABEL: @main
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[BEST:.*]]: f32, %[[AT:.*]]: i64):
// CHECK-DAG: %[[BEYOND:.*]] = arith.cmpf ult, %[[IN]], %[[BEST]]
// CHECK-DAG: %[[NUMBER:.*]] = arith.cmpf ord, %[[BEST]], %[[BEST]]
// CHECK: %[[TAKE:.*]] = arith.andi %[[BEYOND]], %[[NUMBER]]
// CHECK-NOT: andi
// CHECK: arith.select %[[TAKE]], %{{.*}}, %[[AT]] : i64
func.func @main(%x: tensor<3x5xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<3xi64> {egg.kind = "output", egg.name = "y"}) {
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3xf32>
  %ei = tensor.empty() : tensor<3xi64>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<3xi64>) -> tensor<3xi64>
  %0:2 = linalg.generic {indexing_maps = [#a, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%f, %fi : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %j = linalg.index 1 : index
    %1 = arith.index_cast %j : index to i64
    %2 = arith.minimumf %in, %out : f32
    %3 = arith.cmpf olt, %in, %out : f32
    %4 = arith.select %3, %1, %at : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %0#1 : tensor<3xi64>
}

// -----

#a = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// A comparison with something else than the best so far stays.
// CHECK-LABEL: @main
// CHECK: arith.cmpf ogt
// CHECK-NOT: arith.cmpf
func.func @main(%x: tensor<3x5xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<3xf32> {egg.kind = "output", egg.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#a, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.cmpf ogt, %in, %out : f32
    %2 = arith.select %1, %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
