#map = affine_map<(d0, d1, d2, d3) -> (d1, d0, -d2 + 2, -d3 + 2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<64x128x3x3xf32> {egg.kind = "parameter", egg.name = "conv_transpose.weight"}, %arg1: tensor<128xf32> {egg.kind = "parameter", egg.name = "conv_transpose.bias"}, %arg2: tensor<16x64x128x128xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<16x128x1x1xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 6.553600e+04 : f32
    %0 = tensor.empty() : tensor<128x64x3x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<64x128x3x3xf32>) outs(%0 : tensor<128x64x3x3xf32>) attrs =  {egg.name = "copy_0"} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x64x3x3xf32>
    %2 = tensor.empty() : tensor<16x64x258x258xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x64x258x258xf32>) -> tensor<16x64x258x258xf32>
    %inserted_slice = tensor.insert_slice %arg2 into %3[0, 0, 1, 1] [16, 64, 128, 128] [1, 1, 2, 2] {egg.name = "insert_slice_0"} : tensor<16x64x128x128xf32> into tensor<16x64x258x258xf32>
    %4 = tensor.empty() : tensor<16x128x256x256xf32>
    %broadcasted = linalg.broadcast ins(%arg1 : tensor<128xf32>) outs(%4 : tensor<16x128x256x256xf32>) dimensions = [0, 2, 3]  {egg.name = "broadcast_0"}
    %5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, egg.name = "conv_2d_nchw_fchw_0", strides = dense<1> : vector<2xi64>} ins(%inserted_slice, %1 : tensor<16x64x258x258xf32>, tensor<128x64x3x3xf32>) outs(%broadcasted : tensor<16x128x256x256xf32>) -> tensor<16x128x256x256xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<16x128x256x256xf32>) outs(%4 : tensor<16x128x256x256xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.mulf %in, %cst_0 : f32
      linalg.yield %12 : f32
    } -> tensor<16x128x256x256xf32>
    %7 = tensor.empty() : tensor<16x128xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%6 : tensor<16x128x256x256xf32>) outs(%8 : tensor<16x128xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<16x128xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<16x128xf32>) outs(%7 : tensor<16x128xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.divf %in, %cst_1 : f32
      linalg.yield %12 : f32
    } -> tensor<16x128xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<16x128xf32>) outs(%8 : tensor<16x128xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<16x128xf32>
    %expanded = tensor.expand_shape %11 [[0], [1, 2, 3]] output_shape [16, 128, 1, 1] : tensor<16x128xf32> into tensor<16x128x1x1xf32>
    return %expanded : tensor<16x128x1x1xf32>
  }
}

