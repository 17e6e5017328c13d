#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<64x512xi1> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<64x512xf32> {egg.kind = "input", egg.name = "y"}) -> (tensor<64x512xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %false = arith.constant false
    %0 = tensor.empty() : tensor<64xi1>
    %1 = linalg.fill ins(%false : i1) outs(%0 : tensor<64xi1>) -> tensor<64xi1>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<64x512xi1>) outs(%1 : tensor<64xi1>) attrs =  {egg.name = "reduce_or_0"} {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.ori %in, %out : i1
      linalg.yield %5 : i1
    } -> tensor<64xi1>
    %3 = tensor.empty() : tensor<64x512xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg1 : tensor<64xi1>, tensor<64x512xf32>) outs(%3 : tensor<64x512xf32>) attrs =  {egg.name = "select_0"} {
    ^bb0(%in: i1, %in_0: f32, %out: f32):
      %5 = arith.select %in, %in_0, %cst : f32
      linalg.yield %5 : f32
    } -> tensor<64x512xf32>
    return %4 : tensor<64x512xf32>
  }
}

