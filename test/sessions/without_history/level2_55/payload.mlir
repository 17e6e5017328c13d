#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<32768x32768xf32> {egg.kind = "parameter", egg.name = "matmul.weight"}, %arg1: tensor<32768xf32> {egg.kind = "parameter", egg.name = "matmul.bias"}, %arg2: tensor<128x32768xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<128xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<32768x32768xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<32768x32768xf32>) outs(%0 : tensor<32768x32768xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<128x32768xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<128x32768xf32>) -> tensor<128x32768xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg2, %transposed : tensor<128x32768xf32>, tensor<32768x32768xf32>) outs(%2 : tensor<128x32768xf32>) -> tensor<128x32768xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg1 : tensor<128x32768xf32>, tensor<32768xf32>) outs(%1 : tensor<128x32768xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %13 = arith.addf %in, %in_2 : f32
      linalg.yield %13 : f32
    } -> tensor<128x32768xf32>
    %expanded = tensor.expand_shape %4 [[0], [1, 2, 3]] output_shape [128, 1, 1, 32768] : tensor<128x32768xf32> into tensor<128x1x1x32768xf32>
    %5 = tensor.empty() : tensor<128x1x1x16384xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<128x1x1x16384xf32>) -> tensor<128x1x1x16384xf32>
    %7 = tensor.empty() : tensor<1x2xf32>
    %8 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, egg.name = "pooling_nchw_max_0", strides = dense<[1, 2]> : vector<2xi64>} ins(%expanded, %7 : tensor<128x1x1x32768xf32>, tensor<1x2xf32>) outs(%6 : tensor<128x1x1x16384xf32>) -> tensor<128x1x1x16384xf32>
    %collapsed = tensor.collapse_shape %8 [[0, 1, 2], [3]] : tensor<128x1x1x16384xf32> into tensor<128x16384xf32>
    %9 = tensor.empty() : tensor<128xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<128xf32>) -> tensor<128xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<128x16384xf32>) outs(%10 : tensor<128xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.addf %in, %out : f32
      linalg.yield %13 : f32
    } -> tensor<128xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%11 : tensor<128xf32>) outs(%9 : tensor<128xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.mulf %in, %cst_1 : f32
      linalg.yield %13 : f32
    } -> tensor<128xf32>
    return %12 : tensor<128xf32>
  }
}

