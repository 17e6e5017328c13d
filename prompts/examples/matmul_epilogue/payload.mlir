#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<768x512xf32> {egg.kind = "parameter", egg.name = "linear.weight"}, %arg1: tensor<768xf32> {egg.kind = "parameter", egg.name = "linear.bias"}, %arg2: tensor<1024x512xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<1024x768xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<512x768xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<768x512xf32>) outs(%0 : tensor<512x768xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<1024x768xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg2, %transposed : tensor<1024x512xf32>, tensor<512x768xf32>) outs(%2 : tensor<1024x768xf32>) -> tensor<1024x768xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg1 : tensor<1024x768xf32>, tensor<768xf32>) outs(%1 : tensor<1024x768xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.addf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<1024x768xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1024x768xf32>) outs(%1 : tensor<1024x768xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.cmpf ugt, %in, %cst : f32
      %8 = arith.select %7, %in, %cst : f32
      linalg.yield %8 : f32
    } -> tensor<1024x768xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<1024x768xf32>) outs(%1 : tensor<1024x768xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.mulf %in, %cst_0 : f32
      linalg.yield %7 : f32
    } -> tensor<1024x768xf32>
    return %6 : tensor<1024x768xf32>
  }
}

