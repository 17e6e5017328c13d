#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<64x512xi1> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<64x512xf32> {egg.kind = "input", egg.name = "y"}) -> (tensor<64xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<64x512xi1>, tensor<64x512xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "select_0"} {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %11 = arith.select %in, %in_1, %cst_0 : f32
      linalg.yield %11 : f32
    } -> tensor<64x512xf32>
    %2 = tensor.empty() : tensor<64xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x512xf32>) outs(%3 : tensor<64xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xi1>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "cast_0"} {
    ^bb0(%in: i1, %out: f32):
      %11 = arith.uitofp %in : i1 to f32
      linalg.yield %11 : f32
    } -> tensor<64x512xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<64x512xf32>) outs(%3 : tensor<64xf32>) attrs =  {egg.name = "reduce_add_1"} {
    ^bb0(%in: f32, %out: f32):
      %11 = arith.addf %in, %out : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    %7 = tensor.empty() : tensor<64xi1>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%6 : tensor<64xf32>) outs(%7 : tensor<64xi1>) attrs =  {egg.name = "cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %11 = arith.cmpf olt, %in, %cst : f32
      linalg.yield %11 : i1
    } -> tensor<64xi1>
    %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%8, %6 : tensor<64xi1>, tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "select_1"} {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %11 = arith.select %in, %cst, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%4, %9 : tensor<64xf32>, tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %11 = arith.divf %in, %in_1 : f32
      linalg.yield %11 : f32
    } -> tensor<64xf32>
    return %10 : tensor<64xf32>
  }
}

