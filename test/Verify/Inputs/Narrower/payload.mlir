#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<64x512xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<64x512xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %0 = tensor.empty() : tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xf32>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.mulf %in, %in : f32
      linalg.yield %5 : f32
    } -> tensor<64x512xf32>
    %2 = tensor.empty() : tensor<64x512xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<64x512xf32>) outs(%2 : tensor<64x512xf16>) attrs =  {egg.name = "cast_0"} {
    ^bb0(%in: f32, %out: f16):
      %5 = arith.truncf %in : f32 to f16
      linalg.yield %5 : f16
    } -> tensor<64x512xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x512xf16>) outs(%0 : tensor<64x512xf32>) attrs =  {egg.name = "cast_1"} {
    ^bb0(%in: f16, %out: f32):
      %5 = arith.extf %in : f16 to f32
      linalg.yield %5 : f32
    } -> tensor<64x512xf32>
    return %4 : tensor<64x512xf32>
  }
}

