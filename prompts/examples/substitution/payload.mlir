#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<2048x4096xf32> {egg.kind = "parameter", egg.name = "linear.weight"}, %arg1: tensor<1024x4096xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<1024xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4096x2048xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2048x4096xf32>) outs(%0 : tensor<4096x2048xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<1024x2048xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg1, %transposed : tensor<1024x4096xf32>, tensor<4096x2048xf32>) outs(%2 : tensor<1024x2048xf32>) -> tensor<1024x2048xf32>
    %4 = tensor.empty() : tensor<1024xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1024xf32>) -> tensor<1024xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<1024x2048xf32>) outs(%5 : tensor<1024xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %out : f32
      linalg.yield %7 : f32
    } -> tensor<1024xf32>
    return %6 : tensor<1024xf32>
  }
}

