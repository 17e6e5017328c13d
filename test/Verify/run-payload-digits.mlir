// What a payload's own operations say of zeros and small numbers, in both
// precisions.
// RUN: egg-opt %s --egg-run-on-cpu -o /dev/null 2>&1 | FileCheck %s
// RUN: egg-opt %s --egg-run-on-cpu=precision=double -o /dev/null 2>&1 | FileCheck %s

// One over the maximum of zeros of both signs, in either order, and over their
// minimum.
// CHECK: result 0 [inf, inf, -inf, -inf]
// exp(x) - 1 keeps the digits of x.
// CHECK: result 1 [1e-20, -1e-20, 9.99995e-41, 0]
#id = affine_map<(i) -> (i)>
func.func @main() -> (tensor<4xf32> {egg.kind = "output", egg.name = "y"},
                      tensor<4xf32> {egg.kind = "output", egg.name = "z"}) {
  %a = arith.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf32>
  %b = arith.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %s = arith.constant dense<[1.0e-20, -1.0e-20, 1.0e-40, 0.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {egg.name = "div_0", indexing_maps = [#id, #id, #id],
      iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2 : index
    %i = linalg.index 0 : index
    %first = arith.cmpi ult, %i, %two : index
    %most = arith.maximumf %x, %y : f32
    %least = arith.minimumf %x, %y : f32
    %which = arith.select %first, %most, %least : f32
    %r = arith.divf %one, %which : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {egg.name = "expm1_0", indexing_maps = [#id, #id],
      iterator_types = ["parallel"]}
      ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = math.expm1 %x : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
