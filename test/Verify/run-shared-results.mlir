// RUN: egg-opt %s --egg-run-on-cpu -o /dev/null 2>&1 | FileCheck %s

// One value behind three results, one of them reshaped: each has its buffer.
// CHECK: result 0 [[VALUES:.*]]
// CHECK: result 1 [[VALUES]]
// CHECK: result 2 [[VALUES]]
func.func @main(%a: tensor<4xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<4xf32> {egg.kind = "output", egg.name = "output_0"}, tensor<2x2xf32> {egg.kind = "output", egg.name = "output_1"}, tensor<4xf32> {egg.kind = "output", egg.name = "output_2"}) {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp {egg.name = "exp_0"} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.expand_shape %r [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %r, %v, %r : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}
