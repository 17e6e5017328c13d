#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<8192xf32> {egg.kind = "parameter", egg.name = "subtract"}, %arg1: tensor<8192x8192xf32> {egg.kind = "parameter", egg.name = "gemm.weight"}, %arg2: tensor<8192xf32> {egg.kind = "parameter", egg.name = "gemm.bias"}, %arg3: tensor<2048x8192xf32> {egg.kind = "input", egg.name = "x"}) -> (tensor<2048x8192xf32> {egg.kind = "output", egg.name = "output_0"}) {
    %cst = arith.constant 0x7F800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 8.192000e+03 : f32
    %cst_5 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<8192x8192xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<8192x8192xf32>) outs(%0 : tensor<8192x8192xf32>) permutation = [1, 0]  {egg.name = "transpose_0"}
    %1 = tensor.empty() : tensor<2048x8192xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<2048x8192xf32>) -> tensor<2048x8192xf32>
    %3 = linalg.matmul {egg.name = "matmul_0"} ins(%arg3, %transposed : tensor<2048x8192xf32>, tensor<8192x8192xf32>) outs(%2 : tensor<2048x8192xf32>) -> tensor<2048x8192xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<2048x8192xf32>, tensor<8192xf32>) outs(%1 : tensor<2048x8192xf32>) attrs =  {egg.name = "add_0"} {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %23 = arith.addf %in, %in_6 : f32
      linalg.yield %23 : f32
    } -> tensor<2048x8192xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg0 : tensor<2048x8192xf32>, tensor<8192xf32>) outs(%1 : tensor<2048x8192xf32>) attrs =  {egg.name = "sub_0"} {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %23 = arith.subf %in, %in_6 : f32
      linalg.yield %23 : f32
    } -> tensor<2048x8192xf32>
    %6 = tensor.empty() : tensor<2048xf32>
    %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<2048xf32>) -> tensor<2048xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<2048x8192xf32>) outs(%7 : tensor<2048xf32>) attrs =  {egg.name = "reduce_add_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %in, %out : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%8 : tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "div_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.divf %in, %cst_4 : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<2048xf32>) -> tensor<2048xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%9 : tensor<2048xf32>) outs(%10 : tensor<2048xf32>) attrs =  {egg.name = "max_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.maximumf %in, %out : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%11 : tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "absf_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = math.absf %in : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %13 = tensor.empty() : tensor<2048xi1>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%12 : tensor<2048xf32>) outs(%13 : tensor<2048xi1>) attrs =  {egg.name = "cmp_0"} {
    ^bb0(%in: f32, %out: i1):
      %23 = arith.cmpf oeq, %in, %cst : f32
      linalg.yield %23 : i1
    } -> tensor<2048xi1>
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%14, %11 : tensor<2048xi1>, tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "select_0"} {
    ^bb0(%in: i1, %in_6: f32, %out: f32):
      %23 = arith.select %in, %cst_0, %in_6 : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%9, %15 : tensor<2048xf32>, tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "sub_1"} {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %23 = arith.subf %in, %in_6 : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%16 : tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "exp_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = math.exp %in : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%17 : tensor<2048xf32>) outs(%7 : tensor<2048xf32>) attrs =  {egg.name = "add_1"} {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %in, %out : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%18 : tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "log_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = math.log %in : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%19, %15 : tensor<2048xf32>, tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "add_2"} {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %23 = arith.addf %in, %in_6 : f32
      linalg.yield %23 : f32
    } -> tensor<2048xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%20 : tensor<2048xf32>) outs(%6 : tensor<2048xf32>) attrs =  {egg.name = "map_0"} {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.divf %in, %cst_5 : f32
      %24 = math.erf %23 : f32
      %25 = arith.addf %24, %cst_2 : f32
      %26 = arith.mulf %25, %cst_3 : f32
      %27 = arith.mulf %in, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<2048xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg3 : tensor<2048xf32>, tensor<2048x8192xf32>) outs(%1 : tensor<2048x8192xf32>) attrs =  {egg.name = "add_3"} {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %23 = arith.addf %in, %in_6 : f32
      linalg.yield %23 : f32
    } -> tensor<2048x8192xf32>
    return %22 : tensor<2048x8192xf32>
  }
}

