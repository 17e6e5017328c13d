#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<8192x1024xf32> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<1024x4096xf32> {egg.kind = "parameter", egg.name = "down"}, %arg2: tensor<4096x512xf32> {egg.kind = "parameter", egg.name = "up"}, %arg3: tensor<512xf32> {egg.kind = "parameter", egg.name = "bias"}) -> (tensor<8192x512xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8192x4096xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
    %2 = linalg.matmul {egg.name = "matmul_0"} ins(%arg0, %arg1 : tensor<8192x1024xf32>, tensor<1024x4096xf32>) outs(%1 : tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
    %3 = tensor.empty() : tensor<8192x512xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<8192x512xf32>) -> tensor<8192x512xf32>
    %5 = linalg.matmul {egg.name = "matmul_1"} ins(%2, %arg2 : tensor<8192x4096xf32>, tensor<4096x512xf32>) outs(%4 : tensor<8192x512xf32>) -> tensor<8192x512xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %arg3 : tensor<8192x512xf32>, tensor<512xf32>) outs(%3 : tensor<8192x512xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.addf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<8192x512xf32>
    return %6 : tensor<8192x512xf32>
  }
}

