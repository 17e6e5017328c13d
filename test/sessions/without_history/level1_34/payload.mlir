#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<112x64x512x512xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<112x64x512x512xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 9.99999974E-6 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 2.621440e+05 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<112x64x512x512xf32> into tensor<7168x512x512xf32>
    %0 = tensor.empty() : tensor<7168xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<7168xf32>) -> tensor<7168xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%collapsed : tensor<7168x512x512xf32>) outs(%1 : tensor<7168xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<7168xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%2 : tensor<7168xf32>) outs(%0 : tensor<7168xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.divf %in, %cst_1 : f32
      linalg.yield %12 : f32
    } -> tensor<7168xf32>
    %4 = tensor.empty() : tensor<7168x512x512xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed, %3 : tensor<7168x512x512xf32>, tensor<7168xf32>) outs(%4 : tensor<7168x512x512xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %12 = arith.subf %in, %in_2 : f32
      linalg.yield %12 : f32
    } -> tensor<7168x512x512xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<7168x512x512xf32>) outs(%4 : tensor<7168x512x512xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.mulf %in, %in : f32
      linalg.yield %12 : f32
    } -> tensor<7168x512x512xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%6 : tensor<7168x512x512xf32>) outs(%1 : tensor<7168xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<7168xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%7 : tensor<7168xf32>) outs(%0 : tensor<7168xf32>) attrs =  {egg.name = "div_1"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.divf %in, %cst_1 : f32
      linalg.yield %12 : f32
    } -> tensor<7168xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%8 : tensor<7168xf32>) outs(%0 : tensor<7168xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %cst : f32
      linalg.yield %12 : f32
    } -> tensor<7168xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%9 : tensor<7168xf32>) outs(%0 : tensor<7168xf32>) attrs =  {egg.name = "rsqrt_0"} {
    ^bb0(%in: f32, %out: f32):
      %12 = math.rsqrt %in : f32
      linalg.yield %12 : f32
    } -> tensor<7168xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %10 : tensor<7168x512x512xf32>, tensor<7168xf32>) outs(%4 : tensor<7168x512x512xf32>) attrs =  {egg.name = "mul_1"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %12 = arith.mulf %in, %in_2 : f32
      linalg.yield %12 : f32
    } -> tensor<7168x512x512xf32>
    %expanded = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [112, 64, 512, 512] : tensor<7168x512x512xf32> into tensor<112x64x512x512xf32>
    return %expanded : tensor<112x64x512x512xf32>
  }
}

