// Integers with a bound of their own, and floats that are clamped.
func.func @main(%x: tensor<64xi32> {egg.kind = "input", egg.name = "x"},
                %y: tensor<64xf32> {egg.kind = "input", egg.name = "y"})
    -> (tensor<64xi32> {egg.kind = "output", egg.name = "a"},
        tensor<64xf32> {egg.kind = "output", egg.name = "b"}) {
  %most = arith.constant 77777 : i32
  %sixty = arith.constant 60.0 : f32
  %e = tensor.empty() : tensor<64xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<64xi32>) outs(%e : tensor<64xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.minsi %in, %most : i32
    linalg.yield %m : i32
  } -> tensor<64xi32>
  %f = tensor.empty() : tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %in, %sixty : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<64xi32>, tensor<64xf32>
}
