#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1)>
module {
  func.func @main(%arg0: tensor<128x1x1xf32> {egg.kind = "parameter", egg.name = "bias"}, %arg1: tensor<128x64x3x3xf32> {egg.kind = "parameter", egg.name = "conv.weight"}, %arg2: tensor<128xf32> {egg.kind = "parameter", egg.name = "conv.bias"}, %arg3: tensor<128x64x128x128xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<128x128x126x126xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<128x128x126x126xf32>
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<128xf32>) outs(%0 : tensor<128x128x126x126xf32>) dimensions = [0, 2, 3]  {egg.name = "broadcast_0"}
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, egg.name = "conv_2d_nchw_fchw_0", strides = dense<1> : vector<2xi64>} ins(%arg3, %arg1 : tensor<128x64x128x128xf32>, tensor<128x64x3x3xf32>) outs(%broadcasted : tensor<128x128x126x126xf32>) -> tensor<128x128x126x126xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<128x128x126x126xf32>) outs(%0 : tensor<128x128x126x126xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.cmpf ugt, %in, %cst : f32
      %5 = arith.select %4, %in, %cst : f32
      linalg.yield %5 : f32
    } -> tensor<128x128x126x126xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<128x1x1xf32> into tensor<128xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %collapsed : tensor<128x128x126x126xf32>, tensor<128xf32>) outs(%0 : tensor<128x128x126x126xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.addf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<128x128x126x126xf32>
    return %3 : tensor<128x128x126x126xf32>
  }
}

