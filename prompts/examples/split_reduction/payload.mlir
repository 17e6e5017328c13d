#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<4x1048576xf32> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<4x1048576xf32> {egg.kind = "input", egg.name = "y"}) -> (tensor<4xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x1048576xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x1048576xf32>, tensor<4x1048576xf32>) outs(%0 : tensor<4x1048576xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.subf %in, %in_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x1048576xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x1048576xf32>) outs(%0 : tensor<4x1048576xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.mulf %in, %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x1048576xf32>
    %3 = tensor.empty() : tensor<4xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4xf32>) -> tensor<4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<4x1048576xf32>) outs(%4 : tensor<4xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.addf %in, %out : f32
      linalg.yield %6 : f32
    } -> tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}

