#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<8192x8192xf32> {egg.kind = "parameter", egg.name = "weight"}, %arg1: tensor<1024x8192xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<1024x1xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant 1.500000e+00 : f32
    %0 = tensor.empty() : tensor<8192x8192xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<8192x8192xf32>) outs(%0 : tensor<8192x8192xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<1024x8192xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1024x8192xf32>) -> tensor<1024x8192xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg1, %transposed : tensor<1024x8192xf32>, tensor<8192x8192xf32>) outs(%2 : tensor<1024x8192xf32>) -> tensor<1024x8192xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<1024x8192xf32>) outs(%1 : tensor<1024x8192xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.divf %in, %cst_0 : f32
      linalg.yield %9 : f32
    } -> tensor<1024x8192xf32>
    %5 = tensor.empty() : tensor<1024xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1024xf32>) -> tensor<1024xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<1024x8192xf32>) outs(%6 : tensor<1024xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.addf %in, %out : f32
      linalg.yield %9 : f32
    } -> tensor<1024xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%7 : tensor<1024xf32>) outs(%5 : tensor<1024xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.mulf %in, %cst_1 : f32
      linalg.yield %9 : f32
    } -> tensor<1024xf32>
    %expanded = tensor.expand_shape %8 [[0, 1]] output_shape [1024, 1] : tensor<1024xf32> into tensor<1024x1xf32>
    return %expanded : tensor<1024x1xf32>
  }
}

