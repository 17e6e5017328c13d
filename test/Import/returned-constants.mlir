// RUN: egg-opt %s --split-input-file --egg-import-torch | FileCheck %s
// RUN: egg-opt %s --split-input-file --egg-import-torch | egg-opt --split-input-file --egg-import-torch | FileCheck %s

// Fills and constants that are results become compute ops, one each; so do
// reshapes of them. What else uses them still uses them.
// CHECK-LABEL: @main
// CHECK-DAG: %[[C:.*]] = arith.constant dense<[3, 1, 2]> : tensor<3xi64>
// CHECK-DAG: %[[F:.*]] = linalg.fill
// CHECK-DAG: %[[CF:.*]] = linalg.copy {egg.name = "copy_0"} ins(%[[F]] : tensor<4xf32>)
// CHECK-DAG: %[[CC:.*]] = linalg.copy {egg.name = "copy_1"} ins(%[[C]] : tensor<3xi64>)
// CHECK: return %[[CF]], %[[CC]], %[[CF]]
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "a"},
        tensor<3xi64> {egg.kind = "output", egg.name = "b"},
        tensor<4xf32> {egg.kind = "output", egg.name = "c"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = arith.constant dense<[3, 1, 2]> : tensor<3xi64>
  return %f, %c, %f : tensor<4xf32>, tensor<3xi64>, tensor<4xf32>
}

// -----

// Arguments that are results need nothing: the plan copies them.
// CHECK-LABEL: @main
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]]
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "a"}) {
  return %x : tensor<4xf32>
}
