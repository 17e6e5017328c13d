#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<64x512xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<64x512xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.270000e+02 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "absf_0"} {
    ^bb0(%in: f32, %out: f32):
      %10 = math.absf %in : f32
      linalg.yield %10 : f32
    } -> tensor<64x512xf32>
    %2 = tensor.empty() : tensor<64xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x512xf32>) outs(%3 : tensor<64xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.maximumf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<64xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%4 : tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.divf %in, %cst_1 : f32
      linalg.yield %10 : f32
    } -> tensor<64xf32>
    %6 = tensor.empty() : tensor<64xi1>
    %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%5 : tensor<64xf32>) outs(%6 : tensor<64xi1>) attrs =  {egg.name = "cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %10 = arith.cmpf oeq, %in, %cst_2 : f32
      linalg.yield %10 : i1
    } -> tensor<64xi1>
    %8 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%7, %5 : tensor<64xi1>, tensor<64xf32>) outs(%2 : tensor<64xf32>) attrs =  {egg.name = "select_0"} {
    ^bb0(%in: i1, %in_3: f32, %out: f32):
      %10 = arith.select %in, %cst, %in_3 : f32
      linalg.yield %10 : f32
    } -> tensor<64xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<64x512xf32>, tensor<64xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "div_1"} {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %10 = arith.divf %in, %in_3 : f32
      linalg.yield %10 : f32
    } -> tensor<64x512xf32>
    return %9 : tensor<64x512xf32>
  }
}

