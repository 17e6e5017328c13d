// RUN: egg-opt %s --egg-import-torch | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: arith.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-NOT: dense_resource
func.func @main(%x: tensor<2xf32> {egg.kind = "input", egg.name = "x"}, %y: tensor<3xi1> {egg.kind = "input", egg.name = "y"}) -> (tensor<2xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<3xi1> {egg.kind = "output", egg.name = "output_1"}) {
  %c = arith.constant dense_resource<floats> : tensor<2xf32>
  %b = arith.constant dense_resource<bools> : tensor<3xi1>
  %e = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<3xi1>
  %0 = linalg.add ins(%x, %c : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %1 = linalg.map { arith.andi } ins(%y, %b : tensor<3xi1>, tensor<3xi1>) outs(%e1 : tensor<3xi1>)
  return %0, %1 : tensor<2xf32>, tensor<3xi1>
}

{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803f00000040",
      bools: "0x01000000010001"
    }
  }
#-}
