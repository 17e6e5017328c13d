#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<64x512xi32> {egg.kind = "input", egg.name = "x"}) -> (tensor<64xi32> {egg.kind = "output", egg.name = "output_0"}) {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %0 = tensor.empty() : tensor<64xi32>
    %1 = linalg.fill ins(%c2147483647_i32 : i32) outs(%0 : tensor<64xi32>) -> tensor<64xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<64x512xi32>) outs(%1 : tensor<64xi32>) attrs =  {egg.name = "reduce_min_0"} {
    ^bb0(%in: i32, %out: i32):
      %3 = arith.minsi %in, %out : i32
      linalg.yield %3 : i32
    } -> tensor<64xi32>
    return %2 : tensor<64xi32>
  }
}

