#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<4096x8192xf32> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<4096x8192xf32> {egg.kind = "input", egg.name = "mask"}) -> (tensor<4096x8192xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %0 = tensor.empty() : tensor<4096x8192xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4096x8192xf32>, tensor<4096x8192xf32>) outs(%0 : tensor<4096x8192xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<4096x8192xf32>
    %2 = egg.scan <add> %1 dim = 1 {egg.name = "scan_add_0"} : tensor<4096x8192xf32>
    return %2 : tensor<4096x8192xf32>
  }
}

