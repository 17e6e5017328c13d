#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<4x128x64xf32> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<4x128x64xf32> {egg.kind = "input", egg.name = "y"}, %arg2: tensor<128xf32> {egg.kind = "input", egg.name = "z"}, %arg3: tensor<4x128x64xf32> {egg.kind = "input", egg.name = "w"}) -> (tensor<4x128x64xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.250000e-01 : f32
    %0 = tensor.empty() : tensor<4x64x128xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<4x128x64xf32>) outs(%0 : tensor<4x64x128xf32>) permutation = [0, 2, 1]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<4x128x128xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
    %3 = linalg.batch_matmul {egg.name = "batch_matmul_0"} ins(%arg1, %transposed : tensor<4x128x64xf32>, tensor<4x64x128xf32>) outs(%2 : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<4x128x128xf32>) outs(%1 : tensor<4x128x128xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.mulf %in, %cst_1 : f32
      linalg.yield %17 : f32
    } -> tensor<4x128x128xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %arg2 : tensor<4x128x128xf32>, tensor<128xf32>) outs(%1 : tensor<4x128x128xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.addf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<4x128x128xf32>
    %6 = tensor.empty() : tensor<4x128xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<4x128xf32>) -> tensor<4x128xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<4x128x128xf32>) outs(%7 : tensor<4x128xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.maximumf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<4x128xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %8 : tensor<4x128x128xf32>, tensor<4x128xf32>) outs(%1 : tensor<4x128x128xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<4x128x128xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<4x128x128xf32>) outs(%1 : tensor<4x128x128xf32>) attrs =  {egg.name = "exp_0"} {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<4x128x128xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%6 : tensor<4x128xf32>) -> tensor<4x128xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x128x128xf32>) outs(%11 : tensor<4x128xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<4x128xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %12 : tensor<4x128x128xf32>, tensor<4x128xf32>) outs(%1 : tensor<4x128x128xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.divf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<4x128x128xf32>
    %14 = tensor.empty() : tensor<4x128x64xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
    %16 = linalg.batch_matmul {egg.name = "batch_matmul_1"} ins(%13, %arg3 : tensor<4x128x128xf32>, tensor<4x128x64xf32>) outs(%15 : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
    return %16 : tensor<4x128x64xf32>
  }
}

