#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<256x32xf32> {egg.kind = "input", egg.name = "x"}, %arg1: tensor<64x32xf32> {egg.kind = "input", egg.name = "y"}, %arg2: tensor<256x40xf32> {egg.kind = "input", egg.name = "z"}) -> (tensor<64x40xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0.176776692 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<32x256xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<256x32xf32>) outs(%0 : tensor<32x256xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<64x256xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<64x256xf32>) -> tensor<64x256xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg1, %transposed : tensor<64x32xf32>, tensor<32x256xf32>) outs(%2 : tensor<64x256xf32>) -> tensor<64x256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x256xf32>) outs(%1 : tensor<64x256xf32>) attrs =  {egg.name = "mul_0"} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %cst : f32
      linalg.yield %16 : f32
    } -> tensor<64x256xf32>
    %5 = tensor.empty() : tensor<64xf32>
    %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<64xf32>) -> tensor<64xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<64x256xf32>) outs(%6 : tensor<64xf32>) attrs =  {egg.name = "reduce_max_0"} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.maximumf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<64xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<64x256xf32>, tensor<64xf32>) outs(%1 : tensor<64x256xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.subf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<64x256xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<64x256xf32>) outs(%1 : tensor<64x256xf32>) attrs =  {egg.name = "exp_0"} {
    ^bb0(%in: f32, %out: f32):
      %16 = math.exp %in : f32
      linalg.yield %16 : f32
    } -> tensor<64x256xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<64xf32>) -> tensor<64xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<64x256xf32>) outs(%10 : tensor<64xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<64xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %11 : tensor<64x256xf32>, tensor<64xf32>) outs(%1 : tensor<64x256xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.divf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<64x256xf32>
    %13 = tensor.empty() : tensor<64x40xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<64x40xf32>) -> tensor<64x40xf32>
    %15 = linalg.matmul {egg.name = "matmul_1"} ins(%12, %arg2 : tensor<64x256xf32>, tensor<256x40xf32>) outs(%14 : tensor<64x40xf32>) -> tensor<64x40xf32>
    return %15 : tensor<64x40xf32>
  }
}

