#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<64x512xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<64xi1> {egg.kind = "output", egg.name = "output_0"}) {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x512xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xf32>) outs(%0 : tensor<64x512xi1>) attrs =  {egg.name = "cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %5 : i1
    } -> tensor<64x512xi1>
    %2 = tensor.empty() : tensor<64xi1>
    %3 = linalg.fill ins(%false : i1) outs(%2 : tensor<64xi1>) -> tensor<64xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x512xi1>) outs(%3 : tensor<64xi1>) attrs =  {egg.name = "reduce_or_0"} {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.ori %in, %out : i1
      linalg.yield %5 : i1
    } -> tensor<64xi1>
    return %4 : tensor<64xi1>
  }
}

