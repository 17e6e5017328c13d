#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<64x8x3x3xf32> {egg.kind = "parameter", egg.name = "conv.weight"}, %arg1: tensor<64xf32> {egg.kind = "parameter", egg.name = "conv.bias"}, %arg2: tensor<128x8x256x256xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<128x64xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 1.41421354 : f32
    %cst_3 = arith.constant 6.451600e+04 : f32
    %0 = tensor.empty() : tensor<128x64x254x254xf32>
    %broadcasted = linalg.broadcast ins(%arg1 : tensor<64xf32>) outs(%0 : tensor<128x64x254x254xf32>) dimensions = [0, 2, 3]  {egg.name = "broadcast_0"}
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, egg.name = "conv_2d_nchw_fchw_0", strides = dense<1> : vector<2xi64>} ins(%arg2, %arg0 : tensor<128x8x256x256xf32>, tensor<64x8x3x3xf32>) outs(%broadcasted : tensor<128x64x254x254xf32>) -> tensor<128x64x254x254xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<128x64x254x254xf32>) outs(%0 : tensor<128x64x254x254xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.divf %in, %cst_2 : f32
      %8 = math.erf %7 : f32
      %9 = arith.addf %8, %cst_0 : f32
      %10 = arith.mulf %9, %cst_1 : f32
      %11 = arith.mulf %in, %10 : f32
      linalg.yield %11 : f32
    } -> tensor<128x64x254x254xf32>
    %3 = tensor.empty() : tensor<128x64xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<128x64xf32>) -> tensor<128x64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%2 : tensor<128x64x254x254xf32>) outs(%4 : tensor<128x64xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<128x64xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<128x64xf32>) outs(%3 : tensor<128x64xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.divf %in, %cst_3 : f32
      linalg.yield %7 : f32
    } -> tensor<128x64xf32>
    return %6 : tensor<128x64xf32>
  }
}

