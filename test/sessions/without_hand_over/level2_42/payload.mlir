#map = affine_map<(d0, d1, d2, d3) -> (d1, d0, -d2 + 2, -d3 + 2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0)>
#map6 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<128x1x1xf32> {egg.kind = "parameter", egg.name = "bias"}, %arg1: tensor<64x128x3x3xf32> {egg.kind = "parameter", egg.name = "conv_transpose.weight"}, %arg2: tensor<128xf32> {egg.kind = "parameter", egg.name = "conv_transpose.bias"}, %arg3: tensor<16x64x512x512xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<16x1xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0x7F800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 2.641960e+05 : f32
    %cst_3 = arith.constant 1.000000e+01 : f32
    %0 = tensor.empty() : tensor<128x64x3x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<64x128x3x3xf32>) outs(%0 : tensor<128x64x3x3xf32>) attrs =  {egg.name = "copy_0"} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x64x3x3xf32>
    %2 = tensor.empty() : tensor<16x64x516x516xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<16x64x516x516xf32>) -> tensor<16x64x516x516xf32>
    %inserted_slice = tensor.insert_slice %arg3 into %3[0, 0, 2, 2] [16, 64, 512, 512] [1, 1, 1, 1] {egg.name = "insert_slice_0"} : tensor<16x64x512x512xf32> into tensor<16x64x516x516xf32>
    %4 = tensor.empty() : tensor<16x128x514x514xf32>
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<128xf32>) outs(%4 : tensor<16x128x514x514xf32>) dimensions = [0, 2, 3]  {egg.name = "broadcast_0"}
    %5 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, egg.name = "conv_2d_nchw_fchw_0", strides = dense<1> : vector<2xi64>} ins(%inserted_slice, %1 : tensor<16x64x516x516xf32>, tensor<128x64x3x3xf32>) outs(%broadcasted : tensor<16x128x514x514xf32>) -> tensor<16x128x514x514xf32>
    %6 = tensor.empty() : tensor<16x128xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%5 : tensor<16x128x514x514xf32>) outs(%7 : tensor<16x128xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.addf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<16x128xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x128xf32>) outs(%6 : tensor<16x128xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.divf %in, %cst_2 : f32
      linalg.yield %26 : f32
    } -> tensor<16x128xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<128x1x1xf32> into tensor<128xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %collapsed : tensor<16x128xf32>, tensor<128xf32>) outs(%6 : tensor<16x128xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.addf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<16x128xf32>
    %11 = tensor.empty() : tensor<16xf32>
    %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<16xf32>) -> tensor<16xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<16x128xf32>) outs(%12 : tensor<16xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.maximumf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %14 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%13 : tensor<16xf32>) outs(%11 : tensor<16xf32>) attrs =  {egg.name = "absf_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = math.absf %in : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %15 = tensor.empty() : tensor<16xi1>
    %16 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%14 : tensor<16xf32>) outs(%15 : tensor<16xi1>) attrs =  {egg.name = "cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %26 = arith.cmpf oeq, %in, %cst : f32
      linalg.yield %26 : i1
    } -> tensor<16xi1>
    %17 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%16, %13 : tensor<16xi1>, tensor<16xf32>) outs(%11 : tensor<16xf32>) attrs =  {egg.name = "select_0"} {
    ^bb0(%in: i1, %in_4: f32, %out: f32):
      %26 = arith.select %in, %cst_0, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%10, %17 : tensor<16x128xf32>, tensor<16xf32>) outs(%6 : tensor<16x128xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.subf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<16x128xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<16x128xf32>) outs(%6 : tensor<16x128xf32>) attrs =  {egg.name = "exp_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = math.exp %in : f32
      linalg.yield %26 : f32
    } -> tensor<16x128xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<16xf32>) -> tensor<16xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "reduction"]} ins(%19 : tensor<16x128xf32>) outs(%20 : tensor<16xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.addf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%21 : tensor<16xf32>) outs(%11 : tensor<16xf32>) attrs =  {egg.name = "log_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = math.log %in : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%22, %17 : tensor<16xf32>, tensor<16xf32>) outs(%11 : tensor<16xf32>) attrs =  {egg.name = "add_1"} {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.addf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%23 : tensor<16xf32>) outs(%20 : tensor<16xf32>) attrs =  {egg.name = "add_2"} {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.addf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel"]} ins(%24 : tensor<16xf32>) outs(%11 : tensor<16xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.mulf %in, %cst_3 : f32
      linalg.yield %26 : f32
    } -> tensor<16xf32>
    %expanded = tensor.expand_shape %25 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    return %expanded : tensor<16x1xf32>
  }
}

